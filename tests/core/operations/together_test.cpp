// Several operations in one go over the particles have the bits of one after the other.
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "core/operations/operations.hpp"
#include "core/operations/perform.hpp"
#include "tests/core/backends/trajectory.hpp"

namespace halfulp::test {
namespace {

struct End {
    std::string hash;
    LedgerSums sums;
    std::set<OperationKind> together;  // operations that were several
};

// The steps of a scheme, several together as they are or one after another.
End after(const Problem& problem, int steps, bool one_by_one)
{
    const Scheme scheme = scheme_of(problem);
    const std::unique_ptr<Backend> backend = make_cpu_backend(problem, {.threads = 2});
    const double step = static_cast<float>(problem.fixed_step / problem.units.time());
    End end;
    const auto carry_out = [&](const std::vector<SchemeBlock>& blocks, std::uint64_t number) {
        for (const SchemeBlock& block : blocks) {
            for (const SchemeEntry& entry : block.entries) {
                if (!entry.steps.have(number)) continue;
                const std::vector<Operation> parts = in_order(entry.operation);
                if (parts.size() > 1) end.together.insert(entry.operation.kind);
                if (!one_by_one) backend->execute(entry.operation, step);
                else {
                    for (const Operation& part : parts) backend->execute(part, step);
                }
            }
        }
        backend->complete();
    };
    carry_out(scheme.start, 0);
    for (int number = 0; number < steps; ++number) carry_out(scheme.step, static_cast<std::uint64_t>(number));
    end.hash = whole(backend->snapshot_source()).hash.text();
    end.sums = backend->ledger_totals().sums();
    return end;
}

TEST(Together, HaveTheBitsOfOneAfterTheOther)
{
    std::set<OperationKind> tried;
    for (const char* integrator : {"kick-drift-kick", "verlet", "leap-frog", "predictor-corrector", "symplectic"}) {
        for (const char* precision : {"robust", "double"}) {
            const Problem problem = problem_of(
                "inviscid-tank-2d",
                {"resolution.spacing=0.05", "time.step=fixed", "fluid.artificial_viscosity=0.05",
                 "shapes.water.velocity=[0.5,0.2]", "numerics.density_diffusion=fourtakas",
                 std::string("numerics.integrator=") + integrator, std::string("numerics.precision=") + precision});
            const End together = after(problem, 90, false);
            const End alone = after(problem, 90, true);
            tried.insert(together.together.begin(), together.together.end());
            EXPECT_EQ(together.hash, alone.hash) << integrator << ", " << precision;
            EXPECT_EQ(together.sums.kinetic, alone.sums.kinetic);
            EXPECT_EQ(together.sums.work, alone.sums.work) << integrator << ", " << precision;
        }
    }
    std::set<OperationKind> all;
    for (int k = 0; k < operation_count; ++k) {
        if (in_order(Operation{OperationKind(k)}).size() > 1) all.insert(OperationKind(k));
    }
    EXPECT_EQ(tried, all);
}

// All rules that its operations keep.
TEST(Together, KeepTheRulesOfAll)
{
    EXPECT_EQ(rules_of<Advance>, bit_of(Rule::finite_velocity) | bit_of(Rule::density_bound));
    EXPECT_EQ(rules_of<Kick>, bit_of(Rule::finite_velocity));
    EXPECT_EQ(rules_of<AcceleratedDrift>, 0U);
}

}  // namespace
}  // namespace halfulp::test
