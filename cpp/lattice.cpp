// Dinkelbach's iteration (1967) over a dynamic programme: the least of edits / length is the lambda for which the least of
// edits - lambda * length is 0. Each round sets lambda = p / q from the path found last and finds the path with the least
// q * edits - p * length, in whole numbers, so that the result is exact; two or three rounds do.
#include "lattice.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "parallel.hpp"

namespace tercet {

void Lattices::add(std::int32_t states, std::vector<LatticeEdge> edges, const std::vector<std::int32_t>& finals) {
    if (states < 1) throw std::invalid_argument("a lattice has a start state");
    Lattice lattice;
    lattice.states = states;
    for (const LatticeEdge& edge : edges) {
        if (edge.source < 0 || edge.target >= states || edge.source >= edge.target)
            throw std::invalid_argument("an edge leads to a state of a higher number");
        if (edge.first_word >= edge.last_word || edge.last_word > words()) throw std::invalid_argument("an edge has words");
    }
    std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.target < b.target; });
    lattice.edges = std::move(edges);
    lattice.first_edge.assign(states + 1, 0);
    lattice.last_use.assign(states, -1);
    for (const LatticeEdge& edge : lattice.edges) {
        ++lattice.first_edge[edge.target + 1];
        lattice.last_use[edge.source] = std::max(lattice.last_use[edge.source], edge.target);
    }
    for (std::int32_t s = 0; s < states; ++s) lattice.first_edge[s + 1] += lattice.first_edge[s];
    lattice.final.assign(states, false);
    for (std::int32_t state : finals) {
        if (state < 0 || state >= states) throw std::invalid_argument("a final state is a state");
        lattice.final[state] = true;
    }
    std::vector<std::int32_t> depth(states, -1);  // words of the longest path there
    depth[0] = 0;
    bool accepts = false;
    for (std::int32_t state = 0; state < states; ++state) {
        for (std::int32_t e = lattice.first_edge[state]; e < lattice.first_edge[state + 1]; ++e)
            if (const std::int32_t before = depth[lattice.edges[e].source]; before >= 0)
                depth[state] = std::max(depth[state], before + 1);
        if (depth[state] < 0) throw std::invalid_argument("every state is reached from the start");
        if (lattice.final[state]) accepts = true, lattice.longest = std::max(lattice.longest, depth[state]);
    }
    if (!accepts) throw std::invalid_argument("a lattice has a final state");
    lattices_.push_back(std::move(lattice));
}

std::size_t Lattices::add_word(Text word) {
    auto found = numbers_.find(word);
    if (found == numbers_.end()) {
        found = numbers_.emplace(std::string(word), static_cast<std::uint32_t>(spelled_.size())).first;
        spelled_.push_back(&found->first);
    }
    ids_.push_back(found->second);
    return words() - 1;
}

namespace {

using Cost = std::int64_t;
constexpr Cost unreached = std::numeric_limits<Cost>::max() / 4;

// The orders in which a hypothesis may be read: states by how much is read, arcs that read the word at a place.
struct Reading {
    struct Arc {
        std::int32_t source, target, place;
    };
    std::int32_t states = 1;
    bool in_order = true;
    std::vector<Arc> arcs;                 // by how much is read before them
    std::vector<std::int32_t> first, of;   // for each place, the arcs that read it: of[first[place]] and on

    void set(std::int32_t words, int window) {
        in_order = window == 0;
        arcs.clear();
        states = words + 1;
        if (in_order) return;
        // A state: the first place that is not read, and which of the `window` places behind it are.
        using Key = std::pair<std::int32_t, std::uint32_t>;
        std::map<Key, std::int32_t> level{{{0, 0}, 0}};
        std::int32_t count = 1;
        for (std::int32_t read = 0; read < words; ++read) {
            std::map<Key, std::int32_t> next;
            for (const auto& [key, number] : level)
                for (std::int32_t ahead = 0; ahead <= window && key.first + ahead < words; ++ahead) {
                    if (ahead > 0 && key.second >> (ahead - 1) & 1) continue;
                    Key there = key;
                    if (ahead > 0) {
                        there.second |= 1u << (ahead - 1);
                    } else {
                        const int run = std::countr_one(key.second);  // what follows may have been read already
                        there = {key.first + 1 + run, run + 1 < 32 ? key.second >> (run + 1) : 0};
                    }
                    const auto [place, fresh] = next.try_emplace(there, count);
                    count += fresh;
                    arcs.push_back({number, place->second, key.first + ahead});
                }
            level.swap(next);
        }
        states = count;
        first.assign(words + 1, 0);
        for (const Arc& arc : arcs) ++first[arc.place + 1];
        for (std::int32_t p = 0; p < words; ++p) first[p + 1] += first[p];
        of.resize(arcs.size());
        std::vector<std::int32_t> at(first.begin(), first.end() - 1);
        for (std::size_t a = 0; a < arcs.size(); ++a) of[at[arcs[a].place]++] = static_cast<std::int32_t>(a);
    }
};

struct Weights {
    Cost edit, word;  // of an edit; of a word of the path
};

// A word of the hypothesis, by its place, that an edge of the lattice has too, and which word of the edge that is.
struct Common {
    std::int32_t place;
    std::size_t word;
};

class Search {
public:
    Search(const Lattices& lattices, const LatticeOptions& options)
        : lattices_(lattices), options_(options), tokenize_(options.tokenization), head_(lattices.distinct(), -1) {}

