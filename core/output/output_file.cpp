#include "core/output/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/output/checksum.hpp"
#include "core/output/hdf5_handles.hpp"
#include "core/output/row_writer.hpp"
#include "core/output/run_folder.hpp"
#include "core/output/sealed_hdf5.hpp"
#include "core/results/column_number.hpp"
#include "core/results/columns.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t piece = 1U << 19U;  // rows in memory at a time

// The rows of the particles to write; empty if all are.
std::optional<std::vector<std::uint32_t>> chosen_rows(const SnapshotSource& source, const Case::Output& chosen)
{
    const bool fluid_only = chosen.particles == Case::Output::Particles::fluid;
    if (!fluid_only && !chosen.within) return std::nullopt;
    const auto kinds =
        std::ranges::find(source.columns, "kind", [](const ColumnSource& one) { return one.column.name; });
    std::vector<std::uint32_t> rows;
    std::vector<std::byte> kind(piece);
    std::vector<double> place(3 * piece);
    for (std::uint64_t first = 0; first < source.count; first += piece) {
        const std::uint64_t count = std::min(piece, source.count - first);
        if (fluid_only) kinds->read(first, count, kind.data());
        if (chosen.within) source.place(first, count, place.data());
        for (std::uint64_t k = 0; k < count; ++k) {
            if (fluid_only && kind[k] != std::byte{0}) continue;
            // Non-finite positions are kept, as they show what went wrong.
            const auto outside = [&](std::size_t c) {
                return place[3 * k + c] < chosen.within->from[c] || place[3 * k + c] > chosen.within->to[c];
            };
            // In 2D both corners and all positions have 0 as their third coordinate.
            if (chosen.within && (outside(0) || outside(1) || outside(2))) continue;
            rows.push_back(static_cast<std::uint32_t>(first + k));
        }
    }
    return rows;
}

const std::byte* as_bytes(const std::vector<std::uint32_t>& numbers)
{
    return reinterpret_cast<const std::byte*>(numbers.data());
}

// The numbers of the chosen rows, which are ids.
class Ids {
public:
    explicit Ids(const std::vector<std::uint32_t>& ids) : ids_(ids) {}
    template <class Writer>
    void write_to(Writer& writer)
    {
        writer.append(as_bytes(ids_), ids_.size());
        writer.finish();
    }

private:
    const std::vector<std::uint32_t>& ids_;
};

bool rounded(const Column& column, const Case::Output& chosen)
{
    return chosen.precision == Case::Output::Precision::single && column.type == ColumnType::float64;
}

// All rows, or the `chosen` ones, in pieces; with double rounded to single precision if requested.
class WrittenRows {
public:
    WrittenRows(const ColumnSource& source, std::uint64_t count, const std::vector<std::uint32_t>* chosen, bool rounded)
        : source_(source), count_(count), chosen_(chosen), rounded_(rounded), width_(bytes_a_particle(source.column))
    {
    }

    // writer: a RowWriter, or what else takes rows.
    template <class Writer>
    void write_to(Writer& writer)
    {
        std::size_t next = 0;
        for (std::uint64_t first = 0; first < count_; first += piece) {
            std::uint64_t rows = std::min(piece, count_ - first);
            bytes_.resize(rows * width_);
            source_.read(first, rows, bytes_.data());
            if (chosen_ != nullptr) rows = keep_chosen(first, rows, next);
            if (rounded_) round(rows);
            writer.append(bytes_.data(), rows);
        }
        writer.finish();
    }

private:
    std::uint64_t keep_chosen(std::uint64_t first, std::uint64_t rows, std::size_t& next)
    {
        std::uint64_t kept = 0;
        for (; next < chosen_->size() && (*chosen_)[next] < first + rows; ++next, ++kept)
            std::memmove(bytes_.data() + kept * width_, bytes_.data() + ((*chosen_)[next] - first) * width_, width_);
        return kept;
    }
    void round(std::uint64_t rows)
    {
        for (std::size_t k = 0; k < rows * width_ / sizeof(double); ++k) {
            double wide = 0;
            std::memcpy(&wide, bytes_.data() + k * sizeof wide, sizeof wide);
            const auto narrow = static_cast<float>(wide);
            std::memcpy(bytes_.data() + k * sizeof narrow, &narrow, sizeof narrow);
        }
    }

    const ColumnSource& source_;
    std::uint64_t count_;
    const std::vector<std::uint32_t>* chosen_;
    bool rounded_;
    std::size_t width_;
    std::vector<std::byte> bytes_;
};

