#include "core/setup/host_threads.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>

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

namespace {

// Creates as many threads as there are to be, all at the same time and counting the calling one, and ends them. Returns
// their number, which is less than `wanted` if the machine does not allow that many.
int most_at_a_time(int wanted)
{
    std::vector<std::thread> made;
    made.reserve(static_cast<std::size_t>(wanted));
    std::mutex gate;
    {
        const std::lock_guard<std::mutex> closed(gate);
        try {
            while (static_cast<int>(made.size()) + 1 < wanted)
                made.emplace_back([&gate] { const std::lock_guard<std::mutex> passed(gate); });
        } catch (const std::exception&) {  // no more threads, or no memory for one's data
        }
    }
    for (std::thread& one : made) one.join();
    return static_cast<int>(made.size()) + 1;
}

// How many processes and threads a user, or the group of processes, may have; infinite without a limit.
double limit_of_processes()
{
    double limit = std::numeric_limits<double>::infinity();
    rlimit processes{};
    if (getrlimit(RLIMIT_NPROC, &processes) == 0 && processes.rlim_cur != RLIM_INFINITY)
        limit = static_cast<double>(processes.rlim_cur);
    return std::min(limit, number_in("/sys/fs/cgroup/pids.max"));
}

// The stack of each of OpenMP's threads in bytes, read from the environment as its library does; 0: the system's own.
std::size_t stack_of_openmp(const char* text)
{
    if (text == nullptr) return 0;
    char* end = nullptr;
    errno = 0;
    const unsigned long long number = std::strtoull(text, &end, 10);
    if (end == text || errno != 0) return 0;
    while (*end == ' ' || *end == '\t') ++end;
    unsigned shift = 10;  // KiB without a unit
    switch (std::tolower(static_cast<unsigned char>(*end))) {
    case 'b': shift = 0; break;
    case 'm': shift = 20; break;
    case 'g': shift = 30; break;
    default: break;
    }
    if (number >> (std::numeric_limits<unsigned long long>::digits - shift) != 0) return 0;
    return static_cast<std::size_t>(number << shift);
}

void* at_once(void* nothing) { return nothing; }

// With a stack for which there is no room OpenMP's library would end the program with a message of its own.
void require_room_for_stack()
{
    const char* const text = std::getenv("OMP_STACKSIZE");
    const std::size_t size = stack_of_openmp(text);
    if (size == 0) return;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    pthread_t made{};
    // A size that the system does not allow at all is ignored by the library, too.
    const bool tried = pthread_attr_setstacksize(&attributes, size) == 0;
    const bool failed = tried && pthread_create(&made, &attributes, at_once, nullptr) != 0;
    if (tried && !failed) pthread_join(made, nullptr);
    pthread_attr_destroy(&attributes);
    if (!failed) return;
    throw Error(ExitCode::unsupported,
                fmt::format("OMP_STACKSIZE is {}, but this machine has no room for a thread with a stack of that size; "
                            "set a smaller one, such as OMP_STACKSIZE=8M, or unset it",
                            shortened(text)));
}

void make_for_openmp(int threads)
{
    std::atomic<int> begun{0};
#pragma omp parallel num_threads(threads)
    ++begun;
}

}  // namespace

void make_threads(int threads)
{
    const int most = most_at_a_time(threads);
    if (most < threads) {
        throw Error(ExitCode::unsupported,
                    fmt::format("{} threads were asked for, but this machine allows only {} (memory or the number of "
                                "processes is limited: see ulimit -v and -u); use fewer with --threads or "
                                "OMP_NUM_THREADS",
                                threads, most));
    }
    make_for_openmp(threads);
}

void make_offered_threads()
{
    static const bool allowed = [] {
        require_room_for_stack();
        const int offered = offered_threads();
        const bool little_memory = host_memory().limit > 0;
        const bool few_processes = limit_of_processes() < 64 + 16.0 * offered;  // with room for others of the user
        if (!little_memory && !few_processes && offered <= omp_get_num_procs()) return true;
        if (most_at_a_time(offered) < offered) return false;
        // Threads that are created on demand find no memory once it is taken.
        if (little_memory) make_for_openmp(offered);
        return true;
    }();
    offered_threads();  // of the calling thread
    if (!allowed) omp_set_num_threads(1);
}

}  // namespace halfulp
