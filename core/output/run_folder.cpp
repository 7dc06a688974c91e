#include "core/output/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"
#include "core/output/posix_file.hpp"

namespace halfulp {

namespace fs = std::filesystem;

namespace {

constexpr const char* handles = "/proc/self/fd";

}  // namespace

RunFolder::RunFolder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw output_error(fmt::format("cannot create the folder {}: {}.", folder.string(), error.message()));
    open_and_lock(folder);
}

RunFolder RunFolder::existing(const fs::path& folder)
{
    std::error_code error;
    if (!fs::is_directory(folder, error)) throw input_error(fmt::format("there is no run at {}.", folder.string()));
    RunFolder existing;
    existing.open_and_lock(folder);
    return existing;
}

void RunFolder::open_and_lock(const fs::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) throw output_error(fmt::format("cannot open {}: {}.", folder.string(), words_of(errno)));
    handle_ = {new int(descriptor), [](const int* one) {
                   ::close(*one);
                   delete one;
               }};
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    throw output_error(
        fmt::format("another halfulp is writing a run into {}, which is still going: wait until it has ended, or "
                    "choose another folder.",
                    folder.string()));
}

fs::path RunFolder::path() const { return fs::path(handles) / std::to_string(*handle_); }

std::string shown(const fs::path& path)
{
    // The root and the three names of `handles` come first.
    auto rest = path.begin();
    for (int k = 0; k < 4 && rest != path.end(); ++k) ++rest;
    if (rest == path.end() || !path.string().starts_with(handles)) return path.string();
    std::error_code error;
    fs::path place = fs::read_symlink(fs::path(handles) / *rest, error);
    if (error) return path.string();
    for (++rest; rest != path.end(); ++rest) place /= *rest;
    const fs::path near = place.lexically_relative(fs::current_path(error));
    return near.empty() || *near.begin() == ".." ? place.string() : near.string();
}

}  // namespace halfulp
