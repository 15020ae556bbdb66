// Translation edit rate (Snover et al. 2006) with the choices of sacreBLEU: its beam, its limits, its order of shifts.
//
// A greedy search: of all shifts of a block of words to where the reference has that block, the one that brings the
// edit distance down most is made, until none does. Only the best candidate counts, so that each is measured only as
// far as it may still win.
#include "ter.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "parallel.hpp"
#include "ter_matrix.hpp"

namespace tercet {

namespace {

constexpr int longest_block = 10, farthest_block = 50, most_candidates = 1000;

// Where a shift is tried: the block's start and length, and the word before which it goes.
struct Candidate {
    int start, length, target;

    auto rank() const { return std::tuple(length, -start, -target); }
    // A target within the block means that many words forward, as far as there are any.
    Rotation rotation(int words) const {
        if (target < start) return {target, start, start + length};
        if (target > start + length) return {start, start + length, target};
        return {start, start + length, std::min(words, target + length)};
    }
};

class Search {
public:
    // The edits that turn a hypothesis into a reference; with `record`, also which. Symbols are at most `largest`.
    int edits(std::span<const Symbol> hypothesis, std::span<const Symbol> reference, Symbol largest,
              TerAlignment* record = nullptr) {
        words_.assign(hypothesis.begin(), hypothesis.end());
        reference_ = reference;
        const int n = static_cast<int>(hypothesis.size()), columns = static_cast<int>(reference.size());
        if (record) {
            record->order.resize(n);
            std::iota(record->order.begin(), record->order.end(), 0);
            if (columns == 0) record->edits.assign(n, 'd');
        }
        if (columns == 0) return n;

        index(largest);
        in_bits_ = reference.size() <= BitMatrix::longest;
        if (in_bits_) bits_.set_reference(reference, largest);
        beam_.set_lengths(n, columns);
        const int bag = bag_distance(largest);
        int shifts = 0, checked = 0;
        for (;; ++shifts) {
            const int distance = measure();
            if (record || distance > bag) align(record);
            if (distance == bag) return shifts + distance;  // no order of these words is nearer
            find_candidates(most_candidates - checked);
            checked += static_cast<int>(candidates_.size());
            // sacreBLEU gives up the round in which it reaches its limit, so nothing of that round need be measured.
            Candidate best;
            if (checked >= most_candidates || !find_best(distance, bag, best)) return shifts + distance;
            const Rotation r = best.rotation(n);
            std::rotate(words_.begin() + r.first, words_.begin() + r.middle, words_.begin() + r.last);
            if (record) {
                std::rotate(record->order.begin() + r.first, record->order.begin() + r.middle,
                            record->order.begin() + r.last);
                const int landing = best.start == r.first ? r.last - best.length : r.first;
                record->shifts.push_back({best.start, best.length, landing});
            }
        }
    }

private:
    std::vector<Symbol> words_;  // the hypothesis, as shifted so far
    std::span<const Symbol> reference_;
    std::vector<int> starts_, places_;  // the places of word w in the reference: places_[starts_[w]] to starts_[w + 1]
    std::vector<int> counts_;
    bool in_bits_ = false, in_beam_ = false;
    BitMatrix bits_;
    BeamMatrix beam_;
    int unbeamed_ = 0;  // the distance without the beam, 0 if not known
    std::vector<int> aligned_;                                  // for each word of the reference
    std::vector<std::uint8_t> wrong_hypothesis_, wrong_reference_;
    std::vector<int> next_wrong_hypothesis_, next_wrong_reference_;
    std::vector<Candidate> candidates_;

