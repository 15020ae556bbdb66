#include "beer57.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "ngrams.hpp"
#include "parallel.hpp"
#include "skip_bigrams.hpp"
#include "symbols.hpp"

namespace tercet {

namespace {

constexpr int characters = 5, words = 4, kinds = characters + words + 2, measures = 5, skip = 2;
static_assert(kinds * measures + 2 == beer57_columns);

struct Count {
    std::int64_t ours, theirs, matches;
};

double f_score(double precision, double recall, double beta) {
    const double below = beta * beta * precision + recall;
    return below > 0 ? (1 + beta * beta) * precision * recall / below : 0;
}

// (max(a, b) - min(a, b)) / min(a, b); an empty text counts as one of length 1, so that the figure stays finite.
double disbalance(std::size_t a, std::size_t b) {
    return static_cast<double>(std::max(a, b) - std::min(a, b)) / static_cast<double>(std::max<std::size_t>(1, std::min(a, b)));
}

class Worker {
public:
    Worker(const Texts& hypotheses, const References& references, const Beer57Options& options, float* rows)
        : hypotheses_(hypotheses), references_(references), options_(options), rows_(rows),
          tokenizer_(options.tokenizer), characters_(characters), words_(words) {}

    void operator()(std::size_t segment) {
        numbering_.clear();
        number(hypotheses_[segment], hypothesis_);
        keep_nearest(references_.of(segment), row_, rows_ + segment * beer57_columns, [&](Text reference) {
            number(reference, reference_);
            count();
            return fill();
        });
        tokenizer_.release();
    }

private:
    const Texts& hypotheses_;
    const References& references_;
    const Beer57Options& options_;
    float* rows_;
    Tokenizer tokenizer_;
    NgramMatcher characters_, words_;
    SkipBigramMatcher skips_;
    Numbering numbering_;
    Texts tokens_;
    Symbols hypothesis_, reference_;
    std::array<Count, kinds> counts_;
    std::array<float, beer57_columns> row_;

    void number(Text text, Symbols& symbols) {
        tokens_.clear();
        tokenizer_(text, tokens_);
        numbering_.number(text, tokens_, options_.whitespace, symbols);
    }
    void count() {
        const auto ngrams = [](NgramMatcher& matcher, int orders, const auto& ours, const auto& theirs, Symbol largest,
                               Count* counts) {
            std::array<std::int64_t, std::max(characters, words)> matches;
            matcher.match(ours, {&theirs, 1}, largest, matches.data());
            for (int n = 0; n < orders; ++n)
                counts[n] = {std::max<std::int64_t>(0, std::ssize(ours) - n),
                             std::max<std::int64_t>(0, std::ssize(theirs) - n), matches[n]};
        };
        const auto &ours = hypothesis_.words, &theirs = reference_.words;
        ngrams(characters_, characters, hypothesis_.characters, reference_.characters, numbering_.characters(), counts_.data());
        ngrams(words_, words, ours, theirs, numbering_.words(), counts_.data() + characters);
        const auto matches = skips_.match(ours, theirs, numbering_.words(), skip);
        constexpr std::int64_t any = std::numeric_limits<std::int32_t>::max();
        counts_[kinds - 2] = {skip_bigrams(std::ssize(ours), skip), skip_bigrams(std::ssize(theirs), skip), matches.near};
        counts_[kinds - 1] = {skip_bigrams(std::ssize(ours), any), skip_bigrams(std::ssize(theirs), any), matches.any};
        // Texts too short for a piece on both sides are told apart by the next shorter one.
        for (int i = 1; i < kinds; ++i)
            if (counts_[i].ours == 0 && counts_[i].theirs == 0 && i != characters)
                counts_[i] = counts_[i < characters + words ? i - 1 : characters];
    }
    // The row of the texts at hand, and their mean F1.
    double fill() {
        double sum = 0;
        float* out = row_.data();
        for (const auto& [ours, theirs, matches] : counts_) {
            const bool nothing = ours == 0 && theirs == 0;  // two empty texts are equal
            const double p = nothing ? 1 : ours ? static_cast<double>(matches) / static_cast<double>(ours) : 0;
            const double r = nothing ? 1 : theirs ? static_cast<double>(matches) / static_cast<double>(theirs) : 0;
            for (const double value : {p, r, f_score(p, r, 1), f_score(p, r, 2), f_score(p, r, 0.5)})
                *out++ = static_cast<float>(value);
            sum += f_score(p, r, 1);
        }
        *out++ = static_cast<float>(disbalance(hypothesis_.words.size(), reference_.words.size()));
        *out++ = static_cast<float>(disbalance(hypothesis_.characters.size(), reference_.characters.size()));
        return sum / kinds;
    }
};

}  // namespace

void beer57(const Texts& hypotheses, const References& references, const Beer57Options& options, float* rows) {
    for_each_row(hypotheses.size(), [&] { return Worker(hypotheses, references, options, rows); });
}

}  // namespace tercet
