#include "core/output/run_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

#include "core/error.hpp"
#include "core/output/checksum.hpp"
#include "core/output/hdf5_handles.hpp"
#include "core/output/run_files.hpp"

namespace halfulp {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t known_version = 1;

ColumnType column_type(hid_t dataset)
{
    const Hdf5Id type(H5Dget_type(dataset), H5Tclose);
    for (const ColumnType candidate :
         {ColumnType::float32, ColumnType::float64, ColumnType::int32, ColumnType::uint32, ColumnType::uint8})
        if (hdf5_check(H5Tequal(type, file_type(candidate))) > 0) return candidate;
    throw Hdf5Failure("a column has a type that no column has");
}

std::vector<hsize_t> extent_of(hid_t dataset)
{
    const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
    std::vector<hsize_t> extent(static_cast<std::size_t>(hdf5_check(H5Sget_simple_extent_ndims(space))));
    hdf5_check(H5Sget_simple_extent_dims(space, extent.data(), nullptr));
    return extent;
}

// Of an object that carries one; runs of before have none.
void check_checksum(hid_t object, const StateHash& checksum, const std::string& what)
{
    if (hdf5_check(H5Aexists(object, "checksum")) == 0) return;
    if (read_string_attribute(object, "checksum") != checksum.text())
        throw Hdf5Failure("the checksum of " + what + " differs: it is damaged");
}

// Nothing if only state columns are wanted and this is none.
std::optional<Column> read_column(hid_t group, const std::string& name, std::uint64_t count, RunReader::Columns wanted)
{
    const Hdf5Id dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    Column column;
    column.name = name;
    column.state = read_integer_attribute(dataset, "state") != 0;
    if (wanted == RunReader::Columns::state && !column.state) return std::nullopt;
    column.unit = read_string_attribute(dataset, "unit");
    column.description = read_string_attribute(dataset, "description");
    column.type = column_type(dataset);
    const std::vector<hsize_t> extent = extent_of(dataset);
    if (extent.empty() || extent.size() > 2 || extent[0] != count)
        throw Hdf5Failure(fmt::format("column {} does not have one entry a particle", name));
    column.components = extent.size() == 2 ? static_cast<int>(extent[1]) : 1;
    if (wanted == RunReader::Columns::described) return column;
    column.data.resize(count * static_cast<std::size_t>(column.components) * size_of(column.type));
    if (count > 0)
        hdf5_check(H5Dread(dataset, memory_type(column.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, column.data.data()));
    check_checksum(dataset, checksum_of(column), "column " + name);
    return column;
}

// A column that rows were appended to.
std::vector<double> read_growing_column(hid_t group, const std::string& name)
{
    const Hdf5Id dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    const std::vector<hsize_t> extent = extent_of(dataset);
    if (extent.size() != 1) throw Hdf5Failure(name + " is not one column");
    std::vector<double> values(extent[0]);
    if (!values.empty()) hdf5_check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
}

ProbeSeries read_probe(hid_t probes, const std::string& name)
{
    const Hdf5Id group(H5Gopen2(probes, name.c_str(), H5P_DEFAULT), H5Gclose);
    ProbeSeries series;
    series.name = name;
    series.filter = read_double_attribute(group, "filter_width");
    for (const std::string& key : attribute_names(group)) {
        if (key != "filter_width" && std::ranges::find(checksum_attributes, key) == checksum_attributes.end())
            series.description.emplace(key, read_string_attribute(group, key.c_str()));
    }
    std::size_t length = SIZE_MAX;
    for (const std::string& column : link_names(group, H5_INDEX_CRT_ORDER)) {
        const Hdf5Id dataset(H5Dopen2(group, column.c_str(), H5P_DEFAULT), H5Dclose);
        series.columns.push_back({column, read_string_attribute(dataset, "unit")});
        series.values.push_back(read_growing_column(group, column));
        length = std::min(length, series.values.back().size());
    }
    for (std::vector<double>& column : series.values) column.resize(length);
    return series;
}

StateHash parse_hash(const std::string& text)
{
    StateHash hash;
    for (std::size_t half = 0; half < 2; ++half) {
        const std::string digits = text.size() == 32 ? text.substr(16 * half, 16) : "";
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), hash.words[half], 16);
        if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size())
            throw Hdf5Failure("an output's hash is not 32 hexadecimal digits");
    }
    return hash;
}

}  // namespace

struct RunReader::File {
    fs::path path;
    Hdf5Id file;

    // Runs an action on the file; what HDF5 refuses becomes one sentence.
    template <class Action>
    auto reading(const std::string& what, const Action& action) const
    {
        const SilentHdf5 silent;
        try {
            return action();
        } catch (const Hdf5Failure& cause) {
            throw input_error(fmt::format("cannot read {} of {}: {}.", what, path.string(), cause.what()));
        }
    }

