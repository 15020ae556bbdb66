// The two matrices behind TER: the whole edit distance matrix in bits, and Tercom's beam in numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <vector>

#include "edit_rows.hpp"

namespace tercet {

enum class Edit : std::uint8_t { match, substitution, insertion, deletion };

// The words [first, middle) and [middle, last) of a hypothesis change places.
struct Rotation {
    int first, middle, last;
};

constexpr int no_distance = std::numeric_limits<int>::max() / 2;

// Walks from the last cell of a matrix to its first, calling visit(edit, i, j) in each cell that it leaves.
template <class Choose, class Visit>
void walk_back(int i, int j, Choose choose, Visit visit) {
    while (i > 0 || j > 0) {
        const Edit edit = i == 0 ? Edit::insertion : j == 0 ? Edit::deletion : choose(i, j);
        visit(edit, i, j);
        i -= edit != Edit::insertion;
        j -= edit != Edit::deletion;
    }
}

// The whole matrix of a hypothesis, kept row by row so that its rotations start where they begin to differ.
class BitMatrix {
public:
    static constexpr std::size_t longest = 256;  // words of a reference; beyond, the beam alone is faster

    void set_reference(std::span<const Symbol> reference, Symbol largest) {
        columns_ = static_cast<int>(reference.size());
        masks_.set(reference, largest);
    }
    int measure(std::span<const Symbol> hypothesis) {
        return dispatch([&]<int B>() { return measure<B>(hypothesis); });
    }
    // The distance of the measured hypothesis after a rotation; some number above `bound` if it is above `bound`.
    int rotated(const Rotation& rotation, int bound) const {
        return dispatch([&]<int B>() { return rotated<B>(rotation, bound); });
    }
    // No change or substitution is preferred to deletion, deletion to insertion.
    template <class Visit>
    void trace(Visit visit) const {
        walk_back(rows_, columns_, [this](int i, int j) {
            const std::size_t at = static_cast<std::size_t>(i) * masks_.blocks() + (j - 1) / 64;
            const int bit = (j - 1) % 64;
            if (!(steps_[at].level >> bit & 1)) return Edit::substitution;
            if (matches_[at - masks_.blocks()] >> bit & 1) return Edit::match;
            return steps_[at].down >> bit & 1 ? Edit::deletion : Edit::insertion;
        }, visit);
    }

private:
    int columns_ = 0, rows_ = 0;
    MatchMasks masks_;
    std::vector<std::uint64_t> matches_;      // of the word of each row; all with masks_.blocks() to a row
    std::vector<std::uint64_t> rise_, fall_;  // these and the following begin with row 0
    std::vector<EditStep> steps_;
    std::vector<int> last_;

    template <class Call>
    int dispatch(Call call) const {
        switch (masks_.blocks()) {
            case 1: return call.template operator()<1>();
            case 2: return call.template operator()<2>();
            case 3: return call.template operator()<3>();
            default: return call.template operator()<4>();
        }
    }
    template <int B>
    int measure(std::span<const Symbol> hypothesis) {
        rows_ = static_cast<int>(hypothesis.size());
        matches_.resize(rows_ * B);
        rise_.resize((rows_ + 1) * B);
        fall_.resize((rows_ + 1) * B);
        steps_.resize((rows_ + 1) * B);
        last_.resize(rows_ + 1);
        auto row = EditRow<B>::first(columns_);
        keep(row, 0);
        for (int i = 1; i <= rows_; ++i) {
            std::copy_n(masks_.of(hypothesis[i - 1]), B, &matches_[(i - 1) * B]);
            const auto told = step(row, &matches_[(i - 1) * B], (columns_ - 1) % 64);
            std::copy(told.begin(), told.end(), &steps_[i * B]);
            keep(row, i);
        }
        return row.last;
    }
    template <int B>
    void keep(const EditRow<B>& row, int i) {
        std::copy(row.rise.begin(), row.rise.end(), &rise_[i * B]);
        std::copy(row.fall.begin(), row.fall.end(), &fall_[i * B]);
        last_[i] = row.last;
    }
    template <int B>
    EditRow<B> kept(int i) const {
        EditRow<B> row;
        std::copy_n(&rise_[i * B], B, row.rise.begin());
        std::copy_n(&fall_[i * B], B, row.fall.begin());
        row.last = last_[i];
        return row;
    }
    template <int B>
    int rotated(const Rotation& rotation, int bound) const {
        const int top = (columns_ - 1) % 64;
        auto row = kept<B>(rotation.first);
        for (int i = rotation.middle; i < rotation.last; ++i) step(row, &matches_[i * B], top);
        for (int i = rotation.first; i < rotation.middle; ++i) step(row, &matches_[i * B], top);
        for (int i = rotation.last; i < rows_; ++i) {
            if (row.last - (rows_ - i) > bound) return no_distance;
            if (row.parallel(kept<B>(i))) return last_[rows_] + row.last - last_[i];  // from here on as before
            step(row, &matches_[i * B], top);
        }
        return row.last;
    }
};

// sacreBLEU's beam: of each row, only cells near the pseudo-diagonal, which follows the ratio of the lengths.
class BeamMatrix {
public:
    static constexpr int width = 25;

