#include <nanobind/stl/optional.h>

#include "../lines.hpp"
#include "door.hpp"

namespace tercet {

namespace {

// The bytes of a file.
using Bytes = Flat<std::uint8_t>;

Text text_of(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

void bind_text(nb::module_& module) {
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

    module.def("line_texts", [](const Bytes& bytes, const Flat<std::int64_t>& starts) {
        const Text all = text_of(bytes);
        const std::size_t lines = starts.size() ? starts.size() - 1 : 0;
        nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(lines)));
        if (!list.is_valid()) throw nb::python_error();
        for (std::size_t i = 0; i < lines; ++i) {
            const std::int64_t from = starts.data()[i], to = starts.data()[i + 1] - 1;
            if (from < 0 || to < from || to > static_cast<std::int64_t>(all.size())) throw std::out_of_range("starts of lines");
            const Text line = strip_end(all.substr(from, to - from));
            PyObject* text = PyUnicode_DecodeUTF8(line.data(), static_cast<Py_ssize_t>(line.size()), nullptr);
            if (!text || PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), text)) throw nb::python_error();
        }
        return list;
    }, "bytes"_a, "starts"_a);

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
}

}  // namespace tercet