    // An output that is whole; nothing for one whose writing was interrupted.
    [[nodiscard]] std::optional<OutputInfo> info(hid_t outputs, const std::string& name) const
    {
        try {
            const Hdf5Id group(H5Gopen2(outputs, name.c_str(), H5P_DEFAULT), H5Gclose);
            if (read_integer_attribute(group, "complete") != 1) return std::nullopt;
            return OutputInfo{name, read_integer_attribute(group, "step"), read_double_attribute(group, "time"),
                              read_string_attribute(group, "hash")};
        } catch (const Hdf5Failure&) {
            return std::nullopt;
        }
    }
};

RunReader::RunReader(const fs::path& run) : file_(std::make_unique<File>())
{
    const SilentHdf5 silent;
    std::error_code error;
    fs::path& path = file_->path;
    path = fs::is_directory(run, error) ? run / "run.h5" : run;
    if (!fs::exists(path, error))
        throw input_error(path == run ? fmt::format("there is no run at {}.", run.string())
                                      : fmt::format("{} holds no run: it has no file run.h5.", run.string()));
    try {
        file_->file = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access()), H5Fclose};
    } catch (const Hdf5Failure& cause) {
        throw input_error(fmt::format("cannot open {}: {}.", path.string(), cause.what()));
    }
    std::string format;
    std::uint64_t version = 0;
    try {
        format = read_string_attribute(file_->file, "format");
        version = read_integer_attribute(file_->file, "format_version");
    } catch (const Hdf5Failure&) {
        format.clear();
    }
    if (format != "halfulp run")
        throw input_error(fmt::format("{} is an HDF5 file, but not a run of halfulp.", path.string()));
    if (version != known_version)
        throw input_error(fmt::format("{} is in version {} of the run format; this program reads version {}.",
                                      path.string(), version, known_version));
}

RunReader::~RunReader() = default;

std::vector<OutputInfo> RunReader::outputs() const
{
    return file_->reading("the outputs", [&] {
        const Hdf5Id group(H5Gopen2(file_->file, "outputs", H5P_DEFAULT), H5Gclose);
        std::vector<std::string> names = link_names(group, H5_INDEX_NAME);
        // From the millionth on a name has more digits.
        std::ranges::stable_sort(names, {}, &std::string::size);
        std::vector<OutputInfo> whole;
        for (const std::string& name : names)
            if (std::optional<OutputInfo> info = file_->info(group, name)) whole.push_back(std::move(*info));
        return whole;
    });
}

Snapshot RunReader::output(const OutputInfo& info, Columns columns) const
{
    return file_->reading("output " + info.name, [&] {
        const Hdf5Id group(H5Gopen2(file_->file, ("outputs/" + info.name).c_str(), H5P_DEFAULT), H5Gclose);
        Snapshot snapshot;
        snapshot.count = read_integer_attribute(group, "count");
        snapshot.step = info.step;
        snapshot.time = info.time;
        snapshot.hash = parse_hash(info.hash);
        for (const std::string& name : link_names(group, H5_INDEX_CRT_ORDER))
            if (std::optional<Column> column = read_column(group, name, snapshot.count, columns))
                snapshot.columns.push_back(std::move(*column));
        return snapshot;
    });
}

std::vector<LedgerRow> RunReader::ledger() const
{
    return file_->reading("the ledger", [&] {
        std::vector<std::vector<double>> values;
        std::size_t length = SIZE_MAX;
        for (const LedgerColumn& column : ledger_columns) {
            const std::string name = "ledger/" + std::string(column.name);
            values.push_back(read_growing_column(file_->file, name));
            length = std::min(length, values.back().size());
        }
        std::vector<LedgerRow> rows(length);
        for (std::size_t c = 0; c < values.size(); ++c)
            for (std::size_t r = 0; r < length; ++r) rows[r].*ledger_columns[c].member = values[c][r];
        return rows;
    });
}

std::vector<ProbeSeries> RunReader::probes() const
{
    return file_->reading("the probes", [&] {
        std::vector<ProbeSeries> series;
        if (hdf5_check(H5Lexists(file_->file, "probes", H5P_DEFAULT)) == 0) return series;
        const Hdf5Id all(H5Gopen2(file_->file, "probes", H5P_DEFAULT), H5Gclose);
        for (const std::string& name : link_names(all, H5_INDEX_CRT_ORDER)) series.push_back(read_probe(all, name));
        return series;
    });
}

