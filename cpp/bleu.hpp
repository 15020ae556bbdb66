#pragma once

#include "text.hpp"
#include "tokenize.hpp"

namespace tercet {

// A row a segment: tokens of the hypothesis, of the reference nearest to it in length, matches of orders 1..order,
// n-grams of orders 1..order.
void bleu(const Texts& hypotheses, const References& references, Tokenization tokenization, int order, double* rows);

}  // namespace tercet
