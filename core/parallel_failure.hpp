// Errors in parallel regions, which no exception may leave: the first is stored, and rethrown after the region.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <new>

namespace halfulp {

// Throws std::bad_alloc if that much memory is not available. For use before allocations that cannot fail gracefully:
// in a library's threads or in a library that aborts.
inline void require_memory(std::size_t bytes)
{
    ::operator delete(::operator new(bytes));  // explicit calls are never optimised away
}

class ParallelFailure {
public:
    // Runs an action that may throw, in any thread; does nothing after a failure.
    template <class Action>
    void guard(const Action& action) noexcept
    {
        if (failed_.load(std::memory_order_relaxed)) return;
        try {
            action();
        } catch (...) {
            if (!failed_.exchange(true)) first_ = std::current_exception();
        }
    }
    // For use after the region.
    void rethrow() const
    {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::atomic<bool> failed_{false};
    std::exception_ptr first_;
};

}  // namespace halfulp
