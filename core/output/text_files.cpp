#include "core/output/text_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {
namespace {

Error cannot_write(const std::filesystem::path& path, int error)
{
    return output_error("cannot write {}: {}.", shown(path), words_of(error));
}

int create(const std::filesystem::path& path)
{
    const int descriptor = ::open(path.c_str(), new_file | O_CLOEXEC, 0666);
    if (descriptor < 0) throw cannot_write(path, errno);
    return descriptor;
}

// Writes all of the text; returns 0 or the error number.
int write_all(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace

void replace_file(const std::filesystem::path& path, const std::string& text)
{
    const std::filesystem::path fresh = fresh_name(path);
    try {
        PosixFile file(fresh, new_file);
        file.write(text.data(), text.size());
        file.finish();
        if (std::rename(fresh.c_str(), path.c_str()) != 0) throw errno;
    } catch (int error) {
        ::unlink(fresh.c_str());
        throw cannot_write(path, error);
    }
}

std::string heading_line(const std::vector<std::pair<std::string_view, std::string_view>>& columns)
{
    std::string line;
    for (const auto& [name, unit] : columns)
        fmt::format_to(std::back_inserter(line), "{}{}[{}]", line.empty() ? "" : ",", name, unit);
    return line + '\n';
}

std::string row_lines(const std::vector<std::vector<double>>& columns)
{
    std::string text;
    for (std::size_t row = 0; row < columns.front().size(); ++row) {
        const char* separator = "";
        for (const std::vector<double>& column : columns) {
            fmt::format_to(std::back_inserter(text), "{}{}", separator, column[row]);
            separator = ",";
        }
        text += '\n';
    }
    return text;
}

TextTable::TextTable(const std::filesystem::path& path, const std::string& heading)
    : path_(path), descriptor_(create(path))
{
    const int error = write_all(descriptor_, heading);
    if (error == 0) return;
    ::close(descriptor_);
    throw cannot_write(path, error);
}

TextTable::~TextTable()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

TextTable::TextTable(TextTable&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1))
{
}

TextTable& TextTable::operator=(TextTable&& other) noexcept
{
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

void TextTable::sync() const
{
    if (descriptor_ >= 0 && ::fsync(descriptor_) != 0) throw cannot_write(path_, errno);
}

void TextTable::append(const std::string& lines)
{
    const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);
    const int error = write_all(descriptor_, lines);
    if (error == 0) return;
    // A truncated line would read as a wrong number.
    if (before >= 0 && ::ftruncate(descriptor_, before) == 0) ::lseek(descriptor_, before, SEEK_SET);
    throw cannot_write(path_, error);
}

}  // namespace halfulp
