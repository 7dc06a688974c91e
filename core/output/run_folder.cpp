#include "core/output/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "core/error.hpp"
#include "core/output/posix_file.hpp"

namespace halfulp {

namespace fs = std::filesystem;

namespace {

constexpr const char* handles = "/proc/self/fd";

// Closed with its last copy.
std::shared_ptr<const int> kept(int descriptor)
{
    return {new int(descriptor), [](const int* one) {
                ::close(*one);
                delete one;
            }};
}

// What a folder's handle and a file's are reached by.
void require_names_of_handles(int descriptor)
{
    if (::access((fs::path(handles) / std::to_string(descriptor)).c_str(), F_OK) == 0) return;
    throw Error(ExitCode::unsupported,
                fmt::format("the files of a run are reached through {}, which is not there: mount "
                            "/proc, as `mount -t proc proc /proc` does.",
                            handles));
}

int open_without_links(const fs::path& folder)
{
    return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

}  // namespace

RunFolder::RunFolder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw output_error("cannot create the folder {}: {}.", folder.string(), error.message());
    open_and_lock(folder, "wait until it has ended, or choose another folder");
}

RunFolder RunFolder::existing(const fs::path& folder)
{
    std::error_code error;
    if (!fs::is_directory(folder, error)) throw input_error("there is no run at {}.", folder.string());
    RunFolder existing;
    existing.open_and_lock(folder, "wait until it has ended");
    return existing;
}

void RunFolder::open_and_lock(const fs::path& folder, const char* remedy)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) throw output_error("cannot open {}: {}.", folder.string(), words_of(errno));
    handle_ = kept(descriptor);
    require_names_of_handles(descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    throw output_error("another halfulp is writing into {} and still going: {}.", folder.string(), remedy);
}

fs::path RunFolder::path() const { return fs::path(handles) / std::to_string(*handle_); }

bool RunFolder::is(const fs::path& folder) const { return leads_to(folder, *handle_); }

InnerFolder::InnerFolder(int descriptor) : handle_(kept(descriptor)) {}

InnerFolder::InnerFolder(const fs::path& folder, const char* name)
{
    const fs::path path = folder / name;
    const bool there = ::mkdir(path.c_str(), 0777) == 0 || errno == EEXIST;
    const int descriptor = there ? open_without_links(path) : -1;
    if (descriptor >= 0) {
        handle_ = kept(descriptor);
        return;
    }
    const int cause = errno;
    std::error_code error;
    if (fs::is_symlink(path, error)) throw is_a_link(path);
    throw output_error("cannot create the folder {}: {}.", shown(path), words_of(cause));
}

std::optional<InnerFolder> InnerFolder::existing(const fs::path& folder, const char* name)
{
    const int descriptor = open_without_links(folder / name);
    if (descriptor < 0) return {};
    return InnerFolder(descriptor);
}

fs::path InnerFolder::place_of(const fs::path& file) const
{
    return fs::path(handles) / std::to_string(*handle_) / file.filename();
}

Error is_a_link(const fs::path& path)
{
    return output_error(
        "{} is a link, but what a run writes stays in its folder: remove the link, or choose another folder.",
        shown(path));
}

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

std::string for_shell(const fs::path& path)
{
    std::string word = path.string();
    if (word.starts_with('-')) word.insert(0, "./");
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+=:@%,-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4) word.replace(at, 1, "'\\''");
    return '\'' + word + '\'';
}

}  // namespace halfulp
