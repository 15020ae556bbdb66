// The door to the tree kernels.
#include <algorithm>

#include "../ptk.hpp"
#include "door.hpp"

namespace tercet {

namespace {

using Vectors = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Number>
std::span<const Number> span(const Flat<Number>& given) { return {given.data(), given.shape(0)}; }

// What a kernel needs while it runs: its own copy of the word vectors, so that Python may do as it likes with its arrays.
struct Settings {
    std::vector<float> vectors;
    TreeKernel kernel;

    Settings(const std::string& fragments, double decay, double vertical, const Vectors& given, double power)
        : vectors(given.data(), given.data() + given.size()) {
        kernel.fragments = fragments == "partial"  ? Fragments::partial
                           : fragments == "subset" ? Fragments::subset
                           : fragments == "subtree"
                               ? Fragments::subtree
                               : throw std::invalid_argument("unknown kind of fragments " + fragments);
        kernel.decay = decay;
        kernel.vertical = vertical;
        kernel.vectors = vectors;
        kernel.dimension = given.shape(1);
        kernel.power = power;
    }
    Settings(const Settings&) = delete;
};

void check(const Forest& forest, const Flat<std::int64_t>& trees) {
    if (!std::ranges::all_of(span(trees), [&](std::int64_t t) { return t >= 0 && static_cast<std::size_t>(t) < forest.size(); }))
        throw std::invalid_argument("a tree beyond the last");
}

}  // namespace

void bind_kernels(nb::module_& module) {
    nb::class_<Forest>(module, "Forest")
        .def("__init__", [](Forest* self, const Flat<std::int64_t>& starts, const Flat<std::int32_t>& labels, const Flat<std::int32_t>& counts,
                            const Flat<std::int32_t>& smooth, const Flat<std::int32_t>& vectors) {
            new (self) Forest(span(starts), span(labels), span(counts), span(smooth), span(vectors));
        }, "starts"_a, "labels"_a, "counts"_a, "smooth"_a, "vectors"_a)
        .def("__len__", &Forest::size);
    nb::class_<Settings>(module, "TreeKernel")
        .def("__init__", [](Settings* self, const std::string& fragments, double decay, double vertical, const Vectors& vectors, double power) {
            new (self) Settings(fragments, decay, vertical, vectors, power);
        }, "fragments"_a, nb::kw_only(), "decay"_a, "vertical"_a, "vectors"_a, "power"_a);
    module.def("tree_kernels", [](const Settings& settings, const Forest& a, const Flat<std::int64_t>& rows, const Forest& b,
                                  const Flat<std::int64_t>& columns, bool plain) {
        check(a, rows);
        check(b, columns);
        return filled(rows.shape(0), columns.shape(0), [&](double* out) {
            (plain ? partial_tree_kernels_plain : tree_kernels)(settings.kernel, a, span(rows), b, span(columns), out);
        });
    }, "kernel"_a, "a"_a, "rows"_a, "b"_a, "columns"_a, nb::kw_only(), "plain"_a = false);
    module.def("tree_kernels_aligned", [](const Settings& settings, const Forest& a, const Flat<std::int64_t>& rows, const Forest& b,
                                          const Flat<std::int64_t>& columns) {
        check(a, rows);
        check(b, columns);
        if (rows.shape(0) != columns.shape(0)) throw std::invalid_argument("as many rows as columns");
        return filled(rows.shape(0), 1, [&](double* out) { tree_kernels_aligned(settings.kernel, a, span(rows), b, span(columns), out); });
    }, "kernel"_a, "a"_a, "rows"_a, "b"_a, "columns"_a);
    module.def("tree_kernel_by_node", [](const Settings& settings, const Forest& a, std::size_t tree, const Forest& b, const Flat<double>& weights) {
        if (tree >= a.size() || weights.shape(0) != b.size()) throw std::invalid_argument("a weight for each tree is wanted");
        std::vector<double> found;
        {
            nb::gil_scoped_release released;
            found = tree_kernel_by_node(settings.kernel, a, tree, b, span(weights));
        }
        auto data = std::make_unique<double[]>(found.size());
        std::ranges::copy(found, data.get());
        return matrix(std::move(data), found.size(), 1);
    }, "kernel"_a, "a"_a, "tree"_a, "b"_a, "weights"_a);
    module.def("fragment_weights", [](const Settings& settings, const Forest& fragments, const Forest& trees) {
        return filled(fragments.size(), trees.size(), [&](double* out) { fragment_weights(settings.kernel, fragments, trees, out); });
    }, "kernel"_a, "fragments"_a, "trees"_a);
}

}  // namespace tercet
