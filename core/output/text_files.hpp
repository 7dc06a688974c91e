// The text files beside run.h5: replaced as a whole, or appended to line by line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/output/posix_file.hpp"

namespace halfulp {

// Writes `text` beside `path` and renames it to `path`, so that a reader sees the old text or the new, never a part.
// Throws an Error naming the file and the cause.
void replace_file(const std::filesystem::path& path, const std::string& text);

// Lines of a table: "step[1],time[s],..." from names and units, and a line for each row of columns of equal length,
// every number as the shortest text that reads back as the same double.
std::string heading_line(const std::vector<std::pair<std::string_view, std::string_view>>& columns);
std::string row_lines(const std::vector<std::vector<double>>& columns);

// A table that grows: ledger.csv, or one of a probe.
class TextTable {
public:
    TextTable() = default;
    // Creates the file with its heading line.
    TextTable(const std::filesystem::path& path, const std::string& heading);

    // Appends all of the lines or none: a failed append is undone.
    void append(const std::string& lines);
    // All appended lines are on disk when this returns.
    void sync() const;
    [[nodiscard]] bool any() const { return file_.is_open(); }
    // Whether the file still has its name and all of its lines: another program may have removed, replaced or cut it.
    [[nodiscard]] bool is_intact() const { return !cut_ && file_.is(path_) && file_.size() == length_; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // The new name of the file.
    void renamed(const std::filesystem::path& path) { path_ = path; }

private:
    std::filesystem::path path_;
    PosixFile file_;
    std::uint64_t length_ = 0;  // bytes
    bool cut_ = false;          // it was, when lines were appended, which lie behind zeros then
};

}  // namespace halfulp
