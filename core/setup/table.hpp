// A table of numbers read from a CSV file: a prescribed motion, or measurements.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace halfulp {

struct NumberTable {
    std::filesystem::path path;
    std::vector<std::string> names;            // of the columns
    std::vector<std::vector<double>> columns;  // in the order of the names, all equally long; finite numbers
    std::vector<std::size_t> lines;            // line in the file of each row, from 1

    [[nodiscard]] std::size_t rows() const { return lines.size(); }
    // By name. Throws an Error that lists the names if there is no such column.
    [[nodiscard]] const std::vector<double>& column(std::string_view name) const;
    // The same for a column that must ascend from row to row, such as times. Otherwise throws an Error with the line.
    [[nodiscard]] const std::vector<double>& ascending_column(std::string_view name) const;
};

// The first line names the columns, every other has one number for each, all separated by commas. Blanks around names
// and numbers, empty lines and lines that begin with # are ignored. Throws an Error of one sentence that names the
// file, the line and the column.
NumberTable read_number_table(const std::filesystem::path& path);

}  // namespace halfulp
