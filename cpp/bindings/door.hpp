// What every binding needs: lists of str come in as views of their UTF-8, float64 arrays go out, the GIL is released between.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../text.hpp"
#include "../tokenize.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tercet {

// The rooms that have kernels; module.cpp calls these.
void bind_text(nb::module_& module);
void bind_metrics(nb::module_& module);
void bind_features(nb::module_& module);
void bind_meteor(nb::module_& module);
void bind_agreement(nb::module_& module);
void bind_lattice(nb::module_& module);
void bind_language(nb::module_& module);
void bind_kernels(nb::module_& module);

using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// Arrays that are given: rows one after the other; of another type or layout, they are copied to that by nanobind.
template <class Number>
using Flat = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <int dimensions>
using Given = nb::ndarray<const double, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

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

inline Matrix matrix(std::unique_ptr<double[]> data, std::size_t rows, std::size_t columns) {
    double* raw = data.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return Matrix(raw, {rows, columns}, owner);
}

// Runs a kernel that fills (rows, columns) numbers.
template <class Kernel>
Matrix filled(std::size_t rows, std::size_t columns, Kernel kernel) {
    auto data = std::make_unique<double[]>(rows * columns);
    {
        nb::gil_scoped_release released;
        kernel(data.get());
    }
    return matrix(std::move(data), rows, columns);
}

// Runs a kernel that fills one row of `columns` numbers for each hypothesis.
template <class Kernel>
Matrix rows_of(const nb::list& hypotheses, const nb::list& references, std::size_t columns, Kernel kernel) {
    Borrowed borrowed;
    const Texts texts = borrowed.views(hypotheses);
    const References sets = borrowed.views_of_tuples(references);
    if (sets.start.size() != texts.size() + 1) throw std::invalid_argument("as many hypotheses as tuples of references");
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (sets.of(i).empty()) throw std::invalid_argument("every segment needs a reference");
    return filled(texts.size(), columns, [&](double* rows) { kernel(texts, sets, rows); });
}

inline Tokenization tokenization(const std::string& name) {
    if (name == "none") return Tokenization::none;
    if (name == "13a") return Tokenization::v13a;
    if (name == "intl") return Tokenization::intl;
    if (name == "char") return Tokenization::character;
    if (name == "zh") return Tokenization::zh;
    throw std::invalid_argument("unknown tokenizer " + name);
}

inline nb::object decoded(Text text) {
    nb::object word = nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
    if (!word.is_valid()) throw nb::python_error();
    return word;
}

}  // namespace tercet
