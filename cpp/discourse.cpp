#include "discourse.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "parallel.hpp"

namespace tercet {

namespace {

// Places at the edges of two neighbouring spans, and what is asked of the token there.
constexpr std::array places{"left", "left2", "left-end", "right", "right2", "right-end", "before", "after"};
constexpr std::array asked{"word", "tag", "chunk", "clause"};
// What is asked of whole spans.
constexpr std::array whole{"units.left", "units.right", "size.left", "size.right", "verb.left", "verb.right", "verbtag.left",
                           "verbtag.right", "edge", "inner.left", "inner.right"};
constexpr std::size_t field_count = places.size() * asked.size() + whole.size();
constexpr std::uint32_t outside = 0x4F555453u;

std::size_t field(const std::string& name) {
    for (std::size_t i = 0; i < whole.size(); ++i)
        if (name == whole[i]) return places.size() * asked.size() + i;
    for (std::size_t p = 0; p < places.size(); ++p)
        for (std::size_t a = 0; a < asked.size(); ++a)
            if (name == std::string(asked[a]) + "." + places[p]) return p * asked.size() + a;
    throw std::invalid_argument("unknown field " + name);
}

std::uint32_t bucket(std::size_t n) { return n < 6 ? static_cast<std::uint32_t>(n) : n < 10 ? 6 : n < 16 ? 7 : n < 26 ? 8 : 9; }

// One sentence: the words' hashes, the columns, and where units start, with the end of the sentence behind them.
struct Sentence {
    std::vector<std::uint32_t> words;
    std::array<const std::int32_t*, discourse_columns> columns;
    std::vector<std::size_t> edges;

    void read(std::size_t i, const Sentences& sentences, const Columns& given, const Units& units) {
        words.clear();
        for (Text token : sentences.of(i)) words.push_back(hash_bytes(lowered(token)));
        for (std::size_t c = 0; c < discourse_columns; ++c) columns[c] = given.data + c * given.tokens + sentences.start[i];
        edges.clear();
        for (std::size_t u = units.first[i]; u < units.first[i + 1]; ++u) edges.push_back(units.starts[u]);
        edges.push_back(words.size());
    }
    std::size_t units() const { return edges.size() - 1; }

    void fields(std::size_t begin, std::size_t split, std::size_t end, std::vector<std::uint32_t>& out) const {
        out.clear();
        const std::size_t left = edges[begin], right = edges[split], after = edges[end], size = words.size();
        const auto token = [&](bool exists, std::size_t t) {
            if (!exists) {
                for (std::size_t a = 0; a < asked.size(); ++a) out.push_back(outside);
                return;
            }
            out.push_back(words[t]);
            for (std::size_t c = 0; c < 3; ++c) out.push_back(static_cast<std::uint32_t>(columns[c][t]));
        };
        token(true, left);
        token(left + 1 < right, left + 1);
        token(true, right - 1);
        token(true, right);
        token(right + 1 < after, right + 1);
        token(true, after - 1);
        token(left > 0, left - 1);
        token(after < size, after);
        out.push_back(bucket(split - begin));
        out.push_back(bucket(end - split));
        out.push_back(bucket(right - left));
        out.push_back(bucket(after - right));
        const std::size_t first = verb(left, right), second = verb(right, after);
        out.push_back(first < right ? words[first] : outside);
        out.push_back(second < after ? words[second] : outside);
        out.push_back(first < right ? static_cast<std::uint32_t>(columns[0][first]) : outside);
        out.push_back(second < after ? static_cast<std::uint32_t>(columns[0][second]) : outside);
        out.push_back((left == 0 ? 1u : 0u) | (after == size ? 2u : 0u));
        // the first word of the last unit of the left span, and of the second unit of the right one
        out.push_back(split - begin > 1 ? words[edges[split - 1]] : outside);
        out.push_back(end - split > 1 ? words[edges[split + 1]] : outside);
    }

private:
    std::size_t verb(std::size_t from, std::size_t to) const {
        while (from < to && columns[3][from] == 0) ++from;
        return from;
    }
};

void check(const Sentences& sentences, const Columns& columns, const Units& units) {
    const std::size_t count = sentences.start.size() - 1;
    bool sound = columns.rows == discourse_columns && columns.tokens == sentences.texts.size() && units.first.size() == count + 1 &&
                 units.first.front() == 0 && units.first.back() == units.starts.size();
    for (std::size_t i = 0; sound && i < count; ++i) {
        const auto length = static_cast<std::int32_t>(sentences.of(i).size());
        sound = units.first[i] < units.first[i + 1] && units.starts[units.first[i]] == 0 && length > 0;
        for (std::size_t u = units.first[i]; sound && u < units.first[i + 1]; ++u)
            sound = units.starts[u] < (u + 1 < units.first[i + 1] ? units.starts[u + 1] : length);
    }
    if (!sound) throw std::invalid_argument("units or columns that do not fit the sentences");
}

}  // namespace

SpanTemplates::SpanTemplates(const std::vector<std::string>& descriptions) {
    for (const std::string& description : descriptions) {
        std::istringstream words(description);
        std::vector<std::size_t> fields;
        for (std::string word; words >> word;) fields.push_back(field(word));
        templates_.push_back(std::move(fields));
    }
}

void SpanTemplates::keys(const std::vector<std::uint32_t>& fields, std::uint32_t* keys) const {
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        std::uint32_t key = mix(0, static_cast<std::uint32_t>(i + 1));
        for (std::size_t f : templates_[i]) key = mix(key, fields[f]);
        keys[i] = key;
    }
}