// The selection of a source's data to write.
struct Choice {
    std::optional<std::vector<std::uint32_t>> chosen;
    std::uint64_t rows = 0;
    bool whole_state = true;
    bool adds_ids = false;  // whether rows need a column of ids
    std::vector<const ColumnSource*> sources;
    std::vector<Column> columns;  // as written, after the ids

    Choice(const SnapshotSource& source, const Case::Output& output) : chosen(chosen_rows(source, output))
    {
        rows = chosen ? chosen->size() : source.count;
        whole_state = !chosen;
        adds_ids = chosen && (source.columns.empty() || source.columns.front().column.name != id_column);
        if (adds_ids) columns.push_back({id_column, "1", "of the particle", ColumnType::uint32, 1, false, {}});
        for (const ColumnSource& one : source.columns) {
            const auto& names = output.columns;
            if (!names.empty() && one.column.name != id_column &&
                std::ranges::find(names, one.column.name) == names.end()) {
                whole_state = whole_state && !one.column.state;
                continue;
            }
            sources.push_back(&one);
            Column& column = columns.emplace_back(one.column);
            if (!rounded(column, output)) continue;
            column.type = ColumnType::float32;
            whole_state = whole_state && !column.state;
            column.state = false;
        }
    }
    [[nodiscard]] std::uint64_t bytes() const
    {
        std::uint64_t sum = 0;
        for (const Column& column : columns) sum += rows * bytes_a_particle(column);
        return sum;
    }
};

// In place of a RowWriter.
class RowChecksum {
public:
    explicit RowChecksum(const Column& column) : width_(bytes_a_particle(column)) {}
    void append(const std::byte* data, std::uint64_t rows) { checksum_.absorb(data, rows * width_); }
    void finish() const {}
    [[nodiscard]] StateHash value() const { return checksum_.value(); }

private:
    std::size_t width_;
    Checksum checksum_;
};

// Calls write(column, rows) for each column, in order: rows.write_to(writer) writes it.
template <class Write>
void for_each_column(const SnapshotSource& source, const Choice& choice, const Case::Output& chosen, const Write& write)
{
    std::size_t k = 0;
    if (choice.adds_ids) write(choice.columns[k++], Ids(*choice.chosen));
    for (const ColumnSource* one : choice.sources) {
        write(choice.columns[k++],
              WrittenRows(*one, source.count, choice.chosen ? &*choice.chosen : nullptr, rounded(one->column, chosen)));
    }
}

// As any precision policy has it: real numbers in either precision.
struct AnyPolicy {
    using Real = double;
};
template <class Known>
bool is_it(const Column& column)
{
    using Value = typename Known::template Value<AnyPolicy>;
    const bool real = column.type == ColumnType::float32 || column.type == ColumnType::float64;
    const bool same_type = std::is_floating_point_v<Value>        ? real
                           : std::is_same_v<Value, std::uint8_t>  ? column.type == ColumnType::uint8
                           : std::is_same_v<Value, std::uint32_t> ? column.type == ColumnType::uint32
                                                                  : column.type == ColumnType::int32;
    return column.name == Known::name && column.components == Known::components && same_type;
}

template <class... Known>
bool is_one_of(ColumnList<Known...> /*list*/, const Column& column)
{
    return (is_it<Known>(column) || ...);
}

// Rows ascend by id, which are below 2^31.
void check_ids(const Snapshot& snapshot)
{
    if (find_column(snapshot, id_column) == nullptr) return;
    for (std::uint64_t row = 0; row < snapshot.count; ++row) {
        const std::uint32_t id = id_of(snapshot, row);
        if (id >= most_particles || (row > 0 && id <= id_of(snapshot, row - 1)))
            throw Hdf5Failure("its ids are not ascending numbers below 2^31");
    }
}

ColumnType column_type(hid_t dataset)
{
    const Hdf5Id type(H5Dget_type(dataset), H5Tclose);
    for (const ColumnType candidate : column_types)
        if (hdf5_check(H5Tequal(type, number_type(candidate))) > 0) return candidate;
    throw Hdf5Failure("a column has a type that halfulp does not know");
}

