#include "core/output/operators_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
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

constexpr const char* operators_kind = "operators";

// As write_xdmf begins (xdmf.cpp); other programs' scenes have other grids.
constexpr std::string_view scene_beginning =
    "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n    <Grid Name=\"run\" GridType=\"Collection\"";

fs::path table_beside(fs::path file) { return file.replace_extension(".csv"); }
fs::path scene_of(const fs::path& folder) { return folder / "operators.xdmf"; }

// Whether a file begins with a heading as tables of operators have it; one that was cut off may have a part of it.
bool begins_a_table(const fs::path& file, bool cut_off)
{
    constexpr std::size_t longest_heading = 4096;
    const std::string text = beginning_of(file, longest_heading);
    if (cut_off && is_begun(file, "position_x[")) return true;
    const std::size_t name = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_");
    if (name == 0 || name == text.npos || text[name] != '[') return false;
    return cut_off || text.substr(0, text.find('\n')).find("_gradient_x[") != text.npos;
}

// A folder that is in no folder of a run, at any depth: asked before it is made.
const fs::path& outside_runs(const fs::path& folder)
{
    std::error_code unknown;
    const fs::path place = fs::weakly_canonical(fs::absolute(folder), unknown);
    for (fs::path above = place; above != above.parent_path();) {
        above = above.parent_path();
        if (!is_sealed(above / "run.h5", "run")) continue;
        throw output_error("{} is in {}, the folder of a run, whose files stay as they are; give another with -o.",
                           folder.string(), shown(above));
    }
    return folder;
}

}  // namespace

OperatorsWriter::OperatorsWriter(const fs::path& folder, bool overwrite, const RunReader& run,
                                 const std::vector<OutputInfo>& outputs, bool csv)
    : held_(outside_runs(folder)), run_(fs::absolute(run.folder()).lexically_normal().string()), csv_(csv),
      overwrite_(overwrite)
{
    content_.dimensions = run.content().dimensions;
    refuse_existing(overwrite, outputs);
}

void OperatorsWriter::refuse_existing(bool overwrite, const std::vector<OutputInfo>& outputs) const
{
    std::error_code ignored;
    const fs::path folder = held_.path();
    if (fs::exists(folder / "run.h5", ignored)) {
        throw output_error("{} is the folder of a run, whose files stay as they are; give another with -o.",
                           shown(folder));
    }
    const auto is_there = [&](const fs::path& file) {
        return fs::symlink_status(file, ignored).type() != fs::file_type::not_found;
    };
    const auto require_ours = [](const fs::path& file, bool is_ours) {
        if (is_ours) return;
        throw output_error("{} is not of `halfulp operators` and stays; give another folder with -o.", shown(file));
    };
    // Its beginning by a program that was killed, too, under the name that is cleared before it is written.
    const auto check_partial = [&](const fs::path& file, bool is_begun_by_us) {
        const fs::path fresh = partial_name(file);
        for (const fs::path& one : {file, fresh}) {
            if (fs::is_symlink(one, ignored)) throw is_a_link(one);
        }
        if (is_there(fresh)) require_ours(fresh, is_begun_by_us);
    };
    const auto check = [&](const fs::path& file, bool is_ours, bool is_begun_by_us) {
        check_partial(file, is_begun_by_us);
        if (!is_there(file)) return;
        require_ours(file, is_ours);
        if (!overwrite) {
            throw output_error("{} is there already; --overwrite replaces it, -o takes another folder.", shown(file));
        }
    };
    const auto fresh_begins = [](const fs::path& file, std::string_view whole) {
        const fs::path fresh = partial_name(file);
        std::error_code none;
        return fs::is_regular_file(fresh, none) && is_begun(fresh, whole);
    };
    const fs::path scene = scene_of(folder);
    check(scene, beginning_of(scene, scene_beginning.size()) == scene_beginning, fresh_begins(scene, scene_beginning));
    for (const OutputInfo& output : outputs) {
        const fs::path file = file_of(folder, output);
        check(file, is_sealed(file, operators_kind), fresh_begins(file, "halfulp "));
        const fs::path vertices = vertices_of(folder, output.count);
        check_partial(vertices, fresh_begins(vertices, "halfulp "));
        if (is_there(vertices)) require_ours(vertices, is_sealed(vertices, "vertices"));
        if (!csv_) continue;
        const fs::path table = table_beside(file);
        check(table, begins_a_table(table, false),
              fresh_begins(table, "") && begins_a_table(partial_name(table), true));
    }
}

fs::path OperatorsWriter::place_of(const OutputInfo& output) const { return outputs_->place_of(file_of({}, output)); }

void OperatorsWriter::write(const OutputInfo& output, const Snapshot& columns)
{
    if (!outputs_) outputs_ = InnerFolder(held_.path(), "outputs");
    std::uint64_t bytes = 0;
    for (const Column& column : columns.columns) bytes += column.data.size();
    write_sealed_hdf5(place_of(output), operators_kind,
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
    const fs::path vertices = outputs_->place_of(vertices_of({}, columns.count));
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
    std::vector<std::string> units;
    std::vector<std::vector<double>> values;
    for (const Column& column : columns.columns) {
        const auto components = static_cast<std::size_t>(column.components);
        for (std::size_t c = 0; c < components; ++c) {
            names.push_back(components == 1 ? column.name : fmt::format("{}_{}", column.name, "xyz"[c]));
            std::string& unit = units.emplace_back(shortened(one_line(column.unit)));  // a file may hold anything
            std::ranges::replace(unit, ',', ';');
            std::vector<double>& numbers = values.emplace_back(columns.count);
            for (std::size_t i = 0; i < columns.count; ++i) numbers[i] = number_at(column, i * components + c);
        }
    }
    std::vector<std::pair<std::string_view, std::string_view>> heading;
    for (std::size_t k = 0; k < names.size(); ++k) heading.emplace_back(names[k], units[k]);
    replace_file(table_beside(place_of(output)), heading_line(heading) + row_lines(values));
}

// Of outputs that this one is not of, perhaps of another field.
void OperatorsWriter::remove_earlier() const
{
    std::set<fs::path> own;
    for (const OutputInfo& output : content_.outputs) {
        own.insert(file_of({}, output).filename());
        if (csv_) own.insert(table_beside(file_of({}, output)).filename());
    }
    std::vector<fs::path> others;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(outputs_->place_of("."), ignored)) {
        const fs::path file = outputs_->place_of(entry.path());
        if (own.contains(file.filename()) || entry.is_symlink(ignored)) continue;
        const bool is_table = file.extension() == ".csv" && begins_a_table(file, false);
        if (is_table || (file.extension() == ".h5" && is_sealed(file, operators_kind))) others.push_back(file);
    }
    for (const fs::path& file : others) fs::remove(file, ignored);
}

void OperatorsWriter::finish()
{
    const auto has_position = [](const Column& column) { return column.name == "position"; };
    if (std::ranges::any_of(content_.columns, has_position)) replace_file(scene_of(held_.path()), xdmf_text(content_));
    if (overwrite_) remove_earlier();
    sync_folder(outputs_->place_of("."));
    sync_folder(held_.path());
}

}  // namespace halfulp
