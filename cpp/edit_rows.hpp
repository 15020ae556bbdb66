// Edit distance to a reference, a row of the matrix at a time, 64 cells to a machine word (Myers 1999, Hyyrö 2003).
//
// Row i belongs to the first i words of the hypothesis, column j to the first j words of the reference. Neighbouring
// cells differ by at most one, so that a row is its two sets of columns where the cell is one more, or one less, than
// the cell to its left.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams.hpp"

namespace tercet {

template <int Blocks>
struct EditRow {
    std::array<std::uint64_t, Blocks> rise, fall;  // the cell is one more, one less, than its left neighbour
    int last;                                      // the cell in the last column

    static EditRow first(int columns) {
        EditRow row;
        row.rise.fill(~std::uint64_t{0});
        row.fall.fill(0);
        row.last = columns;
        return row;
    }
    bool parallel(const EditRow& other) const { return rise == other.rise && fall == other.fall; }
};

// What a step of a block tells of its cells: equal to the cell above to the left; one more than the cell above.
struct EditStep {
    std::uint64_t level, down;
};

// Moves one block of a row on by a word; `match` marks the columns whose word is the same. The carries go from block to
// block, from {1, 0} at the left edge: how the cells of the column to the left differ from those above them.
struct Carry {
    std::uint64_t more = 1, less = 0;
};
inline EditStep step_block(std::uint64_t& rise, std::uint64_t& fall, std::uint64_t match, Carry& carry,
                           std::uint64_t& more, std::uint64_t& less) {
    const std::uint64_t x = match | carry.less;
    const std::uint64_t level = (((x & rise) + rise) ^ rise) | x | fall;
    more = fall | ~(level | rise);
    less = level & rise;
    const EditStep told{level, more};
    const std::uint64_t more_left = more << 1 | carry.more, less_left = less << 1 | carry.less;
    carry = {more >> 63, less >> 63};
    rise = less_left | ~(level | more_left);
    fall = more_left & level;
    return told;
}

// Moves a row on by a word; `top` is the last column's place in the last block.
template <int Blocks>
inline std::array<EditStep, Blocks> step(EditRow<Blocks>& row, const std::uint64_t* match, int top) {
    std::array<EditStep, Blocks> told;
    Carry carry;
    std::uint64_t more = 0, less = 0;
    for (int b = 0; b < Blocks; ++b) told[b] = step_block(row.rise[b], row.fall[b], match[b], carry, more, less);
    row.last += static_cast<int>(more >> top & 1) - static_cast<int>(less >> top & 1);
    return told;
}

// For every word, the columns of the reference that hold it.
class MatchMasks {
public:
    void set(std::span<const Symbol> reference, Symbol largest) {
        blocks_ = (reference.size() + 63) / 64;
        masks_.assign((largest + 1) * blocks_, 0);
        for (std::size_t j = 0; j < reference.size(); ++j)
            masks_[reference[j] * blocks_ + j / 64] |= std::uint64_t{1} << j % 64;
    }
    std::size_t blocks() const { return blocks_; }
    const std::uint64_t* of(Symbol word) const { return &masks_[word * blocks_]; }

private:
    std::size_t blocks_ = 0;
    std::vector<std::uint64_t> masks_;
};

}  // namespace tercet
