#include "core/app/draw.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "core/app/child_process.hpp"
#include "core/error.hpp"
#include "core/setup/program_place.hpp"

namespace halfulp {

std::filesystem::path shipped_script(const std::string& name, const std::string& place_in_source)
{
    std::error_code failed;
    for (const auto& candidate : {program_place().parent_path() / "../share/halfulp" / name,
                                  std::filesystem::path(HALFULP_SOURCE_DIRECTORY) / place_in_source}) {
        if (std::filesystem::exists(candidate, failed)) return candidate;
    }
    return {};
}

namespace {

std::string named_python()
{
    const char* named = std::getenv("HALFULP_PYTHON");
    return named == nullptr ? "" : named;
}

}  // namespace

std::string why_no_python()
{
    const std::string named = named_python();
    if (named.empty())
        return "there is no python3; install the packages python3-matplotlib, python3-numpy and python3-h5py";
    return fmt::format(
        "HALFULP_PYTHON names {}, which cannot be run; name a Python, or leave it out for /usr/bin/python3",
        one_line(named));
}

std::optional<int> run_python(const std::filesystem::path& script, const std::filesystem::path& argument)
{
    const std::string named = named_python();
    // Ctrl-C is for the program, which waits for the figure; Python would print where it was.
    return run_child([&] {
        // -B: no bytecode files beside scripts that import one another; the folder may be the source tree.
        // The Python package names its own Python, which has the packages installed with it.
        if (!named.empty()) {
            execlp(named.c_str(), named.c_str(), "-B", script.c_str(), argument.c_str(), static_cast<char*>(nullptr));
            return;
        }
        // Debian's packages belong to Debian's Python, which may not be the first on the path.
        const char* debian = "/usr/bin/python3";
        if (access(debian, X_OK) == 0)
            execl(debian, debian, "-B", script.c_str(), argument.c_str(), static_cast<char*>(nullptr));
        execlp("python3", "python3", "-B", script.c_str(), argument.c_str(), static_cast<char*>(nullptr));
    });
}

void draw_figures(const std::filesystem::path& run)
{
    const auto script = shipped_script("figures.py", "core/output/figures.py");
    if (script.empty()) {
        fmt::print("  figures           none: figures.py is not installed with this program\n");
        return;
    }
    const std::optional<int> status = run_python(script, run);
    if (!status) fmt::print("  figures           not all were drawn (interrupted); the run itself is complete\n");
    else if (status == 127) fmt::print("  figures           none: {}\n", why_no_python());
    else if (status != 0)
        fmt::print("  figures           not all were drawn (see above); the run itself is complete\n");
    else fmt::print("  figures           {}/figures/\n", run.string());
}

}  // namespace halfulp