    // Edits and normaliser; `steps`, if given, receives the way there.
    std::pair<double, double> operator()(Text hypothesis, const Lattice& lattice, std::vector<LatticeStep>* steps) {
        read(hypothesis, lattice);
        const Cost n = words_, most = n + lattice.longest;  // no path is further than that
        scale_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most)));
        if (options_.normalizer == Normalizer::sum) return finish(lattice, best(lattice, n, true), n, steps);

        // By the path's own length, an empty path is a case apart.
        Found found = best(lattice, 0, false);
        if (lattice.final[0]) {
            const Found empty{n, 0, {}};
            const Cost here = std::min<Cost>(n, 1);
            if (!found.exists || here * found.length < found.edits || (here * found.length == found.edits && n < found.edits))
                found = empty;
        }
        if (options_.normalizer == Normalizer::longer && n > 0) {
            // 1 / max(n, m) is the lesser of 1 / n and 1 / m: the least ratio is that of the fewest edits by n, or the one above.
            const Found nearest = least(lattice, 0, 1, true);
            if (found.length == 0 || nearest.edits * found.length <= found.edits * n) {
                auto [edits, length] = finish(lattice, nearest, 0, steps);
                return {edits, static_cast<double>(n)};
            }
        }
        return finish(lattice, found, 0, steps);
    }

