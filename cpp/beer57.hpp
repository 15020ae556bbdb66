#pragma once

#include "text.hpp"
#include "tokenize.hpp"

namespace tercet {

inline constexpr int beer57_columns = 57;

struct Beer57Options {
    Tokenization tokenizer = Tokenization::v13a;
    bool whitespace = false;  // blanks are characters too
};

// The features of Stanojević & Sima'an (2017, section 2.4), a row a segment, for the reference that is nearest by the
// mean F1: for character n-grams 1-5, word n-grams 1-4 and skip-bigrams (at most two words between; any number of them)
// precision, recall, F1, F2 and F0.5; then how far apart the lengths are, in words and in characters.
void beer57(const Texts& hypotheses, const References& references, const Beer57Options& options, float* rows);

}  // namespace tercet
