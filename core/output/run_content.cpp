#include "core/output/run_content.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/output/output_file.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_folder.hpp"
#include "core/output/sealed_hdf5.hpp"
#include "core/output/text_files.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

template <class Number>
std::vector<Number> read_numbers(hid_t group, const std::string& name, hid_t in_memory)
{
    const Hdf5Id dataset = open_dataset(group, name);
    const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
    std::vector<Number> numbers(static_cast<std::size_t>(hdf5_check(H5Sget_simple_extent_npoints(space))));
    if (!numbers.empty()) hdf5_check(H5Dread(dataset, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
    return numbers;
}

void write_column(Hdf5Object& group, const std::string& name, const std::string& unit,
                  const std::vector<double>& values)
{
    group.add_numbers(name, Hdf5Number::float64, {values.size()}, values.data()).add_attribute("unit", unit);
}

std::string text_of(const std::vector<Column>& columns)
{
    std::string text;
    for (const Column& column : columns)
        text += fmt::format("{} {} {}\n", column.name, type_name(column.type), column.components);
    return text;
}

std::vector<Column> columns_from(const std::string& text)
{
    std::vector<Column> columns;
    std::istringstream lines(text);
    Column column;
    std::string type;
    while (lines >> column.name >> type >> column.components) {
        const auto known = std::ranges::find(column_types, type, type_name);
        if (known == column_types.end()) throw Hdf5Failure("a column has a type that no column has");
        column.type = *known;
        require_known(column);
        columns.push_back(column);
    }
    return columns;
}

// One number of every output, in order.
template <class Get>
std::vector<std::uint64_t> gathered(const std::vector<OutputInfo>& outputs, const Get& get)
{
    std::vector<std::uint64_t> numbers;
    for (const OutputInfo& output : outputs) {
        for (const std::uint64_t number : get(output)) numbers.push_back(number);
    }
    return numbers;
}

using One = std::array<std::uint64_t, 1>;

void write_outputs(Hdf5Object& file, const RunContent& content)
{
    Hdf5Object& links = file.add_group("outputs");
    links.add_attribute("columns", text_of(content.columns));
    for (const OutputInfo& output : content.outputs) links.add_external_link(output.name, file_of({}, output).string());
    Hdf5Object& index = file.add_group("index");
    const auto write = [&](const char* name, std::uint64_t columns, const auto& get) {
        const std::vector<std::uint64_t> numbers = gathered(content.outputs, get);
        std::vector<std::uint64_t> extent{content.outputs.size()};
        if (columns > 1) extent.push_back(columns);
        index.add_numbers(name, Hdf5Number::uint64, extent, numbers.data());
    };
    write("step", 1, [](const OutputInfo& one) { return One{one.step}; });
    std::vector<double> times;
    for (const OutputInfo& output : content.outputs) times.push_back(output.time);
    write_column(index, "time", "s", times);
    write("count", 1, [](const OutputInfo& one) { return One{one.count}; });
    write("hash", 2, [](const OutputInfo& one) { return parse_hash(one.hash).value_or(StateHash{}).words; });
    write("checksum", 2, [](const OutputInfo& one) { return one.seal.checksum.words; });
    write("bytes", 1, [](const OutputInfo& one) { return One{one.seal.bytes}; });
}

void read_outputs(hid_t file, RunContent& content)
{
    content.columns = columns_from(read_string_attribute(open_group(file, "outputs"), "columns"));
    const Hdf5Id index = open_group(file, "index");
    const auto times = read_numbers<double>(index, "time", H5T_NATIVE_DOUBLE);
    const auto numbers = [&](const char* name, std::size_t columns) {
        auto read = read_numbers<std::uint64_t>(index, name, H5T_NATIVE_UINT64);
        if (read.size() != columns * times.size()) throw Hdf5Failure("the columns of its index differ in length");
        return read;
    };
    const auto steps = numbers("step", 1);
    const auto counts = numbers("count", 1);
    const auto hashes = numbers("hash", 2);
    const auto checksums = numbers("checksum", 2);
    const auto bytes = numbers("bytes", 1);
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (counts[k] > most_particles) throw Hdf5Failure("an output has more particles than there are ids");
        content.outputs.push_back({.name = fmt::format("{:06}", k),
                                   .step = steps[k],
                                   .time = times[k],
                                   .count = counts[k],
                                   .hash = StateHash{{hashes[2 * k], hashes[2 * k + 1]}}.text(),
                                   .seal = {bytes[k], {{checksums[2 * k], checksums[2 * k + 1]}}}});
    }
}

void write_probe(Hdf5Object& probes, const ProbeSeries& series)
{
    Hdf5Object& group = probes.add_group(series.name);
    for (const auto& [key, value] : series.description) group.add_attribute(key, value);
    group.add_attribute("filter_width", series.filter);
    for (std::size_t c = 0; c < series.columns.size(); ++c)
        write_column(group, series.columns[c].name, series.columns[c].unit, series.values[c]);
}

void require_equal_length(const std::vector<std::vector<double>>& columns)
{
    const auto other = [&](const std::vector<double>& column) { return column.size() != columns.front().size(); };
    if (std::ranges::any_of(columns, other)) throw Hdf5Failure("columns of a table differ in length");
}

ProbeSeries read_probe(hid_t probes, const std::string& name)
{
    const Hdf5Id group = open_group(probes, name.c_str());
    ProbeSeries series;
    series.name = name;
    series.filter = read_double_attribute(group, "filter_width");
    for (const std::string& key : attribute_names(group)) {
        if (key != "filter_width") series.description.emplace(key, read_string_attribute(group, key.c_str()));
    }
    for (const std::string& column : link_names(group, H5_INDEX_CRT_ORDER)) {
        const Hdf5Id dataset = open_dataset(group, column);
        series.columns.push_back({column, read_string_attribute(dataset, "unit")});
        series.values.push_back(read_numbers<double>(group, column, H5T_NATIVE_DOUBLE));
    }
    if (series.values.empty()) throw Hdf5Failure("a probe has no columns");
    require_equal_length(series.values);
    return series;
}

// In a folder.
bool is_file_name(std::string_view name)
{
    return !name.empty() && name != "." && name != ".." && name.find('/') == name.npos;
}

std::vector<std::string> read_leftovers(const Hdf5Id& file)
{
    std::vector<std::string> leftovers;
    if (hdf5_check(H5Aexists(file, "leftovers")) == 0) return leftovers;
    std::istringstream names(read_string_attribute(file, "leftovers"));
    for (std::string name; std::getline(names, name);) {
        const std::size_t slash = name.find('/') + 1;
        const std::string_view folder = std::string_view(name).substr(0, slash);
        if ((folder != "probes/" && folder != "inputs/") || !is_file_name(std::string_view(name).substr(slash)))
            throw Hdf5Failure("a file of the run before it has a name that leads out of the run's folder");
        leftovers.push_back(std::move(name));
    }
    return leftovers;
}

std::uint64_t bytes_of(const RunContent& content)
{
    std::uint64_t bytes = content.case_given.size() + content.case_completed.size();
    for (const auto& column : content.ledger) bytes += column.size() * sizeof(double);
    for (const ProbeSeries& series : content.probes) {
        for (const auto& column : series.values) bytes += column.size() * sizeof(double);
    }
    return bytes;
}

}  // namespace

