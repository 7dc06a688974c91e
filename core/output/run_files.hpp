// What a RunWriter holds while a run is written, and the pieces its parts share. Private to this folder.
#pragma once

#include "core/output/run_file.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/output/checksum.hpp"
#include "core/output/hdf5_handles.hpp"
#include "core/output/text_files.hpp"
#include "core/output/xdmf.hpp"

namespace halfulp {

// An empty column that rows are appended to.
Hdf5Id create_growing_column(hid_t group, const std::string& name, const std::string& unit);

void append_values(hid_t dataset, hsize_t length, const std::vector<double>& values);

void put_provenance(hid_t group, const Provenance& provenance);

std::string ledger_heading(int dimensions);

// The rows as columns, in the order of the ledger.
std::vector<std::vector<double>> columns_of(const std::vector<LedgerRow>& rows);

std::string heading_of(const ProbeSeries& series);

// What an earlier run has left.
void remove_files(const std::filesystem::path& folder, const std::string& beginning, const std::string& ending);

// Room for so many more rows of so many columns: whole chunks.
std::uint64_t bytes_of_rows(std::size_t rows, std::size_t columns);

// Of a table's group: how many rows the checksum covers, and its halves.
inline constexpr std::array checksum_attributes{"checked_rows", "checksum_first", "checksum_second"};

// The checksum of a table that grows, row by row, beside the number of rows that it covers.
class TableChecksum {
public:
    void append(const std::vector<std::vector<double>>& columns);
    // As attributes of the table's group.
    void write(hid_t group, std::uint64_t rows) const;
    [[nodiscard]] StateHash value() const { return checksum_.value(); }

private:
    Checksum checksum_;
};

// A probe's group and what it grows by.
struct ProbeFiles {
    Hdf5Id group;
    TableChecksum checksum;
    std::vector<Hdf5Id> columns;
    hsize_t length = 0;
    TextTable text;
};

// Held while a run is written, so that two programs never write into one folder.
class FolderLock {
public:
    FolderLock() = default;
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    // Throws an Error if another program holds it. A file system that has no locks is taken as free.
    void take(const std::filesystem::path& folder);

private:
    int descriptor_ = -1;
};

struct RunWriter::Files {
    FolderLock lock;
    std::filesystem::path folder;
    std::filesystem::path path;              // run.h5
    Hdf5Id file;                             // closed last
    int descriptor = -1;                     // HDF5's own of that file
    std::array<std::byte, 96> superblock{};  // version 0, with offsets of 8 bytes
    bool superblock_known = false;
    Hdf5Id outputs;
    Hdf5Id provenance;
    Hdf5Id vertices;
    std::set<std::uint64_t> vertex_counts;  // those that /vertices has
    std::vector<Hdf5Id> ledger;
    Hdf5Id ledger_group;
    TableChecksum ledger_checksum;
    TextTable ledger_text;
    std::vector<ProbeFiles> probes;
    XdmfSeries xdmf{"run.h5"};
    std::uint64_t output_count = 0;
    hsize_t ledger_length = 0;
    std::string failure;  // the sentence of the failure that made the file unusable

    // Runs an action on the HDF5 file. What it throws becomes one sentence, and the file is abandoned as it is on disk.
    void on_file(const std::string& doing, const std::function<void()>& action);

    [[nodiscard]] off_t length() const;

    // Has the file system set aside room for `bytes` more, or throws with the file unharmed. A file system that cannot
    // promise room is taken at its word later, when the data are written.
    void reserve(const std::string& doing, std::uint64_t bytes) const;

    [[nodiscard]] std::filesystem::path table_of(const ProbeSeries& series) const;

    // Throws an Error naming what cannot be written.
    void begin_tables(const std::vector<ProbeSeries>& series);

    void flush() const { hdf5_check(H5Fflush(file, H5F_SCOPE_GLOBAL)); }

    // After a good flush: gives back what was set aside and not used, and keeps a copy of the superblock.
    void settle();

    // The file, once it is open for writing: what HDF5 calls it.
    void know_descriptor();

    void create(const std::filesystem::path& fresh, int dimensions, const std::string& case_given,
                const std::string& case_completed, const Provenance& entries, const std::vector<ProbeSeries>& series);

    // Opens run.h5 and takes away what goes beyond `kept`.
    void reopen(const KeptRun& kept);
};

}  // namespace halfulp
