// A sweep: a case, the keys that are varied and their values, the runs with every combination of these, and how far
// each of them has come.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/app/case_options.hpp"
#include "core/output/run_file.hpp"
#include "core/output/run_folder.hpp"
#include "core/results/ledger_row.hpp"

namespace halfulp {

struct SweepArguments {
    CaseOptions source;
    std::vector<std::string> varied;
    std::string folder;
    std::optional<int> jobs;  // as many as cores without
    std::string backend = "cpu";
    std::optional<int> device;
    bool json = false;
    std::string command_line;
};

// A key and the values that it takes, as they are written in a case.
struct SweepAxis {
    std::string key;
    std::vector<std::string> values;
};

// How far a run has come.
struct StateOfMember {
    std::string text;  // "complete", "stopped: why", "interrupted", "failed: a file"; empty: not started
    std::string hash;  // of the last output
    std::string wall_seconds;
    std::optional<LedgerRow> last;
};

struct SweepMember {
    std::string name;                    // of its folder: "0000"
    std::vector<std::string> overrides;  // of the axes, in their order
    StateOfMember state;
    std::string failure;  // why it failed, unless its log says it
    bool resumed = false;
    bool alone = true;  // not in a batch
    bool done = false;
    bool of_other_sources = false;  // what there is of it was made by a program of other sources
};

struct Sweep {
    SweepArguments arguments;
    std::vector<SweepAxis> axes;
    std::filesystem::path folder;
    std::vector<SweepMember> members;  // every combination of the values, the last axis first

    // Throws an Error for an argument of --vary that is malformed.
    explicit Sweep(SweepArguments of);

    [[nodiscard]] bool on_device() const;
    [[nodiscard]] std::vector<std::string> overrides_of(const SweepMember& member) const;
    [[nodiscard]] Case case_of(const SweepMember& member) const;
    [[nodiscard]] std::filesystem::path folder_of(const SweepMember& member) const { return folder / member.name; }
    [[nodiscard]] std::filesystem::path log_of(const SweepMember& member) const;
    // The path under which a file of that name is written, by the folder's handle: another folder that has the name by
    // then is not touched.
    [[nodiscard]] std::filesystem::path held(const std::filesystem::path& file) const;
    [[nodiscard]] std::size_t count_done() const;

    // hold_if_there() locks the folder if it exists; hold() makes it first. Throws an Error if another sweep holds it,
    // or if a file that the sweep would write is there already and belongs to something else.
    void hold_if_there();
    void hold();
    // Throws an Error if the folder was moved away and its name no longer leads to it.
    void require_folder() const;

    // Reads the case of every run, and what exists of these runs already: runs that have ended are kept, others are
    // resumed. Throws the Error of the first run whose case is wrong or whose folder holds another run.
    void look_at_members();
    // Computes the initial state of every run that has not begun, with the progress on the terminal. Throws the Error
    // of the first that is refused for its shapes, periods or probes, with its values; what the machine lacks is left
    // to the run itself.
    void check_set_ups() const;
    // Marks a run that cannot be carried out as failed, with the reason in its log.
    void fail(SweepMember& member, const std::string& why) const;

private:
    void refuse_foreign() const;

    RunFolder held_;
};

StateOfMember state_of(const RunReader& reader);

// The state of a run that has failed; file: its log, or the output that it has lost.
std::string failed_text(const std::filesystem::path& file);

// sweep.csv, a row a run: its values, how it ended, and the last row of its ledger. It is there from the beginning, by
// which the folder of a sweep is known.
void write_table(const Sweep& sweep);

}  // namespace halfulp
