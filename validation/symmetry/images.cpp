#include "validation/symmetry/images.hpp"

#include <random>

#include "core/setup/policy_table.hpp"
#include "precision/position.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

// A whole number of up to `bits` bits and either sign, over 2^bits: written out, since the library's distributions are
// not the same everywhere.
double random_fraction(std::mt19937_64& engine, int bits)
{
    const auto whole = static_cast<double>(engine() >> (63U - static_cast<unsigned>(bits)));  // bits + 1 bits
    return std::ldexp(whole, -bits) - 1;
}

// Quarter turns of either sense; the other images are their own inverses.
template <class T>
void turn(std::array<T, 3>& v, ImageKind kind, bool back = false)
{
    if (kind == ImageKind::mirror) v[0] = -v[0];
    if (kind == ImageKind::half_turn) v = {-v[0], -v[1], v[2]};
    if (kind == ImageKind::quarter_turn) v = back ? std::array{v[1], -v[0], v[2]} : std::array{-v[1], v[0], v[2]};
}

double unit_roundoff(const Problem& problem)
{
    const PolicyInfo* const policy = find_policy(problem.source.numerics.precision);
    return policy != nullptr && policy->number == "float" ? 0x1p-24 : 0x1p-53;
}

void compare_rates(const Simulation& original, const Simulation& seen, const Image& image, double u, bool si,
                   ImageComparison& result)
{
    const Rates a = original.backend().rates();
    const Rates b = seen.backend().rates();
    // To the original's units: an acceleration is a velocity squared over a length. Scaled units scale along.
    const double acceleration = si ? std::ldexp(1.0, image.length - 2 * image.velocity) : 1;
    const double per_time = si ? std::ldexp(1.0, image.length - image.velocity) : 1;
    double largest = 0;
    double difference = 0;
    for (std::size_t i = 0; i < a.leading.size(); ++i) {
        const auto force = vector_taken_back({b.leading[i][0] * acceleration, b.leading[i][1] * acceleration}, image);
        for (std::size_t c = 0; c < 2; ++c) {
            result.same_forces += force[c] == a.leading[i][c] ? 1 : 0;
            difference = std::max(difference, std::abs(force[c] - a.leading[i][c]));
            largest = std::max(largest, std::abs(a.leading[i][c]));
        }
        result.same_density += b.leading[i][3] * per_time == a.leading[i][3] ? 1 : 0;
    }
    const auto count = static_cast<double>(a.leading.size());
    result.same_forces /= 2 * count;
    result.same_density /= count;
    result.force_difference = difference / (largest * u);
}

// Whether every number of the state of a scaled problem is the original's times the power of two that belongs to its
// unit.
bool same_numbers(const Snapshot& original, const Snapshot& seen, const Image& image)
{
    const bool absolute =
        std::ranges::any_of(original.columns, [](const Column& column) { return column.unit == "kg/m^D"; });
    const auto factor = [&](const Column& column) {
        const bool density = column.name == "density" || column.unit == "as density";
        if (density && absolute) return std::ldexp(1.0, image.density);
        if (column.unit == "m") return std::ldexp(1.0, image.length);
        if (column.unit == "m/s") return std::ldexp(1.0, image.velocity);
        return 1.0;
    };
    for (const Column& a : original.columns) {
        if (!a.state) continue;
        const Column& b = column_of(seen, a.name);
        for (std::size_t i = 0; i < a.data.size() / size_of(a.type); ++i)
            if (number_at(a, i) * factor(a) != number_at(b, i)) return false;
    }
    return true;
}

ImageComparison::Moment compare_states(const FluidState& a, const FluidState& b, const Image& image, double spacing,
                                       double u)
{
    ImageComparison::Moment moment;
    const double pressure = std::ldexp(1.0, image.density + 2 * image.velocity);
    double fastest = 0;
    double same = 0;
    for (std::size_t i = 0; i < a.position.size(); ++i) {
        const double x = b.position[i][0] - a.position[i][0];
        const double y = b.position[i][1] - a.position[i][1];
        const double vx = b.velocity[i][0] - a.velocity[i][0];
        const double vy = b.velocity[i][1] - a.velocity[i][1];
        moment.rms += x * x + y * y;
        moment.largest = std::max(moment.largest, std::hypot(x, y));
        moment.velocity = std::max(moment.velocity, std::hypot(vx, vy));
        fastest = std::max(fastest, std::hypot(a.velocity[i][0], a.velocity[i][1]));
        same += x == 0 && y == 0 && vx == 0 && vy == 0 && a.pressure[i] * pressure == b.pressure[i] ? 1 : 0;
    }
    const auto count = static_cast<double>(a.position.size());
    moment.rms = std::sqrt(moment.rms / count) / spacing;
    moment.velocity /= fastest * u;
    moment.same = same / count;
    return moment;
}

}  // namespace

