// Going on with a run: what was written after its last checkpoint is taken away, so that it is not written twice.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include "core/output/run_files.hpp"

namespace halfulp {

namespace {

std::uint64_t number_of(const std::string& name)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size())
        throw Hdf5Failure(fmt::format("\"{}\" is no number", name));
    return number;
}

Hdf5Id open_group(hid_t parent, const char* name) { return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose}; }

// A growing column, cut to a length.
Hdf5Id open_column(hid_t group, const std::string& name, hsize_t length)
{
    Hdf5Id dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    hdf5_check(H5Dset_extent(dataset, &length));
    return dataset;
}

}  // namespace

void restore_length(const std::filesystem::path& run_file)
{
    // Of a superblock of version 0 with offsets of 8 bytes, which create_file writes: its signature, and where the end
    // of the file is kept.
    constexpr std::string_view beginning("\x89HDF\r\n\x1a\n\0", 9);
    constexpr std::size_t end_at = 40;
    std::array<char, end_at + sizeof(std::uint64_t)> head{};
    std::ifstream(run_file, std::ios::binary).read(head.data(), head.size());
    if (std::string_view(head.data(), beginning.size()) != beginning || head[13] != 8) return;
    std::uint64_t end = 0;
    std::memcpy(&end, head.data() + end_at, sizeof end);
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(run_file, error);
    constexpr std::uint64_t most = 1U << 20U;  // more is not room that was given back
    if (!error && size < end && end - size < most) std::filesystem::resize_file(run_file, end, error);
}

void RunWriter::Files::reopen(const KeptRun& kept)
{
    file = {H5Fopen(path.c_str(), H5F_ACC_RDWR, file_access()), H5Fclose};
    know_descriptor();
    // A flush may write where the file will end before it is that long: a kill in between must not find it cut short.
    reserve("the run that is resumed", 0);
    // What is taken away below must not lie at the end: HDF5 shortens a file before it writes where it ends.
    const Hdf5Id at_the_end(H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    outputs = open_group(file, "outputs");
    provenance = open_group(file, "provenance");
    vertices = open_group(file, "vertices");
    for (const std::string& name : link_names(outputs, H5_INDEX_NAME)) {
        if (number_of(name) >= kept.outputs.size()) hdf5_check(H5Ldelete(outputs, name.c_str(), H5P_DEFAULT));
    }
    replace_attribute(outputs, "count", kept.outputs.size());
    for (const std::string& count : link_names(vertices, H5_INDEX_NAME)) vertex_counts.insert(number_of(count));
    ledger_group = open_group(file, "ledger");
    ledger_length = kept.ledger.size();
    for (const LedgerColumn& column : ledger_columns)
        ledger.push_back(open_column(ledger_group, std::string(column.name), ledger_length));
    ledger_checksum.append(columns_of(kept.ledger));
    ledger_checksum.write(ledger_group, ledger_length);
    if (!kept.probes.empty()) {
        const Hdf5Id all = open_group(file, "probes");
        for (const ProbeSeries& series : kept.probes) {
            ProbeFiles& probe = probes.emplace_back();
            probe.group = open_group(all, series.name.c_str());
            probe.length = series.time().size();
            for (const std::string& name : link_names(probe.group, H5_INDEX_NAME)) {
                if (name.ends_with("_filtered")) hdf5_check(H5Ldelete(probe.group, name.c_str(), H5P_DEFAULT));
            }
            for (const ProbeColumn& column : series.columns)
                probe.columns.push_back(open_column(probe.group, column.name, probe.length));
            probe.checksum.append(series.values);
            probe.checksum.write(probe.group, probe.length);
        }
    }
    flush();
    settle();
}

}  // namespace halfulp
