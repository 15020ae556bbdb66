// What every binding needs: lists of str come in as views of their UTF-8, float64 arrays go out, the GIL is released between.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
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

// UTF-8 views of Python strings, in lower case if wished. Valid as long as this object and the Python lists live.
class Borrowed {
public:
    explicit Borrowed(bool lowercase = false) : lowercase_(lowercase) {}

    Text view(nb::handle item) {
        const Text text = as_it_stands(item);
        if (!lowercase_) return text;
        if (is_ascii(text)) return lower_ascii(text);
        nb::object lower = nb::steal(PyObject_CallMethod(item.ptr(), "lower", nullptr));  // Unicode's rules are Python's
        if (!lower.is_valid()) throw nb::python_error();
        kept_.push_back(lower);
        return as_it_stands(lower);
    }
    Texts views(const nb::list& list) {
        Texts texts;
        texts.reserve(nb::len(list));
        for (nb::handle item : list) texts.push_back(view(item));
        return texts;
    }
    References views_of_tuples(const nb::list& list) {
        References references;
        references.start.reserve(nb::len(list) + 1);
        references.texts.reserve(nb::len(list));
        references.start.push_back(0);
        for (nb::handle item : list) {
            if (!PyTuple_Check(item.ptr())) throw nb::type_error("a tuple of texts is wanted for each segment");
            const Py_ssize_t size = PyTuple_Size(item.ptr());
            for (Py_ssize_t i = 0; i < size; ++i) references.texts.push_back(view(PyTuple_GetItem(item.ptr(), i)));
            references.start.push_back(references.texts.size());
        }
        return references;
    }

private:
    Text as_it_stands(nb::handle item) {
        Py_ssize_t size = 0;
        if (const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size)) return {text, static_cast<std::size_t>(size)};
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
        PyErr_Clear();  // a lone surrogate: legal in a str, and a character like any other to a metric
        nb::object bytes = nb::steal(PyUnicode_AsEncodedString(item.ptr(), "utf-8", "surrogatepass"));
        if (!bytes.is_valid()) throw nb::python_error();
        kept_.push_back(bytes);
        return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
    }

    static bool is_ascii(Text text) {
        unsigned char all = 0;  // no early exit, so that the compiler takes many bytes at once
        for (char c : text) all |= static_cast<unsigned char>(c);
        return all < 0x80;
    }

    Text lower_ascii(Text text) {
        if (text.size() > room_) {
            room_ = std::max<std::size_t>(text.size(), 1 << 16);
            lowered_.push_back(std::make_unique_for_overwrite<char[]>(room_));
            free_ = lowered_.back().get();
        }
        char* to = free_;
        for (std::size_t i = 0; i < text.size(); ++i) to[i] = text[i] + (text[i] >= 'A' && text[i] <= 'Z' ? 'a' - 'A' : 0);
        free_ += text.size();
        room_ -= text.size();
        return {to, text.size()};
    }

    bool lowercase_;
    std::vector<nb::object> kept_;
    std::vector<std::unique_ptr<char[]>> lowered_;  // blocks, of which the last has `room_` bytes left from `free_` on
    char* free_ = nullptr;
    std::size_t room_ = 0;
};

// Hypotheses, and for each the texts that it is held against: at least one.
struct Batch {
    Batch(const nb::list& hypotheses, const nb::list& references, bool lowercase)
        : borrowed(lowercase), texts(borrowed.views(hypotheses)), sets(borrowed.views_of_tuples(references)) {
        if (sets.start.size() != texts.size() + 1) throw std::invalid_argument("as many hypotheses as tuples of references");
        for (std::size_t i = 0; i < texts.size(); ++i)
            if (sets.of(i).empty()) throw std::invalid_argument("every segment needs a reference");
    }

    Borrowed borrowed;
    const Texts texts;
    const References sets;
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
Matrix rows_of(const nb::list& hypotheses, const nb::list& references, bool lowercase, std::size_t columns, Kernel kernel) {
    const Batch batch(hypotheses, references, lowercase);
    return filled(batch.texts.size(), columns, [&](double* rows) { kernel(batch.texts, batch.sets, rows); });
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