    // To be called first. A reference of fewer than `width` words lies wholly in the beam: nothing is to be measured.
    void set_lengths(int hypothesis, int reference) {
        rows_ = hypothesis;
        columns_ = reference;
        exact_below_ = no_distance;
        if (reference >= width && hypothesis > 0) set_beam();
    }
    // A distance without the beam that is below this is the distance in the beam too, and so are all its best paths.
    int exact_below() const { return exact_below_; }

    int measure(std::span<const Symbol> hypothesis, std::span<const Symbol> reference) {
        if (rows_ == 0) return columns_;
        hypothesis_ = hypothesis;
        reference_ = reference;
        cells_.resize((rows_ + 1) * stride_);
        spare_.resize(2 * stride_);
        int* row = cells_.data();
        for (std::size_t k = 0; k < stride_; ++k) row[k] = static_cast<int>(k) - 1;
        row[0] = no_distance;
        for (int i = 1; i <= rows_; ++i, row += stride_) fill(i, hypothesis[i - 1], row, row + stride_);
        return cell(rows_, columns_);
    }
    // As BitMatrix::rotated.
    int rotated(const Rotation& rotation, int bound) {
        const int* above = &cells_[rotation.first * stride_];
        int *row = spare_.data(), *other = row + stride_, i = rotation.first;
        const auto next = [&](int word) {
            fill(++i, hypothesis_[word], above, row);
            above = row;
            std::swap(row, other);
        };
        for (int word = rotation.middle; word < rotation.last; ++word) next(word);
        for (int word = rotation.first; word < rotation.middle; ++word) next(word);
        const int before = cell(rows_, columns_);
        for (;; next(i)) {
            // What follows is the same for both, so the distances differ by no less and no more than these rows do.
            int least = no_distance, most = -no_distance;
            const int* base = &cells_[i * stride_];
            for (int k = 1; k <= beam_[i].last - beam_[i].first; ++k) {
                least = std::min(least, above[k] - base[k]);
                most = std::max(most, above[k] - base[k]);
            }
            if (before + least > bound) return no_distance;
            if (least == most) return before + least;
            if (i == rows_) return above[columns_ - beam_[i].first + 1];
        }
    }
    template <class Visit>
    void trace(Visit visit) const {
        walk_back(rows_, columns_, [this](int i, int j) {
            const bool same = hypothesis_[i - 1] == reference_[j - 1];
            if (cell(i, j) == cell(i - 1, j - 1) + !same) return same ? Edit::match : Edit::substitution;
            return cell(i, j) == cell(i - 1, j) + 1 ? Edit::deletion : Edit::insertion;
        }, visit);
    }

private:
    struct Columns {
        int first, last;  // [first, last)
    };
    int rows_ = 0, columns_ = 0, exact_below_ = 0;
    std::vector<Columns> beam_;
    std::size_t stride_ = 0;
    std::vector<int> cells_, spare_;  // a row: a guard, the cells of its beam, guards as far as the row below reaches
    std::span<const Symbol> hypothesis_, reference_;

    int cell(int i, int j) const {
        return i > 0 && (j < beam_[i].first || j >= beam_[i].last) ? no_distance
                                                                    : cells_[i * stride_ + (j - beam_[i].first) + 1];
    }
    void set_beam() {
        const double ratio = static_cast<double>(columns_) / rows_;
        const int half = ratio / 2 > width ? static_cast<int>(std::ceil(ratio / 2 + width)) : width;
        beam_.resize(rows_ + 1);
        for (int i = 1; i <= rows_; ++i) {
            const int diagonal = static_cast<int>(std::floor(i * ratio));
            beam_[i] = {std::max(0, diagonal - half), std::min(columns_ + 1, diagonal + half)};
            // A path through cell (i, j) holds |k| edits before it and |surplus - k| after it, k = j - i, at least.
            const int surplus = columns_ - rows_, low = std::min(0, surplus), high = std::max(0, surplus);
            const auto least = [&](int k) { return std::abs(k) + std::abs(surplus - k); };
            if (i == rows_) beam_[i].last = columns_ + 1;
            if (beam_[i].first > 0) exact_below_ = std::min(exact_below_, least(std::min(low, beam_[i].first - 1 - i)));
            if (beam_[i].last <= columns_)
                exact_below_ = std::min(exact_below_, least(std::max(high, beam_[i].last - i)));
        }
        beam_[0] = {0, beam_[1].last};
        stride_ = 0;
        for (int i = 0; i < rows_; ++i)
            stride_ = std::max(stride_, static_cast<std::size_t>(beam_[i + 1].last - beam_[i].first));
        stride_ = std::max(stride_, static_cast<std::size_t>(beam_[rows_].last - beam_[rows_].first)) + 1;
    }
    void fill(int i, Symbol word, const int* above, int* row) const {
        const auto [first, last] = beam_[i];
        const int* up = above + (first - beam_[i - 1].first);  // up[1] is above the cell, up[0] to its left
        int left = no_distance;
        int* out = row;
        *out++ = no_distance;
        for (int j = first; j < last; ++j, ++up) {
            const int across = j == 0 ? no_distance : up[0] + (word != reference_[j - 1]);
            left = std::min({across, up[1] + 1, left + 1});
            *out++ = left;
        }
        const int reach = i < rows_ ? beam_[i + 1].last : last;
        for (int j = last; j < reach; ++j) *out++ = no_distance;
    }
};

}  // namespace tercet
