#include "core/setup/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/error.hpp"

namespace halfulp {

namespace {

constexpr double without_limit = std::numeric_limits<double>::infinity();

double free_memory()
{
    std::ifstream file("/proc/meminfo");
    for (std::string key; file >> key; file.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
        double kibibytes = 0;
        if (key == "MemAvailable:" && file >> kibibytes) return 1024 * kibibytes;
    }
    return without_limit;
}

double address_space_taken()
{
    std::ifstream file("/proc/self/statm");
    double pages = 0;
    return file >> pages ? pages * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace

double number_in(const char* path)
{
    std::ifstream file(path);
    double number = 0;
    return file >> number ? number : without_limit;
}

HostMemory host_memory()
{
    HostMemory memory{.free = free_memory()};
    const double group = number_in("/sys/fs/cgroup/memory.max") - number_in("/sys/fs/cgroup/memory.current");
    if (group >= 0) memory.free = std::min(memory.free, group);  // infinity less infinity is NaN
    rlimit space{};
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
        memory.limit = static_cast<double>(space.rlim_cur);
        memory.free = std::min(memory.free, std::max(0.0, memory.limit - address_space_taken()));
    }
    memory.known = memory.free < without_limit;
    return memory;
}

void require_memory_for_output(std::size_t particles, std::size_t bytes)
{
    constexpr double worth_asking = 0x1p30;
    const double wanted = static_cast<double>(particles) * static_cast<double>(bytes);
    if (wanted < worth_asking) return;
    const double free = host_memory().free;
    if (wanted <= free) return;
    throw Error(
        ExitCode::unsupported,
        fmt::format("an output of {} particles takes {:.3g} GiB of this machine's memory, which has {:.3g} GiB to "
                    "spare; raise resolution.spacing, or use a machine with more",
                    particles, wanted / 0x1p30, free / 0x1p30));
}

}  // namespace halfulp
