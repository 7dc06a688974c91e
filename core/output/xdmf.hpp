// run.xdmf: the light text that tells ParaView what lies in run.h5, as a collection of point clouds in time.
#pragma once

#include <string>

#include "core/output/snapshot.hpp"

namespace halfulp {

class XdmfSeries {
public:
    // heavy: the HDF5 file's name, relative to the XDMF file.
    explicit XdmfSeries(std::string heavy) : heavy_(std::move(heavy)) {}

    // Adds one moment; `group` is where its columns lie, e.g. "/outputs/000000". Without a column `position` it is left
    // out.
    void add(const Snapshot& snapshot, const std::string& group);
    [[nodiscard]] std::string text() const;

private:
    std::string heavy_;
    std::string grids_;
};

}  // namespace halfulp
