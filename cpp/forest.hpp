// Ordered trees with labels, laid flat: breadth first, so that the children of a node stand side by side after it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

namespace tercet {

// One tree of a forest. Nodes of the same class may match; a class is a label, or all words that have a vector.
struct TreeView {
    std::span<const std::int32_t> label, vector;  // vector: a row of the table of word vectors, or -1
    std::span<const std::uint32_t> first, count;  // the children of a node
    std::span<const std::uint32_t> group, rank;   // which group of equal class a node is in, and where in it
    std::span<const std::int64_t> classes;        // of the groups, rising
    std::span<const std::uint32_t> begin;         // of the groups in `members`; one more than there are groups
    std::span<const std::uint32_t> members;       // nodes by group

    std::size_t size() const { return label.size(); }
    std::span<const std::uint32_t> of_group(std::size_t g) const { return members.subspan(begin[g], begin[g + 1] - begin[g]); }
};

class Forest {
public:
    // `starts` has one more entry than there are trees. A `smooth` of 0 or more makes a word match every other word
    // of the same number, as far as the vectors in their rows are alike; -1 leaves it to its label.
    Forest(std::span<const std::int64_t> starts, std::span<const std::int32_t> labels, std::span<const std::int32_t> counts,
           std::span<const std::int32_t> smooth, std::span<const std::int32_t> vectors)
        : label_(labels.begin(), labels.end()), vector_(vectors.begin(), vectors.end()), count_(counts.begin(), counts.end()) {
        const std::size_t nodes = labels.size();
        if (starts.empty() || starts.front() != 0 || starts.back() != static_cast<std::int64_t>(nodes) || counts.size() != nodes ||
            smooth.size() != nodes || vectors.size() != nodes)
            throw std::invalid_argument("arrays that do not describe a forest");
        first_.resize(nodes);
        group_.resize(nodes);
        rank_.resize(nodes);
        members_.resize(nodes);
        start_.assign(starts.begin(), starts.end());
        for (std::size_t t = 0; t + 1 < start_.size(); ++t) {
            if (starts[t] >= starts[t + 1]) throw std::invalid_argument("a tree without nodes");
            lay(start_[t], start_[t + 1] - start_[t], smooth);
        }
    }

    std::size_t size() const { return start_.size() - 1; }

    TreeView operator[](std::size_t t) const {
        const std::size_t at = start_[t], n = start_[t + 1] - at, g = group_start_[t], groups = group_start_[t + 1] - g - 1;
        return {{label_.data() + at, n}, {vector_.data() + at, n}, {first_.data() + at, n}, {count_.data() + at, n},
                {group_.data() + at, n}, {rank_.data() + at, n}, {class_.data() + g, groups}, {begin_.data() + g, groups + 1},
                {members_.data() + at, n}};
    }

private:
    void lay(std::size_t at, std::size_t n, std::span<const std::int32_t> smooth) {
        std::size_t next = 1;
        for (std::size_t i = 0; i < n; ++i) {
            // breadth first, a node's children come after it: this is what rules out cycles
            if (next <= i || count_[at + i] > n - next) throw std::invalid_argument("numbers of children that do not make a tree");
            first_[at + i] = static_cast<std::uint32_t>(next);
            next += count_[at + i];
        }
        if (next != n) throw std::invalid_argument("numbers of children that do not make a tree");
        const auto of = [&](std::size_t i) -> std::int64_t {
            return smooth[at + i] >= 0 && count_[at + i] == 0 ? -1 - std::int64_t{smooth[at + i]} : std::int64_t{label_[at + i]};
        };
        auto members = std::span(members_).subspan(at, n);
        std::iota(members.begin(), members.end(), 0u);
        std::stable_sort(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) { return of(a) < of(b); });
        const std::size_t base = class_.size();
        for (std::size_t m = 0; m < n; ++m) {
            const std::int64_t now = of(members[m]);
            if (m == 0 || now != class_.back()) {
                class_.push_back(now);
                begin_.push_back(static_cast<std::uint32_t>(m));
            }
            group_[at + members[m]] = static_cast<std::uint32_t>(class_.size() - 1 - base);
            rank_[at + members[m]] = static_cast<std::uint32_t>(m) - begin_.back();
        }
        class_.push_back(0);  // no group: its place keeps the two lists level
        begin_.push_back(static_cast<std::uint32_t>(n));
        if (group_start_.empty()) group_start_.push_back(0);
        group_start_.push_back(class_.size());
    }

    std::vector<std::size_t> start_, group_start_;
    std::vector<std::int32_t> label_, vector_;
    std::vector<std::uint32_t> count_, first_, group_, rank_, begin_, members_;
    std::vector<std::int64_t> class_;
};

}  // namespace tercet
