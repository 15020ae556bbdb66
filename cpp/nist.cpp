#include "nist.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "parallel.hpp"

namespace tercet {

NistInformation::NistInformation(const References& references, Tokenization tokenization, int order)
    : tokenization_(tokenization), order_(order), counts_(1), lengths_(1) {
    Tokenizer tokenize(tokenization);
    Texts tokens;
    std::vector<std::uint32_t> numbers;
    std::vector<Gram> prefixes(1);
    std::uint64_t total = 0;
    for (Text reference : references.texts) {
        tokens.clear();
        tokenize.release();
        tokenize(reference, tokens);
        numbers.clear();
        for (Text token : tokens) {
            auto found = words_.find(token);
            if (found == words_.end()) {
                kept_.emplace_back(token);
                found = words_.emplace(kept_.back(), static_cast<std::uint32_t>(words_.size() + 1)).first;
            }
            numbers.push_back(found->second);
        }
        total += numbers.size();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            Gram gram = 0;
            for (int n = 0; n < order_ && i + n < numbers.size(); ++n) {
                const auto [entry, is_new] = grams_.try_emplace(std::uint64_t{gram} << 32 | numbers[i + n],
                                                                static_cast<Gram>(counts_.size()));
                if (is_new) {
                    counts_.push_back(0);
                    lengths_.push_back(static_cast<std::uint8_t>(n + 1));
                    prefixes.push_back(gram);
                }
                gram = entry->second;
                ++counts_[gram];
            }
        }
    }
    counts_[0] = total;  // the empty n-gram stands before every word

    // In mteval's Perl the string "0" is false, so that it takes a prefix of that one word for an empty one.
    const Gram zero = extended(0, word("0"));
    information_.resize(counts_.size());
    for (std::size_t gram = 1; gram < counts_.size(); ++gram) {
        const Gram prefix = prefixes[gram] == zero ? 0 : prefixes[gram];
        information_[gram] = std::log2(static_cast<double>(counts_[prefix]) / static_cast<double>(counts_[gram]));
    }
}

std::uint32_t NistInformation::word(Text token) const {
    const auto found = words_.find(token);
    return found == words_.end() ? 0 : found->second;
}

NistInformation::Gram NistInformation::extended(Gram gram, std::uint32_t word) const {
    const auto found = grams_.find(std::uint64_t{gram} << 32 | word);
    return found == grams_.end() ? 0 : found->second;
}

class NistWorker {
public:
    NistWorker(const NistInformation& information, const Texts& hypotheses, const References& references, double* rows)
        : information_(information), hypotheses_(hypotheses), references_(references), rows_(rows),
          tokenize_(information.tokenization_) {}

    void operator()(std::size_t segment) {
        const int order = information_.order_;
        double* row = rows_ + segment * (2 * order + 2);
        std::fill(row, row + 2 * order + 2, 0.0);

        const auto references = references_.of(segment);
        if (grams_.size() < references.size()) grams_.resize(references.size());
        std::size_t reference_length = 0;
        for (std::size_t k = 0; k < references.size(); ++k) {
            const std::size_t length = collect(references[k], grams_[k]);
            if (length > 0 && grams_[k].size() < length)
                throw std::invalid_argument("these references are not among those that the information was taken from");
            reference_length += length;
        }
        const std::size_t length = collect(hypotheses_[segment], hypothesis_);

        heads_.assign(references.size(), 0);
        for (std::size_t i = 0, next; i < hypothesis_.size(); i = next) {
            const auto gram = hypothesis_[i];
            next = run_end(hypothesis_, i);
            std::size_t most = 0;  // occurrences in the reference that has it most often
            for (std::size_t k = 0; k < references.size(); ++k) {
                auto& head = heads_[k];
                while (head < grams_[k].size() && grams_[k][head] < gram) ++head;
                if (head < grams_[k].size() && grams_[k][head] == gram)
                    most = std::max(most, run_end(grams_[k], head) - head);
            }
            row[information_.lengths_[gram] - 1] +=
                static_cast<double>(std::min(next - i, most)) * information_.information_[gram];
        }
        for (int n = 0; n < order; ++n)
            row[order + n] = static_cast<double>(length > static_cast<std::size_t>(n) ? length - n : 0);
        row[2 * order] = static_cast<double>(length);
        row[2 * order + 1] = static_cast<double>(reference_length) / static_cast<double>(references.size());
    }

private:
    using Grams = std::vector<NistInformation::Gram>;
    const NistInformation& information_;
    const Texts& hypotheses_;
    const References& references_;
    double* rows_;
    Tokenizer tokenize_;
    Texts tokens_;
    std::vector<std::uint32_t> numbers_;
    Grams hypothesis_;
    std::vector<Grams> grams_;
    std::vector<std::size_t> heads_;

    static std::size_t run_end(const Grams& grams, std::size_t i) {
        std::size_t end = i + 1;
        while (end < grams.size() && grams[end] == grams[i]) ++end;
        return end;
    }
    // The sorted n-grams of a text that are in any reference at all; returns its length in words.
    std::size_t collect(Text text, Grams& grams) {
        tokens_.clear();
        tokenize_.release();
        tokenize_(text, tokens_);
        numbers_.clear();
        for (Text token : tokens_) numbers_.push_back(information_.word(token));
        grams.clear();
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            NistInformation::Gram gram = 0;
            for (int n = 0; n < information_.order_ && i + n < numbers_.size(); ++n) {
                gram = information_.extended(gram, numbers_[i + n]);
                if (gram == 0) break;
                grams.push_back(gram);
            }
        }
        std::sort(grams.begin(), grams.end());
        return numbers_.size();
    }
};

void NistInformation::rows(const Texts& hypotheses, const References& references, double* rows) const {
    for_each_row(hypotheses.size(), [&] { return NistWorker(*this, hypotheses, references, rows); });
}

}  // namespace tercet
