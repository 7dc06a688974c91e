// The sums of probes over particles in the host's memory. Included where a policy is instantiated.
#pragma once

#include "core/parallel_failure.hpp"
#include "core/particles/report.hpp"

namespace halfulp {

namespace detail {

struct ProbeTotals {
    std::array<ExactSum, ProbeSum::count> exact;
    void add(int sum, double term) { exact[static_cast<std::size_t>(sum)].add(term); }
};

}  // namespace detail

template <class Policy, int D>
std::vector<ProbeSums> probe_sums(const ParticleView<Policy>& particles, const Frame& frame,
                                  const std::vector<ProbePlace>& places)
{
    const ProbeConstants<D> constants(frame);
    std::vector<detail::ProbeTotals> totals(places.size());
    ParallelFailure no_memory;
#pragma omp parallel
    {
        std::vector<detail::ProbeTotals> part;
        no_memory.guard([&] { part.resize(places.size()); });
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < particles.count; ++i) {
            for (std::size_t k = 0; k < part.size(); ++k)
                add_to_probe<Policy, D>(particles, frame, constants, places[k], i, part[k]);
        }
#pragma omp critical
        for (std::size_t k = 0; k < part.size(); ++k) {
            for (std::size_t sum = 0; sum < ProbeSum::count; ++sum) totals[k].exact[sum].merge(part[k].exact[sum]);
        }
    }
    no_memory.rethrow();
    std::vector<ProbeSums> sums(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        for (std::size_t sum = 0; sum < ProbeSum::count; ++sum) sums[k][sum] = totals[k].exact[sum].value();
    }
    return sums;
}

}  // namespace halfulp
