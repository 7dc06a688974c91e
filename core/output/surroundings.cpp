#include "core/output/surroundings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/output/text_files.hpp"
#include "core/results/column_number.hpp"

namespace halfulp {

namespace {

std::string_view type_of(ColumnType type)
{
    switch (type) {
    case ColumnType::float32: return "float";
    case ColumnType::float64: return "double";
    case ColumnType::int32: return "int";
    case ColumnType::uint32: return "unsigned_int";
    case ColumnType::uint8: return "unsigned_char";
    }
    return "double";
}

}  // namespace

void write_surroundings(const std::filesystem::path& path, const Snapshot& snapshot, std::uint32_t particle,
                        double radius)
{
    const auto position = std::ranges::find(snapshot.columns, "position", &Column::name);
    const std::uint64_t own = row_of(snapshot, particle);
    if (position == snapshot.columns.end() || own == snapshot.count) return;
    const auto place = [&](std::size_t i) {
        std::array<double, 3> x{};
        for (std::size_t c = 0; c < 3; ++c) x[c] = number_at<double>(*position, 3 * i + c);
        return x;
    };
    const auto centre = place(own);
    std::vector<std::size_t> near;
    std::vector<double> distances;
    for (std::size_t i = 0; i < snapshot.count; ++i) {
        const auto x = place(i);
        const double distance = std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]);
        if (!(distance <= radius) && i != own) continue;
        near.push_back(i);
        distances.push_back(i == own ? 0 : distance);
    }
    std::string text =
        fmt::format("{}around particle {}, step {}, t = {} s\nASCII\nDATASET POLYDATA\nPOINTS {} double\n",
                    surroundings_heading, particle, snapshot.step, snapshot.time, near.size());
    auto out = std::back_inserter(text);
    const auto write_rows = [&](const Column& column) {
        const auto components = static_cast<std::size_t>(column.components);
        for (const std::size_t i : near) {
            for (std::size_t c = 0; c < components; ++c)
                fmt::format_to(out, "{}{}", c > 0 ? " " : "", text_at(column, components * i + c));
            text += '\n';
        }
    };
    write_rows(*position);
    fmt::format_to(out, "VERTICES {0} {1}\n", near.size(), 2 * near.size());
    for (std::size_t k = 0; k < near.size(); ++k) fmt::format_to(out, "1 {}\n", k);
    fmt::format_to(out, "POINT_DATA {}\nSCALARS id unsigned_int 1\nLOOKUP_TABLE default\n", near.size());
    for (const std::size_t i : near) fmt::format_to(out, "{}\n", id_of(snapshot, i));
    text += "SCALARS distance double 1\nLOOKUP_TABLE default\n";
    for (const double distance : distances) fmt::format_to(out, "{}\n", distance);
    for (const Column& column : snapshot.columns) {
        if (&column == &*position || column.name == id_column) continue;
        if (column.components == 1)
            fmt::format_to(out, "SCALARS {} {} 1\nLOOKUP_TABLE default\n", column.name, type_of(column.type));
        else if (column.components == 3) fmt::format_to(out, "VECTORS {} {}\n", column.name, type_of(column.type));
        else continue;
        write_rows(column);
    }
    replace_file(path, text);
}

}  // namespace halfulp
