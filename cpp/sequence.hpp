// Labels for the tokens of a sentence: a linear model over hashed features and neighbouring labels, decoded by Viterbi,
// trained as an averaged structured perceptron (Collins 2002).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "features.hpp"

namespace tercet {

// Columns of small numbers beside the tokens: row c holds column c of all tokens, one sentence after the other.
struct Columns {
    const std::int32_t* data;
    std::size_t rows, tokens;
};

class SequenceModel {
public:
    // transitions: a row for the start, then one for each label; a column for each label that may follow.
    SequenceModel(Templates templates, Lexicon lexicon, WeightTable table, std::vector<std::int32_t> transitions,
                  std::size_t labels);

    std::size_t columns() const { return templates_.columns(); }
    // The best sequence for each sentence; among equals the label that stands first. labels: one for each token.
    void label(const Sentences& sentences, const Columns& columns, std::int32_t* labels) const;

private:
    Templates templates_;
    Lexicon lexicon_;
    WeightTable table_;
    std::vector<std::int32_t> transitions_;
    std::size_t labels_;
};

// One key a template for each token, for those who train in another way.
std::vector<std::uint32_t> feature_keys(const Templates& templates, const Lexicon& lexicon, const Sentences& sentences,
                                        const Columns& columns);

// What training leaves: weights by key and label, averaged over all steps.
struct TrainedSequence {
    std::vector<std::uint32_t> keys, starts;
    std::vector<std::uint8_t> labels;
    std::vector<double> weights, transitions;
};

struct PerceptronOptions {
    std::size_t labels;
    int epochs;
    int cutoff;  // features seen less often are left out
    std::uint64_t seed;
};

TrainedSequence train_sequence(const Templates& templates, const Lexicon& lexicon, const Sentences& sentences,
                               const Columns& columns, std::span<const std::int32_t> gold,
                               const PerceptronOptions& options);

// Viterbi over the scores of a sentence, shared by both. Score is an integer type. Only the best score of each label is
// kept; which label it came from is found again along the best path, a label a token, which leaves the inner loop short.
template <class Score>
void viterbi(const std::vector<Score>& scores, const Score* transitions, std::size_t labels, std::size_t length,
             std::vector<Score>& best, std::int32_t* path) {
    if (length == 0) return;
    best.resize(length * labels);
    for (std::size_t y = 0; y < labels; ++y) best[y] = transitions[y] + scores[y];
    for (std::size_t t = 1; t < length; ++t) {
        const Score* now = best.data() + (t - 1) * labels;
        Score* next = best.data() + t * labels;
        for (std::size_t y = 0; y < labels; ++y) next[y] = now[0] + transitions[labels + y];
        for (std::size_t x = 1; x < labels; ++x) {
            const Score* row = transitions + (x + 1) * labels;
            const Score before = now[x];
            for (std::size_t y = 0; y < labels; ++y) next[y] = std::max(next[y], before + row[y]);
        }
        for (std::size_t y = 0; y < labels; ++y) next[y] += scores[t * labels + y];
    }
    const auto first_best = [&](std::size_t t, auto&& score) {
        std::size_t x = 0;
        for (std::size_t other = 1; other < labels; ++other)
            if (score(t, other) > score(t, x)) x = other;
        return x;
    };
    std::size_t y = first_best(length - 1, [&](std::size_t t, std::size_t x) { return best[t * labels + x]; });
    path[length - 1] = static_cast<std::int32_t>(y);
    for (std::size_t t = length - 1; t-- > 0;) {
        y = first_best(t, [&](std::size_t at, std::size_t x) { return best[at * labels + x] + transitions[(x + 1) * labels + y]; });
        path[t] = static_cast<std::int32_t>(y);
    }
}

}  // namespace tercet
