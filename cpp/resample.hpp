// Sums of rows under random weights: all that bootstrap and permutation tests need of sufficient statistics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tercet {

struct Table {
    const double* data;
    std::size_t rows, columns;
};

// Sample s: the sum of as many rows as there are, drawn with replacement. Out: (samples, columns).
void bootstrap_sums(const Table& table, std::size_t samples, std::uint64_t seed, double* sums);

// Sample s: the sum of the rows for which a coin shows heads. Out: (samples, columns).
void coin_sums(const Table& table, std::size_t samples, std::uint64_t seed, double* sums);

// Sample s: for each segment the row of one system drawn at random, summed over segments; `tables` holds the systems one
// after the other, `rows` segments each. Out: (samples, columns). The draws are those of every other call with this seed.
void mixture_sums(const Table& tables, std::size_t systems, std::size_t samples, std::uint64_t seed, double* sums);

enum class Draws { bootstrap, coins };

// The same sums of samples [first, first + samples) for a table that comes in runs of rows, one after the other: adding all
// runs gives, to the bit, what bootstrap_sums or coin_sums give for the whole. Holds a byte for each sample and row.
class RunningSums {
public:
    RunningSums(Draws draws, std::size_t rows, std::size_t columns, std::size_t first, std::size_t samples, std::uint64_t seed);
    void add(const Table& run);  // the next rows
    const std::vector<double>& sums() const;  // (samples, columns), once all rows have come

private:
    std::size_t rows_, columns_, samples_, done_ = 0;
    std::vector<std::uint8_t> weights_;  // (samples, rows)
    std::vector<double> sums_;
};

}  // namespace tercet
