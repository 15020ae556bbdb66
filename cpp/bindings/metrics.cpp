#include "../bleu.hpp"
#include "../chrf.hpp"
#include "../nist.hpp"
#include "../resample.hpp"
#include "../ter.hpp"
#include "../wer.hpp"
#include "door.hpp"

namespace tercet {

namespace {

Table table(const Given<2>& given) { return {given.data(), given.shape(0), given.shape(1)}; }

}  // namespace

void bind_metrics(nb::module_& module) {
    module.def("bleu", [](const nb::list& hypotheses, const nb::list& references, const std::string& tokenizer, int order,
                          bool lowercase) {
        const Tokenization kind = tokenization(tokenizer);
        return rows_of(hypotheses, references, lowercase, 2 + 2 * order, [&](const Texts& texts, const References& sets, double* rows) {
            bleu(texts, sets, kind, order, rows);
        });
    }, "hypotheses"_a, "references"_a, nb::kw_only(), "tokenizer"_a, "order"_a, "lowercase"_a = false);

    module.def("chrf", [](const nb::list& hypotheses, const nb::list& references, int char_order, int word_order, double beta,
                          bool whitespace, bool eps_smoothing, bool lowercase) {
        const ChrfOptions options{char_order, word_order, beta, whitespace, eps_smoothing};
        return rows_of(hypotheses, references, lowercase, 3 * (char_order + word_order),
                       [&](const Texts& texts, const References& sets, double* rows) { chrf(texts, sets, options, rows); });
    }, "hypotheses"_a, "references"_a, nb::kw_only(), "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a, "eps_smoothing"_a,
       "lowercase"_a = false);

    nb::class_<NistInformation>(module, "NistInformation")
        .def("__init__", [](NistInformation* self, const nb::list& references, const std::string& tokenizer, int order) {
            Borrowed borrowed;
            const References sets = borrowed.views_of_tuples(references);
            const Tokenization kind = tokenization(tokenizer);
            nb::gil_scoped_release released;
            new (self) NistInformation(sets, kind, order);
        }, "references"_a, nb::kw_only(), "tokenizer"_a, "order"_a)
        .def("statistics", [](const NistInformation& self, const nb::list& hypotheses, const nb::list& references) {
            return rows_of(hypotheses, references, false, 2 * self.order() + 2,
                           [&](const Texts& texts, const References& sets, double* rows) { self.rows(texts, sets, rows); });
        }, "hypotheses"_a, "references"_a);

    module.def("ter", [](const nb::list& hypotheses, const nb::list& references, bool lowercase) {
        return rows_of(hypotheses, references, lowercase, 2, [](const Texts& texts, const References& sets, double* rows) {
            ter(texts, sets, rows);
        });
    }, "hypotheses"_a, "references"_a, nb::kw_only(), "lowercase"_a = false);

    module.def("ter_alignment", [](const nb::str& hypothesis, const nb::str& reference) {
        Borrowed borrowed;
        const TerAlignment alignment = ter_alignment(borrowed.view(hypothesis), borrowed.view(reference));
        nb::list shifts;
        for (const Shift& shift : alignment.shifts) shifts.append(nb::make_tuple(shift.start, shift.length, shift.target));
        return nb::make_tuple(shifts, nb::cast(alignment.order), nb::cast(alignment.edits));
    }, "hypothesis"_a, "reference"_a);

    module.def("wer", [](const nb::list& hypotheses, const nb::list& references, const std::string& tokenizer, bool lowercase) {
        const Tokenization kind = tokenization(tokenizer);
        return rows_of(hypotheses, references, lowercase, 2, [&](const Texts& texts, const References& sets, double* rows) {
            wer(texts, sets, kind, rows);
        });
    }, "hypotheses"_a, "references"_a, nb::kw_only(), "tokenizer"_a, "lowercase"_a = false);

    module.def("bootstrap_sums", [](const Given<2>& statistics, std::size_t samples, std::uint64_t seed) {
        return filled(samples, statistics.shape(1), [&](double* sums) { bootstrap_sums(table(statistics), samples, seed, sums); });
    }, "statistics"_a, "samples"_a, "seed"_a);
    module.def("coin_sums", [](const Given<2>& statistics, std::size_t samples, std::uint64_t seed) {
        return filled(samples, statistics.shape(1), [&](double* sums) { coin_sums(table(statistics), samples, seed, sums); });
    }, "statistics"_a, "samples"_a, "seed"_a);
    nb::class_<RunningSums>(module, "RunningSums")
        .def("__init__", [](RunningSums* self, const std::string& draws, std::size_t rows, std::size_t columns, std::size_t first,
                            std::size_t samples, std::uint64_t seed) {
            if (draws != "bootstrap" && draws != "coins") throw std::invalid_argument("draws are bootstrap or coins");
            nb::gil_scoped_release released;
            new (self) RunningSums(draws == "bootstrap" ? Draws::bootstrap : Draws::coins, rows, columns, first, samples, seed);
        }, "draws"_a, "rows"_a, "columns"_a, nb::kw_only(), "first"_a, "samples"_a, "seed"_a)
        .def("add", [](RunningSums& self, const Given<2>& run) {
            const Table rows = table(run);
            nb::gil_scoped_release released;
            self.add(rows);
        }, "rows"_a)
        .def("sums", [](const RunningSums& self, std::size_t samples) {
            const std::vector<double>& found = self.sums();
            if (samples == 0 || found.size() % samples) throw std::invalid_argument("another number of samples");
            return filled(samples, found.size() / samples, [&](double* sums) { std::copy(found.begin(), found.end(), sums); });
        }, "samples"_a);
    module.def("mixture_sums", [](const Given<3>& statistics, std::size_t samples, std::uint64_t seed) {
        const Table tables{statistics.data(), statistics.shape(1), statistics.shape(2)};
        return filled(samples, statistics.shape(2), [&](double* sums) {
            mixture_sums(tables, statistics.shape(0), samples, seed, sums);
        });
    }, "statistics"_a, "samples"_a, "seed"_a);
}

}  // namespace tercet
