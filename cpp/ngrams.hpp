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
#include <type_traits>
#include <utility>
#include <vector>

namespace tercet {

using Symbol = std::uint32_t;  // 0 stands for "past the end"

// Sorts integers of `bits` significant bits, byte by byte from the lowest: no branch to mispredict.
template <class Key>
void radix_sort(std::vector<Key>& keys, std::vector<Key>& scratch, int bits) {
    if (keys.size() < 24) return std::sort(keys.begin(), keys.end());
    scratch.resize(keys.size());
    const int passes = (bits + 7) / 8, digit = (bits + passes - 1) / passes;  // digits of equal width, 8 bits at most
    const Key mask = (Key{1} << digit) - 1;
    for (int shift = 0; shift < bits; shift += digit) {
        std::array<std::uint32_t, 256> start;
        std::fill_n(start.begin(), std::size_t{1} << digit, 0);
        for (Key key : keys) ++start[static_cast<std::size_t>(key >> shift & mask)];
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i <= mask; ++i) sum += std::exchange(start[i], sum);
        for (Key key : keys) scratch[start[static_cast<std::size_t>(key >> shift & mask)]++] = key;
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
    void sort(std::vector<Run>& runs, std::vector<Run>& scratch) const { radix_sort(runs, scratch, width - spare_); }
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
    void sort(std::vector<Run>& runs, std::vector<Run>&) const {
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
        if (const PackedRuns<std::uint64_t> runs(order_, largest, texts); runs.fit())
            count(runs, narrow_, hypothesis, references, matches);
#ifdef __SIZEOF_INT128__
        else if (const PackedRuns<unsigned __int128> runs(order_, largest, texts); runs.fit())
            count(runs, wide_, hypothesis, references, matches);
#endif
        else
            count(LongRuns(order_), long_, hypothesis, references, matches);
    }

private:
    int order_;
    template <class Run>
    struct Lists {
        std::vector<Run> runs, scratch;
    };
    Lists<std::uint64_t> narrow_;
#ifdef __SIZEOF_INT128__
    Lists<unsigned __int128> wide_;
#endif
    Lists<LongRuns::Run> long_;
    std::vector<std::int64_t> seen_;     // runs of each text so far
    std::vector<std::int64_t> started_;  // (order, text): what `seen_` was when the n-gram now being counted began

    template <class Runs>
    void count(const Runs& runs, Lists<typename Runs::Run>& lists, std::span<const Symbol> hypothesis,
               std::span<const std::vector<Symbol>> references, std::int64_t* matches) {
        const std::size_t texts = references.size() + 1;
        auto& list = lists.runs;
        list.clear();
        runs.add(hypothesis, 0, list);
        for (std::size_t k = 1; k < texts; ++k) runs.add(references[k - 1], k, list);
        runs.sort(list, lists.scratch);

        seen_.assign(texts, 0);
        started_.assign(order_ * texts, 0);
        std::fill(matches, matches + order_, 0);
        if (texts == 2)  // one reference: the usual case, worth a loop of its own
            walk(runs, list, std::integral_constant<std::size_t, 2>(), matches);
        else
            walk(runs, list, texts, matches);
    }

    template <class Runs, class Run, class Texts>
    void walk(const Runs& runs, const std::vector<Run>& list, Texts texts, std::int64_t* matches) {
        std::int64_t* seen = seen_.data();
        for (std::size_t i = 0; i < list.size(); ++i) {
            ++seen[runs.text(list[i])];
            const int shared = i + 1 < list.size() ? runs.common(list[i], list[i + 1]) : 0;
            if (shared == order_) continue;
            // The n-grams longer than what the next run shares have ended; those that reach past the end are none.
            std::int64_t* started = &started_[shared * texts];
            for (int n = shared, length = runs.length(list[i]); n < order_; ++n, started += texts) {
                std::int64_t most = 0;
                for (std::size_t k = 1; k < texts; ++k) most = std::max(most, seen[k] - started[k]);
                if (n < length) matches[n] += std::min(seen[0] - started[0], most);
                for (std::size_t k = 0; k < texts; ++k) started[k] = seen[k];
            }
        }
    }
};

}  // namespace tercet