void write_run_content(const fs::path& path, const RunContent& content)
{
    const Writing writing{.doing = "the run", .bytes = bytes_of(content), .reserve = true};
    write_sealed_hdf5(path, "run", writing, [&](Hdf5Object& file) {
        file.add_attribute("format", std::string("halfulp run"));
        file.add_attribute("format_version", run_format_version);
        file.add_attribute("dimensions", static_cast<std::uint64_t>(content.dimensions));
        if (!content.leftovers.empty())
            file.add_attribute("leftovers", fmt::format("{}", fmt::join(content.leftovers, "\n")));
        Hdf5Object& texts = file.add_group("case");
        texts.add_text("given", content.case_given);
        texts.add_text("completed", content.case_completed);
        Hdf5Object& provenance = file.add_group("provenance");
        for (const auto& [key, value] : content.provenance) provenance.add_attribute(key, value);
        Hdf5Object& inputs = file.add_group("inputs");
        for (const auto& [name, input] : content.inputs)
            inputs.add_attribute(name, input.checksum.text() + ' ' + input.file);
        write_outputs(file, content);
        Hdf5Object& ledger = file.add_group("ledger");
        for (std::size_t c = 0; c < ledger_columns.size(); ++c) {
            write_column(ledger, std::string(ledger_columns[c].name),
                         std::string(ledger_unit(ledger_columns[c], content.dimensions)), content.ledger[c]);
        }
        if (content.probes.empty()) return;
        Hdf5Object& probes = file.add_group("probes");
        for (const ProbeSeries& series : content.probes) write_probe(probes, series);
    });
}

