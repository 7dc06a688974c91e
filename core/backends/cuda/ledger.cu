#include "core/backends/cuda/ledger.cuh"

namespace halfulp::cuda {

LedgerTotals totals_of(const LedgerBuffer& buffer)
{
    LedgerTotals totals;
    for (std::size_t sum = 0; sum < totals.exact.size(); ++sum) totals.exact[sum] = buffer.exact.sum(sum);
    // Zero bits: no particle contributed to the maximum.
    if (buffer.speed2 != 0) totals.raise_speed(from_ordered_bits(buffer.speed2));
    if (buffer.density != 0) totals.raise_density(from_ordered_bits(buffer.density));
    if (buffer.front != 0) totals.raise_front(from_ordered_bits(buffer.front));
    return totals;
}

}  // namespace halfulp::cuda
