#include "core/particles/probe_terms.hpp"

namespace halfulp {

namespace {
double over(double sum, double weight) { return weight > 0 ? sum / weight : 0; }
}  // namespace

std::vector<double> probe_values(const ProbePlace& place, const ProbeSums& sums, const Units& units, int dimensions)
{
    const double area = dimensions == 3 ? units.length * units.length : units.length;
    std::vector<double> values;
    switch (place.measures) {
    case Probe::Measure::pressure: {
        const double unit = units.density * (units.velocity * units.velocity);
        const double fluid = sums[ProbeSum::pressure_fluid] * unit;
        const double all = fluid + sums[ProbeSum::pressure_wall] * unit;
        const double weight = sums[ProbeSum::weight_fluid];
        values = {fluid, over(fluid, weight), all, over(all, weight + sums[ProbeSum::weight_wall])};
        break;
    }
    case Probe::Measure::velocity:
        for (int c = 0; c < dimensions; ++c) {
            const auto sum = static_cast<std::size_t>(ProbeSum::velocity + c);
            values.push_back(over(sums[sum], sums[ProbeSum::weight]) * units.velocity);
        }
        break;
    case Probe::Measure::level: values = {sums[ProbeSum::level] * units.length / place.share}; break;
    case Probe::Measure::force: {
        const double unit = units.mass * units.acceleration();
        for (int c = 0; c < dimensions; ++c)
            values.push_back(sums[static_cast<std::size_t>(ProbeSum::force + c)] * unit);
        for (int c = dimensions == 3 ? 0 : 2; c < 3; ++c)
            values.push_back(sums[static_cast<std::size_t>(ProbeSum::moment + c)] * (unit * units.length));
        break;
    }
    case Probe::Measure::flow: values = {sums[ProbeSum::flow] * (units.velocity * area)}; break;
    }
    return values;
}

}  // namespace halfulp
