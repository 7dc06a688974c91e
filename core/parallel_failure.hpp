// Errors in parallel regions, which no exception may leave: the first is kept, and thrown after the region.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <new>

namespace halfulp {

// Throws std::bad_alloc where there is not as much memory: before what takes it where it could not be refused, in a
// library's threads or in one that ends the program.
inline void require_memory(std::size_t bytes)
{
    ::operator delete(::operator new(bytes));  // called by name, which no optimisation takes away
}

class ParallelFailure {
public:
    // Carries out what may throw, in any thread; nothing once something has failed.
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
    // After the region.
    void rethrow() const
    {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::atomic<bool> failed_{false};
    std::exception_ptr first_;
};

}  // namespace halfulp
