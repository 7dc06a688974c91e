// A run on disk: RUN/run.h5 with outputs, ledger and provenance; RUN/run.xdmf beside it for ParaView; RUN/ledger.csv.
//
// run.h5:  attributes format ("halfulp run"), format_version (1), dimensions (2 or 3)
//          /case/given, /case/completed (strings), /provenance (string attributes)
//          /outputs/000000/<column> (datasets, attributes unit, description, state),
//              attributes step, time, count, hash, checksum, complete (1; written last, a group without it is ignored)
//          /vertices/<count> (the numbers 0 to count - 1, for run.xdmf)
//          /probes/<name>/<column> (likewise), attributes measures, formula, interval, filter, at and more,
//          filter_width;
//              columns <column>_filtered at the end of the run; beside it RUN/probes/<name>.csv
//          /ledger/<column> (extendible 1-D datasets, attribute unit; after a crash the shortest column counts)
// HDF5's default file format, flushed after each output: what was written before a crash stays readable. The file is
// not locked, so it can be opened while the run goes on.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/output/ledger_row.hpp"
#include "core/output/probe_series.hpp"
#include "core/output/snapshot.hpp"

namespace halfulp {

using Provenance = std::map<std::string, std::string>;

// How much of a run is written.
struct RunLength {
    std::uint64_t outputs = 0;
    std::uint64_t ledger_rows = 0;
    std::vector<std::uint64_t> samples;  // of each probe
};

// What is kept of a run that is gone on with.
struct KeptRun {
    int dimensions = 2;
    std::vector<Snapshot> outputs;  // their columns without data
    std::vector<LedgerRow> ledger;
    std::vector<ProbeSeries> probes;  // without filtered columns
};

class RunWriter {
public:
    // Throws the Error of the constructor below for a folder that holds a run already: to be asked before much is
    // computed.
    static void refuse_existing(const std::filesystem::path& folder);

    // Creates the folder and the files; of probes, what they are, without samples. Throws an Error if a run is there
    // already and `overwrite` is not set.
    RunWriter(const std::filesystem::path& folder, bool overwrite, int dimensions, const std::string& case_given,
              const std::string& case_completed, const Provenance& provenance,
              const std::vector<ProbeSeries>& probes = {});
    // Goes on with the run in a folder, which holds at least what is kept; the rest of it is taken away.
    RunWriter(const std::filesystem::path& folder, const KeptRun& kept);
    ~RunWriter();
    RunWriter(const RunWriter&) = delete;
    RunWriter& operator=(const RunWriter&) = delete;

    // Each appends, flushes, and throws an Error naming the file and the cause when the disk refuses.
    void write_output(const Snapshot& snapshot);
    void write_ledger(const std::vector<LedgerRow>& rows);
    // Samples of all probes, in their order.
    void write_probes(const std::vector<ProbeSeries>& samples);
    // At the end: adds the filtered columns of probes that have a filter. `whole`: every sample that was written.
    void write_filtered_probes(const std::vector<ProbeSeries>& whole);
    [[nodiscard]] RunLength length() const;
    // What was written stands on the disk when this returns, also if the machine goes down.
    void sync();
    // Adds or replaces entries of the provenance (wall time, end state).
    void annotate(const Provenance& provenance);

private:
    struct Files;
    std::unique_ptr<Files> files_;
};

struct OutputInfo {
    std::string name;  // group name
    std::uint64_t step = 0;
    double time = 0;
    std::string hash;
};

// HDF5 shortens a file by room that it does not use before it writes where the file ends; a program that is killed in
// between leaves one that it then refuses to open. Gives such a file the length that it says it has. Only for a run
// that no program is writing.
void restore_length(const std::filesystem::path& run_file);

class RunReader {
public:
    // run: the folder or the .h5 file in it. Throws an Error if it is not a run of ours.
    explicit RunReader(const std::filesystem::path& run);
    ~RunReader();
    RunReader(const RunReader&) = delete;
    RunReader& operator=(const RunReader&) = delete;

    // The complete outputs, in the order they were written.
    [[nodiscard]] std::vector<OutputInfo> outputs() const;
    enum class Columns { all, state, described };  // described: all, without their data
    [[nodiscard]] Snapshot output(const OutputInfo& info, Columns columns = Columns::all) const;
    [[nodiscard]] std::vector<LedgerRow> ledger() const;
    // All probes in the order of the case, with their filtered columns if the run has ended.
    [[nodiscard]] std::vector<ProbeSeries> probes() const;
    // The beginning of the run up to a length. Throws an Error if it is shorter.
    [[nodiscard]] KeptRun beginning(const RunLength& length) const;
    // Reads everything and looks at its checksums: a sentence for each part that is damaged, or for a run that has
    // none.
    [[nodiscard]] std::vector<std::string> verify() const;
    [[nodiscard]] Provenance provenance() const;
    [[nodiscard]] std::string case_given() const;
    [[nodiscard]] std::string case_completed() const;
    [[nodiscard]] int dimensions() const;
    [[nodiscard]] const std::filesystem::path& path() const;  // of run.h5

private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace halfulp
