// The sums of the energy ledger of particles in the host's memory. Included where a policy is instantiated.
#pragma once

#include "core/particles/ledger_terms.hpp"
#include "core/particles/report.hpp"

namespace halfulp {

template <class Policy, int D>
LedgerTotals ledger_totals(const ParticleView<Policy>& particles, const Frame& frame)
{
    const LedgerConstants<D> constants(frame);
    LedgerTotals totals;
#pragma omp parallel
    {
        LedgerTotals part;
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < particles.count; ++i)
            add_to_ledger<Policy, D>(particles, frame, constants, i, part);
#pragma omp critical
        totals.merge(part);
    }
    return totals;
}

}  // namespace halfulp
