// All pairs of scores in a row, as people order them and as a metric does.
#pragma once

#include <cstddef>

namespace tercet {

// Rows are compared within themselves only. A NaN among the human scores stands for "not judged".
struct ScoreRows {
    const double* human;
    const double* metric;
    std::size_t rows, columns;
};

// Out: (rows, 5): pairs in the same order, in opposite orders, tied by the metric only, by people only, by both.
// A metric ties two scores that are no further apart than epsilon. O(n log n) in the length n of a row.
void pair_counts(const ScoreRows& scores, double epsilon, double* counts);

// The smallest epsilon for which the mean over rows of (same order + tied by both) / pairs is highest.
// Exact over all pairs; time grows with their number, memory does not.
double best_epsilon(const ScoreRows& scores);

}  // namespace tercet