std::vector<std::uint32_t> span_keys(const SpanTemplates& templates, const Sentences& sentences, const Columns& columns,
                                     const Units& units) {
    check(sentences, columns, units);
    std::vector<std::uint32_t> keys, fields, row(templates.size());
    Sentence sentence;
    for (std::size_t i = 0; i + 1 < sentences.start.size(); ++i) {
        sentence.read(i, sentences, columns, units);
        for (std::size_t begin = 0; begin < sentence.units(); ++begin)
            for (std::size_t split = begin + 1; split < sentence.units(); ++split)
                for (std::size_t end = split + 1; end <= sentence.units(); ++end) {
                    sentence.fields(begin, split, end, fields);
                    templates.keys(fields, row.data());
                    keys.insert(keys.end(), row.begin(), row.end());
                }
    }
    return keys;
}

DiscourseModel::DiscourseModel(SpanTemplates templates, WeightTable table, std::size_t labels, double scale)
    : templates_(std::move(templates)), table_(std::move(table)), labels_(labels), scale_(scale) {
    if (labels < 2 || labels > 255 || table_.labels() > labels || !(scale > 0)) throw std::invalid_argument("labels or scale out of range");
}

std::vector<std::int32_t> DiscourseModel::parse(const Sentences& sentences, const Columns& columns, const Units& units) const {
    check(sentences, columns, units);
    const std::size_t count = sentences.start.size() - 1;
    std::vector<std::int32_t> nodes(4 * (units.starts.size() - count));
    struct Cell {
        double score = 0;
        std::size_t split = 0, label = 0;
    };
    for_each_row(count, [&] {
        return [&, sentence = Sentence(), fields = std::vector<std::uint32_t>(), keys = std::vector<std::uint32_t>(templates_.size()),
                scores = std::vector<std::int32_t>(), chart = std::vector<Cell>()](std::size_t i) mutable {
            sentence.read(i, sentences, columns, units);
            const std::size_t n = sentence.units();
            chart.assign((n + 1) * (n + 1), {});
            const auto cell = [&](std::size_t begin, std::size_t end) -> Cell& { return chart[begin * (n + 1) + end]; };
            for (std::size_t length = 2; length <= n; ++length)
                for (std::size_t begin = 0; begin + length <= n; ++begin) {
                    const std::size_t end = begin + length;
                    Cell& best = cell(begin, end);
                    best.score = -std::numeric_limits<double>::infinity();
                    for (std::size_t split = begin + 1; split < end; ++split) {
                        sentence.fields(begin, split, end, fields);
                        templates_.keys(fields, keys.data());
                        scores.assign(labels_, 0);
                        for (std::uint32_t key : keys) table_.add_to(scores.data(), key);
                        const std::int32_t top = *std::max_element(scores.begin(), scores.end());
                        double mass = 0;
                        for (std::int32_t score : scores) mass += std::exp((score - top) / scale_);
                        const auto label = std::max_element(scores.begin(), scores.end() - 1) - scores.begin();
                        const double score = (scores[label] - top) / scale_ - std::log(mass) + cell(begin, split).score + cell(split, end).score;
                        if (score > best.score) best = {score, split, static_cast<std::size_t>(label)};
                    }
                }
            std::int32_t* node = nodes.data() + 4 * (units.first[i] - i);
            std::vector<std::array<std::size_t, 2>> waiting{{0, n}};
            while (!waiting.empty()) {
                const auto [begin, end] = waiting.back();
                waiting.pop_back();
                if (end - begin < 2) continue;
                const Cell& best = cell(begin, end);
                for (std::size_t value : {begin, best.split, end, best.label}) *node++ = static_cast<std::int32_t>(value);
                waiting.push_back({best.split, end});
                waiting.push_back({begin, best.split});
            }
        };
    }, 16);
    return nodes;
}

}  // namespace tercet
