// The door to the kernels of language/: sequence models and the discourse parser.
#include <algorithm>

#include "../discourse.hpp"
#include "../sequence.hpp"
#include "door.hpp"

namespace tercet {

namespace {

using IntegerTable = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Number>
std::span<const Number> span(const Flat<Number>& given) { return {given.data(), given.shape(0)}; }
Columns columns_of(const IntegerTable& given) { return {given.data(), given.shape(0), given.shape(1)}; }

// starts: of all units; counts: how many units each sentence has.
Units units_of(const Flat<std::int32_t>& starts, const Flat<std::int32_t>& counts) {
    const auto given = span(starts);
    Units units{{given.begin(), given.end()}, {0}};
    for (std::int32_t count : span(counts)) units.first.push_back(units.first.back() + std::max(count, 0));
    return units;
}

template <class Number>
nb::ndarray<nb::numpy, Number, nb::ndim<1>> array(std::vector<Number> numbers) {
    auto* kept = new std::vector<Number>(std::move(numbers));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return nb::ndarray<nb::numpy, Number, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

}  // namespace

void bind_language(nb::module_& module) {
    module.def("hash_words", [](const nb::list& words) {
        Borrowed borrowed;
        std::vector<std::uint32_t> hashes;
        for (Text word : borrowed.views(words)) hashes.push_back(hash_bytes(lowered(word)));
        return array(std::move(hashes));
    }, "words"_a);
    nb::class_<Lexicon>(module, "Lexicon")
        .def("__init__", [](Lexicon* self, const Flat<std::uint32_t>& keys, const Flat<std::uint16_t>& classes) {
            if (keys.shape(0) != classes.shape(0)) throw std::invalid_argument("as many words as classes");
            new (self) Lexicon(span(keys), span(classes));
        }, "keys"_a, "classes"_a);
    nb::class_<WeightTable>(module, "WeightTable")
        .def("__init__", [](WeightTable* self, const Flat<std::uint32_t>& keys, const Flat<std::uint32_t>& starts,
                            const Flat<std::uint8_t>& labels, const Flat<std::int16_t>& weights) {
            new (self) WeightTable(span(keys), span(starts), span(labels), span(weights));
        }, "keys"_a, "starts"_a, "labels"_a, "weights"_a);
    nb::class_<SequenceModel>(module, "SequenceModel")
        .def("__init__", [](SequenceModel* self, const std::vector<std::string>& templates, const Lexicon& lexicon,
                            const WeightTable& table, const Flat<std::int32_t>& transitions, std::size_t labels) {
            const auto given = span(transitions);
            new (self) SequenceModel(Templates(templates), lexicon, table, {given.begin(), given.end()}, labels);
        }, "templates"_a, "lexicon"_a, "table"_a, "transitions"_a, "labels"_a)
        .def("label", [](const SequenceModel& self, const nb::list& sentences, const IntegerTable& columns) {
            Borrowed borrowed;
            const Sentences tokens = borrowed.views_of_tuples(sentences);
            std::vector<std::int32_t> labels(tokens.texts.size());
            {
                nb::gil_scoped_release released;
                self.label(tokens, columns_of(columns), labels.data());
            }
            return array(std::move(labels));
        }, "sentences"_a, "columns"_a);
    module.def("feature_keys", [](const std::vector<std::string>& templates, const Lexicon& lexicon, const nb::list& sentences,
                                  const IntegerTable& columns) {
        Borrowed borrowed;
        const Sentences tokens = borrowed.views_of_tuples(sentences);
        const Templates parsed(templates);
        std::vector<std::uint32_t> keys = feature_keys(parsed, lexicon, tokens, columns_of(columns));
        return array(std::move(keys));
    }, "templates"_a, "lexicon"_a, "sentences"_a, "columns"_a);
    module.def("train_sequence", [](const std::vector<std::string>& templates, const Lexicon& lexicon, const nb::list& sentences,
                                    const IntegerTable& columns, const Flat<std::int32_t>& gold, std::size_t labels,
                                    int epochs, int cutoff, std::uint64_t seed) {
        Borrowed borrowed;
        const Sentences tokens = borrowed.views_of_tuples(sentences);
        TrainedSequence trained;
        {
            nb::gil_scoped_release released;
            trained = train_sequence(Templates(templates), lexicon, tokens, columns_of(columns), span(gold),
                                     {labels, epochs, cutoff, seed});
        }
        return nb::make_tuple(array(std::move(trained.keys)), array(std::move(trained.starts)), array(std::move(trained.labels)),
                              array(std::move(trained.weights)), array(std::move(trained.transitions)));
    }, "templates"_a, "lexicon"_a, "sentences"_a, "columns"_a, "gold"_a, nb::kw_only(), "labels"_a, "epochs"_a, "cutoff"_a,
       "seed"_a);

    module.def("span_keys", [](const std::vector<std::string>& templates, const nb::list& sentences, const IntegerTable& columns,
                               const Flat<std::int32_t>& starts, const Flat<std::int32_t>& counts) {
        Borrowed borrowed;
        return array(span_keys(SpanTemplates(templates), borrowed.views_of_tuples(sentences), columns_of(columns), units_of(starts, counts)));
    }, "templates"_a, "sentences"_a, "columns"_a, "starts"_a, "counts"_a);
    nb::class_<DiscourseModel>(module, "DiscourseModel")
        .def("__init__", [](DiscourseModel* self, const std::vector<std::string>& templates, const WeightTable& table, std::size_t labels,
                            double scale) {
            new (self) DiscourseModel(SpanTemplates(templates), table, labels, scale);
        }, "templates"_a, "table"_a, "labels"_a, "scale"_a)
        .def("parse", [](const DiscourseModel& self, const nb::list& sentences, const IntegerTable& columns,
                         const Flat<std::int32_t>& starts, const Flat<std::int32_t>& counts) {
            Borrowed borrowed;
            const Sentences tokens = borrowed.views_of_tuples(sentences);
            const Units units = units_of(starts, counts);
            std::vector<std::int32_t> nodes;
            {
                nb::gil_scoped_release released;
                nodes = self.parse(tokens, columns_of(columns), units);
            }
            return array(std::move(nodes));
        }, "sentences"_a, "columns"_a, "starts"_a, "counts"_a);
}

}  // namespace tercet
