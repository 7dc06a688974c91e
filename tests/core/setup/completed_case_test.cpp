// Completed cases, as a run keeps them: written, read back, and written again.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "case_text.hpp"
#include "tests/core/setup/whole_cases.hpp"

namespace halfulp {
namespace {

void expect_equal(const Signal& a, const Signal& b)
{
    EXPECT_EQ(a.form, b.form);
    EXPECT_EQ(a.sine.amplitude, b.sine.amplitude);
    EXPECT_EQ(a.sine.period, b.sine.period);
    EXPECT_EQ(a.sine.phase, b.sine.phase);
    EXPECT_EQ(a.sine.smooth_start, b.sine.smooth_start);
    EXPECT_EQ(a.steady.rate, b.steady.rate);
    EXPECT_EQ(a.steady.acceleration, b.steady.acceleration);
    EXPECT_EQ(a.table.file, b.table.file);
    EXPECT_EQ(a.table.time, b.table.time);
    EXPECT_EQ(a.table.column, b.table.column);
    EXPECT_EQ(a.table.scale, b.table.scale);
}

void expect_equal(const Motion& a, const Motion& b)
{
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.bodies, b.bodies);
    EXPECT_EQ(a.frame, b.frame);
    ASSERT_EQ(a.rotation.has_value(), b.rotation.has_value());
    if (a.rotation) {
        EXPECT_EQ(a.rotation->pivot, b.rotation->pivot);
        EXPECT_EQ(a.rotation->axis, b.rotation->axis);
        expect_equal(a.rotation->angle, b.rotation->angle);
    }
    ASSERT_EQ(a.translation.has_value(), b.translation.has_value());
    if (!a.translation) return;
    EXPECT_EQ(a.translation->direction, b.translation->direction);
    expect_equal(a.translation->distance, b.translation->distance);
}

void expect_equal(const Case& a, const Case& b)
{
    EXPECT_EQ(a.title, b.title);
    EXPECT_EQ(a.dimensions, b.dimensions);
    EXPECT_EQ(a.gravity, b.gravity);
    EXPECT_EQ(a.resolution.spacing, b.resolution.spacing);
    EXPECT_EQ(a.resolution.smoothing_ratio, b.resolution.smoothing_ratio);
    EXPECT_EQ(a.origin.cells, b.origin.cells);
    EXPECT_EQ(a.fluid.density, b.fluid.density);
    EXPECT_EQ(a.fluid.sound_speed, b.fluid.sound_speed);
    EXPECT_EQ(a.fluid.artificial_viscosity, b.fluid.artificial_viscosity);
    EXPECT_EQ(a.fluid.laminar_viscosity, b.fluid.laminar_viscosity);
    EXPECT_EQ(a.fluid.kinematic_viscosity, b.fluid.kinematic_viscosity);
    EXPECT_EQ(a.fluid.state_equation, b.fluid.state_equation);
    EXPECT_EQ(a.period, b.period);
    ASSERT_EQ(a.central_force.has_value(), b.central_force.has_value());
    if (a.central_force) {
        EXPECT_EQ(a.central_force->rate, b.central_force->rate);
        EXPECT_EQ(a.central_force->centre, b.central_force->centre);
    }
    EXPECT_EQ(a.numerics.formulation, b.numerics.formulation);
    EXPECT_EQ(a.numerics.wall_tension, b.numerics.wall_tension);
    EXPECT_EQ(a.numerics.walls, b.numerics.walls);
    EXPECT_EQ(a.numerics.density_filter, b.numerics.density_filter);
    EXPECT_EQ(a.numerics.filter_every, b.numerics.filter_every);
    EXPECT_EQ(a.numerics.rebuild_every, b.numerics.rebuild_every);
    EXPECT_EQ(a.numerics.particle_shifting, b.numerics.particle_shifting);
    EXPECT_EQ(a.numerics.wall_slip, b.numerics.wall_slip);
    EXPECT_EQ(a.numerics.tensile_correction, b.numerics.tensile_correction);
    EXPECT_EQ(a.numerics.density_diffusion, b.numerics.density_diffusion);
    EXPECT_EQ(a.numerics.diffusion_coefficient, b.numerics.diffusion_coefficient);
    EXPECT_EQ(a.numerics.velocity_smoothing, b.numerics.velocity_smoothing);
    EXPECT_EQ(a.numerics.precision, b.numerics.precision);
    EXPECT_EQ(a.numerics.kernel, b.numerics.kernel);
    EXPECT_EQ(a.numerics.integrator, b.numerics.integrator);
    EXPECT_EQ(a.numerics.corrector_every, b.numerics.corrector_every);
    EXPECT_EQ(a.numerics.skin, b.numerics.skin);
    EXPECT_EQ(a.numerics.cells_per_support, b.numerics.cells_per_support);
    EXPECT_EQ(a.numerics.density_bound, b.numerics.density_bound);
    EXPECT_EQ(a.time.end, b.time.end);
    EXPECT_EQ(a.time.step, b.time.step);
    EXPECT_EQ(a.time.cfl, b.time.cfl);
    EXPECT_EQ(a.time.size, b.time.size);
    EXPECT_EQ(a.output.interval, b.output.interval);
    EXPECT_EQ(a.output.ledger_every, b.output.ledger_every);
    EXPECT_EQ(a.output.figures, b.output.figures);
    EXPECT_EQ(a.output.particles, b.output.particles);
    ASSERT_EQ(a.output.within.has_value(), b.output.within.has_value());
    if (a.output.within) {
        EXPECT_EQ(a.output.within->from, b.output.within->from);
        EXPECT_EQ(a.output.within->to, b.output.within->to);
    }
    EXPECT_EQ(a.output.columns, b.output.columns);
    EXPECT_EQ(a.output.precision, b.output.precision);
    EXPECT_EQ(a.output.compression, b.output.compression);
    ASSERT_EQ(a.shapes.size(), b.shapes.size());
    for (std::size_t i = 0; i < a.shapes.size(); ++i) {
        const Shape& s = a.shapes[i];
        const Shape& t = b.shapes[i];
        EXPECT_EQ(s.name, t.name);
        EXPECT_EQ(s.kind, t.kind);
        EXPECT_EQ(s.form, t.form);
        EXPECT_EQ(s.from, t.from);
        EXPECT_EQ(s.to, t.to);
        EXPECT_EQ(s.layers, t.layers);
        EXPECT_EQ(s.points, t.points);
        EXPECT_EQ(s.velocity, t.velocity);
        EXPECT_EQ(s.pressure, t.pressure);
        EXPECT_EQ(s.hydrostatic, t.hydrostatic);
        EXPECT_EQ(s.surface, t.surface);
    }
    ASSERT_EQ(a.motions.size(), b.motions.size());
    for (std::size_t i = 0; i < a.motions.size(); ++i) expect_equal(a.motions[i], b.motions[i]);
    ASSERT_EQ(a.probes.size(), b.probes.size());
    for (std::size_t i = 0; i < a.probes.size(); ++i) {
        const Probe& p = a.probes[i];
        const Probe& q = b.probes[i];
        EXPECT_EQ(p.name, q.name);
        EXPECT_EQ(p.measures, q.measures);
        EXPECT_EQ(p.at, q.at);
        EXPECT_EQ(p.normal, q.normal);
        EXPECT_EQ(p.bodies, q.bodies);
        EXPECT_EQ(p.about, q.about);
        EXPECT_EQ(p.attached, q.attached);
        EXPECT_EQ(p.interval, q.interval);
        EXPECT_EQ(p.filter, q.filter);
        ASSERT_EQ(p.within.has_value(), q.within.has_value());
        if (!p.within) continue;
        EXPECT_EQ(p.within->from, q.within->from);
        EXPECT_EQ(p.within->to, q.within->to);
    }
    ASSERT_EQ(a.front.has_value(), b.front.has_value());
    if (!a.front) return;
    EXPECT_EQ(a.front->start, b.front->start);
    EXPECT_EQ(a.front->length, b.front->length);
    EXPECT_EQ(a.front->tolerance, b.front->tolerance);
    ASSERT_EQ(a.front->references.size(), b.front->references.size());
    for (std::size_t i = 0; i < a.front->references.size(); ++i) {
        EXPECT_EQ(a.front->references[i].name, b.front->references[i].name);
        EXPECT_EQ(a.front->references[i].citation, b.front->references[i].citation);
        EXPECT_EQ(a.front->references[i].points, b.front->references[i].points);
    }
}

TEST(CaseAsToml, ReadsBackAsTheSameCase)
{
    const std::string periodic = "period = [1.3, 0.0]\n" + least_case;
    for (const std::string& text : {least_case, full_case, solid_case, disc_case, periodic}) {
        const Case c = case_from(text);
        const Case again = case_from(case_as_toml(c));
        expect_equal(c, again);
        EXPECT_EQ(case_as_toml(c), case_as_toml(again));
    }
}

TEST(CaseAsToml, KeepsWhatTheFullCaseSays)
{
    const Case c = case_from(full_case);
    EXPECT_EQ(c.title, "All of it: \"quoted\", back\\slash, tab\t, \u00e9");
    EXPECT_EQ(c.origin.cells, (std::array<std::int32_t, 3>{1073741824, -7, 0}));
    EXPECT_EQ(c.time.size, 1e-5);
    EXPECT_EQ(c.fluid.laminar_viscosity, LaminarViscosity::monaghan_gingold);
    EXPECT_EQ(c.fluid.kinematic_viscosity, 1e-6);
    EXPECT_EQ(c.fluid.state_equation, StateEquation::linear);
    EXPECT_EQ(c.numerics.kernel, SmoothingKernel::gaussian);
    EXPECT_EQ(c.numerics.formulation, Formulation::volume_weighted);
    EXPECT_EQ(c.numerics.density_diffusion, DensityDiffusion::antuono);
    EXPECT_EQ(c.central_force->centre[1], -0.25);
    EXPECT_EQ(c.shapes[0].layers, 5);
    EXPECT_EQ(c.shapes[1].points.size(), 3U);
    const Shape drop = case_from(case_as_toml(c)).shapes[2];
    EXPECT_TRUE(std::signbit(std::get<double>(drop.velocity[0])));
    EXPECT_EQ(std::get<Expression>(drop.velocity[1]).text(), "-2.5e-1*x + sin(pi*y) * 1");
    EXPECT_EQ(std::get<Expression>(*drop.pressure).text(), "(x^2 - y^2)*1e3");
    EXPECT_EQ(std::get<double>(*c.shapes[3].pressure), 50);
    EXPECT_FALSE(c.shapes[4].pressure);
    EXPECT_EQ(c.shapes[4].surface, 0.75);
    EXPECT_EQ(c.front->references[0].points[1][1], 1.25);
    EXPECT_EQ(c.probes[0].filter, 0.01);
    EXPECT_EQ(c.probes[1].bodies, (std::vector<std::string>{"ramp", "tank"}));
    EXPECT_EQ(c.probes[2].within->to, (std::array<double, 3>{1, 0.75, 0}));
}

TEST(CaseAsToml, KeepsEveryBitOfADouble)
{
    Case c = case_from(least_case);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-300, 300);
    std::uniform_real_distribution<double> mantissa(1, 10);
    for (int i = 0; i < 200; ++i) {
        c.shapes[0].to[0] = mantissa(random) * std::pow(10, exponent(random));
        c.fluid.sound_speed = mantissa(random);
        const Case again = case_from(case_as_toml(c));
        ASSERT_EQ(again.shapes[0].to[0], c.shapes[0].to[0]);
        ASSERT_EQ(again.fluid.sound_speed, c.fluid.sound_speed);
    }
}

}  // namespace
}  // namespace halfulp
