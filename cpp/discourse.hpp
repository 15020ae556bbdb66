// Discourse trees of sentences: a classifier of (left span, right span) and the best binary tree by chart (Joty et al. 2012).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "features.hpp"
#include "sequence.hpp"

namespace tercet {

// Sentences cut into units: those of sentence i start with the tokens units[first[i]] to units[first[i + 1]], counted
// from the start of the sentence; the first of them is 0.
struct Units {
    std::vector<std::int32_t> starts;
    std::vector<std::size_t> first;
};

// Templates over the fields of a pair of neighbouring spans, "word.right tag.left-end": see the list in discourse.cpp.
class SpanTemplates {
public:
    explicit SpanTemplates(const std::vector<std::string>& descriptions);
    std::size_t size() const { return templates_.size(); }
    void keys(const std::vector<std::uint32_t>& fields, std::uint32_t* keys) const;

private:
    std::vector<std::vector<std::size_t>> templates_;
};

// The columns are: tag, chunk, clause label, and 1 where a token is a verb.
inline constexpr std::size_t discourse_columns = 4;

// One key a template for every (begin, split, end) of units, in this order of loops: what a classifier is trained on.
std::vector<std::uint32_t> span_keys(const SpanTemplates& templates, const Sentences& sentences, const Columns& columns,
                                     const Units& units);

class DiscourseModel {
public:
    // The last label means that the two spans do not belong together; scale turns whole weights into logits.
    DiscourseModel(SpanTemplates templates, WeightTable table, std::size_t labels, double scale);

    // For each sentence of n units the n - 1 nodes of its best tree, a parent before its children, left before right:
    // four numbers each: begin, split, end, label.
    std::vector<std::int32_t> parse(const Sentences& sentences, const Columns& columns, const Units& units) const;

private:
    SpanTemplates templates_;
    WeightTable table_;
    std::size_t labels_;
    double scale_;
};

}  // namespace tercet
