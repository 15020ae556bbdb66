// Tree kernels: how many fragments two trees share, each weighed by its size and its gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest.hpp"

namespace tercet {

enum class Fragments { partial, subset, subtree };

// decay is λ and vertical μ of Moschitti (2006); subset trees and subtrees know λ only. `vectors` are rows of unit
// length for words that may match in part: a word's likeness to another is ((1 + cosine) / 2)^power.
struct TreeKernel {
    Fragments fragments = Fragments::partial;
    double decay = 0.4, vertical = 0.4;
    std::span<const float> vectors = {};
    std::size_t dimension = 0;
    double power = 1;
};

// The kernel of two trees, by label-matching pairs of nodes only; owns its scratch memory, so one is used for many pairs.
class TreePair {
public:
    explicit TreePair(const TreeKernel& kernel) : kernel_(kernel) {}

    double operator()(const TreeView& a, const TreeView& b);
    // Adds weight × what each node of `a` contributes as the root of shared fragments.
    void add_by_node(const TreeView& a, const TreeView& b, double weight, double* by_node);

private:
    void match(const TreeView& a, const TreeView& b);
    template <class Root>
    void roots(const TreeView& a, const TreeView& b, Root root);
    double partial(const TreeView& a, const TreeView& b, std::uint32_t i, std::uint32_t j);
    double product(const TreeView& a, const TreeView& b, std::uint32_t i, std::uint32_t j) const;
    double alike(const TreeView& a, const TreeView& b, std::uint32_t i, std::uint32_t j) const;

    TreeKernel kernel_;
    std::vector<std::int32_t> other_;   // the group of `b` that has the class of a group of `a`, or -1
    std::vector<std::size_t> offset_;   // where the Δ of a node of `a` with its matches begin
    std::vector<double> delta_, row_;
};

// The kernels of trees `rows` of one forest with trees `columns` of another, (rows, columns).
void tree_kernels(const TreeKernel& kernel, const Forest& a, std::span<const std::int64_t> rows, const Forest& b,
                  std::span<const std::int64_t> columns, double* out);
// The kernel of each of some trees with the other that stands at its place.
void tree_kernels_aligned(const TreeKernel& kernel, const Forest& a, std::span<const std::int64_t> rows, const Forest& b,
                          std::span<const std::int64_t> columns, double* out);
// For each node of tree `tree`, the sum over trees of the other forest of weight × Δ with their nodes.
std::vector<double> tree_kernel_by_node(const TreeKernel& kernel, const Forest& a, std::size_t tree, const Forest& b,
                                        std::span<const double> weights);
// The weight of fragments in trees, (fragments, trees): a kernel is the sum of weight × weight over all fragments.
void fragment_weights(const TreeKernel& kernel, const Forest& fragments, const Forest& trees, double* out);
// The partial tree kernel over all pairs of nodes with the recursion by length of Moschitti (2006), to measure against.
void partial_tree_kernels_plain(const TreeKernel& kernel, const Forest& a, std::span<const std::int64_t> rows, const Forest& b,
                                std::span<const std::int64_t> columns, double* out);

}  // namespace tercet
