#include "bleu.hpp"

#include <cstdlib>

#include "ngrams.hpp"
#include "parallel.hpp"

namespace tercet {

namespace {

class Worker {
public:
    Worker(const Texts& hypotheses, const References& references, Tokenization tokenization, int order, double* rows)
        : hypotheses_(hypotheses), references_(references), order_(order), rows_(rows), tokenize_(tokenization),
          matcher_(order), matches_(order) {}

    void operator()(std::size_t segment) {
        vocabulary_.clear();
        tokenize_.release();
        const auto references = references_.of(segment);
        if (symbols_.size() < references.size()) symbols_.resize(references.size());
        for (std::size_t k = 0; k < references.size(); ++k) number(references[k], symbols_[k]);
        number(hypotheses_[segment], hypothesis_);
        matcher_.match(hypothesis_, {symbols_.data(), references.size()}, vocabulary_.size(), matches_.data());

        const auto length = static_cast<std::int64_t>(hypothesis_.size());
        double* row = rows_ + segment * (2 + 2 * order_);
        row[0] = static_cast<double>(length);
        row[1] = static_cast<double>(nearest_length(length, references.size()));
        for (int n = 0; n < order_; ++n) {
            row[2 + n] = static_cast<double>(matches_[n]);
            row[2 + order_ + n] = static_cast<double>(std::max<std::int64_t>(0, length - n));
        }
    }

private:
    const Texts& hypotheses_;
    const References& references_;
    int order_;
    double* rows_;
    Tokenizer tokenize_;
    NgramMatcher matcher_;
    Vocabulary vocabulary_;
    Texts tokens_;
    std::vector<Symbol> hypothesis_;
    std::vector<std::vector<Symbol>> symbols_;
    std::vector<std::int64_t> matches_;

    void number(Text text, std::vector<Symbol>& symbols) {
        tokens_.clear();
        tokenize_(text, tokens_);
        symbols.clear();
        for (Text token : tokens_) symbols.push_back(vocabulary_.add(token));
    }
    // Of two references that are equally near, the shorter.
    std::int64_t nearest_length(std::int64_t length, std::size_t references) const {
        auto nearest = static_cast<std::int64_t>(symbols_[0].size());
        for (std::size_t k = 1; k < references; ++k) {
            const auto other = static_cast<std::int64_t>(symbols_[k].size());
            const auto gain = std::abs(nearest - length) - std::abs(other - length);
            if (gain > 0 || (gain == 0 && other < nearest)) nearest = other;
        }
        return nearest;
    }
};

}  // namespace

void bleu(const Texts& hypotheses, const References& references, Tokenization tokenization, int order, double* rows) {
    for_each_row(hypotheses.size(), [&] { return Worker(hypotheses, references, tokenization, order, rows); });
}

}  // namespace tercet
