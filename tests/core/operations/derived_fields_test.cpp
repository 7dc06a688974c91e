// Derived fields are invalid after neighbours are found anew: no scheme reads one before it has been computed anew.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

#include "core/evolution/scheme.hpp"
#include "core/operations/operations.hpp"
#include "kernels/policy.hpp"

namespace halfulp::test {
namespace {

using Names = std::set<std::string>;

// Of the derived ones among some fields.
template <class... F>
Names derived(FieldList<F...> /*fields*/, const Physics& physics)
{
    Names names;
    [[maybe_unused]] const auto add = [&]<class One>(std::type_identity<One>) {
        if constexpr (!std::is_same_v<One, field::Works>) {
            const Role role = One::info(physics).role;
            if ((role == Role::derived || role == Role::carried) && One::template present<RobustPolicy>(physics))
                names.insert(One::info(physics).name);
        }
    };
    (add(std::type_identity<F>{}), ...);
    return names;
}

template <class Policy, int D, class Reads, class Writes>
Reads reads_of(const ParticleBasis<Policy, D, Reads, Writes>&);

struct Use {
    Names reads;
    Names writes;
};

// Over no interval a booking reads no rate.
Use use_of(const Operation& operation, const Physics& physics)
{
    Use use;
    with_operation(operation.kind, [&]<class Op>() {
        if constexpr (requires { typename Op::Reads; }) use.reads = derived(FieldsOf<typename Op::Reads>{}, physics);
        if constexpr (requires { typename Op::Writes; }) use.writes = derived(FieldsOf<typename Op::Writes>{}, physics);
        if constexpr (requires { typename Op::NeighbourReads; })
            use.reads.merge(derived(FieldsOf<typename Op::NeighbourReads>{}, physics));
        if constexpr (requires { typename Op::template Booking<RobustPolicy, 3>; }) {
            if (operation.booking == Booking::booked && operation.fraction != 0)
                use.reads.merge(
                    derived(decltype(reads_of(std::declval<const typename Op::template Booking<RobustPolicy, 3>&>())){},
                            physics));
        }
    });
    return use;
}

// The first invalid use in the start and two steps, as "operation field"; empty if there is none.
std::string first_invalid_use(Integrator integrator, const Physics& physics)
{
    const Scheme scheme = scheme_of(integrator, physics, {.filter_every = 1});
    std::vector<Operation> all = operations_of(scheme.start);
    for (int step = 0; step < 2; ++step) {
        for (const Operation& operation : operations_of(scheme.step)) all.push_back(operation);
    }
    Names valid;
    for (const Operation& operation : in_order(all)) {
        if (info_of(operation.kind).target == TargetOfOperation::lists) valid.clear();
        const Use use = use_of(operation, physics);
        for (const std::string& name : use.reads) {
            if (!valid.contains(name)) return std::string(info_of(operation.kind).name) + " " + name;
        }
        valid.insert(use.writes.begin(), use.writes.end());
    }
    return {};
}

TEST(DerivedFields, AreReadAfterTheyAreComputed)
{
    const auto try_all = [](Physics physics) {
        for (const Integrator integrator : {
#define HALFULP_LIST(enumerator, ...) Integrator::enumerator,
                 HALFULP_INTEGRATORS(HALFULP_LIST)
#undef HALFULP_LIST
             }) {
            physics.previous_state = info_of(integrator).previous_state;
            physics.integrator_error = info_of(integrator).books_its_error;
            if (physics.density_filter != DensityFilter::none && !info_of(integrator).corrects) continue;
            EXPECT_EQ(first_invalid_use(integrator, physics), "") << info_of(integrator).name;
        }
    };
    try_all({});
    try_all({.artificial_viscosity = true, .walls = Walls::extrapolated});
    try_all({.density_diffusion = DensityDiffusion::fourtakas, .density_filter = DensityFilter::moving_least_squares});
    try_all({.laminar_viscosity = LaminarViscosity::morris,
             .density_diffusion = DensityDiffusion::balanced,
             .xsph = true,
             .moving_walls = true,
             .walls = Walls::modified_dynamic});
}

}  // namespace
}  // namespace halfulp::test
