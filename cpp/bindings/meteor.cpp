#include "../meteor.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/unordered_map.h>

#include <optional>

#include "door.hpp"

namespace tercet {

namespace {

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
        tables.text_slot = hold("text_slot");
        tables.bases = {hold("base"), hold("base_start")};
        tables.synsets = {hold("synset"), hold("synset_start")};
        tables.paraphrases = {hold("paraphrase"), hold("paraphrase_start")};
        tables.parent = hold("parent");
        tables.child_slot = hold("child_slot");
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

void bind_meteor(nb::module_& module) {
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

}  // namespace tercet
