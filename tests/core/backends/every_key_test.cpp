// Every key of a case in every precision policy: computed as in double, to the policy's rounding, or refused with a
// sentence. Alone and in pairs, for a term may hang on two keys at once: the sound speed that artificial viscosity
// reads is the equation of state's.
#include <optional>

#include "tests/core/backends/every_key.hpp"
#include "tests/core/backends/every_policy.hpp"

namespace halfulp::test {
namespace {

// A case with some settings at once, in one precision.
struct Combination {
    std::string name;
    std::string text;
    Overrides overrides;
    std::vector<std::string> keys;
};

Combination combination_of(int dimensions, const std::vector<const Setting*>& settings)
{
    Combination c{"nothing", small_case(dimensions), {}, {}};
    for (const Setting* setting : settings) {
        c.name = (c.name == "nothing" ? "" : c.name + ", ") + setting->name;
        c.text += setting->text;
        c.overrides = c.overrides + setting->overrides;
        c.keys.push_back(setting->key);
    }
    return c;
}

// The problem, or the sentence that refuses it.
struct Answer {
    std::optional<Problem> problem;
    std::string sentence;
};

// The fluid stirred, with densities of its own that are far enough from rest for an equation of state to be told from
// another.
Answer asked(const Combination& c, const std::string& precision)
{
    Answer answer;
    try {
        const Overrides all = c.overrides + Overrides{"numerics.precision=" + precision};
        answer.problem = prepare(read_case_text(c.text, "small.toml", all));
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::bad_input);
        answer.sentence = error.what();
        return answer;
    }
    stir(*answer.problem, 1, 71);
    Random random(72);
    for (InitialParticle& particle : answer.problem->particles.stored()) {
        if (particle.kind == Kind::fluid) particle.density = static_cast<float>(random.uniform(-0.02, 0.02));
    }
    return answer;
}

// SI units, in order of id.
struct State {
    std::vector<double> position, velocity, pressure;
};

State state_after(const Problem& problem, int steps)
{
    Simulation simulation = simulation_of(problem);
    for (int k = 0; k < steps; ++k) simulation.step();
    const Snapshot snapshot = simulation.snapshot();
    const auto kind = values_of<std::uint8_t>(column(snapshot, "kind"));
    const auto of_fluid = [&](const std::string& name) {
        const std::vector<double> all = doubles_of(snapshot, name);
        const std::size_t components = all.size() / kind.size();
        std::vector<double> some;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (kind[i / components] == 0) some.push_back(all[i]);
        }
        return some;
    };
    return {of_fluid("position"), of_fluid("velocity"), of_fluid("pressure")};
}

// The largest difference of any component of any particle: of positions over the spacing, of velocities and pressures
// over the largest.
double distance(const State& a, const State& b)
{
    const auto apart = [](const std::vector<double>& x, const std::vector<double>& y) {
        double largest = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double here = std::abs(x[i] - y[i]);
            largest = std::isnan(here) ? HUGE_VAL : std::max(largest, here);
        }
        return largest;
    };
    const auto relative = [&](const std::vector<double>& x, const std::vector<double>& y) {
        return apart(x, y) / apart(x, std::vector<double>(x.size(), 0));
    };
    return std::max(
        {apart(a.position, b.position) / 0.1, relative(a.velocity, b.velocity), relative(a.pressure, b.pressure)});
}

// Enough for two filters, two rebuilds in time and particles that cross cells.
constexpr int steps = 8;

State in_double_after(const Combination& c, int count) { return state_after(*asked(c, "double").problem, count); }

TEST(EveryKey, IsTriedOrHasNoPartInAStep)
{
    std::set<std::string> there;
    for (const auto& [key, values] : keys_of_a_case()) {
        there.insert(key);
        const bool tried = !values.empty() || values_to_try.contains(key) || texts_to_try.contains(key);
        EXPECT_TRUE(tried || has_no_part(key))
            << key << " is in no list of every_key.hpp: say what to try, or that no step reads it";
    }
    for (const auto* list : {&values_to_try, &given_beside}) {
        for (const auto& [key, values] : *list) EXPECT_TRUE(there.contains(key)) << key << " is no key";
    }
    for (const std::string& key : of_the_order) EXPECT_TRUE(there.contains(key)) << key << " is no key";
}

// In double a setting changes the result, or the tests below would show nothing; what changes the order of additions
// alone does not.
TEST(EveryKey, ChangesTheResult)
{
    for (const int dimensions : {2, 3}) {
        const auto all = settings(dimensions);
        const State base = in_double_after(combination_of(dimensions, {}), steps);
        for (const Setting& setting : all) {
            double change = 0;
            bool computed = false;
            const auto compare = [&](const State& without, const Combination& with) {
                if (const Answer answer = asked(with, "double"); answer.problem) {
                    computed = true;
                    change = std::max(change, distance(state_after(*answer.problem, steps), without));
                }
            };
            compare(base, combination_of(dimensions, {&setting}));
            // What belongs to the value of another key.
            for (const Setting& other : all) {
                if (computed && change > 0) break;
                if (other.key == setting.key || !asked(combination_of(dimensions, {&other}), "double").problem)
                    continue;
                compare(in_double_after(combination_of(dimensions, {&other}), steps),
                        combination_of(dimensions, {&other, &setting}));
            }
            EXPECT_TRUE(computed) << setting.name;
            if (of_the_order.contains(setting.key)) EXPECT_LT(change, 1e-6) << setting.name;
            else EXPECT_GT(change, 1e-4) << setting.name;
        }
    }
}

