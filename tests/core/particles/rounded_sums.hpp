// The exact totals of probes, rounded.
#pragma once

#include <vector>

#include "core/particles/report.hpp"

namespace halfulp::test {

inline std::vector<ProbeSums> sums_of(const std::vector<ProbeTotals>& totals)
{
    std::vector<ProbeSums> sums;
    for (const ProbeTotals& one : totals) sums.push_back(one.sums());
    return sums;
}

template <class Policy, int D>
std::vector<ProbeSums> rounded_sums(const ParticleView<Policy>& particles, const Domain& domain,
                                    const std::vector<ProbePlace>& places)
{
    return sums_of(probe_totals<Policy, D>(particles, domain, places));
}

}  // namespace halfulp::test
