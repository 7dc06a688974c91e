// Small cases: what the shipped ones become with few particles, and what they do not cover: periodic directions, no
// walls.
#pragma once

#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>

#include <unistd.h>

#include "tests/core/backends/trajectory.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {

// The balance laws alone, whatever the defaults are: what tests of them and of single terms start from.
inline const Overrides balance_laws_alone = {"numerics.walls=dynamic", "numerics.density_diffusion=none"};
// And the defaults, for cases that say otherwise.
inline const Overrides by_default = {"numerics.walls=extrapolated", "numerics.density_diffusion=balanced",
                                     "numerics.wall_tension=true"};

// The case of a text, by way of a file, as users give it.
inline Problem problem_as_given(const std::string& text, const Overrides& overrides = {})
{
    const auto file = std::filesystem::temp_directory_path() / ("halfulp-case-" + std::to_string(getpid()) + ".toml");
    std::ofstream(file) << text;
    const Case c = read_case(file, overrides);
    std::filesystem::remove(file);
    return prepare(c);
}

// Of the balance laws alone unless the overrides say otherwise.
inline Problem problem_from(const std::string& text, const Overrides& overrides = {})
{
    return problem_as_given(text, balance_laws_alone + overrides);
}

// A channel along x, eight cells long, between two walls of four layers; gravity drives along it.
inline const std::string channel = R"(
dimensions = 2
gravity = [3, 0]
period = [1, 0]
[resolution]
spacing = 0.05
[fluid]
sound_speed = 20
[numerics]
skin = 0.25
[time]
end = 1
step = "fixed"
cfl = 0.1
[output]
interval = 1
[[shapes]]
name = "floor"
kind = "wall"
box = { from = [0, -0.2], to = [1, 0] }
[[shapes]]
name = "ceiling"
kind = "wall"
box = { from = [0, 0.4], to = [1, 0.6] }
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [1, 0.4] }
)";

// Two particles under pressure that leave the wall they start on, which is then without fluid, and each other.
inline const std::string leaving_drop = R"(
dimensions = 2
gravity = [0, 0]
[resolution]
spacing = 0.05
[fluid]
sound_speed = 20
[numerics]
walls = "extrapolated"
density_diffusion = "none"
[time]
end = 1
step = "variable"
[output]
interval = 1
[[shapes]]
name = "floor"
kind = "wall"
box = { from = [0, -0.2], to = [1, 0] }
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0.4, 0], to = [0.45, 0.1] }
velocity = [0, "3 + 10*y"]
pressure = 20000
)";

// Fluid that fills a box which is periodic in all directions, five cells wide.
inline std::string periodic_box(int dimensions)
{
    const std::string side = dimensions == 3 ? "[1, 1, 1]" : "[1, 1]";
    const std::string zero = dimensions == 3 ? "[0, 0, 0]" : "[0, 0]";
    return "dimensions = " + std::to_string(dimensions) + "\ngravity = " + zero + "\nperiod = " + side + R"(
[resolution]
spacing = 0.1
smoothing_ratio = 1.6
[fluid]
sound_speed = 20
[numerics]
skin = 0.25
[time]
end = 1
step = "fixed"
cfl = 0.1
[output]
interval = 1
[[shapes]]
name = "water"
kind = "fluid"
box = { from = )" +
           zero + ", to = " + side + " }\n";
}

// A closed tank that rolls about the middle of its floor, a third full. The pivot is in no special place.
inline const std::string rolling_tank = R"(
dimensions = 2
[resolution]
spacing = 0.04
[fluid]
sound_speed = 20
[time]
end = 4
cfl = 0.2
[output]
interval = 1
[[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [0, 0], to = [1, 0.6] }
layers = 3
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [1, 0.2] }
hydrostatic = true
[[motions]]
name = "roll"
[motions.rotation]
pivot = [0.49, 0.013]
sine = { amplitude = 20, period = 0.8, smooth_start = 0.2 }
)";

// The walls of which take their pressure from the fluid.
inline const Overrides extrapolated = {"numerics.walls=extrapolated", "fluid.laminar_viscosity=morris",
                                       "fluid.kinematic_viscosity=0.001"};

// The same in 3D about an oblique axis, with a translation.
inline const std::string tumbling_tank = R"(
dimensions = 3
[resolution]
spacing = 0.1
smoothing_ratio = 1.2
[fluid]
sound_speed = 20
artificial_viscosity = 0.1
[time]
end = 4
cfl = 0.2
[output]
interval = 1
[[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [0, 0, 0], to = [0.8, 0.6, 0.6] }
layers = 2
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0, 0], to = [0.8, 0.6, 0.3] }
[[motions]]
name = "tumble"
[motions.rotation]
pivot = [0.41, 0.3, 0.05]
axis = [1, 2, -0.5]
sine = { amplitude = 30, period = 0.7, phase = 20 }
[motions.translation]
direction = [1, 0, 0.2]
sine = { amplitude = 0.15, period = 0.9, smooth_start = 0.3 }
)";

// A column of water that strikes a floor at a tenth of the sound speed, rises at the walls of a tank and falls back.
inline const std::string slam = R"(
dimensions = 3
gravity = [0, 0, -9.81]

[resolution]
spacing = 0.05
smoothing_ratio = 1.732

[fluid]
density = 1000
sound_speed = 24
artificial_viscosity = 0.02

[numerics]
wall_tension = false

[time]
end = 0.6
step = "variable"
cfl = 0.2

[output]
interval = 0.6