Problem geometric_image(Problem problem, const Image& image)
{
    for (InitialParticle& particle : problem.particles.stored()) {
        turn(particle.cell, image.kind);
        turn(particle.offset, image.kind);
        turn(particle.velocity, image.kind);
        for (std::size_t c = 0; c < 2; ++c) {
            carry(particle.cell[c], particle.offset[c]);
            if (image.kind == ImageKind::boost)
                particle.velocity[c] += static_cast<float>(image.boost[c] / problem.units.velocity);
        }
    }
    return problem;
}

Case scaled_case(Case c, const Image& image)
{
    const double length = std::ldexp(1.0, image.length);
    const double velocity = std::ldexp(1.0, image.velocity);
    c.resolution.spacing *= length;
    c.fluid.sound_speed *= velocity;
    c.fluid.density *= std::ldexp(1.0, image.density);
    c.time.end *= length / velocity;
    c.output.interval *= length / velocity;
    for (Shape& shape : c.shapes) {
        for (std::size_t i = 0; i < 3; ++i) {
            shape.from[i] *= length;
            shape.to[i] *= length;
            if (auto* const number = std::get_if<double>(&shape.velocity[i])) *number *= velocity;
        }
    }
    return c;
}

void stir(Problem& problem, std::uint64_t seed, double speed_unit)
{
    std::mt19937_64 engine(seed);
    const double largest = 0.1 * problem.source.resolution.spacing / problem.units.length;  // cell sides
    for (InitialParticle& particle : problem.particles.stored()) {
        for (std::size_t c = 0; c < 2; ++c) {
            particle.offset[c] += static_cast<float>(largest * random_fraction(engine, 20));
            carry(particle.cell[c], particle.offset[c]);
            const double extra = 0.25 * random_fraction(engine, 8) * speed_unit;
            particle.velocity[c] += static_cast<float>(extra / problem.units.velocity);
        }
        particle.density += static_cast<float>(1e-3 * random_fraction(engine, 20));
    }
}

Problem image_of(const Case& c, const Image& image, std::uint64_t seed)
{
    Problem problem = prepare(scaled_case(c, image));
    stir(problem, seed, std::ldexp(1.0, image.velocity));
    return geometric_image(std::move(problem), image);
}

FluidState taken_back(FluidState state, const Image& image, double time, double metre)
{
    const double length = std::ldexp(1.0, -image.length);
    const double velocity = std::ldexp(1.0, -image.velocity);
    for (std::size_t i = 0; i < state.position.size(); ++i) {
        turn(state.position[i], image.kind, true);
        turn(state.velocity[i], image.kind, true);
        for (std::size_t c = 0; c < 3; ++c) {
            const double boost = c < 2 ? image.boost[c] : 0;
            state.position[i][c] = state.position[i][c] * length - boost * time * metre;
            state.velocity[i][c] = state.velocity[i][c] * velocity - boost;
        }
    }
    return state;
}

std::array<double, 2> vector_taken_back(const std::array<double, 2>& vector, const Image& image)
{
    std::array<double, 3> v{vector[0], vector[1], 0};
    turn(v, image.kind, true);
    return {v[0], v[1]};
}

double reported_metre(const Problem& problem)
{
    return problem.units.length / (static_cast<double>(problem.parameters.cell_side) * problem.units.state);
}

std::vector<int> spread_steps(int steps, int moments)
{
    std::vector<int> chosen{0};
    for (int k = 0; k < moments; ++k) {
        const double exponent = moments > 1 ? static_cast<double>(k) / (moments - 1) : 1;
        const int step = static_cast<int>(std::lround(std::pow(static_cast<double>(steps), exponent)));
        if (step > chosen.back() && step <= steps) chosen.push_back(step);
    }
    return chosen;
}

ImageComparison compare_with_image(const Case& c, const Image& image, std::uint64_t seed, int steps, int moments)
{
    const Problem problem = image_of(c, {.name = "itself", .kind = ImageKind::scaled}, seed);
    const Problem seen_problem = image_of(c, image, seed);
    Simulation original(problem, make_cpu_backend(problem, one_thread));
    Simulation seen(seen_problem, make_cpu_backend(seen_problem, one_thread));
    const double u = unit_roundoff(problem);
    const std::vector<int> kept = spread_steps(steps, moments);
    ImageComparison result;
    compare_rates(original, seen, image, u, problem.units.state == 1, result);
    result.broke = breaks_down([&] {
        for (int step = 0;; ++step) {
            const FluidState a = fluid_of(problem, original.snapshot());
            const FluidState b =
                taken_back(fluid_of(seen_problem, seen.snapshot()), image, seen.time(), reported_metre(seen_problem));
            auto moment = compare_states(a, b, image, c.resolution.spacing, u);
            moment.step = step;
            moment.time = original.time();
            if (moment.same < 1 && result.first_different_step < 0) result.first_different_step = step;
            if (std::ranges::binary_search(kept, step)) result.moments.push_back(moment);
            if (step == steps) break;
            original.step();
            seen.step();
        }
    });
    result.same_to_the_end =
        image.kind == ImageKind::scaled && same_numbers(original.snapshot(), seen.snapshot(), image);
    return result;
}

}  // namespace halfulp
