#include "validation/symmetry/measure.hpp"

#include <algorithm>
#include <cmath>

#include "core/setup/policy_table.hpp"
#include "validation/columns.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

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
        const std::size_t numbers = a.data.size() / size_of(a.type);
        for (std::size_t i = 0; i < numbers; ++i)
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
    try {
        for (int step = 0;; ++step) {
            const FluidState a = fluid_of(problem, original.snapshot());
            const FluidState b =
                taken_back(fluid_of(seen_problem, seen.snapshot()), image, seen.time(), reported_metre(seen_problem));
            auto moment = compare_states(a, b, image, c.resolution.spacing, u);
            moment.step = step;
            moment.time = original.time();
            if (moment.same < 1 && result.first_different_step < 0) result.first_different_step = step;
            if (std::binary_search(kept.begin(), kept.end(), step)) result.moments.push_back(moment);
            if (step == steps) break;
            original.step();
            seen.step();
        }
    } catch (const SimulationBroke&) {
        result.broke = true;
    }
    result.same_to_the_end =
        image.kind == ImageKind::scaled && same_numbers(original.snapshot(), seen.snapshot(), image);
    return result;
}

Results rows_of(const ImageComparison& r)
{
    Results rows{row_of<ImageNumbers>(r)};
    for (const auto& m : r.moments) rows.push_back(row_of(m));
    return rows;
}

ImageComparison image_comparison_of(const Results& rows)
{
    ImageComparison r{record_of<ImageNumbers>(rows.at(0)), {}};
    for (std::size_t k = 1; k < rows.size(); ++k) r.moments.push_back(record_of<ImageComparison::Moment>(rows[k]));
    return r;
}

}  // namespace halfulp
