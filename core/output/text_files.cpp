#include "core/output/text_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {
namespace {

Error cannot_write(const std::filesystem::path& path, int error)
{
    return output_error("cannot write {}: {}.", shown(path), words_of(error));
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
try : path_(path), file_(path, new_file) {
    file_.write(heading.data(), heading.size());
    length_ = heading.size();
} catch (int error) {
    throw cannot_write(path, error);
}

void TextTable::sync() const
{
    try {
        file_.sync();
    } catch (int error) {
        throw cannot_write(path_, error);
    }
}

void TextTable::append(const std::string& lines)
{
    try {
        cut_ = cut_ || file_.size() != length_;
        file_.append(lines.data(), lines.size());  // a truncated line would read as a wrong number
        length_ += lines.size();
    } catch (int error) {
        throw cannot_write(path_, error);
    }
}

}  // namespace halfulp
