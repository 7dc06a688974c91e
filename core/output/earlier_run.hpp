// The files of an earlier run in the folder of a new or resumed run. Private to this folder.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/output/run_file.hpp"

namespace halfulp {

class EarlierRun {
public:
    // Examines the folder, before anything is written.
    explicit EarlierRun(const std::filesystem::path& folder);

    [[nodiscard]] bool any() const { return any_; }
    // Throws an Error if there is a link under a name that a run with this content writes, or that it removes with the
    // earlier run.
    void refuse_links(const RunContent& content) const;
    // The same for a file that no run has written. resumed: the checkpoints have been read before and are not checked.
    void refuse_foreign(const RunContent& content, bool resumed = false) const;
    // The earlier run's probes and inputs that a run with this content does not have, for RunContent::leftovers: if the
    // new run is killed before it has removed them, they are still known.
    [[nodiscard]] std::vector<std::string> leftovers(const RunContent& content) const;
    // Removes the earlier run's files except those that `content` lists. Other files in the folder are left alone.
    void remove_all_but(const RunContent& content) const;
    // Removes its run.xdmf and figures.
    void remove_pictures() const;

private:
    // Where a run with this content writes, and where files of the earlier one are.
    [[nodiscard]] std::set<std::filesystem::path> places_of(const RunContent& content) const;
    // Whether a file under a name that a run writes is one that halfulp wrote.
    [[nodiscard]] bool owns(const std::filesystem::path& file) const;

    std::filesystem::path folder_;
    bool any_;                                // whether there is an earlier run
    std::set<std::filesystem::path> listed_;  // its files except run.h5 and ledger.csv, if it can be read
    bool known_ = false;                      // whether it can
};

}  // namespace halfulp
