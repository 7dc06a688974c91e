#include "core/app/machine.hpp"

#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "core/backends/cpu/pair_loops.hpp"

namespace halfulp {

namespace {

// The value after the colon of the first line that begins with `key`; empty if there is none.
std::string value_in(const char* file, const std::string& key)
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind(key, 0) != 0) continue;
        const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
        return begin == std::string::npos ? "" : line.substr(begin);
    }
    return {};
}

}  // namespace

Machine this_machine()
{
    Machine machine;
    machine.processor = value_in("/proc/cpuinfo", "model name");
    if (machine.processor.empty()) {
        utsname system{};
        machine.processor = uname(&system) == 0 ? fmt::format("unknown ({})", system.machine) : "unknown";
    }
    machine.processors = std::thread::hardware_concurrency();
    const std::string kibibytes = value_in("/proc/meminfo", "MemTotal");  // "16384256 kB"
    if (!kibibytes.empty()) machine.memory = 1024 * std::strtod(kibibytes.c_str(), nullptr);
    return machine;
}

std::string describe_processor()
{
    std::string text = this_machine().processor;
#if defined(__x86_64__)
    text += processor_has_avx512() ? ", with AVX2, FMA and AVX-512" : ", with AVX2 and FMA";
#endif
    return text;
}

}  // namespace halfulp
