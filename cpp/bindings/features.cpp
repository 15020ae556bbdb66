#include "../beer57.hpp"
#include "door.hpp"

namespace tercet {

void bind_features(nb::module_& module) {
    using Floats = nb::ndarray<nb::numpy, float, nb::ndim<2>>;
    module.def("beer57", [](const nb::list& hypotheses, const nb::list& references, const std::string& tokenizer, bool whitespace,
                            bool lowercase) {
        const Beer57Options options{tokenization(tokenizer), whitespace};
        const Batch batch(hypotheses, references, lowercase);
        const std::size_t size = batch.texts.size();
        auto rows = std::make_unique<float[]>(size * beer57_columns);
        {
            nb::gil_scoped_release released;
            beer57(batch.texts, batch.sets, options, rows.get());
        }
        float* raw = rows.release();
        nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<float*>(p); });
        return Floats(raw, {size, std::size_t{beer57_columns}}, owner);
    }, "hypotheses"_a, "references"_a, nb::kw_only(), "tokenizer"_a, "whitespace"_a, "lowercase"_a = false);
}

}  // namespace tercet
