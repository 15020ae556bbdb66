#pragma once

#include "text.hpp"

namespace tercet {

struct ChrfOptions {
    int char_order = 6;
    int word_order = 0;
    double beta = 2;
    bool whitespace = false;
    bool eps_smoothing = false;
};

// A row a segment, for the reference with the best F-score: for each order (characters, then words) the n-grams of the
// hypothesis, of the reference, and of both.
void chrf(const Texts& hypotheses, const References& references, const ChrfOptions& options, double* rows);

}  // namespace tercet
