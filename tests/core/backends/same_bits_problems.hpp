// Problems on which every number of threads and lanes, every way of keeping neighbours and every back end must come to
// the same bits: each kind of physics, step, policy and dimension. Dam breaks long enough to splash back from the far
// wall, so that neighbours change, lists are rebuilt often and particles cross cells.
#pragma once

#include <functional>
#include <ostream>

#include "tests/core/backends/cases.hpp"

namespace halfulp::test {

struct SameBitsProblem {
    std::string name;
    std::function<Problem()> prepared;
    std::uint64_t steps;
    double rebuilds;  // more than these, or the run shows nothing
    std::string precision = "robust";

    friend std::ostream& operator<<(std::ostream& out, const SameBitsProblem& one) { return out << one.name; }
};

inline std::string name_of(const ::testing::TestParamInfo<SameBitsProblem>& one) { return one.param.name; }

// Gives the particles a field of their own.
inline void analyse_a_field(Problem& problem)
{
    Random random(61);
    problem.physics.analyses.derivatives = true;
    for (const InitialParticle& particle : problem.particles) {
        GivenState& given = problem.given.emplace_back();
        for (std::size_t c = 0; c < 3; ++c) {
            given.offset[c] = static_cast<double>(particle.offset[c]);
            given.velocity[c] = static_cast<double>(particle.velocity[c]);
        }
        given.analysed = random.uniform(-1, 1);
    }
}

inline std::vector<SameBitsProblem> same_bits_problems()
{
    std::vector<SameBitsProblem> list;
    const auto shipped = [&](const std::string& name, const std::string& shipped_case, const Overrides& overrides,
                             std::uint64_t steps, double rebuilds, const std::string& precision = "robust") {
        const Overrides all = overrides + Overrides{"numerics.precision=" + precision};
        list.push_back({name, [=] { return problem_of(shipped_case, all); }, steps, rebuilds, precision});
    };
    const auto tank = [&](const std::string& name, const Overrides& overrides, std::uint64_t steps, double rebuilds,
                          const std::string& precision = "robust") {
        shipped(name, "inviscid-tank-2d", small_2d + overrides, steps, rebuilds, precision);
    };
    const auto block = [&](const std::string& name, const Overrides& overrides, std::uint64_t steps, double rebuilds,
                           const std::string& precision = "robust") {
        shipped(name, "dam-break-3d", small_3d + overrides, steps, rebuilds, precision);
    };
    const auto other = [&](const std::string& name, std::uint64_t steps, double rebuilds,
                           const std::function<Problem()>& prepared) {
        list.push_back({name, prepared, steps, rebuilds});
    };
    const Overrides fixed = {"time.cfl=0.2"};

    tank("VariableStepViscous", variable + viscous, 6000, 200);
    tank("FixedStepInviscidCubicSpline", cubic + fixed, 3000, 100);
    tank("DoubleVariableStepViscousCubicSpline", variable + viscous + cubic, 2000, 50, "double");
    tank("DoubleFixedStepInviscid", fixed, 2000, 50, "double");
    tank("PlainSumsVariableStepViscous", variable + viscous, 2000, 50, "robust/sums=plain");
    tank("NaiveVariableStepViscous", variable + viscous, 2000, 50, "naive");
    block("ThreeDimensions", {}, 2000, 30);
    block("DoubleThreeDimensionsCubicSpline", cubic, 300, 5, "double");
    block("NaiveFixedStepThreeDimensions", {"time.step=fixed", "numerics.density_diffusion=none"}, 300, 5, "naive");

    other("EverythingInATankWithSlidingWalls", 400, 5, [] {
        Problem problem = problem_of(
            "inviscid-tank-2d", small_2d + variable + every_force +
                                    Overrides{"numerics.kernel=gaussian", "resolution.smoothing_ratio=1.2",
                                              "fluid.laminar_viscosity=morris", "numerics.density_diffusion=antuono",
                                              "central_force={rate=1.5,centre=[0.6,0.2]}"});
        slide_walls(problem, 0.2);
        return problem;
    });
    other("EverythingInAPeriodicChannel", 400, 5, [] {
        Problem problem =
            problem_from(channel, every_force + Overrides{"time.step=variable", "fluid.state_equation=linear",
                                                          "fluid.laminar_viscosity=monaghan-gingold", "gravity=[3,-2]",
                                                          "numerics.density_diffusion=fourtakas"});
        stir(problem, 1, 41);
        slide_walls(problem, 0.7);
        return problem;
    });
    // Global coordinates meet the images of others, and enter the period again; symplectic keeps earlier ones, too.
    const auto naive_channel = [&](const std::string& name, const Overrides& overrides) {
        const auto prepared = [=] {
            Problem problem =
                problem_from(channel, overrides + Overrides{"numerics.precision=naive", "time.step=variable",
                                                            "fluid.laminar_viscosity=morris", "gravity=[3,-2]"});
            stir(problem, 1, 48);
            slide_walls(problem, 0.7);
            return problem;
        };
        list.push_back({name, prepared, 400, 5, "naive"});
    };
    naive_channel("NaiveInAPeriodicChannel", every_force);
    naive_channel("NaiveInAPeriodicChannelSymplectic",
                  {"numerics.integrator=symplectic", "fluid.kinematic_viscosity=0.01"});
    other("EverythingInAPeriodicBoxInThreeDimensions", 200, 3, [] {
        Problem problem = problem_from(periodic_box(3),
                                       every_force + Overrides{"time.step=variable", "fluid.laminar_viscosity=morris",
                                                               "numerics.density_diffusion=antuono"});
        stir(problem, 3, 42);
        return problem;
    });
    other("EverythingInDouble", 200, 3, [] {
        Problem problem = problem_from(
            channel, every_force + in_double +
                         Overrides{"fluid.laminar_viscosity=morris", "numerics.density_diffusion=molteni-colagrossi"});
        stir(problem, 1, 43);
        return problem;
    });

    other("RollingTank", 1500, 20, [] { return problem_from(rolling_tank); });
    other("RollingTankInItsOwnFrame", 1500, 20,
          [] { return problem_from(rolling_tank, {"motions.roll.frame=moving"}); });
    other("RollingTankWithExtrapolatedWalls", 1000, 20, [] { return problem_from(rolling_tank, extrapolated); });
    other("TumblingTankInThreeDimensions", 300, 20, [] { return problem_from(tumbling_tank); });
    // Walls without fluid: with rates of before, with a density that was still to follow the fluid, with the largest
    // signal speed of all, and at the start in a tension that the first step ends.
    const Overrides dynamic = {"numerics.walls=dynamic"};
    const Overrides away = {"shapes.water.velocity=[0,1]", "numerics.wall_tension=false"};
    // With schemes of two states, in each of which the density of a wall may be another.
    const std::pair<std::string, Overrides> of_one_state{"", {}};
    const std::pair<std::string, Overrides> verlet{"Verlet",
                                                   {"numerics.integrator=verlet", "numerics.corrector_every=7"}};
    const std::pair<std::string, Overrides> leap_frog{"LeapFrog", {"numerics.integrator=leap-frog"}};
    other("ExtrapolatedWallsWithoutFluid", 240, 5, [] { return problem_from(leaving_drop, extrapolated); });
    for (const auto& [scheme, chosen] : {of_one_state, verlet, leap_frog}) {
        other(scheme + "WallsWithoutFluid", 240, 5,
              [=, chosen = chosen] { return problem_from(leaving_drop, dynamic + chosen); });
        other(scheme + "DenseWallWithoutFluid", 240, 5, [=, chosen = chosen] {
            Problem problem = problem_from(leaving_drop, dynamic + chosen);
            problem.particles.stored().front().density = 0.2F;
            return problem;
        });
        other(scheme + "WallsInTensionAtTheStart", 240, 5, [=, chosen = chosen] {
            Problem problem =
                problem_from(leaving_drop, dynamic + away + chosen + Overrides{"shapes.water.pressure=-20000"});
            for (InitialParticle& particle : problem.particles.stored()) {
                if (particle.kind == Kind::wall) particle.density = -0.01F;
                else particle.cell[1] += 20;
            }
            return problem;
        });
    }
    const Overrides own_frame = {"motions.tumble.frame=moving"};
    other("TumblingTankInItsOwnFrame", 300, 5, [=] { return problem_from(tumbling_tank, own_frame); });
    other("TumblingTankInItsOwnFrameWithExtrapolatedWalls", 300, 5,
          [=] { return problem_from(tumbling_tank, extrapolated + own_frame); });

    const Overrides walls = {"numerics.walls=extrapolated"};
    tank("ExtrapolatedWalls", variable + viscous + walls, 2000, 50);
    tank("NaiveExtrapolatedWalls", variable + viscous + walls + Overrides{"numerics.wall_tension=false"}, 400, 5,
         "naive");
    block("ExtrapolatedWallsThreeDimensions", walls, 300, 5);
    block("DoubleExtrapolatedWallsThreeDimensions", walls, 300, 5, "double");
    for (const std::string slip : {"no-slip", "free-slip"}) {
        other("SlidingExtrapolatedWalls" + std::string(slip == "no-slip" ? "NoSlip" : "FreeSlip"), 300, 3, [=] {
            Problem problem = problem_from(channel, every_force + walls +
                                                        Overrides{"numerics.wall_slip=" + slip, "time.step=variable",
                                                                  "fluid.laminar_viscosity=morris", "gravity=[3,-2]",
                                                                  "numerics.density_diffusion=antuono"});
            stir(problem, 1, 44);
            slide_walls(problem, 0.7);
            return problem;
        });
    }

    tank("Defaults", variable + slipping + by_default, 2000, 50);
    tank("DoubleDefaults", variable + slipping + by_default, 600, 20, "double");
    tank("NaiveDefaults", variable + slipping + by_default, 400, 5, "naive");
    block("DefaultsThreeDimensions", by_default + Overrides{"numerics.wall_slip=free-slip"}, 600, 10);
    tank("BalancedDiffusionDynamicWalls", variable + viscous + Overrides{"numerics.density_diffusion=balanced"}, 600,
         20);
    other("RollingTankByDefault", 1000, 20, [] { return problem_from(rolling_tank, by_default + slipping); });
    other("TumblingTankInItsOwnFrameByDefault", 300, 5,
          [=] { return problem_from(tumbling_tank, by_default + slipping + own_frame); });
    other("BalancedDiffusionWithACentralForce", 400, 5, [] {
        return problem_of("inviscid-tank-2d",
                          small_2d + variable + slipping + by_default +
                              Overrides{"central_force={rate=1.5,centre=[0.6,0.2]}", "fluid.state_equation=linear"});
    });

    const Overrides in_steps_of_two = {"numerics.integrator=verlet", "numerics.corrector_every=7"};
    const Overrides implicit = {"numerics.integrator=implicit-midpoint"};
    const Overrides discrete = {"numerics.integrator=discrete-gradient"};
    tank("Verlet", variable + slipping + by_default + in_steps_of_two, 600, 20);
    tank("NaiveVerlet", variable + viscous + in_steps_of_two, 400, 5, "naive");
    const Overrides fourtakas = {"numerics.density_diffusion=fourtakas"};
    tank("Fourtakas", variable + slipping + fourtakas, 1000, 30);
    tank("VerletFourtakas", variable + slipping + fourtakas + in_steps_of_two, 600, 20);
    block("DoubleVerletFourtakasThreeDimensions", fourtakas + in_steps_of_two, 200, 3, "double");
    tank("ImplicitMidpoint", variable + slipping + by_default + implicit, 600, 20);
    tank("NaiveImplicitMidpoint", variable + viscous + implicit, 400, 5, "naive");
    block("VerletThreeDimensions", in_steps_of_two, 200, 3);
    block("DoubleImplicitMidpointThreeDimensions", implicit, 200, 3, "double");
    tank("DiscreteGradient", variable + slipping + by_default + discrete, 600, 20);
    tank("NaiveDiscreteGradient", variable + viscous + discrete, 400, 5, "naive");
    block("DoubleDiscreteGradientThreeDimensions", discrete + Overrides{"numerics.wall_tension=true"}, 200, 3,
          "double");
    other("RollingTankDiscreteGradientPairTwo", 600, 10, [=] {
        return problem_from(rolling_tank,
                            discrete + Overrides{"numerics.formulation=volume-weighted", "fluid.state_equation=linear",
                                                 "numerics.density_diffusion=antuono"});
    });
    other("RollingTankVerlet", 600, 10, [=] { return problem_from(rolling_tank, extrapolated + in_steps_of_two); });
    other("RollingTankImplicitMidpoint", 600, 10, [=] { return problem_from(rolling_tank, extrapolated + implicit); });
    other("TumblingTankInItsOwnFrameImplicitMidpoint", 200, 3,
          [=] { return problem_from(tumbling_tank, own_frame + implicit); });
    other("EverythingInAPeriodicChannelVerlet", 400, 5, [=] {
        Problem problem =
            problem_from(channel, every_force + in_steps_of_two +
                                      Overrides{"time.step=variable", "fluid.laminar_viscosity=monaghan-gingold",
                                                "gravity=[3,-2]", "numerics.density_diffusion=fourtakas",
                                                "numerics.density_filter=mls", "numerics.filter_every=9"});
        stir(problem, 1, 45);
        slide_walls(problem, 0.7);
        return problem;
    });
    other("PeriodicChannelImplicitMidpoint", 400, 5, [=] {
        Problem problem = problem_from(
            channel, implicit + Overrides{"time.step=variable", "gravity=[3,-2]", "fluid.laminar_viscosity=morris",
                                          "fluid.kinematic_viscosity=0.01", "numerics.density_diffusion=antuono"});
        stir(problem, 1, 46);
        slide_walls(problem, 0.7);
        return problem;
    });

    // Leap-frog keeps states between the steps, the two others predict.
    for (const std::string integrator : {"leap-frog", "predictor-corrector", "symplectic"}) {
        const Overrides one = {"numerics.integrator=" + integrator};
        const std::string name = integrator == "leap-frog"    ? "LeapFrog"
                                 : integrator == "symplectic" ? "Symplectic"
                                                              : "PredictorCorrector";
        tank(name, variable + slipping + by_default + one, 600, 20);
        tank("Naive" + name, variable + viscous + one, 400, 5, "naive");
        block("Double" + name + "ThreeDimensions", one, 200, 3, "double");
        other("RollingTank" + name, 600, 10, [=] { return problem_from(rolling_tank, one); });
        other("PeriodicChannel" + name, 400, 5, [=] {
            Problem problem = problem_from(
                channel, one + extrapolated +
                             Overrides{"time.step=variable", "gravity=[3,-2]", "fluid.laminar_viscosity=morris",
                                       "fluid.kinematic_viscosity=0.01", "numerics.density_diffusion=antuono"});
            stir(problem, 1, 47);
            slide_walls(problem, 0.7);
            return problem;
        });
    }

    const Overrides mirrored = {"numerics.walls=modified-dynamic"};
    tank("ModifiedDynamicWalls", variable + viscous + mirrored + Overrides{"numerics.wall_tension=false"}, 600, 20);
    tank("NaiveModifiedDynamicWalls", variable + viscous + mirrored, 400, 5, "naive");
    other("RollingTankWithModifiedDynamicWalls", 1000, 20, [=] { return problem_from(rolling_tank, mirrored); });
    other("TumblingTankWithModifiedDynamicWalls", 200, 5, [=] { return problem_from(tumbling_tank, mirrored); });
    other("SlidingModifiedDynamicWalls", 200, 3, [=] {
        Problem problem = problem_from(channel, every_force + mirrored +
                                                    Overrides{"time.step=variable", "fluid.laminar_viscosity=morris",
                                                              "gravity=[3,-2]", "numerics.density_diffusion=antuono"});
        stir(problem, 1, 44);
        slide_walls(problem, 0.7);
        return problem;
    });
    block("DoubleModifiedDynamicWallsThreeDimensions", mirrored, 200, 3, "double");
    const Overrides cloned = {"numerics.walls=pressure-cloning"};
    other("RollingTankWithPressureCloning", 400, 20, [=] { return problem_from(rolling_tank, cloned); });
    other("RollingTankInItsFrameWithPressureCloning", 400, 10, [=] {
        return problem_from(rolling_tank,
                            cloned + Overrides{"motions.roll.frame=moving", "numerics.integrator=verlet"});
    });
    other("TumblingTankWithPressureCloning", 200, 5, [=] { return problem_from(tumbling_tank, cloned); });
    // From step 50 or so on the contact pressure acts.
    other("SlamOnModifiedDynamicWalls", 200, 3, [=] { return problem_as_given(slam, mirrored); });

    for (const std::string filter : {"shepard", "mls"}) {
        const Overrides filtered = {"numerics.density_filter=" + filter, "numerics.filter_every=9"};
        tank("Filter_" + filter, variable + viscous + filtered, 600, 20);
        block("FilterThreeDimensions_" + filter, filtered, 200, 3);
    }

    // What outputs alone ask for, of the flow and of a field beside it.
    const Overrides analysed = {R"(output.columns=["position","vorticity","divergence","condition"])"};
    tank("Analyses", variable + slipping + by_default + analysed, 300, 5);
    tank("ReversibleAnalyses", balance_laws_alone + Overrides{"time.cfl=0.1"} + analysed, 200, 3, "reversible");
    block("DoubleAnalysesThreeDimensions", in_steps_of_two + analysed, 200, 3, "double");
    other("AnalysesOfAFieldInAPeriodicBox", 200, 3, [=] {
        Problem problem = problem_from(periodic_box(3), analysed + Overrides{"numerics.rebuild_every=20"});
        stir(problem, 3, 48);
        analyse_a_field(problem);
        return problem;
    });
    other("AnalysesOfAField", 400, 5, [=] {
        Problem problem = problem_of("inviscid-tank-2d", small_2d + variable + slipping + by_default + analysed);
        analyse_a_field(problem);
        return problem;
    });

    const Overrides shifted = {"numerics.particle_shifting=2", "numerics.rebuild_every=7"};
    const Overrides smoothed = {"numerics.velocity_smoothing=0.3"};
    tank("ShiftingAndRebuildsInTime", variable + viscous + shifted, 600, 20);
    tank("ShiftingWithSmoothing", variable + viscous + shifted + smoothed, 600, 20);
    block("DoubleShiftingThreeDimensions", shifted, 200, 3, "double");
    block("ShiftingWithSmoothingThreeDimensions", shifted + smoothed, 200, 3);
    block("DoubleShiftingWithSmoothingThreeDimensions", shifted + smoothed, 200, 3, "double");
    return list;
}

}  // namespace halfulp::test
