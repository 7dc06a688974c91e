#include "core/setup/host_threads.hpp"

#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <omp.h>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/host_memory.hpp"

namespace halfulp {

int offered_threads()
{
    const int offered = omp_get_max_threads();
    if (offered >= 1 && offered <= most_threads) return offered;
    const int processors = omp_get_num_procs();
    omp_set_num_threads(processors);
    return processors;
}

void make_offered_threads()
{
    const int offered = offered_threads();
    static std::once_flag made;
    std::call_once(made, [&] {
        if (offered > omp_get_num_procs() || host_memory().limit > 0) make_threads(offered);
    });
}

void make_threads(int threads)
{
    // Creates as many at the same time, and ends them before OpenMP creates its own.
    std::vector<std::thread> made;
    made.reserve(static_cast<std::size_t>(threads));
    std::mutex gate;
    bool all = true;
    {
        const std::lock_guard<std::mutex> closed(gate);
        try {
            while (static_cast<int>(made.size()) + 1 < threads)
                made.emplace_back([&gate] { const std::lock_guard<std::mutex> passed(gate); });
        } catch (const std::exception&) {  // no more threads, or no memory for one's data
            all = false;
        }
    }
    for (std::thread& one : made) one.join();
    if (!all) {
        throw Error(ExitCode::unsupported,
                    fmt::format("of {} threads this machine lets only {} be made (memory or the number of processes is "
                                "limited: see ulimit -v and -u); take fewer with --threads or OMP_NUM_THREADS",
                                threads, made.size() + 1));
    }
    std::atomic<int> begun{0};
#pragma omp parallel num_threads(threads)
    ++begun;
}

}  // namespace halfulp
