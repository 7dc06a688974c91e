// The files of an earlier run in the folder of a new or resumed run. Private to this folder.
#pragma once

#include <filesystem>
#include <set>

#include "core/output/run_file.hpp"

namespace halfulp {

class EarlierRun {
public:
    // Examines the folder, before anything is written.
    explicit EarlierRun(const std::filesystem::path& folder);

    [[nodiscard]] bool any() const { return any_; }
    // Throws an Error if a file that is not of a run, or a link, has a name under which one with this content writes,
    // or of which it removes the earlier run's. A resumed one has read its checkpoints before.
    void refuse_foreign(const RunContent& content, bool resumed = false) const;
    // Removes the earlier run's files except those that `content` lists. Other files in the folder are left alone.
    void remove_all_but(const RunContent& content) const;
    // Removes its run.xdmf, breakdown.vtk and figures.
    void remove_pictures() const;

private:
    // Whether a file under a name that a run writes is one that halfulp wrote.
    [[nodiscard]] bool owns(const std::filesystem::path& file) const;

    std::filesystem::path folder_;
    bool any_;                                // whether there is an earlier run
    std::set<std::filesystem::path> listed_;  // its files except run.h5 and ledger.csv, if it can be read
    bool known_ = false;                      // whether it can
};

}  // namespace halfulp
