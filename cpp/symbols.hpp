// What metrics of characters and words share: both as small numbers, and the choice among several references.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "alphabet.hpp"
#include "ngrams.hpp"
#include "text.hpp"

namespace tercet {

struct Symbols {
    std::vector<Symbol> characters, words;
};

// The same numbers for the same characters and words in all texts of one segment.
class Numbering {
public:
    void clear() {
        alphabet_.clear();
        vocabulary_.clear();
    }
    // The words are given, for metrics differ in what a word is; without `whitespace` blanks are no characters.
    void number(Text text, const Texts& words, bool whitespace, Symbols& symbols) {
        symbols.characters.clear();
        for (const char *p = text.data(), *end = p + text.size(); p < end;) {
            const char32_t c = next_code_point(p);
            if (whitespace || !is_space(c)) symbols.characters.push_back(alphabet_.add(c));
        }
        symbols.words.clear();
        for (Text word : words) symbols.words.push_back(vocabulary_.add(word));
    }
    Symbol characters() const { return alphabet_.size(); }
    Symbol words() const { return vocabulary_.size(); }

private:
    Alphabet alphabet_;
    Vocabulary vocabulary_;
};

// Writes the row of the nearest reference, the first of equals. `fill` makes the row of one and says how near it is,
// which is 0 or more.
template <class Row, class Value, class Fill>
void keep_nearest(std::span<const Text> references, const Row& row, Value* out, Fill fill) {
    double best = -1;
    for (Text reference : references)
        if (const double nearness = fill(reference); nearness > best) {
            best = nearness;
            std::copy(row.begin(), row.end(), out);
        }
}

}  // namespace tercet
