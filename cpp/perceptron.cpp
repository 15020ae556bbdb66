// Training of a SequenceModel. All weights are whole numbers until they are averaged, so training is exact and repeatable.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "random.hpp"
#include "sequence.hpp"

namespace tercet {

namespace {

// A weight with the sum over steps that the average needs: after step c, mean = now - moved / c,
// where a change d at step s adds s * d to `moved`.
struct Cell {
    std::int64_t now = 0, moved = 0;
    void change(std::int64_t by, std::int64_t step) { now += by, moved += step * by; }
    double mean(std::int64_t steps) const { return static_cast<double>(now) - static_cast<double>(moved) / static_cast<double>(steps); }
};

struct Weight : Cell {
    std::uint8_t label = 0;
};

class Weights {
public:
    explicit Weights(std::size_t features) : of_(features) {}
    void add_to(std::int64_t* scores, std::int32_t feature) const {
        for (const Weight& weight : of_[feature]) scores[weight.label] += weight.now;
    }
    void change(std::int32_t feature, std::uint8_t label, std::int64_t by, std::int64_t step) {
        for (Weight& weight : of_[feature])
            if (weight.label == label) return weight.change(by, step);
        Weight fresh;
        fresh.label = label;
        fresh.change(by, step);
        of_[feature].push_back(fresh);
    }
    std::vector<Weight>& operator[](std::size_t feature) { return of_[feature]; }

private:
    std::vector<std::vector<Weight>> of_;
};

// The keys of all tokens, then those that are frequent enough as places in one list; -1 for the rest.
std::vector<std::int32_t> indexed(std::vector<std::uint32_t>& all, int cutoff, std::vector<std::uint32_t>& kept) {
    std::unordered_map<std::uint32_t, std::int32_t> counts;
    counts.reserve(all.size() / 8);
    for (std::uint32_t key : all) ++counts[key];
    for (auto& [key, count] : counts)
        if (count >= cutoff) kept.push_back(key);
    std::sort(kept.begin(), kept.end());
    const KeyIndex index(kept);
    std::vector<std::int32_t> features(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) features[i] = index.find(all[i]);
    return features;
}

}  // namespace

std::vector<std::uint32_t> feature_keys(const Templates& templates, const Lexicon& lexicon, const Sentences& sentences,
                                        const Columns& columns) {
    if (columns.rows < templates.columns() || (columns.rows > 0 && columns.tokens != sentences.texts.size()))
        throw std::invalid_argument("columns that do not fit the tokens");
    std::vector<std::uint32_t> keys(sentences.texts.size() * templates.size()), values;
    std::vector<const std::int32_t*> rows;
    for (std::size_t i = 0; i + 1 < sentences.start.size(); ++i) {
        const auto tokens = sentences.of(i);
        rows.clear();
        for (std::size_t c = 0; c < columns.rows; ++c) rows.push_back(columns.data + c * columns.tokens + sentences.start[i]);
        templates.read(tokens, rows, lexicon, values);
        for (std::size_t t = 0; t < tokens.size(); ++t)
            templates.keys_at(t, tokens.size(), values, keys.data() + (sentences.start[i] + t) * templates.size());
    }
    return keys;
}

TrainedSequence train_sequence(const Templates& templates, const Lexicon& lexicon, const Sentences& sentences,
                               const Columns& columns, std::span<const std::int32_t> gold,
                               const PerceptronOptions& options) {
    const std::size_t labels = options.labels, count = sentences.start.size() - 1, width = templates.size();
    if (labels == 0 || labels > 255 || gold.size() != sentences.texts.size())
        throw std::invalid_argument("labels that do not fit the tokens");
    if (std::ranges::any_of(gold, [&](std::int32_t y) { return y < 0 || static_cast<std::size_t>(y) >= labels; }))
        throw std::invalid_argument("a label out of range");

    std::vector<std::uint32_t> keys = feature_keys(templates, lexicon, sentences, columns);
    TrainedSequence result;
    const std::vector<std::int32_t> features = indexed(keys, options.cutoff, result.keys);
    std::vector<std::uint32_t>().swap(keys);

    Weights weights(result.keys.size());
    std::vector<Cell> transitions((labels + 1) * labels);
    std::vector<std::int64_t> scores, best, now(transitions.size());
    std::vector<std::int32_t> path;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::int64_t step = 0;
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        Random random(options.seed, static_cast<std::uint64_t>(epoch));
        for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
        for (std::size_t i : order) {
            ++step;
            const std::size_t begin = sentences.start[i], length = sentences.start[i + 1] - begin;
            scores.assign(length * labels, 0);
            path.resize(length);
            for (std::size_t t = 0; t < length; ++t)
                for (std::size_t f = 0; f < width; ++f)
                    if (const std::int32_t feature = features[(begin + t) * width + f]; feature >= 0)
                        weights.add_to(scores.data() + t * labels, feature);
            viterbi(scores, now.data(), labels, length, best, path.data());
            for (std::size_t t = 0; t < length; ++t) {
                const std::int32_t right = gold[begin + t], wrong = path[t];
                const std::size_t right_row = t ? gold[begin + t - 1] + 1 : 0, wrong_row = t ? path[t - 1] + 1 : 0;
                if (right == wrong && right_row == wrong_row) continue;
                transitions[right_row * labels + right].change(+1, step);
                transitions[wrong_row * labels + wrong].change(-1, step);
                ++now[right_row * labels + right], --now[wrong_row * labels + wrong];
                if (right == wrong) continue;
                for (std::size_t f = 0; f < width; ++f)
                    if (const std::int32_t feature = features[(begin + t) * width + f]; feature >= 0) {
                        weights.change(feature, static_cast<std::uint8_t>(right), +1, step);
                        weights.change(feature, static_cast<std::uint8_t>(wrong), -1, step);
                    }
            }
        }
    }
    result.starts.push_back(0);
    const std::int64_t steps = std::max<std::int64_t>(step + 1, 1);
    for (std::size_t f = 0; f < result.keys.size(); ++f) {
        std::ranges::sort(weights[f], {}, &Weight::label);
        for (const Weight& weight : weights[f]) {
            result.labels.push_back(weight.label);
            result.weights.push_back(weight.mean(steps));
        }
        result.starts.push_back(static_cast<std::uint32_t>(result.labels.size()));
    }
    for (const Cell& cell : transitions) result.transitions.push_back(cell.mean(steps));
    return result;
}

}  // namespace tercet
