// Clipped n-gram matches of all orders at once, exactly.
//
// An n-gram that starts at position i is a prefix of the run of `order` symbols from there on. So one sorted list of
// those runs holds the n-grams of every order next to their equals, and a merge of two such lists counts the matches of
// all orders in a single pass. A run of symbols is packed into one integer wherever it fits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tercet {

using Symbol = std::uint32_t;  // 0 stands for "past the end"

// Runs packed into an unsigned integer, the first symbol in its highest bits.
template <class Key>
class PackedRuns {
public:
    PackedRuns(int order, Symbol largest)
        : order_(order), bits_(std::max(1, static_cast<int>(std::bit_width(largest)))),
          spare_(static_cast<int>(8 * sizeof(Key)) - order * bits_) {}

    bool fit() const { return spare_ >= 0; }

    using Run = Key;
    void sorted(std::span<const Symbol> symbols, std::vector<Run>& runs) const {
        runs.resize(symbols.size());
        Key key = 0;
        for (std::size_t i = symbols.size(); i-- > 0;) {  // from the end: symbols past it are zeros
            key = (key >> bits_) | (static_cast<Key>(symbols[i]) << (bits_ * (order_ - 1)));
            runs[i] = key;
        }
        std::sort(runs.begin(), runs.end());
    }
    bool less(Run a, Run b) const { return a < b; }
    int common(Run a, Run b) const { return a == b ? order_ : (leading_zeros(a ^ b) - spare_) / bits_; }
    int length(Run a) const { return order_ - trailing_zeros(a) / bits_; }

private:
    int order_, bits_, spare_;

    static int leading_zeros(std::uint64_t x) { return std::countl_zero(x); }
    static int trailing_zeros(std::uint64_t x) { return std::countr_zero(x); }
#ifdef __SIZEOF_INT128__
    static int leading_zeros(unsigned __int128 x) {
        const auto high = static_cast<std::uint64_t>(x >> 64);
        return high ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(x));
    }
    static int trailing_zeros(unsigned __int128 x) {
        const auto low = static_cast<std::uint64_t>(x);
        return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(x >> 64));
    }
#endif
};

// Runs of any order over any alphabet, compared symbol by symbol.
class LongRuns {
public:
    explicit LongRuns(int order) : order_(order) {}

    using Run = std::span<const Symbol>;
    void sorted(std::span<const Symbol> symbols, std::vector<Run>& runs) const {
        runs.clear();
        for (std::size_t i = 0; i < symbols.size(); ++i)
            runs.push_back(symbols.subspan(i, std::min<std::size_t>(order_, symbols.size() - i)));
        std::sort(runs.begin(), runs.end(), [this](Run a, Run b) { return less(a, b); });
    }
    bool less(Run a, Run b) const { return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()); }
    int common(Run a, Run b) const {
        return static_cast<int>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    }
    int length(Run a) const { return static_cast<int>(a.size()); }

private:
    int order_;
};

// Counts, for every order n in 1..order, the n-grams of a hypothesis that its references hold too,
// each no more often than in the reference that holds it most often.
class NgramMatcher {
public:
    explicit NgramMatcher(int order) : order_(order) {}

    // Symbols are at least 1 and at most `largest`.
    void match(std::span<const Symbol> hypothesis, std::span<const std::vector<Symbol>> references, Symbol largest,
               std::int64_t* matches) {
        if (const PackedRuns<std::uint64_t> runs(order_, largest); runs.fit())
            count(runs, narrow_, hypothesis, references, matches);
#ifdef __SIZEOF_INT128__
        else if (const PackedRuns<unsigned __int128> runs(order_, largest); runs.fit())
            count(runs, wide_, hypothesis, references, matches);
#endif
        else
            count(LongRuns(order_), long_, hypothesis, references, matches);
    }

private:
    int order_;
    std::vector<std::vector<std::uint64_t>> narrow_;
#ifdef __SIZEOF_INT128__
    std::vector<std::vector<unsigned __int128>> wide_;
#endif
    std::vector<std::vector<LongRuns::Run>> long_;
    std::vector<std::int64_t> seen_;  // (order, text): occurrences of the n-gram now being counted
    std::vector<std::size_t> heads_;

    template <class Runs>
    void count(const Runs& runs, std::vector<std::vector<typename Runs::Run>>& lists,
               std::span<const Symbol> hypothesis, std::span<const std::vector<Symbol>> references,
               std::int64_t* matches) {
        const std::size_t texts = references.size() + 1;
        if (lists.size() < texts) lists.resize(texts);
        runs.sorted(hypothesis, lists[0]);
        for (std::size_t k = 1; k < texts; ++k) runs.sorted(references[k - 1], lists[k]);

        std::fill(matches, matches + order_, 0);
        seen_.assign(order_ * texts, 0);
        heads_.assign(texts, 0);
        const auto close = [&](int from) {  // the n-grams of order > from have ended
            for (int n = from; n < order_; ++n) {
                std::int64_t* seen = &seen_[n * texts];
                if (seen[0] > 0) matches[n] += std::min(seen[0], *std::max_element(seen + 1, seen + texts));
                std::fill(seen, seen + texts, 0);
            }
        };

        typename Runs::Run last{};
        for (bool first = true;; first = false) {
            std::size_t least = texts;
            for (std::size_t k = 0; k < texts; ++k)
                if (heads_[k] < lists[k].size() &&
                    (least == texts || runs.less(lists[k][heads_[k]], lists[least][heads_[least]])))
                    least = k;
            if (least == texts) break;
            const auto run = lists[least][heads_[least]++];
            if (!first) close(runs.common(last, run));
            for (int n = 0, length = runs.length(run); n < length; ++n) ++seen_[n * texts + least];
            last = run;
        }
        close(0);
    }
};

}  // namespace tercet
