#include "chrf.hpp"

#include <algorithm>

#include "ngrams.hpp"
#include "parallel.hpp"
#include "symbols.hpp"

namespace tercet {

namespace {

bool is_ascii_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// Words with one punctuation mark split off at the end or else at the start, as chrF++ does it.
void split_punctuation(Text text, Texts& raw, Texts& words) {
    raw.clear();
    split(text, raw);
    for (Text word : raw) {
        const char* p = word.data();
        next_code_point(p);
        const bool single = p == word.data() + word.size();
        if (!single && is_ascii_punctuation(word.back())) {
            words.push_back(word.substr(0, word.size() - 1));
            words.push_back(word.substr(word.size() - 1));
        } else if (!single && is_ascii_punctuation(word.front())) {
            words.push_back(word.substr(0, 1));
            words.push_back(word.substr(1));
        } else {
            words.push_back(word);
        }
    }
}

class Worker {
public:
    Worker(const Texts& hypotheses, const References& references, const ChrfOptions& options, double* rows)
        : hypotheses_(hypotheses), references_(references), options_(options), rows_(rows),
          orders_(options.char_order + options.word_order), characters_(options.char_order),
          words_(options.word_order), matches_(orders_), row_(3 * orders_) {}

    void operator()(std::size_t segment) {
        numbering_.clear();
        number(hypotheses_[segment], hypothesis_);
        keep_nearest(references_.of(segment), row_, rows_ + segment * row_.size(), [&](Text reference) {
            number(reference, reference_);
            count();
            return f_score();
        });
    }

private:
    const Texts& hypotheses_;
    const References& references_;
    const ChrfOptions& options_;
    double* rows_;
    int orders_;
    NgramMatcher characters_, words_;
    std::vector<std::int64_t> matches_;
    std::vector<double> row_;
    Numbering numbering_;
    Texts raw_, tokens_;
    Symbols hypothesis_, reference_;

    void number(Text text, Symbols& symbols) {
        tokens_.clear();
        if (options_.word_order > 0) split_punctuation(text, raw_, tokens_);
        numbering_.number(text, tokens_, options_.whitespace, symbols);
    }
    void count() {
        double* out = row_.data();
        const auto write = [&](NgramMatcher& matcher, int orders, const auto& ours, const auto& theirs, Symbol largest) {
            if (orders == 0) return;
            matcher.match(ours, {&theirs, 1}, largest, matches_.data());
            for (int n = 0; n < orders; ++n, out += 3) {
                out[1] = static_cast<double>(std::max<std::int64_t>(0, std::ssize(theirs) - n));
                // no n-gram in the reference: those of the hypothesis do not count against it
                out[0] = out[1] > 0 ? static_cast<double>(std::max<std::int64_t>(0, std::ssize(ours) - n)) : 0;
                out[2] = static_cast<double>(matches_[n]);
            }
        };
        write(characters_, options_.char_order, hypothesis_.characters, reference_.characters, numbering_.characters());
        write(words_, options_.word_order, hypothesis_.words, reference_.words, numbering_.words());
    }
    // The score by which the best reference is chosen; metrics/chrf.py has the same for whole arrays.
    double f_score() const {
        constexpr double eps = 1e-16;
        const double factor = options_.beta * options_.beta;
        double smoothed = 0, precision = 0, recall = 0;
        int effective = 0;
        for (int i = 0; i < orders_; ++i) {
            const double ours = row_[3 * i], theirs = row_[3 * i + 1], match = row_[3 * i + 2];
            const double p = ours > 0 ? match / ours : eps, r = theirs > 0 ? match / theirs : eps;
            const double below = factor * p + r;
            smoothed += below > 0 ? (1 + factor) * p * r / below : eps;
            if (ours > 0 && theirs > 0) precision += p, recall += r, ++effective;
        }
        if (options_.eps_smoothing) return 100 * smoothed / orders_;
        if (precision + recall == 0) return 0;
        precision /= effective;
        recall /= effective;
        return 100 * (1 + factor) * precision * recall / (factor * precision + recall);
    }
};

}  // namespace

void chrf(const Texts& hypotheses, const References& references, const ChrfOptions& options, double* rows) {
    for_each_row(hypotheses.size(), [&] { return Worker(hypotheses, references, options, rows); });
}

}  // namespace tercet