private:
    struct Found {
        Cost edits = 0, length = 0;  // length: words of the path
        Weights weights{};           // with which it was found; none for an empty path
        bool exists = true;
        bool with_empty = false;
    };

    const Lattices& lattices_;
    LatticeOptions options_;
    Tokenizer tokenize_;
    Texts tokens_;
    std::int32_t words_ = 0;
    Reading reading_;
    int reading_words_ = -1;
    std::vector<std::int32_t> head_;            // of each word of the lattices, its first place in the hypothesis, or -1
    std::vector<std::int32_t> next_;            // of each place, the next one with the same word
    std::vector<std::uint32_t> ids_;            // of the hypothesis
    std::vector<Common> common_;                // by edge, those of edge e from first_common_[e]
    std::vector<std::size_t> first_common_;
    int scale_ = 0;
    std::vector<std::vector<Cost>> rows_;       // of states that are still needed
    std::vector<std::int32_t> row_of_, free_;

    void read(Text hypothesis, const Lattice& lattice) {
        tokens_.clear();
        tokenize_.release();
        tokenize_(hypothesis, tokens_);
        words_ = static_cast<std::int32_t>(tokens_.size());
        if (reading_words_ != words_) reading_.set(words_, options_.window), reading_words_ = words_;

        ids_.resize(words_);
        next_.assign(words_, -1);
        for (std::int32_t place = words_; place-- > 0;) {
            const std::uint32_t id = ids_[place] = lattices_.find(tokens_[place]);
            if (id == Lattices::unknown) continue;
            next_[place] = head_[id];
            head_[id] = place;
        }
        common_.clear();
        first_common_.clear();
        for (const LatticeEdge& edge : lattice.edges) {
            first_common_.push_back(common_.size());
            for (std::size_t word = edge.first_word; word < edge.last_word; ++word)
                for (std::int32_t place = head_[lattices_.id(word)]; place >= 0; place = next_[place])
                    common_.push_back({place, word});
        }
        first_common_.push_back(common_.size());
        for (std::uint32_t id : ids_)
            if (id != Lattices::unknown) head_[id] = -1;
    }

    // The least edits / (extra + length); `with_empty` says whether an empty path counts.
    Found best(const Lattice& lattice, Cost extra, bool with_empty) {
        Cost p = 1, q = 1;
        for (;;) {
            const Found found = least(lattice, p, q, with_empty);
            const Cost below = extra + found.length;
            if (!found.exists || found.edits == 0 || q * found.edits == p * below) return found;
            p = found.edits, q = below;
        }
    }

    // The path with the least q * edits - p * length; among those, the one with the fewest edits.
    Found least(const Lattice& lattice, Cost p, Cost q, bool with_empty) {
        // Both in one number: the edits take the lowest bits.
        const Weights weights{(q << scale_) + 1, -(p << scale_)};
        Cost total = unreached;
        if (with_empty && lattice.final[0]) total = words_ * weights.edit;
        row_of_.assign(lattice.states, -1);
        start(row(0), weights);
        for (std::int32_t state = 1; state < lattice.states; ++state) {
            std::vector<Cost>& here = row(state);
            std::fill(here.begin(), here.begin() + reading_.states, unreached);
            for (std::int32_t e = lattice.first_edge[state]; e < lattice.first_edge[state + 1]; ++e)
                step(rows_[row_of_[lattice.edges[e].source]].data(), here.data(), e, weights);
            skip(here.data(), weights);
            if (lattice.final[state]) total = std::min(total, here[reading_.states - 1]);
            for (std::int32_t e = lattice.first_edge[state]; e < lattice.first_edge[state + 1]; ++e)
                release(lattice, lattice.edges[e].source, state);
            release(lattice, state, -1);
        }
        for (std::int32_t state = 0; state < lattice.states; ++state)
            if (row_of_[state] >= 0) free_.push_back(row_of_[state]);
        if (total == unreached) return {0, 0, {}, false};
        const Cost edits = total & ((Cost{1} << scale_) - 1);
        return {edits, p ? (q * edits - (total >> scale_)) / p : 0, weights, true, with_empty};
    }

    std::vector<Cost>& row(std::int32_t state) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::int32_t>(rows_.size()));
            rows_.emplace_back();
        }
        const std::int32_t place = free_.back();
        free_.pop_back();
        row_of_[state] = place;
        if (rows_[place].size() < static_cast<std::size_t>(reading_.states)) rows_[place].resize(reading_.states);
        return rows_[place];
    }
    void release(const Lattice& lattice, std::int32_t state, std::int32_t after) {
        if (lattice.last_use[state] != after || row_of_[state] < 0) return;
        free_.push_back(row_of_[state]);
        row_of_[state] = -1;
    }

    void start(std::vector<Cost>& here, const Weights& weights) const {
        std::fill(here.begin(), here.begin() + reading_.states, unreached);
        here[0] = 0;
        skip(here.data(), weights);
    }

    // Moves on by a word of the path, with a word of the hypothesis or without.
    void step(const Cost* before, Cost* here, std::int32_t edge, const Weights& weights) const {
        const Cost other = weights.edit + weights.word;
        const std::int32_t states = reading_.states;
        if (reading_.in_order) {
            here[0] = std::min(here[0], before[0] + other);
            for (std::int32_t i = 1; i < states; ++i) here[i] = std::min(here[i], std::min(before[i - 1], before[i]) + other);
            for (std::size_t c = first_common_[edge]; c < first_common_[edge + 1]; ++c) {
                const std::int32_t place = common_[c].place;
                here[place + 1] = std::min(here[place + 1], before[place] + weights.word);
            }
            return;
        }
        for (std::int32_t i = 0; i < states; ++i) here[i] = std::min(here[i], before[i] + other);
        for (const auto& arc : reading_.arcs) here[arc.target] = std::min(here[arc.target], before[arc.source] + other);
        for (std::size_t c = first_common_[edge]; c < first_common_[edge + 1]; ++c)
            for (std::int32_t a = reading_.first[common_[c].place]; a < reading_.first[common_[c].place + 1]; ++a) {
                const auto& arc = reading_.arcs[reading_.of[a]];
                here[arc.target] = std::min(here[arc.target], before[arc.source] + weights.word);
            }
    }

    // Moves on by words of the hypothesis alone.
    void skip(Cost* here, const Weights& weights) const {
        if (reading_.in_order)
            for (std::int32_t i = 1; i < reading_.states; ++i) here[i] = std::min(here[i], here[i - 1] + weights.edit);
        else
            for (const auto& arc : reading_.arcs) here[arc.target] = std::min(here[arc.target], here[arc.source] + weights.edit);
    }

    std::pair<double, double> finish(const Lattice& lattice, const Found& found, Cost extra, std::vector<LatticeStep>* steps) {
        if (steps) *steps = way(lattice, found);
        return {static_cast<double>(found.edits), static_cast<double>(extra + found.length)};
    }

    // Fills all rows again and walks back through them.
    std::vector<LatticeStep> way(const Lattice& lattice, const Found& found) {
        const Weights weights = found.weights;
        std::vector<LatticeStep> steps;
        if (weights.edit == 0) {  // an empty path
            for (std::int32_t place = 0; place < words_; ++place) steps.push_back({'d', place, -1});
            return steps;
        }
        std::vector<std::vector<Cost>> table(lattice.states, std::vector<Cost>(reading_.states, unreached));
        start(table[0], weights);
        std::int32_t state = -1, at = reading_.states - 1;
        Cost total = unreached;
        if (found.with_empty && lattice.final[0]) state = 0, total = words_ * weights.edit;
        for (std::int32_t s = 1; s < lattice.states; ++s) {
            for (std::int32_t e = lattice.first_edge[s]; e < lattice.first_edge[s + 1]; ++e)
                step(table[lattice.edges[e].source].data(), table[s].data(), e, weights);
            skip(table[s].data(), weights);
            if (lattice.final[s] && table[s][at] < total) state = s, total = table[s][at];
        }
        std::vector<std::vector<Reading::Arc>> into(reading_.states);
        if (reading_.in_order)
            for (std::int32_t i = 0; i < words_; ++i) into[i + 1].push_back({i, i + 1, i});
        else
            for (const auto& arc : reading_.arcs) into[arc.target].push_back(arc);
        while (state > 0 || at > 0) back(lattice, table, into, weights, state, at, steps);
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    void back(const Lattice& lattice, const std::vector<std::vector<Cost>>& table,
              const std::vector<std::vector<Reading::Arc>>& into, const Weights& weights, std::int32_t& state, std::int32_t& at,
              std::vector<LatticeStep>& steps) const {
        const Cost here = table[state][at];
        const auto take = [&](char edit, std::int32_t place, std::int64_t word, std::int32_t s, std::int32_t a) {
            steps.push_back({edit, place, word});
            state = s, at = a;
        };
        const std::int32_t first = lattice.first_edge[state], last = lattice.first_edge[state + 1];
        for (std::int32_t e = first; e < last; ++e)  // equal words before all else
            for (std::size_t c = first_common_[e]; c < first_common_[e + 1]; ++c)
                for (const auto& arc : into[at])
                    if (arc.place == common_[c].place && table[lattice.edges[e].source][arc.source] + weights.word == here)
                        return take('=', arc.place, static_cast<std::int64_t>(common_[c].word), lattice.edges[e].source, arc.source);
        for (std::int32_t e = first; e < last; ++e)
            for (const auto& arc : into[at])
                if (table[lattice.edges[e].source][arc.source] + weights.edit + weights.word == here)
                    return take('s', arc.place, static_cast<std::int64_t>(lattice.edges[e].first_word), lattice.edges[e].source,
                                arc.source);
        for (const auto& arc : into[at])
            if (table[state][arc.source] + weights.edit == here) return take('d', arc.place, -1, state, arc.source);
        for (std::int32_t e = first; e < last; ++e)
            if (table[lattice.edges[e].source][at] + weights.edit + weights.word == here)
                return take('i', -1, static_cast<std::int64_t>(lattice.edges[e].first_word), lattice.edges[e].source, at);
        throw std::logic_error("no way back through the lattice");
    }
};

}  // namespace

void lattice_distances(const Texts& hypotheses, const Lattices& lattices, const std::vector<std::size_t>& which,
                       const LatticeOptions& options, double* rows) {
    for_each_row(hypotheses.size(), [&] {
        return [&, search = Search(lattices, options)](std::size_t i) mutable {
            std::tie(rows[2 * i], rows[2 * i + 1]) = search(hypotheses[i], lattices[which[i]], nullptr);
        };
    }, 8);
}

LatticeMatch lattice_match(Text hypothesis, const Lattices& lattices, std::size_t which, const LatticeOptions& options) {
    LatticeMatch match;
    std::tie(match.edits, match.length) = Search(lattices, options)(hypothesis, lattices[which], &match.steps);
    return match;
}

}  // namespace tercet
