#include "core/output/operators_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/output/output_file.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/row_writer.hpp"
#include "core/output/run_content.hpp"
#include "core/output/sealed_hdf5.hpp"
#include "core/output/text_files.hpp"
#include "core/results/column_number.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

constexpr const char* kind = "operators";

fs::path table_beside(fs::path file) { return file.replace_extension(".csv"); }
fs::path scene_of(const fs::path& folder) { return folder / "operators.xdmf"; }

void make_folder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw output_error(fmt::format("cannot make the folder {}: {}.", shown(folder), error.message()));
}

double number_in(const Column& column, std::size_t index)
{
    switch (column.type) {
    case ColumnType::float32:
    case ColumnType::float64: return real_at(column, index);
    case ColumnType::int32: return number_at<std::int32_t>(column, index);
    case ColumnType::uint32: return number_at<std::uint32_t>(column, index);
    case ColumnType::uint8: return number_at<std::uint8_t>(column, index);
    }
    return 0;
}

}  // namespace

OperatorsWriter::OperatorsWriter(fs::path folder, bool overwrite, const RunReader& run,
                                 const std::vector<OutputInfo>& outputs, bool csv)
    : folder_(std::move(folder)), run_(fs::absolute(run.folder()).lexically_normal().string()), csv_(csv)
{
    content_.dimensions = run.content().dimensions;
    refuse_existing(overwrite, outputs);
    make_folder(folder_ / "outputs");
}

void OperatorsWriter::refuse_existing(bool overwrite, const std::vector<OutputInfo>& outputs) const
{
    std::error_code ignored;
    if (fs::exists(folder_ / "run.h5", ignored)) {
        throw output_error(fmt::format("{} is the folder of a run, whose files stay as they are; give another with -o.",
                                       shown(folder_)));
    }
    const auto check = [&](const fs::path& file, bool is_ours) {
        if (fs::symlink_status(file, ignored).type() == fs::file_type::not_found) return;
        if (!is_ours) {
            throw output_error(
                fmt::format("{} is not of `halfulp operators` and stays; give another folder with -o.", shown(file)));
        }
        if (!overwrite) {
            throw output_error(
                fmt::format("{} is there already; --overwrite replaces it, -o takes another folder.", shown(file)));
        }
    };
    // As write_xdmf begins (xdmf.cpp); other programs' scenes have other grids.
    constexpr std::string_view scene =
        "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n    <Grid Name=\"run\" GridType=\"Collection\"";
    check(scene_of(folder_), beginning_of(scene_of(folder_), scene.size()) == scene);
    for (const OutputInfo& output : outputs) {
        const fs::path file = file_of(folder_, output);
        const bool ours = is_sealed(file, kind);
        check(file, ours);
        // A table stands beside its file.
        if (csv_) check(table_beside(file), ours && fs::is_regular_file(table_beside(file), ignored));
    }
}

void OperatorsWriter::write(const OutputInfo& output, const Snapshot& columns)
{
    std::uint64_t bytes = 0;
    for (const Column& column : columns.columns) bytes += column.data.size();
    write_sealed_hdf5(file_of(folder_, output), kind,
                      {.doing = "operators of output " + output.name, .bytes = bytes, .reserve = true},
                      [&](Hdf5Object& file) {
                          for (const Column& column : columns.columns) {
                              RowWriter writer(file, column, columns.count, false);
                              writer.append(column.data.data(), columns.count);
                              writer.finish();
                          }
                          file.add_attribute("format", std::string("halfulp operators"));
                          file.add_attribute("step", output.step);
                          file.add_attribute("time", output.time);
                          file.add_attribute("count", columns.count);
                          file.add_attribute("hash", output.hash);
                          file.add_attribute("run", run_);
                      });
    if (csv_) write_table(output, columns);
    const fs::path vertices = vertices_of(folder_, columns.count);
    std::error_code ignored;
    if (!fs::exists(vertices, ignored)) write_vertices_file(vertices, columns.count);
    OutputInfo& written = content_.outputs.emplace_back(output);
    written.count = columns.count;
    content_.columns.clear();
    for (const Column& column : columns.columns) {
        content_.columns.push_back(
            {column.name, column.unit, column.description, column.type, column.components, column.state, {}});
    }
}

void OperatorsWriter::write_table(const OutputInfo& output, const Snapshot& columns) const
{
    std::vector<std::string> names;
    std::vector<std::string_view> units;
    std::vector<std::vector<double>> values;
    for (const Column& column : columns.columns) {
        const auto components = static_cast<std::size_t>(column.components);
        for (std::size_t c = 0; c < components; ++c) {
            names.push_back(components == 1 ? column.name : fmt::format("{}_{}", column.name, "xyz"[c]));
            units.push_back(column.unit);
            std::vector<double>& numbers = values.emplace_back(columns.count);
            for (std::size_t i = 0; i < columns.count; ++i) numbers[i] = number_in(column, i * components + c);
        }
    }
    std::vector<std::pair<std::string_view, std::string_view>> heading;
    for (std::size_t k = 0; k < names.size(); ++k) heading.emplace_back(names[k], units[k]);
    replace_file(table_beside(file_of(folder_, output)), heading_line(heading) + row_lines(values));
}

void OperatorsWriter::finish()
{
    const auto has_position = [](const Column& column) { return column.name == "position"; };
    if (std::ranges::any_of(content_.columns, has_position)) replace_file(scene_of(folder_), xdmf_text(content_));
    sync_folder(folder_ / "outputs");
    sync_folder(folder_);
}

}  // namespace halfulp
