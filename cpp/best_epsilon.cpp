// Tie calibration (Deutsch et al. 2023, section 5) without sorting all pairs.
//
// As epsilon grows past the distance of two metric scores, a pair that people tie becomes right, a pair in the same order
// becomes wrong, and a pair in opposite orders stays wrong. So only the first two kinds matter, and the accuracy at any
// epsilon is a running sum over distances. Distances are counted in cells; a cell in which the running sum cannot reach
// the best one seen at the edges of cells is settled, any other is cut into smaller cells and the pairs are counted again.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "pairs.hpp"
#include "parallel.hpp"

namespace tercet {

namespace {

constexpr std::size_t most_counts = 1 << 15;  // numbers in a histogram, so that it stays in the cache
constexpr std::size_t pairs_a_task = 1 << 18;

struct Row {
    std::vector<double> human, metric;
    std::size_t size_class = 0;  // rows with as many pairs have the same weight
};

// Distances from low to high, both of which occur, and how many pairs of each size class are won and lost at them.
struct Cell {
    double low = std::numeric_limits<double>::infinity(), high = 0;
};

struct Histogram {
    std::vector<Cell> cells;
    std::vector<std::int64_t> won, lost;  // (cells, size classes)

    Histogram(std::size_t size, std::size_t classes) : cells(size), won(size * classes), lost(size * classes) {}

    void add(const Histogram& other) {
        for (std::size_t c = 0; c < cells.size(); ++c) {
            cells[c].low = std::min(cells[c].low, other.cells[c].low);
            cells[c].high = std::max(cells[c].high, other.cells[c].high);
        }
        for (std::size_t i = 0; i < won.size(); ++i) won[i] += other.won[i], lost[i] += other.lost[i];
    }
};

// A part of the line of distances: settled, or open and due to be cut into `pieces`.
struct Part {
    Cell cell;
    std::vector<std::int64_t> won, lost;
    bool open = false;
    std::size_t first_piece = 0, pieces = 0;
};

class Search {
public:
    explicit Search(const ScoreRows& scores) {
        std::vector<std::size_t> pairs;
        for (std::size_t r = 0; r < scores.rows; ++r) {
            Row row;
            for (std::size_t i = r * scores.columns; i < (r + 1) * scores.columns; ++i)
                if (!std::isnan(scores.human[i])) {
                    row.human.push_back(scores.human[i]);
                    row.metric.push_back(scores.metric[i]);
                }
            if (row.human.size() < 2) continue;
            pairs.push_back(row.human.size() * (row.human.size() - 1) / 2);
            const auto [low, high] = std::minmax_element(row.metric.begin(), row.metric.end());
            longest_ = std::max(longest_, *high - *low);
            rows_.push_back(std::move(row));
        }
        pairs_ = pairs;
        std::sort(pairs_.begin(), pairs_.end());
        pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            rows_[r].size_class = std::lower_bound(pairs_.begin(), pairs_.end(), pairs[r]) - pairs_.begin();
            const std::size_t n = rows_[r].human.size(), block = std::max<std::size_t>(1, pairs_a_task / n);
            for (std::size_t first = 1; first < n; first += block) tasks_.push_back({r, first, std::min(n, first + block)});
        }
        cells_ = std::max<std::size_t>(64, most_counts / std::max<std::size_t>(1, pairs_.size()));
        // Sums of fractions are not exact; sums of pairs of equal weight are.
        slack_ = pairs_.size() > 1 ? 1e-12 * static_cast<double>(rows_.size()) : 0;
    }

    double epsilon() {
        if (rows_.empty() || longest_ == 0) return 0;
        first_count();
        while (settle()) count_again();
        return best_at_;
    }

private:
    struct Task {
        std::size_t row, first, last;
    };
    std::vector<Row> rows_;
    std::vector<std::size_t> pairs_;  // of each size class
    std::vector<Task> tasks_;
    std::size_t cells_ = 0;           // of the first count ("roots"), and of all pieces of a later one together
    double longest_ = 0, slack_ = 0, best_at_ = 0;
    std::vector<Part> parts_;              // in order of distance
    std::vector<std::int64_t> right_;      // pairs that are right at epsilon 0, by size class
    std::vector<std::size_t> open_;        // parts that are open
    std::vector<std::size_t> root_open_;   // where the open parts of each root begin in open_

    std::size_t root(double distance) const {
        return std::min(cells_ - 1, static_cast<std::size_t>(distance / longest_ * static_cast<double>(cells_)));
    }

    // Calls visit(histogram, distance, size class, won) for all pairs that matter and adds the threads' histograms up.
    template <class Visit>
    Histogram count(std::size_t cells, Visit visit) const {
        std::vector<std::unique_ptr<Histogram>> parts;
        std::mutex growing;
        for_each_row(tasks_.size(), [&] {
            auto own = std::make_unique<Histogram>(cells, pairs_.size());
            Histogram* histogram = own.get();
            {
                std::lock_guard guard(growing);
                parts.push_back(std::move(own));
            }
            return [this, histogram, &visit](std::size_t t) {
                const auto [r, first, last] = tasks_[t];
                const Row& row = rows_[r];
                for (std::size_t i = first; i < last; ++i)
                    for (std::size_t j = 0; j < i; ++j) {
                        const double apart = row.metric[i] - row.metric[j];
                        if (row.human[i] == row.human[j])
                            visit(*histogram, std::abs(apart), row.size_class, true);
                        else if (apart != 0 && (apart > 0) == (row.human[i] > row.human[j]))
                            visit(*histogram, std::abs(apart), row.size_class, false);
                    }
            };
        }, 1);
        Histogram total(cells, pairs_.size());
        for (const auto& part : parts) total.add(*part);
        return total;
    }

