#include "resample.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "parallel.hpp"
#include "random.hpp"

namespace tercet {

namespace {

// Samples that share one walk over the table, so that a table larger than the cache is read once for all of them.
constexpr std::size_t together = 8;

// draw(random, weights) fills the weights of one sample, one for each row.
template <class Draw>
void weighted_sums(const Table& table, std::size_t samples, std::uint64_t seed, double* sums, Draw draw) {
    const auto make = [&] {
        return [&, weights = std::vector<double>(together * table.rows)](std::size_t block) mutable {
            const std::size_t first = block * together, count = std::min(together, samples - first);
            for (std::size_t s = 0; s < count; ++s) {
                Random random(seed, first + s);
                draw(random, weights.data() + s * table.rows);
            }
            std::fill(sums + first * table.columns, sums + (first + count) * table.columns, 0.0);
            for (std::size_t i = 0; i < table.rows; ++i) {
                const double* row = table.data + i * table.columns;
                for (std::size_t s = 0; s < count; ++s) {
                    const double weight = weights[s * table.rows + i];
                    if (weight == 0) continue;
                    double* sum = sums + (first + s) * table.columns;
                    for (std::size_t c = 0; c < table.columns; ++c) sum[c] += weight * row[c];
                }
            }
        };
    };
    for_each_row((samples + together - 1) / together, make, 1);
}

// draw(random, n, weights) for each kind; a sample draws the same whatever holds its weights.
template <class Weight>
void draw_rows(Random& random, std::size_t n, Weight* weights) {
    std::fill(weights, weights + n, Weight{0});
    for (std::size_t i = 0; i < n; ++i) weights[random.below(static_cast<std::uint32_t>(n))] += 1;
}

template <class Weight>
void draw_coins(Random& random, std::size_t n, Weight* weights) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < n; ++i, bits >>= 1) {
        if (i % 64 == 0) bits = random();
        weights[i] = static_cast<Weight>(bits & 1);
    }
}

}  // namespace

void bootstrap_sums(const Table& table, std::size_t samples, std::uint64_t seed, double* sums) {
    weighted_sums(table, samples, seed, sums,
                  [n = table.rows](Random& random, double* weights) { draw_rows(random, n, weights); });
}

void coin_sums(const Table& table, std::size_t samples, std::uint64_t seed, double* sums) {
    weighted_sums(table, samples, seed, sums,
                  [n = table.rows](Random& random, double* weights) { draw_coins(random, n, weights); });
}

RunningSums::RunningSums(Draws draws, std::size_t rows, std::size_t columns, std::size_t first, std::size_t samples,
                         std::uint64_t seed)
    : rows_(rows), columns_(columns), samples_(samples), weights_(samples * rows), sums_(samples * columns) {
    for_each_row(samples, [&] {
        return [&](std::size_t s) {
            Random random(seed, first + s);
            // A byte is enough: of 256 draws of one row among n, the odds are below 1 : 256!.
            if (draws == Draws::bootstrap) draw_rows(random, rows, weights_.data() + s * rows);
            else draw_coins(random, rows, weights_.data() + s * rows);
        };
    }, 1);
}

void RunningSums::add(const Table& run) {
    if (run.columns != columns_ || run.rows > rows_ - done_) throw std::invalid_argument("a run of rows that does not fit");
    for_each_row(samples_, [&] {
        return [&](std::size_t s) {
            double* sum = sums_.data() + s * columns_;
            const std::uint8_t* weights = weights_.data() + s * rows_ + done_;
            for (std::size_t i = 0; i < run.rows; ++i) {
                if (weights[i] == 0) continue;
                const double weight = weights[i], *row = run.data + i * columns_;
                for (std::size_t c = 0; c < columns_; ++c) sum[c] += weight * row[c];
            }
        };
    }, 1);
    done_ += run.rows;
}

const std::vector<double>& RunningSums::sums() const {
    if (done_ != rows_) throw std::invalid_argument("rows are missing");
    return sums_;
}

void mixture_sums(const Table& tables, std::size_t systems, std::size_t samples, std::uint64_t seed, double* sums) {
    for_each_row(samples, [&] {
        return [&](std::size_t s) {
            Random random(seed, s);
            double* sum = sums + s * tables.columns;
            std::fill(sum, sum + tables.columns, 0.0);
            for (std::size_t i = 0; i < tables.rows; ++i) {
                const std::size_t system = random.below(static_cast<std::uint32_t>(systems));
                const double* row = tables.data + (system * tables.rows + i) * tables.columns;
                for (std::size_t c = 0; c < tables.columns; ++c) sum[c] += row[c];
            }
        };
    }, 8);
}

}  // namespace tercet
