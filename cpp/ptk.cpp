#include "ptk.hpp"

#include <cmath>

#include "parallel.hpp"

namespace tercet {

// Pairs of groups of equal class, by one walk over two sorted lists; every pair of their nodes has a place for its Δ.
void TreePair::match(const TreeView& a, const TreeView& b) {
    other_.assign(a.classes.size(), -1);
    offset_.resize(a.size());
    std::size_t places = 0;
    for (std::size_t g = 0, h = 0; g < a.classes.size() && h < b.classes.size();) {
        if (a.classes[g] < b.classes[h]) ++g;
        else if (b.classes[h] < a.classes[g]) ++h;
        else {
            other_[g] = static_cast<std::int32_t>(h);
            for (std::uint32_t i : a.of_group(g)) {
                offset_[i] = places;
                places += b.of_group(h).size();
            }
            ++g, ++h;
        }
    }
    if (delta_.size() < places) delta_.resize(places);
}

double TreePair::alike(const TreeView& a, const TreeView& b, std::uint32_t i, std::uint32_t j) const {
    if (a.label[i] == b.label[j]) return 1;
    const float* one = kernel_.vectors.data() + kernel_.dimension * static_cast<std::size_t>(a.vector[i]);
    const float* two = kernel_.vectors.data() + kernel_.dimension * static_cast<std::size_t>(b.vector[j]);
    double cosine = 0;
    for (std::size_t d = 0; d < kernel_.dimension; ++d) cosine += static_cast<double>(one[d]) * two[d];
    return std::pow(std::clamp((1 + cosine) / 2, 0.0, 1.0), kernel_.power);
}

// Δ of Moschitti (2006), eq. 4: μ (λ² + Σ_p Δ_p). Summed over the length p, Δ_p(s₁a, s₂b) = Δ(a, b) D_p obeys one recursion,
// S(k, l) = Δ(k, l) (1 + D(k−1, l−1)) with D(k, l) = S(k, l) + λ D(k, l−1) + λ D(k−1, l) − λ² D(k−1, l−1), so all lengths
// cost no more than one. D is kept as one row: D(k, l) = λ D(k−1, l) + R(k, l), R(k, l) = S(k, l) + λ R(k, l−1).
double TreePair::partial(const TreeView& a, const TreeView& b, std::uint32_t i, std::uint32_t j) {
    const double lambda = kernel_.decay, smallest = lambda * lambda;
    const std::uint32_t m = a.count[i], n = b.count[j];
    if (m == 0 || n == 0) return kernel_.vertical * smallest * (a.classes[a.group[i]] < 0 ? alike(a, b, i, j) : 1);
    const std::uint32_t left = a.first[i], right = b.first[j];
    double total = 0;
    if (m == 1 && n == 1) {
        if (other_[a.group[left]] == static_cast<std::int32_t>(b.group[right])) total = delta_[offset_[left] + b.rank[right]];
        return kernel_.vertical * (smallest + total);
    }
    bool any = false;  // whether a row before this one had a match; until then D is zero
    for (std::uint32_t k = 0; k < m; ++k) {
        const std::int32_t group = other_[a.group[left + k]];
        if (group < 0 && !any) continue;
        if (!any) row_.assign(n, 0);
        const double* deltas = group < 0 ? nullptr : delta_.data() + offset_[left + k];
        double diagonal = 0, running = 0;
        for (std::uint32_t l = 0; l < n; ++l) {
            const double above = row_[l];
            running *= lambda;
            if (static_cast<std::int32_t>(b.group[right + l]) == group) {
                const double sum = deltas[b.rank[right + l]] * (1 + diagonal);
                total += sum;
                running += sum;
                any = true;
            }
            diagonal = above;
            row_[l] = lambda * above + running;
        }
    }
    return kernel_.vertical * (smallest + total);
}

// Δ of Collins & Duffy (2002): λ Π (σ + Δ(child)) over equal productions, σ = 1 for subset trees and 0 for subtrees; a word is
// no fragment by itself, and takes no part in the product.
double TreePair::product(const TreeView& a, const TreeView& b, std::uint32_t i, std::uint32_t j) const {
    const std::uint32_t m = a.count[i];
    if (m == 0 || m != b.count[j]) return 0;
    const std::uint32_t left = a.first[i], right = b.first[j];
    for (std::uint32_t k = 0; k < m; ++k)
        if (a.label[left + k] != b.label[right + k] || (a.count[left + k] == 0) != (b.count[right + k] == 0)) return 0;
    double found = kernel_.decay;
    for (std::uint32_t k = 0; k < m; ++k)
        if (a.count[left + k] != 0)
            found *= (kernel_.fragments == Fragments::subset ? 1 : 0) + delta_[offset_[left + k] + b.rank[right + k]];
    return found;
}

// Calls root(i, Δ, times) for matching pairs, children before parents.
template <class Root>
void TreePair::roots(const TreeView& a, const TreeView& b, Root root) {
    match(a, b);
    const double smallest = kernel_.vertical * kernel_.decay * kernel_.decay;
    for (auto i = static_cast<std::uint32_t>(a.size()); i-- > 0;) {
        const std::int32_t group = other_[a.group[i]];
        if (group < 0) continue;
        double* deltas = delta_.data() + offset_[i];
        const auto others = b.of_group(static_cast<std::size_t>(group));
        if (kernel_.fragments == Fragments::partial) {
            // most nodes have no child that the other tree knows: they are shared by themselves alone
            const auto below = a.group.subspan(a.first[i], a.count[i]);
            const bool shared = std::any_of(below.begin(), below.end(), [&](std::uint32_t g) { return other_[g] >= 0; });
            if (!shared && a.classes[a.group[i]] >= 0) {
                std::fill_n(deltas, others.size(), smallest);
                root(i, smallest, static_cast<double>(others.size()));
                continue;
            }
            for (std::uint32_t j : others) root(i, *deltas++ = partial(a, b, i, j), 1);
        } else {
            for (std::uint32_t j : others) root(i, *deltas++ = product(a, b, i, j), 1);
        }
    }
}

double TreePair::operator()(const TreeView& a, const TreeView& b) {
    double total = 0;
    roots(a, b, [&](std::uint32_t, double delta, double times) { total += times * delta; });
    return total;
}

void TreePair::add_by_node(const TreeView& a, const TreeView& b, double weight, double* by_node) {
    roots(a, b, [&](std::uint32_t i, double delta, double times) { by_node[i] += weight * times * delta; });
}

void tree_kernels(const TreeKernel& kernel, const Forest& a, std::span<const std::int64_t> rows, const Forest& b,
                  std::span<const std::int64_t> columns, double* out) {
    for_each_row(rows.size(), [&] {
        return [&, pair = TreePair(kernel)](std::size_t i) mutable {
            const TreeView tree = a[static_cast<std::size_t>(rows[i])];
            for (std::size_t j = 0; j < columns.size(); ++j)
                out[i * columns.size() + j] = pair(tree, b[static_cast<std::size_t>(columns[j])]);
        };
    }, 1);
}

void tree_kernels_aligned(const TreeKernel& kernel, const Forest& a, std::span<const std::int64_t> rows, const Forest& b,
                          std::span<const std::int64_t> columns, double* out) {
    for_each_row(rows.size(), [&] {
        return [&, pair = TreePair(kernel)](std::size_t i) mutable {
            out[i] = pair(a[static_cast<std::size_t>(rows[i])], b[static_cast<std::size_t>(columns[i])]);
        };
    });
}

std::vector<double> tree_kernel_by_node(const TreeKernel& kernel, const Forest& a, std::size_t tree, const Forest& b,
                                        std::span<const double> weights) {
    const TreeView view = a[tree];
    std::vector<double> by_node(view.size(), 0.0);
    TreePair pair(kernel);
    for (std::size_t j = 0; j < weights.size(); ++j)
        if (weights[j] != 0) pair.add_by_node(view, b[j], weights[j], by_node.data());
    return by_node;
}

// The weight of a fragment f in a tree: over all ways to lay f into it, the product of √μ λ for a leaf of f, and √μ λ^gaps for
// any other node, where gaps are the children passed over between the first and the last that are used.
void fragment_weights(const TreeKernel& kernel, const Forest& fragments, const Forest& trees, double* out) {
    const double height = std::sqrt(kernel.vertical);
    for_each_row(fragments.size(), [&] {
        return [&, ways = std::vector<double>(), row = std::vector<double>()](std::size_t f) mutable {
            const TreeView fragment = fragments[f];
            const std::size_t parts = fragment.size();
            for (std::size_t t = 0; t < trees.size(); ++t) {
                const TreeView tree = trees[t];
                ways.assign(parts * tree.size(), 0.0);
                for (auto p = static_cast<std::uint32_t>(parts); p-- > 0;) {
                    const auto at = std::lower_bound(tree.classes.begin(), tree.classes.end(), fragment.classes[fragment.group[p]]);
                    if (at == tree.classes.end() || *at != fragment.classes[fragment.group[p]]) continue;
                    for (std::uint32_t i : tree.of_group(static_cast<std::size_t>(at - tree.classes.begin()))) {
                        double found = height;
                        if (fragment.count[p] == 0) found *= kernel.decay;
                        else {
                            // row[k]: the first c children of the part laid so that the last stands at or before child k
                            row.assign(tree.count[i] + 1, 1.0);
                            for (std::uint32_t c = 0; c < fragment.count[p]; ++c) {
                                double before = row[0], running = 0, total = 0;
                                row[0] = 0;
                                for (std::uint32_t k = 0; k < tree.count[i]; ++k) {
                                    const double laid = before * ways[(fragment.first[p] + c) * tree.size() + tree.first[i] + k];
                                    running = kernel.decay * running + laid;
                                    total += laid;
                                    before = row[k + 1];
                                    row[k + 1] = running;
                                }
                                if (c + 1 == fragment.count[p]) found *= total;
                            }
                        }
                        ways[p * tree.size() + i] = found;
                    }
                }
                double total = 0;
                for (std::size_t i = 0; i < tree.size(); ++i) total += ways[i];
                out[f * trees.size() + t] = total;
            }
        };
    }, 1);
}

void partial_tree_kernels_plain(const TreeKernel& kernel, const Forest& a, std::span<const std::int64_t> rows, const Forest& b,
                                std::span<const std::int64_t> columns, double* out) {
    const double lambda = kernel.decay;
    for_each_row(rows.size(), [&] {
        return [&, delta = std::vector<double>(), sums = std::vector<double>(), ends = std::vector<double>()](std::size_t r) mutable {
            const TreeView one = a[static_cast<std::size_t>(rows[r])];
            for (std::size_t c = 0; c < columns.size(); ++c) {
                const TreeView two = b[static_cast<std::size_t>(columns[c])];
                delta.assign(one.size() * two.size(), 0.0);
                double total = 0;
                for (auto i = static_cast<std::uint32_t>(one.size()); i-- > 0;)
                    for (auto j = static_cast<std::uint32_t>(two.size()); j-- > 0;) {
                        if (one.label[i] != two.label[j]) continue;
                        const std::uint32_t m = one.count[i], n = two.count[j];
                        const auto child = [&](std::uint32_t k, std::uint32_t l) {
                            return delta[(one.first[i] + k - 1) * two.size() + two.first[j] + l - 1];
                        };
                        double found = lambda * lambda;
                        ends.assign((m + 1) * (n + 1), 0.0);
                        for (std::uint32_t p = 1; p <= std::min(m, n); ++p) {
                            sums.assign((m + 1) * (n + 1), 0.0);
                            double length = 0;
                            for (std::uint32_t k = 1; k <= m; ++k)
                                for (std::uint32_t l = 1; l <= n; ++l) {
                                    const std::size_t here = k * (n + 1) + l;
                                    sums[here] = ends[here] + lambda * (sums[here - 1] + sums[here - n - 1]) -
                                                 lambda * lambda * sums[here - n - 2];
                                }
                            for (std::uint32_t k = m; k >= 1; --k)
                                for (std::uint32_t l = n; l >= 1; --l) {
                                    const std::size_t here = k * (n + 1) + l;
                                    ends[here] = child(k, l) * (p == 1 ? 1 : sums[here - n - 2]);
                                    length += ends[here];
                                }
                            if (length == 0) break;
                            found += length;
                        }
                        total += delta[i * two.size() + j] = kernel.vertical * found;
                    }
                out[r * columns.size() + c] = total;
            }
        };
    }, 1);
}

}  // namespace tercet
