// NIST (Doddington 2002) as mteval-v13a computes it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "text.hpp"
#include "tokenize.hpp"

namespace tercet {

// How much information each n-gram carries in the references of a whole test set.
class NistInformation {
public:
    NistInformation(const References& references, Tokenization tokenization, int order);

    int order() const { return order_; }

    // A row a segment: information of the matched n-grams of orders 1..order, n-grams of the hypothesis of
    // orders 1..order, its length, the mean length of its references.
    void rows(const Texts& hypotheses, const References& references, double* rows) const;

private:
    friend class NistWorker;
    using Gram = std::uint32_t;  // 0: not in any reference

    Tokenization tokenization_;
    int order_;
    std::deque<std::string> kept_;                    // the words that the vocabulary points to
    std::unordered_map<Text, std::uint32_t> words_;
    std::unordered_map<std::uint64_t, Gram> grams_;   // (n-gram without its last word, last word)
    std::vector<std::uint64_t> counts_;
    std::vector<double> information_;
    std::vector<std::uint8_t> lengths_;

    std::uint32_t word(Text token) const;
    Gram extended(Gram gram, std::uint32_t word) const;
};

}  // namespace tercet
