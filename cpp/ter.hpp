#pragma once

#include <string>
#include <vector>

#include "text.hpp"

namespace tercet {

// A row a segment: edits to the nearest reference, mean length of the references. Words are what white space parts.
void ter(const Texts& hypotheses, const References& references, double* rows);

// A block of words that was moved: where it began, its size, and where it begins now.
struct Shift {
    int start, length, target;
};
struct TerAlignment {
    std::vector<Shift> shifts;  // in the order in which they were made
    std::vector<int> order;     // the words of the hypothesis after the shifts, by their places before
    std::string edits;          // of the shifted hypothesis: = match, s substitution, i insertion, d deletion
};
TerAlignment ter_alignment(Text hypothesis, Text reference);

}  // namespace tercet
