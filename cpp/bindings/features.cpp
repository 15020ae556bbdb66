#include "../beer57.hpp"
#include "door.hpp"

namespace tercet {

void bind_features(nb::module_& module) {
    using Floats = nb::ndarray<nb::numpy, float, nb::ndim<2>>;
    module.def("beer57", [](const nb::list& hypotheses, const nb::list& references, const std::string& tokenizer, bool whitespace) {
        const Beer57Options options{tokenization(tokenizer), whitespace};
        Borrowed borrowed;
        const Texts texts = borrowed.views(hypotheses);
        const References sets = borrowed.views_of_tuples(references);
        if (sets.start.size() != texts.size() + 1) throw std::invalid_argument("as many hypotheses as tuples of references");
        for (std::size_t i = 0; i < texts.size(); ++i)
            if (sets.of(i).empty()) throw std::invalid_argument("every segment needs a reference");
        auto rows = std::make_unique<float[]>(texts.size() * beer57_columns);
        {
            nb::gil_scoped_release released;
            beer57(texts, sets, options, rows.get());
        }
        float* raw = rows.release();
        nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<float*>(p); });
        return Floats(raw, {texts.size(), std::size_t{beer57_columns}}, owner);
    }, "hypotheses"_a, "references"_a, nb::kw_only(), "tokenizer"_a, "whitespace"_a);
}

}  // namespace tercet
