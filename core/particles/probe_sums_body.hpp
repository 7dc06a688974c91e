// Probe sums over particles in the host's memory. Included where a policy is instantiated.
#pragma once

#include "core/parallel_failure.hpp"
#include "core/particles/report.hpp"

namespace halfulp {

template <class Policy, int D>
std::vector<ProbeTotals> probe_totals(const ParticleView<Policy>& particles, const Domain& domain,
                                      const std::vector<ProbePlace>& places)
{
    const ProbeConstants<D> constants(domain);
    std::vector<ProbeTotals> totals(places.size());
    ParallelFailure no_memory;
#pragma omp parallel
    {
        std::vector<ProbeTotals> part;
        no_memory.guard([&] { part.resize(places.size()); });
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < particles.count; ++i) {
            for (std::size_t k = 0; k < part.size(); ++k)
                add_to_probe<Policy, D>(particles, domain, constants, places[k], i, part[k]);
        }
#pragma omp critical
        for (std::size_t k = 0; k < part.size(); ++k) totals[k].merge(part[k]);
    }
    no_memory.rethrow();
    return totals;
}

}  // namespace halfulp
