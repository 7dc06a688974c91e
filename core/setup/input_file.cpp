#include "core/setup/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <vector>

#include "core/error.hpp"

namespace halfulp {

namespace {

struct Descriptor {
    // Without waiting for a program to write into a pipe, which may never come.
    explicit Descriptor(const std::filesystem::path& path) : number(::open(path.c_str(), O_RDONLY | O_NONBLOCK)) {}
    ~Descriptor()
    {
        if (number >= 0) ::close(number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number;
};

}  // namespace

std::string read_input_file(const std::filesystem::path& path, const std::string& name, const std::string& what,
                            std::uint64_t most, Reads reads)
{
    const Descriptor file(path);
    struct stat status {};
    if (file.number < 0 || fstat(file.number, &status) != 0) {
        throw input_error("{}: the {} cannot be read; check that it exists and may be read.", name, what);
    }
    if (S_ISDIR(status.st_mode)) throw input_error("{}: this is a folder; give the path of the {}.", name, what);
    if (reads == Reads::again && !S_ISREG(status.st_mode)) {
        throw input_error("{}: the {} is a pipe or a device, but it is read more than once; give a file.", name, what);
    }
    // In pieces, since a pipe and a device have no size.
    std::string content;
    std::vector<char> piece(std::size_t{1} << 16U);
    for (ssize_t got = 1; got != 0;) {
        got = ::read(file.number, piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        // Some program has the pipe open and will write.
        if (got < 0 && errno == EAGAIN && fcntl(file.number, F_SETFL, O_RDONLY) == 0) continue;
        if (got < 0) throw input_error("{}: the {} could not be read to its end; try again.", name, what);
        content.append(piece.data(), static_cast<std::size_t>(got));
        if (content.size() > most) {
            throw input_error("{}: the {} has more than {} MiB, and cannot be one; give another.", name, what,
                              most >> 20U);
        }
    }
    if (content.empty() && S_ISFIFO(status.st_mode)) {
        throw input_error(
            "{}: this is a pipe into which no program writes; give the path of the {}, or start the program that "
            "writes it first.",
            name, what);
    }
    return content;
}

std::optional<double> decimal_number(std::string_view text)
{
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    if (failed != std::errc() || stop != end) return std::nullopt;
    return number;
}

}  // namespace halfulp