    void index(Symbol largest) {
        starts_.assign(largest + 2, 0);
        for (Symbol word : reference_) ++starts_[word + 1];
        std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
        places_.resize(reference_.size());
        counts_.assign(starts_.begin(), starts_.end());
        for (std::size_t j = 0; j < reference_.size(); ++j) places_[counts_[reference_[j]]++] = static_cast<int>(j);
    }
    // What remains to be edited whatever the order of the words: a bound below every distance.
    int bag_distance(Symbol largest) {
        counts_.assign(largest + 1, 0);
        int common = 0;
        for (Symbol word : words_) common += counts_[word]++ < starts_[word + 1] - starts_[word];
        return static_cast<int>(std::max(words_.size(), reference_.size())) - common;
    }
    int measure() {
        in_beam_ = true;
        unbeamed_ = 0;
        if (in_bits_) {
            unbeamed_ = bits_.measure(words_);
            if (unbeamed_ < beam_.exact_below()) return in_beam_ = false, unbeamed_;
        }
        return beam_.measure(words_, reference_);
    }
    void align(TerAlignment* record) {
        aligned_.resize(reference_.size());
        wrong_hypothesis_.assign(words_.size(), 0);
        wrong_reference_.assign(reference_.size(), 0);
        if (record) record->edits.clear();
        const auto visit = [&](Edit edit, int i, int j) {
            if (edit == Edit::deletion) wrong_hypothesis_[i - 1] = 1;
            else aligned_[j - 1] = i - 1;
            if (edit == Edit::insertion) wrong_reference_[j - 1] = 1;
            if (edit == Edit::substitution) wrong_hypothesis_[i - 1] = wrong_reference_[j - 1] = 1;
            if (record) record->edits += "=sid"[static_cast<int>(edit)];
        };
        if (in_beam_) beam_.trace(visit);
        else bits_.trace(visit);
        if (record) std::reverse(record->edits.begin(), record->edits.end());
        find_next(wrong_hypothesis_, next_wrong_hypothesis_);
        find_next(wrong_reference_, next_wrong_reference_);
    }
    static void find_next(const std::vector<std::uint8_t>& wrong, std::vector<int>& next) {
        next.resize(wrong.size());
        int place = no_distance;
        for (std::size_t i = wrong.size(); i-- > 0;) next[i] = place = wrong[i] ? static_cast<int>(i) : place;
    }
    // Blocks that hypothesis and reference share, with an error on either side, not begun within what they are aligned
    // to; and as targets the words that follow those aligned to the block in the reference and to the word before it.
    // Stops when `most` are found.
    void find_candidates(int most) {
        const int n = static_cast<int>(words_.size()), columns = static_cast<int>(reference_.size());
        candidates_.clear();
        for (int start = 0; start < n; ++start) {
            if (next_wrong_hypothesis_[start] >= start + longest_block) continue;
            const int* place = places_.data() + starts_[words_[start]];
            const int* end = places_.data() + starts_[words_[start] + 1];
            if (start > farthest_block) place = std::lower_bound(place, end, start - farthest_block);
            for (; place < end && *place <= start + farthest_block; ++place) {
                const int there = *place;
                const int shortest =
                    std::max(next_wrong_hypothesis_[start] - start, next_wrong_reference_[there] - there) + 1;
                int longest = std::min({longest_block, n - start, columns - there});
                if (aligned_[there] >= start) longest = std::min(longest, aligned_[there] - start);
                if (shortest > longest) continue;
                int same = 1;
                while (same < longest && words_[start + same] == reference_[there + same]) ++same;
                for (int length = shortest; length <= same; ++length) {
                    int last = -1;
                    for (int at = there - 1; at < there + length; ++at) {
                        const int target = at < 0 ? 0 : aligned_[at] + 1;
                        if (target != last) candidates_.push_back({start, length, target});
                        last = target;
                    }
                    if (static_cast<int>(candidates_.size()) >= most) return;
                }
            }
        }
    }
    // The shift that brings the distance down most; of equals the longest, the first, the one to the first target.
    bool find_best(int distance, int bag, Candidate& best) {
        const int n = static_cast<int>(words_.size());
        int nearest = distance - 1;
        bool found = false;
        for (const Candidate& candidate : candidates_) {
            const int bound = found && candidate.rank() <= best.rank() ? nearest - 1 : nearest;
            const Rotation rotation = candidate.rotation(n);
            // Moving words takes a deletion and an insertion each, so it cannot gain more than that.
            const int moved = std::min(rotation.middle - rotation.first, rotation.last - rotation.middle);
            if (moved == 0 || bound < bag || bound < unbeamed_ - 2 * moved) continue;
            const int reached = measure_rotated(rotation, bound);
            if (reached <= bound) nearest = reached, best = candidate, found = true;
        }
        return found;
    }
    int measure_rotated(const Rotation& rotation, int bound) {
        if (in_bits_) {
            const int reached = bits_.rotated(rotation, bound);  // no more than the distance in the beam
            if (reached > bound || reached < beam_.exact_below()) return reached;
        }
        return beam_.rotated(rotation, bound);
    }
};

// Texts of one segment as numbers, the same number for the same word.
class Numbering {
public:
    void clear() { vocabulary_.clear(); }
    Symbol largest() const { return vocabulary_.size(); }
    void number(Text text, std::vector<Symbol>& symbols) {
        words_.clear();
        split(text, words_);
        symbols.clear();
        for (Text word : words_) symbols.push_back(vocabulary_.add(word));
    }

private:
    Vocabulary vocabulary_;
    Texts words_;
};

class Worker {
public:
    Worker(const Texts& hypotheses, const References& references, double* rows)
        : hypotheses_(hypotheses), references_(references), rows_(rows) {}

    void operator()(std::size_t segment) {
        const auto references = references_.of(segment);
        numbering_.clear();
        numbering_.number(hypotheses_[segment], hypothesis_);
        if (symbols_.size() < references.size()) symbols_.resize(references.size());
        for (std::size_t k = 0; k < references.size(); ++k) numbering_.number(references[k], symbols_[k]);

        int fewest = no_distance;
        double length = 0;
        for (std::size_t k = 0; k < references.size(); ++k) {
            fewest = std::min(fewest, search_.edits(hypothesis_, symbols_[k], numbering_.largest()));
            length += static_cast<double>(symbols_[k].size());
        }
        rows_[2 * segment] = fewest;
        rows_[2 * segment + 1] = length / static_cast<double>(references.size());
    }

private:
    const Texts& hypotheses_;
    const References& references_;
    double* rows_;
    Numbering numbering_;
    std::vector<Symbol> hypothesis_;
    std::vector<std::vector<Symbol>> symbols_;
    Search search_;
};

}  // namespace

void ter(const Texts& hypotheses, const References& references, double* rows) {
    // Few at once: a segment may cost a thousand times as much as another, and no thread should wait for the last block.
    for_each_row(hypotheses.size(), [&] { return Worker(hypotheses, references, rows); }, 16);
}

TerAlignment ter_alignment(Text hypothesis, Text reference) {
    Numbering numbering;
    std::vector<Symbol> from, to;
    numbering.number(hypothesis, from);
    numbering.number(reference, to);
    TerAlignment record;
    Search().edits(from, to, numbering.largest(), &record);
    return record;
}

}  // namespace tercet