KeptRun RunReader::beginning(const RunLength& length) const
{
    KeptRun kept{.dimensions = dimensions(), .outputs = {}, .ledger = ledger(), .probes = probes()};
    const std::vector<OutputInfo> all = outputs();
    const auto refuse_shorter = [&](const std::string& what, std::size_t has, std::uint64_t wanted) {
        if (has >= wanted) return;
        throw input_error(
            fmt::format("{} holds {} {} of the {} that there were at its checkpoint: it was changed or is "
                        "damaged; run the case anew.",
                        path().string(), has, what, wanted));
    };
    refuse_shorter("outputs", all.size(), length.outputs);
    refuse_shorter("rows of the ledger", kept.ledger.size(), length.ledger_rows);
    refuse_shorter("probes", kept.probes.size(), length.samples.size());
    for (std::size_t k = 0; k < length.outputs; ++k) kept.outputs.push_back(output(all[k], Columns::described));
    kept.ledger.resize(length.ledger_rows);
    for (std::size_t k = 0; k < kept.probes.size(); ++k) {
        ProbeSeries& probe = kept.probes[k];
        refuse_shorter("samples of probe " + probe.name, probe.time().size(), length.samples[k]);
        const auto filtered = [](const ProbeColumn& column) { return column.name.ends_with("_filtered"); };
        const auto measured = std::find_if(probe.columns.begin(), probe.columns.end(), filtered);
        probe.values.resize(static_cast<std::size_t>(measured - probe.columns.begin()));
        probe.columns.erase(measured, probe.columns.end());
        for (std::vector<double>& column : probe.values) column.resize(length.samples[k]);
    }
    return kept;
}

Provenance RunReader::provenance() const
{
    return file_->reading("the provenance", [&] {
        const Hdf5Id group(H5Gopen2(file_->file, "provenance", H5P_DEFAULT), H5Gclose);
        Provenance provenance;
        for (const std::string& name : attribute_names(group)) {
            if (name != "checksum") provenance.emplace(name, read_string_attribute(group, name.c_str()));
        }
        return provenance;
    });
}

std::string RunReader::case_given() const
{
    return file_->reading("the case", [&] { return read_string(file_->file, "case/given"); });
}

std::string RunReader::case_completed() const
{
    return file_->reading("the case", [&] { return read_string(file_->file, "case/completed"); });
}

int RunReader::dimensions() const
{
    return file_->reading("the dimensions",
                          [&] { return static_cast<int>(read_integer_attribute(file_->file, "dimensions")); });
}

const fs::path& RunReader::path() const { return file_->path; }

std::vector<std::string> RunReader::verify() const
{
    std::vector<std::string> damages;
    const auto look = [&](const std::string& what, const auto& action) {
        try {
            file_->reading(what, action);
        } catch (const Error& damage) {
            damages.emplace_back(damage.what());
        }
    };
    const auto group_named = [&](const std::string& name) {
        return Hdf5Id(H5Gopen2(file_->file, name.c_str(), H5P_DEFAULT), H5Gclose);
    };
    const auto check_table = [&](hid_t group, std::vector<std::vector<double>> columns) {
        std::array<std::uint64_t, checksum_attributes.size()> numbers{};
        for (std::size_t k = 0; k < numbers.size(); ++k)
            numbers[k] = read_integer_attribute(group, checksum_attributes[k]);
        for (std::vector<double>& column : columns) {
            if (column.size() < numbers[0]) throw Hdf5Failure("rows are missing");
            column.resize(numbers[0]);
        }
        TableChecksum checksum;
        checksum.append(columns);
        if (!(checksum.value() == StateHash{{numbers[1], numbers[2]}}))
            throw Hdf5Failure("the checksum of its rows differs: it is damaged");
    };

    bool has_checksums = true;
    look("the case", [&] {
        const Hdf5Id group = group_named("case");
        has_checksums = hdf5_check(H5Aexists(group, "checksum")) > 0;
        check_checksum(group, checksum_of(case_given(), case_completed()), "its text");
    });
    look("the provenance", [&] { check_checksum(group_named("provenance"), checksum_of(provenance()), "its texts"); });
    if (!has_checksums) return {fmt::format("{} was written by a version without checksums.", path().string())};
    look("the outputs", [&] {
        const std::vector<OutputInfo> all = outputs();
        const Hdf5Id group = group_named("outputs");
        const std::uint64_t count =
            hdf5_check(H5Aexists(group, "count")) > 0 ? read_integer_attribute(group, "count") : 0;
        for (std::uint64_t k = 0; k < count; ++k) {
            if (k >= all.size() || all[k].name != fmt::format("{:06}", k))
                throw Hdf5Failure(fmt::format("of {} that were written not all are there", count));
        }
        for (const OutputInfo& info : all) {
            look("output " + info.name, [&] {
                const Snapshot snapshot = output(info);
                check_checksum(group_named("outputs/" + info.name), checksum_of(snapshot), "its attributes");
            });
        }
    });
    look("the ledger", [&] { check_table(group_named("ledger"), columns_of(ledger())); });
    look("the probes", [&] {
        for (ProbeSeries& probe : probes()) {
            std::erase_if(probe.columns, [](const ProbeColumn& column) { return column.name.ends_with("_filtered"); });
            probe.values.resize(probe.columns.size());
            look("probe " + probe.name, [&] { check_table(group_named("probes/" + probe.name), probe.values); });
        }
    });
    return damages;
}

}  // namespace halfulp
