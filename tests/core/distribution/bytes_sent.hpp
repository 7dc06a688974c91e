// The bytes that ranks send in a step, against the model of them (core/distribution/shares.hpp).
#pragma once

#include <gtest/gtest.h>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/distribution/shares.hpp"
#include "core/evolution/simulation.hpp"

namespace halfulp::test {

inline std::uint64_t bytes_of(const Problem& problem, const std::vector<RankShare>& shares)
{
    const BytesOfStep bytes = bytes_sent_in_step(problem, operations_of(scheme_of(problem).step));
    std::uint64_t sum = 0;
    for (const RankShare& share : shares) sum += bytes.of_all * share.halo + bytes.of_fluid_alone * share.fluid_of_halo;
    return sum;
}

// In the first steps, before particles change cells.
inline void expect_bytes_of_model(const Problem& problem, std::size_t ranks, std::unique_ptr<Backend> backend)
{
    Simulation simulation(problem, std::move(backend));
    const std::uint64_t expected = bytes_of(problem, shares_at_start(problem, ranks));
    std::uint64_t before = simulation.backend().bytes_sent();
    for (int step = 0; step < 3; ++step) {
        simulation.step();
        const std::uint64_t now = simulation.backend().bytes_sent();
        EXPECT_EQ(now - before, expected) << ranks << " ranks, step " << step;
        before = now;
    }
    EXPECT_EQ(before > 0, ranks > 1);
}

}  // namespace halfulp::test
