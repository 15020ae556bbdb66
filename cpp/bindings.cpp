// The only door between Python and the kernels: lists of str come in, float64 arrays go out, the GIL is released between.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>

#include "bleu.hpp"
#include "chrf.hpp"
#include "lines.hpp"
#include "meteor.hpp"
#include "nist.hpp"
#include "pairs.hpp"
#include "parallel.hpp"
#include "resample.hpp"
#include "ter.hpp"
#include "text.hpp"
#include "tokenize.hpp"
#include "trueskill.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;

namespace {

using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::int64_t> span(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }

// UTF-8 views of Python strings. Valid as long as this object and the Python lists live.
class Borrowed {
public:
    Text view(nb::handle item) {
        Py_ssize_t size = 0;
        if (const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size)) return {text, static_cast<std::size_t>(size)};
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
        PyErr_Clear();  // a lone surrogate: legal in a str, and a character like any other to a metric
        nb::object bytes = nb::steal(PyUnicode_AsEncodedString(item.ptr(), "utf-8", "surrogatepass"));
        if (!bytes.is_valid()) throw nb::python_error();
        encoded_.push_back(bytes);
        return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
    }
    Texts views(const nb::list& list) {
        Texts texts;
        texts.reserve(nb::len(list));
        for (nb::handle item : list) texts.push_back(view(item));
        return texts;
    }
    References views_of_tuples(const nb::list& list) {
        References references;
        references.start.push_back(0);
        for (nb::handle item : list) {
            for (nb::handle text : nb::cast<nb::tuple>(item)) references.texts.push_back(view(text));
            references.start.push_back(references.texts.size());
        }
        return references;
    }

private:
    std::vector<nb::object> encoded_;
};

Matrix matrix(std::unique_ptr<double[]> data, std::size_t rows, std::size_t columns) {
    double* raw = data.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return Matrix(raw, {rows, columns}, owner);
}

// The bytes of a file: a read-only uint8 array.
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Text text_of(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Runs a kernel that fills one row of `columns` numbers for each hypothesis.
template <class Kernel>
Matrix rows_of(const nb::list& hypotheses, const nb::list& references, std::size_t columns, Kernel kernel) {
    Borrowed borrowed;
    const Texts texts = borrowed.views(hypotheses);
    const References sets = borrowed.views_of_tuples(references);
    if (sets.start.size() != texts.size() + 1) throw std::invalid_argument("as many hypotheses as tuples of references");
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (sets.of(i).empty()) throw std::invalid_argument("every segment needs a reference");
    auto data = std::make_unique<double[]>(texts.size() * columns);
    {
        nb::gil_scoped_release released;
        kernel(texts, sets, data.get());
    }
    return matrix(std::move(data), texts.size(), columns);
}

// float64, rows one after the other; anything else is copied to that by nanobind.
template <int dimensions>
using Given = nb::ndarray<const double, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

template <class Kernel>
Matrix sums_of(std::size_t samples, std::size_t columns, Kernel kernel) {
    auto data = std::make_unique<double[]>(samples * columns);
    {
        nb::gil_scoped_release released;
        kernel(data.get());
    }
    return matrix(std::move(data), samples, columns);
}

Table table(const Given<2>& given) { return {given.data(), given.shape(0), given.shape(1)}; }
bool within(const Numbers& numbers, std::size_t end) {
    return std::ranges::all_of(span(numbers), [&](std::int64_t n) { return n >= 0 && static_cast<std::size_t>(n) < end; });
}

Matches checked_matches(const Numbers& first, const Numbers& second, const Numbers& value, std::size_t systems) {
    if (first.size() != second.size() || first.size() != value.size()) throw std::invalid_argument("matches of unequal length");
    if (!within(first, systems) || !within(second, systems)) throw std::invalid_argument("a system beyond the last");
    if (!std::ranges::equal(span(first), span(second), std::not_equal_to{})) throw std::invalid_argument("a system that meets itself");
    return {span(first), span(second), span(value)};
}

ScoreRows score_rows(const Given<2>& human, const Given<2>& metric) {
    if (human.shape(0) != metric.shape(0) || human.shape(1) != metric.shape(1))
        throw std::invalid_argument("as many human scores as metric scores");
    return {human.data(), metric.data(), human.shape(0), human.shape(1)};
}

Tokenization tokenization(const std::string& name) {
    if (name == "none") return Tokenization::none;
    if (name == "13a") return Tokenization::v13a;
    if (name == "intl") return Tokenization::intl;
    if (name == "char") return Tokenization::character;
    if (name == "zh") return Tokenization::zh;
    throw std::invalid_argument("unknown tokenizer " + name);
}

nb::object decoded(Text text) {
    nb::object word = nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
    if (!word.is_valid()) throw nb::python_error();
    return word;
}

template <class Number>
using Flat = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// METEOR's tables, and the arrays that they look into.
class HeldTables {
public:
    MeteorTables tables;

    HeldTables(const Flat<std::uint8_t>& text, const nb::dict& numbers) {
        tables.text = {reinterpret_cast<const char*>(text.data()), text.size()};
        held_.push_back(nb::cast(text));
        const auto hold = [&](const char* name) -> Numbers {
            const auto array = nb::cast<Flat<std::uint32_t>>(numbers[name]);
            held_.push_back(numbers[name]);
            return {array.data(), array.size()};
        };
        tables.text_start = hold("text_start");
        tables.bases = {hold("base"), hold("base_start")};
        tables.synsets = {hold("synset"), hold("synset_start")};
        tables.paraphrases = {hold("paraphrase"), hold("paraphrase_start")};
        tables.child_start = hold("child_start");
        tables.last_word = hold("last_word");
    }

private:
    std::vector<nb::object> held_;
};

MeteorStyle meteor_style(const std::string& name) {
    if (name == "english") return MeteorStyle::english;
    if (name == "french") return MeteorStyle::french;
    if (name == "other") return MeteorStyle::other;
    if (name == "any_script") return MeteorStyle::any_script;
    throw std::invalid_argument("unknown style of normalisation " + name);
}

MeteorModule meteor_module(const std::string& name) {
    if (name == "exact") return MeteorModule::exact;
    if (name == "stem") return MeteorModule::stem;
    if (name == "synonym") return MeteorModule::synonym;
    if (name == "paraphrase") return MeteorModule::paraphrase;
    throw std::invalid_argument("unknown module " + name);
}

}  // namespace

