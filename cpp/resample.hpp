// Sums of rows under random weights: all that bootstrap and permutation tests need of sufficient statistics.
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace tercet