// Empty if only state columns are wanted and this is not one.
std::optional<Column> read_column(hid_t file, const std::string& name, std::uint64_t count, RunReader::Columns wanted)
{
    const Hdf5Id dataset = open_dataset(file, name);
    Column column;
    column.name = name;
    column.state = read_integer_attribute(dataset, "state") != 0;
    if (wanted == RunReader::Columns::state && !column.state && name != id_column) return std::nullopt;
    column.unit = read_string_attribute(dataset, "unit");
    column.description = read_string_attribute(dataset, "description");
    column.type = column_type(dataset);
    const std::vector<hsize_t> extent = extent_of(dataset);
    if (extent.empty() || extent.size() > 2 || extent[0] != count)
        throw Hdf5Failure(fmt::format("column {} does not have one entry a particle", name));
    column.components = extent.size() == 2 ? static_cast<int>(std::min<hsize_t>(extent[1], 9)) : 1;
    require_known(column);
    column.data.resize(count * bytes_a_particle(column));
    if (count > 0)
        hdf5_check(H5Dread(dataset, number_type(column.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, column.data.data()));
    return column;
}

void refuse_other(const fs::path& path, const Seal& seal, const OutputInfo& info)
{
    if (seal == info.seal) return;
    throw input_error("{} is not the output that its run lists: another run wrote it.", shown(path));
}

}  // namespace

void require_known(const Column& column)
{
    if (is_it<column::Id>(column) || is_one_of(AllColumns{}, column) || is_one_of(ColumnsOnRequest{}, column)) return;
    throw Hdf5Failure(fmt::format("no output has a column \"{}\" of {} {}", shortened(column.name), column.components,
                                  type_name(column.type)));
}

WrittenOutput write_output_file(const fs::path& path, const SnapshotSource& source, const Case::Output& chosen,
                                const std::string& doing)
{
    const Choice choice(source, chosen);
    const bool compressed = chosen.compression == Case::Output::Compression::deflate;
    WrittenOutput written{.info = {.name = {},
                                   .step = source.step,
                                   .time = source.time,
                                   .count = choice.rows,
                                   .hash = source.hash.text(),
                                   .seal = {}},
                          .columns = choice.columns};
    written.info.seal = write_sealed_hdf5(
        path, "output", {.doing = doing, .bytes = choice.bytes(), .reserve = !compressed}, [&](Hdf5Object& file) {
            for_each_column(source, choice, chosen, [&](const Column& column, auto rows) {
                RowWriter writer(file, column, choice.rows, compressed);
                rows.write_to(writer);
            });
            file.add_attribute("format", std::string("halfulp output"));
            file.add_attribute("step", source.step);
            file.add_attribute("time", source.time);
            file.add_attribute("count", choice.rows);
            file.add_attribute("particles", source.count);
            file.add_attribute("hash", written.info.hash);
            file.add_attribute("whole_state", std::uint64_t{choice.whole_state});
        });
    return written;
}

std::vector<ColumnChecksum> checksums_of_output(const SnapshotSource& source, const Case::Output& chosen)
{
    std::vector<ColumnChecksum> all;
    for_each_column(source, Choice(source, chosen), chosen, [&](const Column& column, auto rows) {
        RowChecksum checksum(column);
        rows.write_to(checksum);
        all.push_back({column.name, checksum.value()});
    });
    return all;
}

void check_output(const fs::path& path, const OutputInfo& info)
{
    refuse_other(path, check_seal(path, "output"), info);
}

Snapshot read_output_file(const fs::path& path, const OutputInfo& info, RunReader::Columns wanted)
{
    const SilentHdf5 alone;
    Seal seal;
    const Hdf5Id file = open_sealed_hdf5(path, "output", &seal);
    refuse_other(path, seal, info);
    return reading_hdf5("output " + info.name, path, [&] {
        Snapshot snapshot;
        snapshot.count = info.count;
        snapshot.step = info.step;
        snapshot.time = info.time;
        snapshot.hash = parse_hash(info.hash).value_or(StateHash{});
        snapshot.whole_state = read_integer_attribute(file, "whole_state") != 0;
        for (const std::string& name : link_names(file, H5_INDEX_CRT_ORDER)) {
            if (std::optional<Column> column = read_column(file, name, info.count, wanted))
                snapshot.columns.push_back(std::move(*column));
        }
        if (snapshot.columns.empty() && (snapshot.whole_state || wanted == RunReader::Columns::all))
            throw Hdf5Failure("it has no columns");
        check_ids(snapshot);
        return snapshot;
    });
}

void write_vertices_file(const fs::path& path, std::uint64_t count)
{
    const Column column{"vertices", "1", "0 to count - 1", ColumnType::uint32, 1, false, {}};
    write_sealed_hdf5(path, "vertices", {.doing = "the list of vertices"}, [&](Hdf5Object& file) {
        RowWriter writer(file, column, count, true);
        std::vector<std::uint32_t> numbers;
        for (std::uint64_t first = 0; first < count; first += piece) {
            numbers.resize(std::min(piece, count - first));
            std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(first));
            writer.append(as_bytes(numbers), numbers.size());
        }
        writer.finish();
    });
}

}  // namespace halfulp
