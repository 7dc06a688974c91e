#include "core/setup/program_place.hpp"

#include <system_error>

namespace halfulp {

namespace {

std::filesystem::path& chosen()
{
    static std::filesystem::path place;
    return place;
}

}  // namespace

std::filesystem::path program_place()
{
    if (!chosen().empty()) return chosen();
    std::error_code failure;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
    return failure ? std::filesystem::path() : program;
}

void set_program_place(const std::filesystem::path& program) { chosen() = program; }

}  // namespace halfulp
