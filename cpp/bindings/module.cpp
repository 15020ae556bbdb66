// The only door between Python and the kernels; a file of this folder for each room that has some.
#include <algorithm>

#include "../meteor_tables.hpp"
#include "../parallel.hpp"
#include "door.hpp"

NB_MODULE(_native, module) {
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const tercet::DamagedTable& error) {
            PyErr_SetString(nb::module_::import_("tercet.errors").attr("ResourceError").ptr(), error.what());
        }
    });
    module.def("threads", [] { return tercet::thread_count().load(); });
    module.def("set_threads", [](int threads) { tercet::thread_count() = std::max(1, threads); }, "threads"_a);
    tercet::bind_text(module);
    tercet::bind_metrics(module);
    tercet::bind_features(module);
    tercet::bind_meteor(module);
    tercet::bind_agreement(module);
    tercet::bind_lattice(module);
    tercet::bind_language(module);
    tercet::bind_kernels(module);
}
