// A parallel loop over independent items, on all threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

namespace halfulp {

// Calls action(k) for k from 0 to count - 1, in any order and on any thread. If calls throw, the exception of the
// smallest k is thrown again, whatever the threads.
template <class Action>
void side_by_side(std::size_t count, const Action& action)
{
    std::atomic<std::size_t> failed{count};
    std::exception_ptr failure;
    std::mutex mutex;
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (std::size_t k = 0; k < count; ++k) {
        if (k > failed) continue;
        try {
            action(k);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex);
            if (k > failed) continue;
            failed = k;
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace halfulp
