#include "../lattice.hpp"

#include <nanobind/stl/tuple.h>

#include "door.hpp"

namespace tercet {

namespace {

LatticeOptions options_of(const std::string& tokenizer, const std::string& normalize, int window) {
    if (window < 0 || window > 8) throw std::invalid_argument("a window of 0 to 8 words");
    const LatticeOptions options{tokenization(tokenizer), Normalizer::reference, window};
    if (normalize == "reference") return options;
    if (normalize == "sum") return {options.tokenization, Normalizer::sum, window};
    if (normalize == "longer") return {options.tokenization, Normalizer::longer, window};
    throw std::invalid_argument("unknown normaliser " + normalize);
}

}  // namespace

void bind_lattice(nb::module_& module) {
    nb::class_<Lattices>(module, "Lattices")
        .def(nb::init<>())
        .def("__len__", &Lattices::size)
        .def("add", [](Lattices& self, std::int32_t states, const nb::sequence& edges, const std::vector<std::int32_t>& finals) {
            Borrowed borrowed;
            std::vector<LatticeEdge> given;
            for (nb::handle item : edges) {
                const auto [source, target, words] = nb::cast<std::tuple<std::int32_t, std::int32_t, nb::tuple>>(item);
                const std::size_t first = self.words();
                for (nb::handle word : words) self.add_word(borrowed.view(word));
                given.push_back({source, target, first, self.words()});
            }
            self.add(states, std::move(given), finals);
        }, "states"_a, "edges"_a, "finals"_a)
        .def("distances", [](const Lattices& self, const nb::list& hypotheses, const Flat<std::int64_t>& which,
                             const std::string& tokenizer, const std::string& normalize, int window) {
            Borrowed borrowed;
            const Texts texts = borrowed.views(hypotheses);
            if (which.size() != texts.size()) throw std::invalid_argument("as many hypotheses as numbers of lattices");
            std::vector<std::size_t> numbers(which.data(), which.data() + which.size());
            for (std::size_t number : numbers)
                if (number >= self.size()) throw std::invalid_argument("no lattice of that number");
            const LatticeOptions options = options_of(tokenizer, normalize, window);
            return filled(texts.size(), 2, [&](double* rows) { lattice_distances(texts, self, numbers, options, rows); });
        }, "hypotheses"_a, "which"_a, nb::kw_only(), "tokenizer"_a, "normalize"_a, "window"_a)
        .def("match", [](const Lattices& self, const nb::str& hypothesis, std::size_t which, const std::string& tokenizer,
                         const std::string& normalize, int window) {
            if (which >= self.size()) throw std::invalid_argument("no lattice of that number");
            Borrowed borrowed;
            const LatticeMatch match =
                lattice_match(borrowed.view(hypothesis), self, which, options_of(tokenizer, normalize, window));
            nb::list steps;
            for (const LatticeStep& step : match.steps)
                steps.append(nb::make_tuple(std::string(1, step.edit), step.place,
                                            step.word < 0 ? nb::object(nb::none()) : decoded(self.word(step.word))));
            return nb::make_tuple(match.edits, match.length, steps);
        }, "hypothesis"_a, "which"_a, nb::kw_only(), "tokenizer"_a, "normalize"_a, "window"_a);
}

}  // namespace tercet