// The same problem by the passes for all of Physics: with a viscosity and a density diffusion that are there and too
// small to count, where it has none, and with such an XSPH, where the integrator takes it, beside balanced diffusion
// and Fourtakas's and for walls that follow the fluid without diffusion, which with any have a contact pressure.
Combination in_general(Combination c, const Case& chosen)
{
    if (chosen.fluid.laminar_viscosity == LaminarViscosity::none) {
        const bool slips = chosen.numerics.wall_slip == WallSlip::free_slip;
        c.overrides = c.overrides + Overrides{"fluid.laminar_viscosity=morris", "fluid.kinematic_viscosity=1e-15",
                                              slips ? "numerics.wall_slip=free-slip" : "numerics.wall_slip=no-slip"};
    }
    const bool follows = follow_the_fluid(chosen.numerics.walls);
    const bool diffuses = chosen.numerics.density_diffusion != DensityDiffusion::none;
    if (!diffuses && !follows)
        c.overrides = c.overrides + Overrides{"numerics.density_diffusion=molteni-colagrossi",
                                              "numerics.diffusion_coefficient=1e-15"};
    const bool special = chosen.numerics.density_diffusion == DensityDiffusion::balanced ||
                         chosen.numerics.density_diffusion == DensityDiffusion::fourtakas;
    if ((special || (!diffuses && follows)) && chosen.numerics.velocity_smoothing == 0 &&
        info_of(chosen.numerics.integrator).corrects)
        c.overrides = c.overrides + Overrides{"numerics.velocity_smoothing=1e-15"};
    return c;
}

// The passes that are compiled for themselves compute what the general ones do, or are not taken: a whitelist that is
// too long is the same in every policy, and comparing policies does not show it.
TEST(EveryKey, IsComputedAlikeByTheSpecialPasses)
{
    const auto all = settings(2);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t k = i; k < all.size(); ++k) {
            if (k > i && all[k].key == all[i].key) continue;
            const Combination c = combination_of(2, k == i ? std::vector{&all[i]} : std::vector{&all[i], &all[k]});
            const Answer special = asked(c, "double");
            if (!special.problem) continue;
            const Answer general = asked(in_general(c, special.problem->source), "double");
            ASSERT_TRUE(general.problem) << c.name << ": " << general.sentence;
            EXPECT_FALSE(covered_by_special_forces(general.problem->physics));
            EXPECT_TRUE(compiled_density_rate(general.problem->physics) == CompiledDensityRate::general ||
                        !info_of(special.problem->source.numerics.integrator).corrects);
            EXPECT_LT(distance(state_after(*special.problem, steps), state_after(*general.problem, steps)), 1e-12)
                << c.name;
        }
    }
}

// The largest distance that a policy's rounding makes in so few steps: two to five times what was measured.
double allowed(const PolicyInfo& policy, const Combination& c)
{
    // The Gaussian ends at 1.2e-4 of its height: rounding decides on a pair at that distance.
    const double cut = c.name.find("gaussian") == std::string::npos ? 0 : 2e-5;
    // In other units than double's the start itself is rounded to other floats.
    if (policy.number != "float") return policy.cell_is_one ? 4e-14 : 1e-6;
    const bool digits_kept = policy.density == "centred" && policy.pressure == "horner" && policy.kernels == "factored";
    return cut + (digits_kept ? 1e-6 : 2e-5);
}

class EveryPolicyAndKey : public testing::TestWithParam<PolicyInfo> {
protected:
    // Of a combination that double computes.
    void expect_as_in_double_or_refused(const Combination& c, int count)
    {
        const Answer reference = asked(c, "double");
        if (!reference.problem) return;
        const PolicyInfo& policy = GetParam();
        const Answer here = asked(c, policy.name);
        if (here.problem) {
            EXPECT_LE(distance(state_after(*here.problem, count), state_after(*reference.problem, count)),
                      allowed(policy, c))
                << c.name;
            return;
        }
        // The case without these settings is computed by all, so one of them is at fault, or a key of the preset.
        const bool names_a_key = std::any_of(c.keys.begin(), c.keys.end(), [&](const std::string& key) {
            return here.sentence.find(key + " to be ") != std::string::npos ||
                   (key == "numerics.preset" && here.sentence.starts_with("preset \""));
        });
        EXPECT_TRUE(names_a_key) << c.name << ": " << here.sentence;
        EXPECT_NE(here.sentence.find("numerics.precision is \"" + policy.name + "\", which needs "), std::string::npos)
            << here.sentence;
        EXPECT_EQ(std::count(here.sentence.begin(), here.sentence.end(), '\n'), 0) << here.sentence;
        EXPECT_EQ(here.sentence.back(), '.') << here.sentence;
        const bool has_everything = policy.every_physics && !policy.reversible;
        EXPECT_FALSE(has_everything) << here.sentence;
    }
};

INSTANTIATE_TEST_SUITE_P(Policies, EveryPolicyAndKey, testing::ValuesIn(policies_to_try()), name_of_policy);

TEST_P(EveryPolicyAndKey, IsComputedAsInDoubleOrRefused)
{
    const bool slow = GetParam().number == "quad";
    for (const int dimensions : {2, 3}) {
        expect_as_in_double_or_refused(combination_of(dimensions, {}), slow ? 2 : steps);
        const auto all = settings(dimensions);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const int count = !slow ? steps : dimensions == 2 ? 4 : 1;
            expect_as_in_double_or_refused(combination_of(dimensions, {&all[i]}), count);
            // A pass is the same code in both dimensions but for the components of a vector: pairs in one of them.
            if (slow || dimensions == 3) continue;
            for (std::size_t k = i + 1; k < all.size(); ++k) {
                if (all[k].key == all[i].key) continue;
                expect_as_in_double_or_refused(combination_of(dimensions, {&all[i], &all[k]}), count);
            }
        }
    }
}

}  // namespace
}  // namespace halfulp::test