RunContent read_run_content(const fs::path& path, Tables tables)
{
    const SilentHdf5 alone;
    const Hdf5Id file = open_sealed_hdf5(path, "run");
    return reading_hdf5("the run", path, [&] {
        RunContent content;
        const std::uint64_t dimensions = read_integer_attribute(file, "dimensions");
        if (dimensions != 2 && dimensions != 3) throw Hdf5Failure("it has neither 2 nor 3 dimensions");
        content.dimensions = static_cast<int>(dimensions);
        content.leftovers = read_leftovers(file);
        const Hdf5Id texts = open_group(file, "case");
        content.case_given = read_string(texts, "given");
        content.case_completed = read_string(texts, "completed");
        const Hdf5Id provenance = open_group(file, "provenance");
        for (const std::string& name : attribute_names(provenance))
            content.provenance.emplace(name, read_string_attribute(provenance, name.c_str()));
        const Hdf5Id inputs = open_group(file, "inputs");
        for (const std::string& name : attribute_names(inputs)) {
            const std::string text = read_string_attribute(inputs, name.c_str());
            const auto checksum = parse_hash(std::string_view(text).substr(0, text.find(' ')));
            if (!checksum) throw Hdf5Failure("the checksum of an input is not 32 hexadecimal digits");
            const std::string copy = text.substr(text.find(' ') + 1);
            if (!is_file_name(copy))
                throw Hdf5Failure("the copy of an input has a name that leads out of the run's folder");
            content.inputs[name] = {copy, *checksum};
        }
        read_outputs(file, content);
        const Hdf5Id ledger = open_group(file, "ledger");
        for (std::size_t c = 0; c < ledger_columns.size() && tables == Tables::read; ++c)
            content.ledger[c] = read_numbers<double>(ledger, std::string(ledger_columns[c].name), H5T_NATIVE_DOUBLE);
        require_equal_length(content.ledger);
        if (hdf5_check(H5Lexists(file, "probes", H5P_DEFAULT)) == 0) return content;
        const Hdf5Id probes = open_group(file, "probes");
        for (const std::string& name : link_names(probes, H5_INDEX_CRT_ORDER)) {
            if (tables == Tables::read) content.probes.push_back(read_probe(probes, name));
            else content.probes.push_back({.name = name, .columns = {}, .description = {}, .filter = 0, .values = {}});
        }
        return content;
    });
}

fs::path file_of(const fs::path& folder, const OutputInfo& output)
{
    return folder / "outputs" / (output.name + ".h5");
}

std::string lost_output(const fs::path& folder, const std::vector<OutputInfo>& outputs)
{
    for (const OutputInfo& output : outputs) {
        const fs::path file = file_of(folder, output);
        try {
            if (read_seal(file, "output") == output.seal) continue;
        } catch (const Error&) {  // missing, or of another length
        }
        return shown(file);
    }
    return {};
}

fs::path vertices_of(const fs::path& folder, std::uint64_t count)
{
    return folder / "outputs" / fmt::format("vertices-{}.h5", count);
}

fs::path table_of(const fs::path& folder, const ProbeSeries& series)
{
    return folder / "probes" / (series.name + ".csv");
}

fs::path copy_of(const fs::path& folder, const KeptInput& input) { return folder / "inputs" / input.file; }

fs::path partial_copy_of(const fs::path& folder, const KeptInput& input)
{
    return partial_name(copy_of(folder, input));
}

fs::path kept_copy(const fs::path& folder, const KeptInput& input)
{
    const fs::path partial = partial_copy_of(folder, input);
    try {
        if (checksum_of_file(partial) == input.checksum) return partial;
    } catch (const Error&) {  // there is none
    }
    fs::path path = copy_of(folder, input);
    if (checksum_of_file(path) == input.checksum) return path;
    throw input_error("{} is not the copy that its run has made: its checksum differs.", shown(path));
}

std::string ledger_heading(int dimensions)
{
    std::vector<std::pair<std::string_view, std::string_view>> columns;
    for (const LedgerColumn& column : ledger_columns)
        columns.emplace_back(column.name, ledger_unit(column, dimensions));
    return heading_line(columns);
}

std::string heading_of(const ProbeSeries& series)
{
    std::vector<std::pair<std::string_view, std::string_view>> columns;
    for (const ProbeColumn& column : series.columns) columns.emplace_back(column.name, column.unit);
    return heading_line(columns);
}

}  // namespace halfulp
