// The files of an earlier run in the folder of a new or resumed one. Private to this folder.
#pragma once

#include <filesystem>
#include <set>

#include "core/output/run_file.hpp"

namespace halfulp {

class EarlierRun {
public:
    // Looks what is there, before anything is written.
    explicit EarlierRun(const std::filesystem::path& folder);

    // Takes away what it has written, but for the files that `content` lists. What else is in the folder is somebody's.
    void remove_all_but(const RunContent& content) const;
    // What it has besides: run.xdmf, breakdown.vtk and figures.
    void remove_pictures() const;

private:
    std::filesystem::path folder_;
    bool any_;                                // is there one
    std::set<std::filesystem::path> listed_;  // its files but run.h5 and ledger.csv, if it can be read
};

}  // namespace halfulp
