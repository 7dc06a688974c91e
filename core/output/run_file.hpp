// A run on disk: its files, writer and reader.
//
// RUN/run.h5: attributes format ("halfulp run"), format_version, dimensions (2 or 3)
//     /case/given, /case/completed (strings), /provenance (string attributes)
//     /inputs: a string attribute per file that the case names, "CHECKSUM FILE": its copy in RUN/inputs
//     /outputs/000000, ...: external links to RUN/outputs/000000.h5 (core/output/output_file.hpp); attribute columns:
//         name, type and components, a line each
//     /index/step, time, count, hash, checksum, bytes: one row per output; hash and checksum as two numbers
//     /ledger/<column> (one number per row, attribute unit)
//     /probes/<name>/<column> (likewise), attributes measures, formula, interval, filter, at and more, filter_width;
//         columns <column>_filtered at the end of the run
// RUN/run.xdmf for ParaView, RUN/outputs/vertices-COUNT.h5 for it; RUN/ledger.csv, RUN/probes/<name>.csv.
//
// An output is never changed once complete; run.h5, which is small, is rewritten under another name and replaces the
// old one: at any moment the run on disk is complete, up to the outputs that run.h5 lists. Outputs that follow each
// other faster than run.h5 can be rewritten are listed together. All of these HDF5 files are sealed
// (core/output/sealed_file.hpp).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/output/probe_series.hpp"
#include "core/output/run_folder.hpp"
#include "core/output/sealed_file.hpp"
#include "core/results/ledger_row.hpp"
#include "core/results/snapshot.hpp"
#include "core/setup/case.hpp"

namespace halfulp {

using Provenance = std::map<std::string, std::string>;

struct OutputInfo {
    std::string name;  // of its link and its file
    std::uint64_t step = 0;
    double time = 0;          // s
    std::uint64_t count = 0;  // rows
    std::string hash;
    Seal seal;
};

// A copy of a file that the case names (a mesh, a table).
struct KeptInput {
    std::string file;  // in RUN/inputs
    StateHash checksum;
};

// Everything that run.h5 holds.
struct RunContent {
    int dimensions = 2;
    std::string case_given;
    std::string case_completed;
    Provenance provenance;
    std::map<std::string, KeptInput> inputs;  // by name in the case
    std::vector<Column> columns;              // of the outputs, without data
    std::vector<OutputInfo> outputs;
    std::vector<std::vector<double>> ledger = std::vector<std::vector<double>>(ledger_columns.size());
    std::vector<ProbeSeries> probes;  // with filtered columns once the run has ended
    // Files of an earlier run in `probes` and `inputs`, from the folder, that are removed once this one has begun.
    std::vector<std::string> leftovers;
};

// The name of the table of a sweep, which lies in a folder that contains runs but is not that of a run; the beginning
// of the table; and whether a file is one, by its first line.
inline constexpr const char* sweep_table = "sweep.csv";
inline constexpr std::string_view sweep_table_beginning = "run,";
inline constexpr std::string_view sweep_table_behind_values = "end_state,state_hash,";
bool is_sweep_table(const std::filesystem::path& file);

// Whether the tables of the ledger and of probes are read, too. If not, probes have only their names.
enum class Tables { read, left };

// The checksum of a column's bytes, as an output has them.
struct ColumnChecksum {
    std::string name;
    StateHash checksum;
};

// The checksums of an output that nobody has written: of the columns of a source that `chosen` selects.
std::vector<ColumnChecksum> checksums_of_output(const SnapshotSource& source, const Case::Output& chosen);

// The written length of a run.
struct RunLength {
    std::uint64_t outputs = 0;
    std::uint64_t ledger_rows = 0;
    std::vector<std::uint64_t> samples;  // of each probe
};

// Several threads may write runs, one each, at a time.
class RunWriter {
public:
    // Holds the folder, if it exists, before long computations: a program that looked at it while this one replaces its
    // run would find parts of both. Returns none if there is no folder yet. Throws the Error of the constructor below
    // if the folder holds a run already and `overwrite` is not set, or a file that is not of a run where one would be
    // written.
    [[nodiscard]] static RunFolder hold(const std::filesystem::path& folder, bool overwrite);
    // Gives the copies of inputs their names in a run that was cut off before it did so itself.
    static void name_copies(const std::filesystem::path& folder, const RunContent& content);

