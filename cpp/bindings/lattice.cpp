#include "../lattice.hpp"

#include <nanobind/stl/tuple.h>

#include "../meteor_tables.hpp"

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

// The phrases of a table of paraphrases, and the arrays that they are in.
class HeldPhrases {
public:
    HeldPhrases(const Flat<std::uint8_t>& text, const Flat<std::uint32_t>& text_start, const Flat<std::uint32_t>& text_slot,
                const Flat<std::uint32_t>& child_slot, const Flat<std::uint32_t>& last_word, const Flat<std::uint32_t>& parent,
                const Flat<std::uint32_t>& paraphrase, const Flat<std::uint32_t>& paraphrase_start) {
        tables_.text = {reinterpret_cast<const char*>(text.data()), text.size()};
        tables_.text_start = numbers(text_start);
        tables_.text_slot = numbers(text_slot);
        tables_.child_slot = numbers(child_slot);
        tables_.last_word = numbers(last_word);
        tables_.parent = numbers(parent);
        tables_.paraphrases = {numbers(paraphrase), numbers(paraphrase_start)};
        held_.push_back(nb::cast(text));
    }

    // Where phrases that have paraphrases stand in a sentence: (start, length, phrase).
    nb::list spans(const nb::list& sentence) const {
        Borrowed borrowed;
        std::vector<std::uint32_t> words;
        for (nb::handle word : sentence) words.push_back(tables_.word(borrowed.view(word)));
        nb::list found;
        for (std::size_t first = 0; first < words.size(); ++first) {
            std::uint32_t node = words[first];
            for (std::size_t length = 1; node != MeteorTables::none; ++length) {
                if (!tables_.paraphrases[node].empty())
                    found.append(nb::make_tuple(first, length, node));
                if (first + length == words.size() || words[first + length] == MeteorTables::none) break;
                node = tables_.child(node, words[first + length]);
            }
        }
        return found;
    }

    // The paraphrases of a phrase, each a tuple of words.
    nb::list paraphrases(std::uint32_t phrase) const {
        nb::list found;
        std::vector<std::uint32_t> words;
        for (std::uint32_t node : tables_.paraphrases[phrase]) {
            words.clear();
            for (; node != MeteorTables::none; node = tables_.shorter(node)) words.push_back(tables_.last_word[node]);
            nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(words.size())));
            for (std::size_t i = 0; i < words.size(); ++i)
                PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(words.size() - 1 - i), word(words[i]).release().ptr());
            found.append(tuple);
        }
        return found;
    }

private:
    MeteorTables tables_;
    std::vector<nb::object> held_;

    nb::object word(std::uint32_t number) const { return decoded(tables_.spelling(number)); }

    Numbers numbers(const Flat<std::uint32_t>& array) {
        held_.push_back(nb::cast(array));
        return {array.data(), array.size()};
    }
};

}  // namespace

void bind_lattice(nb::module_& module) {
    nb::class_<HeldPhrases>(module, "Phrases")
        .def(nb::init<const Flat<std::uint8_t>&, const Flat<std::uint32_t>&, const Flat<std::uint32_t>&,
                      const Flat<std::uint32_t>&, const Flat<std::uint32_t>&, const Flat<std::uint32_t>&,
                      const Flat<std::uint32_t>&, const Flat<std::uint32_t>&>(),
             "text"_a, "text_start"_a, "text_slot"_a, "child_slot"_a, "last_word"_a, "parent"_a, "paraphrase"_a,
             "paraphrase_start"_a)
        .def("spans", &HeldPhrases::spans, "sentence"_a)
        .def("paraphrases", &HeldPhrases::paraphrases, "phrase"_a);

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
