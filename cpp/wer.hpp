#pragma once

#include "text.hpp"
#include "tokenize.hpp"

namespace tercet {

// A row a segment: edit distance in words, and length, of the reference with the lowest rate of the two.
void wer(const Texts& hypotheses, const References& references, Tokenization tokenization, double* rows);

}  // namespace tercet
