#include "wer.hpp"

#include <algorithm>

#include "edit_rows.hpp"
#include "parallel.hpp"

namespace tercet {

namespace {

// Edit distance, 64 columns at a time through all rows: memory grows with the lengths, not with their product.
class EditDistance {
public:
    int operator()(std::span<const Symbol> hypothesis, std::span<const Symbol> reference, Symbol largest) {
        // What is the same at both ends costs nothing.
        while (!hypothesis.empty() && !reference.empty() && hypothesis.front() == reference.front())
            hypothesis = hypothesis.subspan(1), reference = reference.subspan(1);
        while (!hypothesis.empty() && !reference.empty() && hypothesis.back() == reference.back())
            hypothesis = hypothesis.first(hypothesis.size() - 1), reference = reference.first(reference.size() - 1);
        if (hypothesis.empty() || reference.empty())
            return static_cast<int>(std::max(hypothesis.size(), reference.size()));

        if (masks_.size() <= largest) masks_.resize(largest + 1);
        carries_.assign(hypothesis.size(), Carry{});
        int distance = static_cast<int>(reference.size());
        for (std::size_t start = 0; start < reference.size(); start += 64) {
            const auto columns = reference.subspan(start, std::min<std::size_t>(64, reference.size() - start));
            for (std::size_t j = 0; j < columns.size(); ++j) masks_[columns[j]] |= std::uint64_t{1} << j;
            const bool last = start + columns.size() == reference.size();
            const int top = static_cast<int>(columns.size()) - 1;
            std::uint64_t rise = ~std::uint64_t{0}, fall = 0, more = 0, less = 0;
            for (std::size_t i = 0; i < hypothesis.size(); ++i) {
                step_block(rise, fall, masks_[hypothesis[i]], carries_[i], more, less);
                if (last) distance += static_cast<int>(more >> top & 1) - static_cast<int>(less >> top & 1);
            }
            for (Symbol word : columns) masks_[word] = 0;
        }
        return distance;
    }

private:
    std::vector<std::uint64_t> masks_;  // all zero between calls
    std::vector<Carry> carries_;        // of each row, from one block of columns to the next
};

class Worker {
public:
    Worker(const Texts& hypotheses, const References& references, Tokenization tokenization, double* rows)
        : hypotheses_(hypotheses), references_(references), rows_(rows), tokenize_(tokenization) {}

    void operator()(std::size_t segment) {
        vocabulary_.clear();
        tokenize_.release();
        number(hypotheses_[segment], hypothesis_);
        double edits = 0, length = 0;
        bool first = true;
        for (Text reference : references_.of(segment)) {
            number(reference, reference_);
            const double distance = distance_(hypothesis_, reference_, vocabulary_.size());
            const auto size = static_cast<double>(reference_.size());
            if (first || lower(distance, size, edits, length)) edits = distance, length = size;
            first = false;
        }
        rows_[2 * segment] = edits;
        rows_[2 * segment + 1] = length;
    }

private:
    const Texts& hypotheses_;
    const References& references_;
    double* rows_;
    Tokenizer tokenize_;
    Vocabulary vocabulary_;
    Texts tokens_;
    std::vector<Symbol> hypothesis_, reference_;
    EditDistance distance_;

    void number(Text text, std::vector<Symbol>& symbols) {
        tokens_.clear();
        tokenize_(text, tokens_);
        symbols.clear();
        for (Text token : tokens_) symbols.push_back(vocabulary_.add(token));
    }
    // Rates compared without division; that of an empty reference is 1, or 0 if there is nothing to edit.
    static bool lower(double edits, double length, double other_edits, double other_length) {
        if (length == 0) edits = std::min(1.0, edits), length = 1;
        if (other_length == 0) other_edits = std::min(1.0, other_edits), other_length = 1;
        return edits * other_length < other_edits * length;
    }
};

}  // namespace

void wer(const Texts& hypotheses, const References& references, Tokenization tokenization, double* rows) {
    for_each_row(hypotheses.size(), [&] { return Worker(hypotheses, references, tokenization, rows); });
}

}  // namespace tercet
