// Small numbers for characters, so that runs of them pack into an integer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "ngrams.hpp"

namespace tercet {

// Small numbers for the characters of one segment.
class Alphabet {
public:
    Alphabet() : ascii_(128), ages_(128) {}

    void clear() {
        size_ = 0;
        if (++age_ == 0) {
            std::fill(ages_.begin(), ages_.end(), 0);
            age_ = 1;
        }
        rest_.clear();
    }
    Symbol size() const { return size_; }
    Symbol add(char32_t c) {
        if (c < 128) {
            if (ages_[c] != age_) ages_[c] = age_, ascii_[c] = ++size_;
            return ascii_[c];
        }
        // Few in most segments; kept sorted so that many are no trouble either.
        const auto at = std::lower_bound(rest_.begin(), rest_.end(), std::pair{c, Symbol{0}});
        if (at != rest_.end() && at->first == c) return at->second;
        rest_.insert(at, {c, ++size_});
        return size_;
    }

private:
    std::vector<Symbol> ascii_;
    std::vector<std::uint32_t> ages_;
    std::vector<std::pair<char32_t, Symbol>> rest_;
    Symbol size_ = 0;
    std::uint32_t age_ = 1;
};

}  // namespace tercet