[[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [0, 0, 0], to = [0.6, 0.4, 0.8] }
layers = 4

[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0, 0], to = [0.3, 0.4, 0.6] }
velocity = [0, 0, -2.4]
)";

// Two drops of unequal size that collide in free space.
inline const std::string collision = R"(
dimensions = 2
gravity = [0, 0]
[resolution]
spacing = 0.1
smoothing_ratio = 1.7
[fluid]
sound_speed = 20
[time]
end = 1
[output]
interval = 1
[[shapes]]
name = "large"
kind = "fluid"
box = { from = [0, 0], to = [1, 0.9] }
velocity = [1.5, 0.25]
[[shapes]]
name = "small"
kind = "fluid"
box = { from = [1.2, 0.3], to = [1.8, 1.3] }
velocity = [-1, -0.75]
)";

// 169 fluid particles that hit the far wall at about step 600; each wall is two particles thick.
inline const Overrides small_2d = {"resolution.spacing=0.0385", "resolution.smoothing_ratio=1.5",
                                   "shapes.tank.layers=2", "shapes.tank.hollow_box.to=[1.0, 0.8]", "output.interval=1"};
inline const Overrides variable = {"time.step=variable", "time.cfl=0.2"};
inline const Overrides viscous = {"fluid.artificial_viscosity=0.05", "numerics.wall_slip=no-slip"};
inline const Overrides slipping = {"fluid.artificial_viscosity=0.05", "numerics.wall_slip=free-slip"};
inline const Overrides cubic = {"numerics.kernel=cubic-spline"};

// 4 x 5 x 4 fluid particles and more in a tank of their own, around the structure of the shipped case.
inline const Overrides small_3d = {"resolution.spacing=0.1",
                                   "resolution.smoothing_ratio=1.2",
                                   "shapes.tank.layers=2",
                                   "shapes.tank.hollow_box.to=[1.2, 0.6, 0.6]",
                                   "shapes.structure.box.from=[0.8, 0.2, 0]",
                                   "shapes.structure.box.to=[1.0, 0.4, 0.4]",
                                   "shapes.water.box.to=[0.5, 0.6, 0.4]",
                                   "numerics.walls=dynamic",
                                   "numerics.wall_tension=false",
                                   "numerics.wall_slip=no-slip",
                                   "numerics.density_diffusion=fourtakas",
                                   "numerics.skin=0.25",
                                   "time.cfl=0.2"};

// Everything switched on at once. Between the three every term occurs; the walls of the tank slide.
inline const Overrides every_force = {"numerics.formulation=volume-weighted", "fluid.artificial_viscosity=0.05",
                                      "fluid.kinematic_viscosity=0.002", "numerics.tensile_correction=true",
                                      "numerics.velocity_smoothing=0.3"};

// Every particle of the fluid with a velocity of its own, of up to `speed` m/s in each component.
inline void stir(Problem& problem, double speed, std::uint64_t seed)
{
    Random random(seed);
    for (InitialParticle& particle : problem.particles.stored()) {
        for (int c = 0; c < problem.source.dimensions && particle.kind == Kind::fluid; ++c)
            particle.velocity[std::size_t(c)] =
                static_cast<float>(random.uniform(-speed, speed) / problem.units.velocity);
    }
}

// Gives the particles ids with gaps, in the order that they have, or at random below 2^31 with the largest among them.
inline void spread_ids(Problem& problem, bool ascending)
{
    const auto count = static_cast<std::int32_t>(problem.particles.size());
    for (std::int32_t i = 0; i < count; ++i) problem.particles.stored()[std::size_t(i)].id = i * i + 7;
    if (ascending) return;
    Random random(5);
    std::set<std::int32_t> ids = {std::numeric_limits<std::int32_t>::max()};
    while (ids.size() < problem.particles.size()) ids.insert(static_cast<std::int32_t>(random.bits() >> 33U));
    std::vector<std::int32_t> shuffled(ids.begin(), ids.end());
    for (std::size_t k = shuffled.size(); k-- > 1;) std::swap(shuffled[k], shuffled[random.bits() % (k + 1)]);
    for (std::size_t i = 0; i < shuffled.size(); ++i) problem.particles.stored()[i].id = shuffled[i];
}

// The particles of a problem in ascending id.
inline std::vector<std::size_t> by_id(const Problem& problem)
{
    std::vector<std::size_t> order(problem.particles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return id_of(problem.particles[i], i); });
    return order;
}

// The same problem with its particles in the order of their ids, which are 0, 1, ... then.
inline Problem numbered_without_gaps(const Problem& problem)
{
    Problem dense = problem;
    const std::vector<std::size_t> order = by_id(problem);
    for (std::size_t k = 0; k < order.size(); ++k) {
        dense.particles.stored()[k] = problem.particles[order[k]];
        dense.particles.stored()[k].id = -1;
        if (!problem.mirror_images.empty()) dense.mirror_images[k] = problem.mirror_images[order[k]];
    }
    return dense;
}

// All walls slide along x at `speed` m/s.
inline void slide_walls(Problem& problem, double speed)
{
    problem.physics.moving_walls = true;
    problem.physics.wall_forces = true;
    Motion motion;
    Motion::Translation& translation = motion.translation.emplace();
    translation.direction = {1, 0, 0};
    translation.distance.form = Signal::Form::steady;
    translation.distance.steady.rate = speed;
    problem.motions.emplace_back(problem.source, motion, problem.units);
    for (InitialParticle& particle : problem.particles.stored()) {
        if (particle.kind == Kind::wall) particle.motion = 0;
    }
}

}  // namespace halfulp::test