    // Creates the files; probes are described, without samples. chosen: the part of an output to write.
    // inputs: the files that the case names, by name, which are copied. Throws an Error if there already is a run and
    // `overwrite` is not set, and if a file that is not of a run would be replaced.
    RunWriter(RunFolder folder, bool overwrite, int dimensions, const std::string& case_given,
              const std::string& case_completed, const Provenance& provenance,
              const std::vector<ProbeSeries>& probes = {}, const Case::Output& chosen = {},
              const std::map<std::string, std::filesystem::path>& inputs = {});
    // Continues the run in a folder up to `kept`; the rest of it is removed.
    RunWriter(RunFolder folder, RunContent kept, const Case::Output& chosen);
    ~RunWriter();
    RunWriter(const RunWriter&) = delete;
    RunWriter& operator=(const RunWriter&) = delete;

    // Each throws an Error naming the file and the cause if writing fails. Rows and samples enter the text files at
    // once, run.h5 with the next output, annotation or sync.
    void write_ledger(const std::vector<LedgerRow>& rows);
    // Samples of all probes, in order.
    void write_probes(const std::vector<ProbeSeries>& samples);
    // The output is on disk when this returns, and soon in run.h5: at once if it is one of the first hundred, or if
    // writing run.h5 takes little of the time.
    void write_output(const SnapshotSource& snapshot);
    // Whether it is time for a sync, since run.h5 lacks outputs.
    [[nodiscard]] bool due() const;
    // At the end: adds the filtered columns of probes that have a filter.
    void write_filtered_probes();
    [[nodiscard]] RunLength length() const;
    // The checksums of an output's columns as its file has them now. Throws an Error if the file is not as it was
    // written.
    [[nodiscard]] std::vector<ColumnChecksum> checksums_of_output(std::uint64_t output) const;
    // As that of RunReader.
    [[nodiscard]] std::string lost_output() const;
    [[nodiscard]] const std::filesystem::path& folder() const;  // by its handle
    [[nodiscard]] const RunFolder& handle() const;
    // When this returns, all written data are on disk, even if the machine then fails.
    void sync();
    // Adds or replaces entries of the provenance (wall time, end state).
    void annotate(const Provenance& provenance);

private:
    struct Files;
    std::unique_ptr<Files> files_;
};

// The folder of a run, given that folder or its run.h5. Throws an Error for another file.
std::filesystem::path folder_of_run(const std::filesystem::path& run);

class RunReader {
public:
    // run: the folder or the run.h5 in it. Throws an Error if it is not a run of halfulp or is damaged.
    explicit RunReader(const std::filesystem::path& run, Tables tables = Tables::read);

    [[nodiscard]] const RunContent& content() const { return content_; }
    [[nodiscard]] const std::vector<OutputInfo>& outputs() const { return content_.outputs; }
    [[nodiscard]] const std::vector<ProbeSeries>& probes() const { return content_.probes; }
    [[nodiscard]] const Provenance& provenance() const { return content_.provenance; }
    // An entry of the provenance; empty if there is none.
    [[nodiscard]] std::string entry(const std::string& key) const;
    // Whether the run came to its end, or to a breakdown.
    [[nodiscard]] bool has_ended() const;
    [[nodiscard]] std::vector<LedgerRow> ledger() const { return rows_of(content_.ledger); }
    enum class Columns { all, state };
    // Throws an Error if its file has changed since it was written.
    [[nodiscard]] Snapshot output(const OutputInfo& info, Columns columns = Columns::all) const;
    // Paths of the copied input files, by name in the case. Throws an Error if one has changed.
    [[nodiscard]] std::map<std::string, std::filesystem::path> inputs() const;
    // The first output that is not in the folder with its length and seal, as another program has removed or changed
    // it; empty without any.
    [[nodiscard]] std::string lost_output() const;
    // The run up to a given length, without filtered columns. Throws an Error if it is shorter.
    [[nodiscard]] RunContent beginning(const RunLength& length) const;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }  // of run.h5
    [[nodiscard]] std::filesystem::path folder() const;

private:
    std::filesystem::path path_;
    RunContent content_;
};

}  // namespace halfulp
