// What several devices would exchange, from the descriptors.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/evolution/scheme.hpp"
#include "core/operations/exchange.hpp"
#include "kernels/policy.hpp"

namespace halfulp::test {
namespace {

using Bytes = std::map<std::string, std::size_t>;  // by operation and field

template <class Policy, int D>
Bytes bytes_of(const Physics& physics, Integrator integrator = Integrator::kick_drift_kick)
{
    Bytes bytes;
    const Scheme scheme = scheme_of(integrator, physics, {.rates_together = true});
    for (const Operation& operation : operations_of(scheme.step)) {
        for (const ExchangedBytes& one : exchanged_after<Policy, D>(operation.kind, physics))
            bytes[std::string(info_of(operation.kind).name) + " " + one.field] += one.bytes;
    }
    return bytes;
}

TEST(Exchange, OfThePlainSchemeIsTheRates)
{
    const Bytes plain = {{"find_density_rate rate", 4}, {"find_forces rate", 12}};
    EXPECT_EQ((bytes_of<RobustPolicy, 3>({})), plain);
    EXPECT_EQ((bytes_of<RobustPolicy, 3>({.artificial_viscosity = true, .tensile_correction = true})), plain)
        << "shares are booked where the particle belongs";
    EXPECT_EQ((bytes_of<RobustPolicy, 3>({.density_diffusion = DensityDiffusion::fourtakas})), plain);
    EXPECT_EQ((bytes_of<RobustPolicy, 2>({})), (Bytes{{"find_density_rate rate", 4}, {"find_forces rate", 8}}));
    EXPECT_EQ((bytes_of<DoublePolicy, 3>({})), (Bytes{{"find_density_rate rate", 8}, {"find_forces rate", 24}}));
}

TEST(Exchange, OfBothRatesFoundTogetherIsThatOfTwoPasses)
{
    EXPECT_EQ((bytes_of<RobustPolicy, 3>({.previous_state = PreviousState::step_before}, Integrator::verlet)),
              (Bytes{{"find_rates rate", 16}}));
    const auto of_fluid_alone = [](const ExchangedBytes& one) { return one.of_fluid_alone; };
    const auto parts = exchanged_after<RobustPolicy, 3>(kind_of<FindRates>, {});
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_TRUE(of_fluid_alone(parts[0])) << "du/dt";
    EXPECT_FALSE(of_fluid_alone(parts[1])) << "ds/dt, of walls too";
}

TEST(Exchange, OfWhatOtherPassesLeaveForTheirNeighbours)
{
    Bytes balanced = bytes_of<RobustPolicy, 3>({.density_diffusion = DensityDiffusion::balanced});
    EXPECT_EQ(balanced["find_forces density_gradient"], 16U);
    Bytes antuono = bytes_of<RobustPolicy, 3>({.density_diffusion = DensityDiffusion::antuono});
    EXPECT_EQ(antuono["find_density_gradient density_gradient"], 12U);
    Bytes smoothed = bytes_of<RobustPolicy, 3>({.xsph = true});
    EXPECT_EQ(smoothed["find_xsph_velocity xsph_velocity"], 12U);
    Bytes walls = bytes_of<RobustPolicy, 3>({.artificial_viscosity = true, .walls = Walls::extrapolated});
    EXPECT_EQ(walls["extrapolate_walls wall_extrapolation"], 16U) << "the velocity for viscosity, the pressure to set";
    Bytes mirrored =
        bytes_of<RobustPolicy, 3>({.density_diffusion = DensityDiffusion::fourtakas, .walls = Walls::modified_dynamic});
    EXPECT_EQ(mirrored["find_density_rate contact_pressure"], 4U);
    EXPECT_EQ(mirrored["add_contact_pressure wall_extrapolation"], 4U) << "the pressure to set";
    Bytes filtered = bytes_of<RobustPolicy, 3>({.density_filter = DensityFilter::shepard});
    EXPECT_EQ(filtered["filter_density filtered_density"], 8U);
}

// So that copies may be replaced while a pass goes on.
TEST(Exchange, NoPassReadsOfANeighbourWhatItWrites)
{
    constexpr auto traffic = detail::traffic_of_all(Operations{});
    std::size_t passes = 0;
    for (std::size_t k = 0; k < traffic.size(); ++k) {
        if (info_of(static_cast<OperationKind>(k)).target != TargetOfOperation::pairs) continue;
        ++passes;
        for (std::size_t field = 0; field < traffic[k].read.size(); ++field) {
            EXPECT_EQ(traffic[k].read[field] & traffic[k].written[field], 0U)
                << info_of(static_cast<OperationKind>(k)).name << ", field " << field;
        }
    }
    EXPECT_GT(passes, 3U);
}

}  // namespace
}  // namespace halfulp::test
