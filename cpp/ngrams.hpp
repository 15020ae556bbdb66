// Clipped n-gram matches of all orders at once, exactly.
//
// An n-gram that starts at position i is a prefix of the run of `order` symbols from there on. So one sorted list of the
// runs of a hypothesis and its references holds equal n-grams of every order side by side, and a single walk over it
// counts the matches of all orders. A run is packed into one integer wherever it fits, which makes sorting cheap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tercet {

using Symbol = std::uint32_t;  // 0 stands for "past the end"

// Sorts integers of `bits` significant bits, byte by byte from the lowest: no branch to mispredict.
template <class Key>
void radix_sort(std::vector<Key>& keys, std::vector<Key>& scratch, int bits) {
    if (keys.size() < 24) return std::sort(keys.begin(), keys.end());
    scratch.resize(keys.size());
    for (int shift = 0; shift < bits; shift += 8) {
        std::array<std::uint32_t, 257> start{};
        for (Key key : keys) ++start[static_cast<std::size_t>(key >> shift & 0xFF) + 1];
        for (std::size_t i = 1; i < 256; ++i) start[i] += start[i - 1];
        for (Key key : keys) scratch[start[static_cast<std::size_t>(key >> shift & 0xFF)]++] = key;
        keys.swap(scratch);
    }
}

// Runs packed into an unsigned integer: the first symbol in the highest bits, the text it comes from in the lowest.
template <class Key>
class PackedRuns {
public:
    using Run = Key;

    PackedRuns(int order, Symbol largest, std::size_t texts)
        : order_(order), bits_(std::max(1, static_cast<int>(std::bit_width(largest)))),
          tag_(static_cast<int>(std::bit_width(texts - 1))), spare_(width - tag_ - order * bits_) {}

    bool fit() const { return spare_ >= 0; }

    void add(std::span<const Symbol> symbols, std::size_t text, std::vector<Run>& runs) const {
        std::size_t at = runs.size() + symbols.size();
        runs.resize(at);
        Key run = 0;
        for (std::size_t i = symbols.size(); i-- > 0;) {  // from the end: symbols past it are zeros
            run = run >> bits_ | static_cast<Key>(symbols[i]) << (bits_ * (order_ - 1));
            runs[--at] = run << tag_ | static_cast<Key>(text);
        }
    }
    void sort(std::vector<Run>& runs) { radix_sort(runs, scratch_, width - spare_); }
    std::size_t text(Run a) const { return static_cast<std::size_t>(a & ((Key{1} << tag_) - 1)); }
    // How many symbols two runs share before they differ.
    int common(Run a, Run b) const {
        const Key apart = (a ^ b) >> tag_;
        return apart == 0 ? order_ : quotient[bits_][leading_zeros(apart) - tag_ - spare_];
    }
    int length(Run a) const { return order_ - quotient[bits_][trailing_zeros(a >> tag_)]; }

private:
    static constexpr int width = 8 * sizeof(Key);
    int order_, bits_, tag_, spare_;
    std::vector<Run> scratch_;

    // Division is slow, and the walk needs one for each run.
    static constexpr auto quotient = [] {
        std::array<std::array<std::uint8_t, width + 1>, 33> table{};
        for (int bits = 1; bits <= 32; ++bits)
            for (int i = 0; i <= width; ++i) table[bits][i] = static_cast<std::uint8_t>(i / bits);
        return table;
    }();

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
    struct Run {
        std::span<const Symbol> symbols;
        std::size_t text;
    };

    explicit LongRuns(int order) : order_(order) {}

    void add(std::span<const Symbol> symbols, std::size_t text, std::vector<Run>& runs) const {
        for (std::size_t i = 0; i < symbols.size(); ++i)
            runs.push_back({symbols.subspan(i, std::min<std::size_t>(order_, symbols.size() - i)), text});
    }
    void sort(std::vector<Run>& runs) const {
        std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
            return std::lexicographical_compare(a.symbols.begin(), a.symbols.end(), b.symbols.begin(), b.symbols.end());
        });
    }
    std::size_t text(const Run& a) const { return a.text; }
    int common(const Run& a, const Run& b) const {
        const auto end = a.symbols.begin() + std::min(a.symbols.size(), b.symbols.size());
        const auto apart = std::mismatch(a.symbols.begin(), end, b.symbols.begin()).first;
        const bool equal = apart == end && a.symbols.size() == b.symbols.size();
        return equal ? order_ : static_cast<int>(apart - a.symbols.begin());
    }
    int length(const Run& a) const { return static_cast<int>(a.symbols.size()); }

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
        const std::size_t texts = references.size() + 1;
        if (PackedRuns<std::uint64_t> runs(order_, largest, texts); runs.fit())
            count(runs, narrow_, hypothesis, references, matches);
#ifdef __SIZEOF_INT128__
        else if (PackedRuns<unsigned __int128> runs(order_, largest, texts); runs.fit())
            count(runs, wide_, hypothesis, references, matches);
#endif
        else
            count(LongRuns(order_), long_, hypothesis, references, matches);
    }

private:
    int order_;
    std::vector<std::uint64_t> narrow_;
#ifdef __SIZEOF_INT128__
    std::vector<unsigned __int128> wide_;
#endif
    std::vector<LongRuns::Run> long_;
    std::vector<std::int64_t> seen_;     // runs of each text so far
    std::vector<std::int64_t> started_;  // (order, text): what `seen_` was when the n-gram now being counted began

    template <class Runs>
    void count(Runs&& runs, std::vector<typename std::remove_cvref_t<Runs>::Run>& list,
               std::span<const Symbol> hypothesis, std::span<const std::vector<Symbol>> references,
               std::int64_t* matches) {
        const std::size_t texts = references.size() + 1;
        list.clear();
        runs.add(hypothesis, 0, list);
        for (std::size_t k = 1; k < texts; ++k) runs.add(references[k - 1], k, list);
        runs.sort(list);

        std::fill(matches, matches + order_, 0);
        seen_.assign(texts, 0);
        started_.assign(order_ * texts, 0);
        for (std::size_t i = 0; i < list.size(); ++i) {
            ++seen_[runs.text(list[i])];
            const int shared = i + 1 < list.size() ? runs.common(list[i], list[i + 1]) : 0;
            if (shared == order_) continue;
            // The n-grams longer than what the next run shares have ended; those that reach past the end are none.
            for (int n = shared, length = runs.length(list[i]); n < order_; ++n) {
                std::int64_t* started = &started_[n * texts];
                if (n < length) {
                    std::int64_t most = 0;
                    for (std::size_t k = 1; k < texts; ++k) most = std::max(most, seen_[k] - started[k]);
                    matches[n] += std::min(seen_[0] - started[0], most);
                }
                std::copy(seen_.begin(), seen_.end(), started);
            }
        }
    }
};

}  // namespace tercet