NB_MODULE(_native, module) {
    module.def("threads", [] { return thread_count().load(); });
    module.def("set_threads", [](int threads) { thread_count() = std::max(1, threads); }, "threads"_a);

    module.def("set_character_classes", [](nb::bytes classes) {
        const auto* data = reinterpret_cast<const std::uint8_t*>(classes.c_str());
        set_character_classes({data, data + classes.size()});
    }, "classes"_a);

    module.def("ill_formed_utf8", [](const Bytes& bytes) {
        nb::gil_scoped_release released;
        return ill_formed_utf8(text_of(bytes));
    }, "bytes"_a);

    module.def("line_starts", [](const Bytes& bytes) {
        auto starts = std::make_unique<std::vector<std::int64_t>>();
        {
            nb::gil_scoped_release released;
            *starts = line_starts(text_of(bytes));
        }
        auto* raw = starts.release();
        nb::capsule owner(raw, [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
        return nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(raw->data(), {raw->size()}, owner);
    }, "bytes"_a);

    module.def("tokenize", [](const nb::list& lines, const std::string& tokenizer) {
        Borrowed borrowed;
        const Texts texts = borrowed.views(lines);
        Tokenizer tokenize(tokenization(tokenizer));
        nb::list result;
        Texts tokens;
        for (Text text : texts) {
            tokens.clear();
            tokenize.release();
            tokenize(text, tokens);
            nb::list words;
            for (Text token : tokens) words.append(decoded(token));
            result.append(words);
        }
        return result;
    }, "lines"_a, "tokenizer"_a);

    module.def("bleu", [](const nb::list& hypotheses, const nb::list& references, const std::string& tokenizer, int order) {
        const Tokenization kind = tokenization(tokenizer);
        return rows_of(hypotheses, references, 2 + 2 * order, [&](const Texts& texts, const References& sets, double* rows) {
            bleu(texts, sets, kind, order, rows);
        });
    }, "hypotheses"_a, "references"_a, nb::kw_only(), "tokenizer"_a, "order"_a);

    module.def("chrf", [](const nb::list& hypotheses, const nb::list& references, int char_order, int word_order, double beta,
                          bool whitespace, bool eps_smoothing) {
        const ChrfOptions options{char_order, word_order, beta, whitespace, eps_smoothing};
        return rows_of(hypotheses, references, 3 * (char_order + word_order),
                       [&](const Texts& texts, const References& sets, double* rows) { chrf(texts, sets, options, rows); });
    }, "hypotheses"_a, "references"_a, nb::kw_only(), "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a, "eps_smoothing"_a);

    nb::class_<NistInformation>(module, "NistInformation")
        .def("__init__", [](NistInformation* self, const nb::list& references, const std::string& tokenizer, int order) {
            Borrowed borrowed;
            const References sets = borrowed.views_of_tuples(references);
            const Tokenization kind = tokenization(tokenizer);
            nb::gil_scoped_release released;
            new (self) NistInformation(sets, kind, order);
        }, "references"_a, nb::kw_only(), "tokenizer"_a, "order"_a)
        .def("statistics", [](const NistInformation& self, const nb::list& hypotheses, const nb::list& references) {
            return rows_of(hypotheses, references, 2 * self.order() + 2,
                           [&](const Texts& texts, const References& sets, double* rows) { self.rows(texts, sets, rows); });
        }, "hypotheses"_a, "references"_a);

    module.def("bootstrap_sums", [](const Given<2>& statistics, std::size_t samples, std::uint64_t seed) {
        return sums_of(samples, statistics.shape(1), [&](double* sums) { bootstrap_sums(table(statistics), samples, seed, sums); });
    }, "statistics"_a, "samples"_a, "seed"_a);
    module.def("coin_sums", [](const Given<2>& statistics, std::size_t samples, std::uint64_t seed) {
        return sums_of(samples, statistics.shape(1), [&](double* sums) { coin_sums(table(statistics), samples, seed, sums); });
    }, "statistics"_a, "samples"_a, "seed"_a);
    module.def("mixture_sums", [](const Given<3>& statistics, std::size_t samples, std::uint64_t seed) {
        const Table tables{statistics.data(), statistics.shape(1), statistics.shape(2)};
        return sums_of(samples, statistics.shape(2), [&](double* sums) {
            mixture_sums(tables, statistics.shape(0), samples, seed, sums);
        });
    }, "statistics"_a, "samples"_a, "seed"_a);
    module.def("ter", [](const nb::list& hypotheses, const nb::list& references) {
        return rows_of(hypotheses, references, 2, [](const Texts& texts, const References& sets, double* rows) {
            ter(texts, sets, rows);
        });
    }, "hypotheses"_a, "references"_a);

    module.def("ter_alignment", [](const nb::str& hypothesis, const nb::str& reference) {
        Borrowed borrowed;
        const TerAlignment alignment = ter_alignment(borrowed.view(hypothesis), borrowed.view(reference));
        nb::list shifts;
        for (const Shift& shift : alignment.shifts) shifts.append(nb::make_tuple(shift.start, shift.length, shift.target));
        return nb::make_tuple(shifts, nb::cast(alignment.order), nb::cast(alignment.edits));
    }, "hypothesis"_a, "reference"_a);
    // One row a run: the means of the systems' skills, then their deviations.
    module.def("trueskill", [](const Numbers& first, const Numbers& second, const Numbers& value, const Numbers& order,
                               const Numbers& start, std::size_t systems, double mu, double sigma, double beta, double tau,
                               double draw_margin) {
        const Matches matches = checked_matches(first, second, value, systems);
        if (!within(order, first.size())) throw std::invalid_argument("an order that names no match");
        if (start.size() < 2 || !within(start, order.size() + 1) || !std::ranges::is_sorted(span(start)))
            throw std::invalid_argument("runs that do not lie in the order");
        const std::size_t runs = start.size() - 1;
        auto data = std::make_unique<double[]>(runs * 2 * systems);
        {
            nb::gil_scoped_release released;
            trueskill(matches, span(order), span(start), systems, {mu, sigma, beta, tau, draw_margin}, data.get());
        }
        return matrix(std::move(data), runs, 2 * systems);
    }, "first"_a, "second"_a, "value"_a, "order"_a, "start"_a, nb::kw_only(), "systems"_a, "mu"_a, "sigma"_a, "beta"_a, "tau"_a,
       "draw_margin"_a);

    module.def("trueskill_matched", [](const Numbers& first, const Numbers& second, const Numbers& value, const Numbers& seeds,
                                       std::size_t steps, std::size_t systems, double mu, double sigma, double beta, double tau,
                                       double draw_margin) {
        const Matches matches = checked_matches(first, second, value, systems);
        if (!first.size()) throw std::invalid_argument("no matches");
        auto data = std::make_unique<double[]>(seeds.size() * 2 * systems);
        {
            nb::gil_scoped_release released;
            trueskill_matched(matches, span(seeds), steps, systems, {mu, sigma, beta, tau, draw_margin}, data.get());
        }
        return matrix(std::move(data), seeds.size(), 2 * systems);
    }, "first"_a, "second"_a, "value"_a, "seeds"_a, nb::kw_only(), "steps"_a, "systems"_a, "mu"_a, "sigma"_a, "beta"_a, "tau"_a,
       "draw_margin"_a);

    module.def("pair_counts", [](const Given<2>& human, const Given<2>& metric, double epsilon) {
        const ScoreRows scores = score_rows(human, metric);
        return sums_of(scores.rows, 5, [&](double* counts) { pair_counts(scores, epsilon, counts); });
    }, "human"_a, "metric"_a, nb::kw_only(), "epsilon"_a);
    module.def("best_epsilon", [](const Given<2>& human, const Given<2>& metric) {
        const ScoreRows scores = score_rows(human, metric);
        nb::gil_scoped_release released;
        return best_epsilon(scores);
    }, "human"_a, "metric"_a);

    nb::class_<HeldTables>(module, "MeteorTables")
        .def("__init__", [](HeldTables* self, const Flat<std::uint8_t>& text, const nb::kwargs& numbers) {
            new (self) HeldTables(text, numbers);
        }, "text"_a, "numbers"_a);
    nb::class_<MeteorText>(module, "MeteorText")
        .def("__init__", [](MeteorText* self, const nb::list& hypotheses, const nb::list& references,
                            const std::optional<std::string>& style, bool punctuation, const Abbreviations& abbreviations) {
            Borrowed borrowed;
            const Texts texts = borrowed.views(hypotheses);
            const References sets = borrowed.views_of_tuples(references);
            if (sets.start.size() != texts.size() + 1) throw std::invalid_argument("as many hypotheses as tuples of references");
            const MeteorStyle chosen = style ? meteor_style(*style) : MeteorStyle::other;
            nb::gil_scoped_release released;
            new (self) MeteorText(texts, sets, style ? &chosen : nullptr, punctuation, abbreviations);
        }, "hypotheses"_a, "references"_a, nb::kw_only(), "style"_a.none(), "punctuation"_a, "abbreviations"_a)
        .def("words", [](const MeteorText& self) {
            nb::list words;
            for (const std::string& word : self.words()) words.append(decoded(word));
            return words;
        })
        .def("statistics", [](const MeteorText& self, const nb::list& forms, const nb::list& stems, std::vector<bool> function,
                              const HeldTables* tables, const std::vector<std::string>& modules, std::size_t beam,
                              bool characters) {
            Borrowed borrowed;
            const Texts form_texts = borrowed.views(forms), stem_texts = borrowed.views(stems);
            for (std::size_t given : {form_texts.size(), stem_texts.size(), function.size()})
                if (given != self.words().size()) throw std::invalid_argument("one form, one stem and one mark for each word");
            MeteorOptions options{{}, beam, characters};
            for (const std::string& name : modules) options.modules.push_back(meteor_module(name));
            auto data = std::make_unique<double[]>(self.pairs() * meteor_columns);
            {
                nb::gil_scoped_release released;
                const MeteorTables* given = tables ? &tables->tables : nullptr;
                const MeteorLexicon lexicon(form_texts, stem_texts, std::move(function), given);
                meteor(self, lexicon, given, options, data.get());
            }
            return matrix(std::move(data), self.pairs(), meteor_columns);
        }, "forms"_a, "stems"_a, "function"_a, nb::kw_only(), "tables"_a.none(), "modules"_a, "beam"_a, "characters"_a);
}
