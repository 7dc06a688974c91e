#include "core/setup/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace halfulp {

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

// What the kernel could hand out, the cache of files included.
double spare_memory()
{
    std::ifstream lines("/proc/meminfo");
    std::string name;
    double kibibytes = 0;
    std::string rest;
    while (lines >> name >> kibibytes && std::getline(lines, rest)) {
        if (name == "MemAvailable:") return kibibytes * 1024;
    }
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// Of the control group that a container sees as its own; "max" is no number.
double group_limit()
{
    double bytes = 0;
    return std::ifstream("/sys/fs/cgroup/memory.max") >> bytes ? bytes : unknown;
}

double address_limit()
{
    struct rlimit limit {};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
    return static_cast<double>(limit.rlim_cur);
}

}  // namespace

double available_memory() { return std::min({spare_memory(), group_limit(), address_limit()}); }

}  // namespace halfulp
