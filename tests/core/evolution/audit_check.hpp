// A simulation audited on another machine, which finds nothing where there is nothing to find.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/evolution/audit.hpp"

namespace halfulp::test {

using MakeBackend = Audit::MakeBackend;

// Audited every some steps, from the start, and gone on with in the middle by another audited simulation.
inline void expect_nothing_found(const Problem& problem, const MakeBackend& run, const MakeBackend& repetition,
                                 std::uint64_t steps, std::uint64_t every, bool beside, const std::string& what)
{
    const auto carry_out = [&](Simulation& simulation, Audit& audit, std::uint64_t until) {
        audit.compare(simulation);
        while (simulation.steps() < until) {
            simulation.step();
            audit.follow(simulation);
            if (simulation.steps() % every == 0) audit.compare(simulation);
        }
        audit.compare(simulation);
    };
    try {
        Simulation begun(problem, run());
        Audit first(problem, repetition, nullptr, beside);
        carry_out(begun, first, steps / 2);
        const SimulationState middle = first.audited();
        EXPECT_EQ(middle.clock.steps(), steps / 2) << what;
        Simulation resumed(problem, repetition(), middle);
        Audit second(problem, run, &middle, beside);
        carry_out(resumed, second, steps);
        EXPECT_GE(first.equal(), 2U) << what;
    } catch (const AuditFailed& failed) {
        FAIL() << what << ": " << failed.what();
    }
}

}  // namespace halfulp::test
