// Energy ledger sums over particles in the host's memory. Included where a policy is instantiated.
#pragma once

#include "core/particles/ledger_terms.hpp"
#include "core/particles/report.hpp"

namespace halfulp {

template <class Policy, int D>
LedgerTotals ledger_totals(const ParticleView<Policy>& particles, const Domain& domain)
{
    const LedgerConstants<D> constants(domain);
    LedgerTotals totals;
#pragma omp parallel
    {
        LedgerTotals part;
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < particles.count; ++i)
            add_to_ledger<Policy, D>(particles, domain, constants, i, part);
#pragma omp critical
        totals.merge(part);
    }
    return totals;
}

}  // namespace halfulp
