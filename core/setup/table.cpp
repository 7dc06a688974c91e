#include "core/setup/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/input_file.hpp"
#include "core/setup/spelling.hpp"

namespace halfulp {

namespace {

constexpr std::uint64_t largest_table_file = 1U << 30U;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // written by spreadsheets

std::vector<std::string_view> cells_of(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return cells;
        line.remove_prefix(comma + 1);
    }
}

void refuse_semicolons(const NumberTable& table, std::string_view cell, std::size_t line)
{
    if (cell.find(';') == std::string_view::npos) return;
    throw input_error("{}:{}: semicolons stand between the columns; write commas there, and points in numbers.",
                      table.path.string(), line);
}

// Two numbers in a cell, as in DualSPHysics's files of motions.
void refuse_spaces(const NumberTable& table, std::string_view cell, std::size_t line)
{
    const std::size_t space = cell.find_first_of(" \t");
    if (space == std::string_view::npos || cell.find_first_not_of("0123456789+-.eE \t") != std::string_view::npos)
        return;
    throw input_error(
        "{}:{}: spaces stand between the columns; write commas there, also in the first line, which names the columns.",
        table.path.string(), line);
}

// Many programs write names between quotation marks.
std::string_view without_quotes(std::string_view cell)
{
    const bool quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
    return quoted ? cell.substr(1, cell.size() - 2) : cell;
}

void add_names(NumberTable& table, const std::vector<std::string_view>& cells, std::size_t line)
{
    if (std::ranges::all_of(cells, [](std::string_view cell) { return decimal_number(cell).has_value(); })) {
        throw input_error(
            "{}:{}: the first line has numbers, but must name the columns, as in \"time,angle\" (lines that begin with "
            "# are comments).",
            table.path.string(), line);
    }
    for (std::string_view name : cells) {
        refuse_semicolons(table, name, line);
        name = trimmed(without_quotes(name));
        if (name.empty()) {
            throw input_error("{}:{}: column {} has no name; the first line must name every column.",
                              table.path.string(), line, table.names.size() + 1);
        }
        table.names.emplace_back(name);
    }
    std::vector<std::string> sorted = table.names;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
        throw input_error("{}:{}: two columns are named \"{}\"; give each a name of its own.", table.path.string(),
                          line, shortened(*twice));
    }
    table.columns.resize(table.names.size());
}

void add_row(NumberTable& table, const std::vector<std::string_view>& cells, std::size_t line)
{
    for (const std::string_view cell : cells) refuse_semicolons(table, cell, line);
    if (cells.size() != table.names.size()) {
        const auto counted = [](std::size_t number, std::string_view of) {
            return fmt::format("{} {}{}", number, of, number == 1 ? "" : "s");
        };
        throw input_error("{}:{}: has {}, but the first line names {}; write one number for each.", table.path.string(),
                          line, counted(cells.size(), "number"), counted(table.names.size(), "column"));
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const std::optional<double> number = decimal_number(cells[k]);
        refuse_spaces(table, cells[k], line);
        if (!number || !std::isfinite(*number)) {
            throw input_error(
                "{}:{}: column \"{}\" has \"{}\", but must have a finite number; write one, or leave the row out.",
                table.path.string(), line, shortened(table.names[k]), shortened(cells[k]));
        }
        table.columns[k].push_back(*number);
    }
    table.lines.push_back(line);
}

}  // namespace

const std::vector<double>& NumberTable::column(std::string_view name) const
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw input_error("{} has no column \"{}\", but {}; give the name of one of them.", path.string(),
                          shortened(name), shortened(enumerate_names({names.begin(), names.end()})));
    }
    return columns[static_cast<std::size_t>(found - names.begin())];
}

const std::vector<double>& NumberTable::ascending_column(std::string_view name) const
{
    const std::vector<double>& numbers = column(name);
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        if (!(numbers[i] > numbers[i - 1])) {
            throw input_error(
                "{}:{}: column \"{}\" has {} after {}, but must ascend from row to row; sort the rows, each value once.",
                path.string(), lines[i], name, numbers[i], numbers[i - 1]);
        }
    }
    return numbers;
}

NumberTable read_number_table(const std::filesystem::path& path)
{
    NumberTable table;
    table.path = path;
    const std::string text = read_input_file(path, path.string(), "table", largest_table_file, Reads::again);
    std::string_view remaining = text;
    if (remaining.starts_with(byte_order_mark)) remaining.remove_prefix(byte_order_mark.size());
    for (std::size_t line = 1; !remaining.empty(); ++line) {
        const std::size_t length = remaining.find('\n');
        const std::string_view here = trimmed(remaining.substr(0, length));
        remaining.remove_prefix(length == std::string_view::npos ? remaining.size() : length + 1);
        if (here.empty() || here.front() == '#') continue;
        if (table.names.empty()) add_names(table, cells_of(here), line);
        else add_row(table, cells_of(here), line);
    }
    if (table.rows() == 0) {
        throw input_error("{}: has no numbers; write a line with the columns' names and then a line for each row.",
                          path.string());
    }
    return table;
}

}  // namespace halfulp
