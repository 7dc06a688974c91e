// Differences of what two runs have measured over time: their ledgers and their probes.
#pragma once

#include <string>

#include "core/output/run_file.hpp"

namespace halfulp {

struct SeriesDifference {
    // Whether the ledgers, or probes of the same description, differ in a bit where their times are the same.
    bool any = false;
    std::string report;  // a line for each series, and for each column that differs
};

// Compares A's samples with B's at the same time or, if there are none, with B interpolated between its own, within the
// time that both cover.
SeriesDifference series_difference(const RunContent& a, const RunContent& b);

}  // namespace halfulp