    static void put(Histogram& histogram, std::size_t cell, double distance, std::size_t index, bool won) {
        histogram.cells[cell].low = std::min(histogram.cells[cell].low, distance);
        histogram.cells[cell].high = std::max(histogram.cells[cell].high, distance);
        ++(won ? histogram.won : histogram.lost)[index];
    }

    void first_count() {
        const std::size_t classes = pairs_.size(), at_zero = cells_;  // distance 0 has a cell of its own, the last
        const Histogram found = count(cells_ + 1, [&](Histogram& h, double distance, std::size_t size_class, bool won) {
            const std::size_t cell = distance == 0 ? at_zero : root(distance);
            put(h, cell, distance, cell * classes + size_class, won);
        });
        right_.assign(found.won.end() - static_cast<std::ptrdiff_t>(classes), found.won.end());
        for (std::size_t i = 0; i < cells_ * classes; ++i) right_[i % classes] += found.lost[i];
        take(found, 0, cells_, parts_);
    }

    void take(const Histogram& found, std::size_t first, std::size_t last, std::vector<Part>& parts) const {
        const std::size_t classes = pairs_.size();
        for (std::size_t c = first; c < last; ++c) {
            if (found.cells[c].high == 0) continue;
            const auto from = static_cast<std::ptrdiff_t>(c * classes), to = from + static_cast<std::ptrdiff_t>(classes);
            parts.push_back({found.cells[c], {found.won.begin() + from, found.won.begin() + to},
                             {found.lost.begin() + from, found.lost.begin() + to}});
        }
    }

    double value(const std::vector<std::int64_t>& right) const {
        if (pairs_.size() == 1) return static_cast<double>(right[0]);
        double sum = 0;
        for (std::size_t g = 0; g < right.size(); ++g) sum += static_cast<double>(right[g]) / static_cast<double>(pairs_[g]);
        return sum;
    }

    // Finds the best edge, and which parts might hide a better or an equal but smaller epsilon. False when none does.
    bool settle() {
        double best = value(right_);
        auto right = right_;
        for (const Part& part : parts_) {
            for (std::size_t g = 0; g < right.size(); ++g) right[g] += part.won[g] - part.lost[g];
            best = std::max(best, value(right));
        }
        right = right_;
        bool found = value(right) >= best - slack_;
        best_at_ = 0;
        open_.clear();
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            Part& part = parts_[p];
            for (std::size_t g = 0; g < right.size(); ++g) right[g] += part.won[g];
            const double at_most = value(right);
            for (std::size_t g = 0; g < right.size(); ++g) right[g] -= part.lost[g];
            const auto any = [](const auto& counts) { return std::any_of(counts.begin(), counts.end(), [](auto n) { return n > 0; }); };
            // Without losses the high end is best; without wins nothing rises.
            part.open = part.cell.low < part.cell.high && at_most >= best - slack_ && any(part.won) && any(part.lost);
            if (part.open) open_.push_back(p);
            if (!found && value(right) >= best - slack_) {
                found = true;
                best_at_ = part.cell.high;
            }
        }
        return !open_.empty();
    }

    void count_again() {
        root_open_.assign(cells_ + 1, 0);
        const std::size_t pieces = std::max<std::size_t>(2, cells_ / open_.size()), classes = pairs_.size();
        for (std::size_t k = 0; k < open_.size(); ++k) {
            Part& part = parts_[open_[k]];
            part.first_piece = k * pieces;
            part.pieces = pieces;
            ++root_open_[root(part.cell.low) + 1];  // a part lies within one root
        }
        for (std::size_t r = 0; r < cells_; ++r) root_open_[r + 1] += root_open_[r];

        const Histogram found = count(open_.size() * pieces, [&](Histogram& h, double distance, std::size_t size_class, bool won) {
            if (distance == 0) return;
            const std::size_t r = root(distance);
            const auto begin = open_.begin() + static_cast<std::ptrdiff_t>(root_open_[r]);
            const auto end = open_.begin() + static_cast<std::ptrdiff_t>(root_open_[r + 1]);
            const auto at = std::partition_point(begin, end, [&](std::size_t p) { return parts_[p].cell.high < distance; });
            if (at == end || distance < parts_[*at].cell.low) return;
            const Part& part = parts_[*at];
            const double share = (distance - part.cell.low) / (part.cell.high - part.cell.low);
            const auto piece = std::min(part.pieces - 1, static_cast<std::size_t>(share * static_cast<double>(part.pieces)));
            put(h, part.first_piece + piece, distance, (part.first_piece + piece) * classes + size_class, won);
        });

        std::vector<Part> cut;
        for (const Part& part : parts_) {
            if (part.open)
                take(found, part.first_piece, part.first_piece + part.pieces, cut);
            else
                cut.push_back(part);
        }
        parts_.swap(cut);
    }
};

}  // namespace

double best_epsilon(const ScoreRows& scores) { return Search(scores).epsilon(); }

}  // namespace tercet
