#include "core/particles/report.hpp"

namespace halfulp {

void LedgerTotals::merge(const LedgerTotals& other)
{
    for (std::size_t k = 0; k < exact.size(); ++k) exact[k].merge(other.exact[k]);
    raise_speed(other.speed2);
    raise_density(other.density);
    raise_front(other.front);
}

LedgerSums LedgerTotals::sums() const
{
    const auto value = [this](int sum) { return exact[static_cast<std::size_t>(sum)].value(); };
    LedgerSums sums;
    sums.kinetic = value(LedgerSum::kinetic);
    sums.potential = value(LedgerSum::potential);
    sums.compressive_fluid = value(LedgerSum::compressive_fluid);
    sums.compressive_wall = value(LedgerSum::compressive_wall);
    sums.central = value(LedgerSum::central);
    for (std::size_t k = 0; k < works.size(); ++k) sums.work[k] = value(LedgerSum::work + static_cast<int>(k));
    for (std::size_t c = 0; c < 3; ++c) {
        sums.momentum[c] = value(LedgerSum::momentum + static_cast<int>(c));
        sums.angular_momentum[c] = value(LedgerSum::angular_momentum + static_cast<int>(c));
    }
    sums.max_speed = square_root(speed2);
    sums.max_density_deviation = density;
    sums.front = front;
    return sums;
}

}  // namespace halfulp
