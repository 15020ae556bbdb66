// Work over a batch on several threads. Every row is computed alone and written to its own place,
// so the result is the same for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tercet {

// How many threads kernels use unless told otherwise; set from Python.
inline std::atomic<int>& thread_count() {
    static std::atomic<int> count{1};
    return count;
}

// Calls make() once a thread and the worker that it returns with every i in [0, n).
// A worker owns its scratch memory, so that nothing is allocated segment by segment.
template <class Make>
void for_each_row(std::size_t n, Make make, std::size_t block = 64) {
    const std::size_t blocks = (n + block - 1) / block;
    const int threads = static_cast<int>(std::min<std::size_t>(std::max(1, thread_count().load()), blocks));
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failing;

    auto run = [&] {
        try {
            auto worker = make();
            for (std::size_t b; (b = next.fetch_add(1)) < blocks;)
                for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i) worker(i);
        } catch (...) {
            std::lock_guard guard(failing);
            if (!failure) failure = std::current_exception();
            next = blocks;
        }
    };

    std::vector<std::thread> crew;
    for (int t = 1; t < threads; ++t) crew.emplace_back(run);
    run();
    for (auto& thread : crew) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tercet
