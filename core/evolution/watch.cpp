#include "core/evolution/watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/motion/brought_back.hpp"
#include "core/particles/domain.hpp"
#include "core/results/column_number.hpp"
#include "core/setup/for_each_particle.hpp"
#include "core/setup/units.hpp"
#include "core/setup/wall_speed.hpp"
#include "kernels/time_step.hpp"

namespace halfulp {

namespace {

using Position = std::array<double, 3>;

double magnitude_of(const Position& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// NaN ranks above every number.
double rank_of(double value) { return std::isnan(value) ? std::numeric_limits<double>::infinity() : value; }

// The particles of a snapshot one by one.
class Particles {
public:
    Particles(const Snapshot& snapshot, const Problem& problem)
        : snapshot_(snapshot), count_(snapshot.count), position_(find_column(snapshot, "position")),
          velocity_(find_column(snapshot, "velocity")), kind_(find_column(snapshot, "kind"))
    {
        for (std::size_t i = 0; i < 3; ++i) origin_[i] = problem.source.origin.cells[i] * problem.units.length;
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    // m, relative to the case's origin
    [[nodiscard]] Position position(std::size_t row) const
    {
        Position x{};
        for (std::size_t i = 0; i < 3; ++i) x[i] = number_at<double>(*position_, 3 * row + i) - origin_[i];
        return x;
    }
    [[nodiscard]] double speed(std::size_t row) const
    {
        return magnitude_of(
            {number_at(*velocity_, 3 * row), number_at(*velocity_, 3 * row + 1), number_at(*velocity_, 3 * row + 2)});
    }
    [[nodiscard]] Kind kind(std::size_t row) const { return static_cast<Kind>(number_at<std::uint8_t>(*kind_, row)); }

    // The row of the particle with the largest measure(row), that of the smallest id where several have it.
    template <class Measure>
    [[nodiscard]] std::size_t largest(const Measure& measure) const
    {
        std::size_t found = 0;
        for (std::size_t row = 1; row < count_; ++row) {
            if (rank_of(measure(row)) > rank_of(measure(found))) found = row;
        }
        return found;
    }
    // Whether a fluid particle has no other one within reach.
    [[nodiscard]] bool alone(std::size_t row, double reach) const
    {
        const Position x = position(row);
        for (std::size_t other = 0; other < count_; ++other) {
            const Position y = position(other);
            if (other != row && kind(other) == Kind::fluid &&
                magnitude_of({x[0] - y[0], x[1] - y[1], x[2] - y[2]}) < reach)
                return false;
        }
        return true;
    }
    [[nodiscard]] Breakdown breakdown(std::size_t row, std::string what, std::string likely_cause) const
    {
        return {.what = std::move(what),
                .likely_cause = std::move(likely_cause),
                .id = id_of(snapshot_, row),
                .kind = kind(row),
                .position = position(row)};
    }

private:
    const Snapshot& snapshot_;
    std::size_t count_;
    const Column* position_;
    const Column* velocity_;
    const Column* kind_;
    Position origin_{};
};

Breakdown faster_than_sound(const Problem& problem, const Simulation& simulation)
{
    const Snapshot snapshot = simulation.snapshot();
    const Particles particles(snapshot, problem);
    const std::size_t row = particles.largest(
        [&](std::size_t one) { return particles.kind(one) == Kind::fluid ? particles.speed(one) : -1; });
    const bool alone = particles.alone(row, support_radius(problem.source));
    return particles.breakdown(
        row,
        fmt::format("it moves at {:.4g} m/s, faster than sound (fluid.sound_speed = {} m/s), so no pressure can follow",
                    particles.speed(row), problem.source.fluid.sound_speed),
        fmt::format(
            fmt::runtime(
                alone
                    ? "a particle that left the flow, shot out by too large a step (try a smaller {}) or falling from "
                      "where the case is open (close it, or end it earlier)"
                    : "a sound speed far below ten times the fastest flow (fluid.sound_speed), or too large a step for the "
                      "flow (try a smaller {})"),
            step_key(problem)));
}

}  // namespace

Watch::Watch(const Problem& problem)
    : problem_(problem),
      longest_step_(problem.fixed_step > 0
                        ? 0
                        : stable_step(problem.source.time.cfl, smoothing_length(problem.source), 0,
                                      problem.source.fluid.sound_speed, lengthwise_viscosity(problem.source))),
      regions_(fluid_regions(problem))
{
    constexpr double share = 0.01;
    for (std::size_t k = 0; k < problem.motions.size(); ++k) {
        if (problem.motions[k].frame() != MotionFrame::moving) continue;
        of_frames_ = std::max(of_frames_, share * problem.units.mass * static_cast<double>(problem.fluid) *
                                              load_of_frame(problem, k).potential);
    }
}

void Watch::check(const Simulation& simulation, const LedgerRow& last) const
{
    if (simulation.broken_at_start()) return;
    if (simulation.next_step() < collapsed_step * longest_step_) throw SimulationBroke{collapse(simulation)};
    if (last.step == static_cast<double>(simulation.steps()) && last.max_speed > problem_.source.fluid.sound_speed)
        throw SimulationBroke{faster_than_sound(problem_, simulation)};
}

// Sound speeds over the mean speed that all available energy makes; ten times the fastest is usual.
constexpr double far_below_ten = 4;

Breakdown Watch::collapse(const Simulation& simulation) const
{
    const Case& c = problem_.source;
    const double h = smoothing_length(c);
    const StepLimits limits = simulation.backend().limits();
    const double acceleration = limits.max_acceleration * problem_.units.acceleration();
    const double signal = limits.max_signal_speed * problem_.units.velocity;
    const std::string step =
        fmt::format("the time step has collapsed to {:.3g} s, {:.2g} of what the sound speed allows",
                    simulation.next_step(), simulation.next_step() / longest_step_);
    const Snapshot snapshot = simulation.snapshot();
    const Particles particles(snapshot, problem_);
    if (stable_step(c.time.cfl, h, acceleration, c.fluid.sound_speed) < stable_step(c.time.cfl, h, 0, signal)) {
        const Rates rates = simulation.backend().rates();
        const std::size_t row = particles.largest([&](std::size_t one) {
            const auto& rate = rates.leading[one];
            return magnitude_of({rate[0], rate[1], rate[2]});
        });
        const bool gravity = magnitude_of(c.gravity) * h > c.fluid.sound_speed * c.fluid.sound_speed;
        const double mass = problem_.units.mass * static_cast<double>(problem_.fluid);
        const double energy = problem_.available_energy_from_rest ? std::max(problem_.available_energy, 0.0) : 0;
        const double mean_speed = mass > 0 ? std::sqrt(2 * energy / mass) : 0;
        return particles.breakdown(
            row, fmt::format("{}, by its acceleration of {:.4g} m/s^2", step, acceleration),
            gravity ? "gravity that no sound speed of this case can bear (see gravity and fluid.sound_speed)"
            : c.fluid.sound_speed < far_below_ten * mean_speed
                ? "a sound speed far below ten times the fastest flow (fluid.sound_speed)"
                : "forces far beyond what the sound speed can bear: a motion that jumps or has other units, or particles "
                  "that came too close to each other in one step (try a smaller time.cfl)");  // of a variable step
    }
    const std::size_t row = particles.largest([&](std::size_t one) { return particles.speed(one); });
    return particles.breakdown(
        row,
        fmt::format(
            "{}, by particles that approach each other at many times the speed of sound (signals at {:.4g} m/s; "
            "it is the fastest, at {:.4g} m/s)",
            step, signal, particles.speed(row)),
        "a wall or fluid faster than fluid.sound_speed can bear (are its units right?), or too large a step before (try "
        "a smaller time.cfl)");
}

void Watch::look(const LedgerRow& row)
{
    if (row.max_speed > largest_speed_) {
        largest_speed_ = row.max_speed;
        largest_speed_at_ = row.time;
    }
    if (row.max_density_deviation > largest_deviation_) {
        largest_deviation_ = row.max_density_deviation;
        largest_deviation_at_ = row.time;
    }
    if (!total_at_start_) total_at_start_ = row.total;
    if (std::abs(row.residual) > largest_residual_) {
        largest_residual_ = std::abs(row.residual);
        largest_residual_at_ = row.time;
    }
    // A mean whose memory is a fifth of the time so far.
    const double share = row.time > row_at_ ? std::min(1.0, (row.time - row_at_) / (0.2 * row.time)) : 0;
    lasting_wall_pressure_work_ += share * (row.wall_pressure_work - lasting_wall_pressure_work_);
    lasting_diffusion_work_ += share * (row.diffusion_work - lasting_diffusion_work_);
    row_at_ = row.time;
    const double driven = std::abs(row.wall_work) + std::abs(row.inertial_work) + std::abs(row.driving_work);
    largest_motion_ = std::max({largest_motion_, row.kinetic, driven});
    if (!fast_since_ && row.max_speed > weakly_compressible * problem_.source.fluid.sound_speed) fast_since_ = row.time;
}

// The fluid particles outside of some region that they can leave only through a wall.
std::vector<std::uint8_t> Watch::outside(const SnapshotSource& snapshot) const
{
    const std::uint64_t piece = std::min<std::uint64_t>(snapshot.count, 1U << 16U);
    const auto kinds =
        std::ranges::find(snapshot.columns, "kind", [](const ColumnSource& one) { return one.column.name; });
    const double side = problem_.units.length;
    const double spacing = problem_.source.resolution.spacing;
    std::vector<std::optional<Pose>> poses;
    for (const FluidRegion& region : regions_) {
        std::optional<Pose>& pose = poses.emplace_back();
        if (region.motion() >= 0) pose = problem_.motions[static_cast<std::size_t>(region.motion())].at(snapshot.time);
    }
    std::vector<std::uint8_t> found(snapshot.count, 0);
    std::vector<std::byte> kind(piece);
    std::vector<double> places(3 * piece);
    for (std::uint64_t first = 0; first < snapshot.count; first += piece) {
        const std::uint64_t count = std::min(piece, snapshot.count - first);
        kinds->read(first, count, kind.data());
        snapshot.place(first, count, places.data());
#pragma omp parallel for schedule(static) if (count >= worth_threads)
        for (std::uint64_t k = 0; k < count; ++k) {
            if (static_cast<Kind>(kind[k]) != Kind::fluid) continue;
            for (std::size_t r = 0; r < regions_.size(); ++r) {
                Position x{places[3 * k], places[3 * k + 1], places[3 * k + 2]};
                if (poses[r]) {
                    Vec<3, double> place;
                    for (int i = 0; i < 3; ++i) place[i] = x[static_cast<std::size_t>(i)] / side;
                    const Vec<3, double> start = brought_back(*poses[r], place);
                    for (int i = 0; i < 3; ++i) x[static_cast<std::size_t>(i)] = start[i] * side;
                }
                for (double& component : x) component /= spacing;
                // NaN is left to the rules of the back end.
                if (magnitude_of(x) < 1e15 && !regions_[r].holds(x)) found[first + k] = 1;
            }
        }
    }
    return found;
}

std::optional<std::string> Watch::look(const SnapshotSource& snapshot)
{
    if (regions_.empty()) return {};
    const std::vector<std::uint8_t> outside = this->outside(snapshot);
    const std::lock_guard<std::mutex> lock(mutex_);
    through_walls_ = static_cast<std::uint64_t>(std::ranges::count(outside, 1));
    if (through_walls_ == 0 || !first_through_walls_.empty()) return {};
    const auto row = static_cast<std::uint64_t>(std::ranges::find(outside, 1) - outside.begin());
    auto id = static_cast<std::uint32_t>(row);
    if (snapshot.columns.front().column.name == id_column)
        snapshot.columns.front().read(row, 1, reinterpret_cast<std::byte*>(&id));
    Position x{};
    snapshot.place(row, 1, x.data());
    first_through_walls_ = fmt::format("particle {} at ({:.6g}, {:.6g}, {:.6g}) m in the output of t = {:.6g} s", id,
                                       x[0], x[1], x[2], snapshot.time);
    return first_through_walls_;
}

void Watch::remember(const std::string& first_through_walls)
{
    const std::lock_guard<std::mutex> lock(mutex_);
    first_through_walls_ = first_through_walls;
    first_told_ = true;
}

std::string Watch::speed_warning() const
{
    const double mach = largest_speed_ / problem_.source.fluid.sound_speed;
    return fmt::format(
        "the fastest fluid has exceeded {} of the sound speed since t = {:.6g} s (at most {:.3f} of it, at t = "
        "{:.6g} s), where density varies by about {:.1f} % even without an impact{}; a larger fluid.sound_speed makes it "
        "less",
        weakly_compressible, *fast_since_, mach, largest_speed_at_, 100 * mach * mach,
        problem_.wall == 0 ? ", unless all of the fluid drifts as one" : "");
}

std::string Watch::density_warning() const
{
    return fmt::format(
        "the fluid's density has deviated from rest by more than {:.0f} % (at most by {:.1f} %, at t = {:.6g} s): an impact, "
        "or fluid that is torn or squeezed; do not trust single pressures then, and compare with a larger "
        "fluid.sound_speed",
        100 * weak_compression, 100 * largest_deviation_, largest_deviation_at_);
}

Watch::EnergyScale Watch::energy_scale() const
{
    const double at_start = std::abs(total_at_start_.value_or(0));
    return std::max({EnergyScale{problem_.available_energy, "available to move the fluid"},
                     EnergyScale{largest_motion_, "of its motion"},
                     EnergyScale{of_frames_, "that are a hundredth of what inertial forces can do"},
                     EnergyScale{1e-3 * at_start, "that are a thousandth of the energy at the start"}},
                    [](const EnergyScale& a, const EnergyScale& b) { return a.energy < b.energy; });
}

std::vector<std::string> Watch::energy_warnings() const
{
    std::vector<std::string> all;
    const auto [scale, of_what] = energy_scale();
    if (!(scale > 0)) return all;
    const char* const unit = problem_.source.dimensions == 2 ? "J/m" : "J";
    if (largest_residual_ > open_balance * scale) {
        all.push_back(
            fmt::format("the energy ledger's residual has reached {:.3g} {} = {:.2g} % of the {:.3g} {} {}, "
                        "at t = {:.6g} s: steps are too long for this flow; try a smaller {}",
                        largest_residual_, unit, 100 * largest_residual_ / scale, scale, unit, of_what,
                        largest_residual_at_, step_key(problem_)));
    }
    const auto look_at_work = [&, scale = scale, of_what = of_what](double work, const char* what, const char* column,
                                                                    const char* instead) {
        if (!(work > fed * scale)) return;
        all.push_back(fmt::format(
            "{} has added {:.3g} {} to the fluid's energy, {:.2g} % of the {:.3g} {} {} ({} in the ledger), but should "
            "take some: trust the motion only as far as a smaller resolution.spacing leaves it unchanged{}",
            what, work, unit, 100 * work / scale, scale, unit, of_what, column, instead));
    };
    look_at_work(lasting_wall_pressure_work_, "the pressure that walls take from the fluid", "wall_pressure_work",
                 continue_gradient(problem_.physics.walls)
                     ? "; numerics.walls = \"pressure-cloning\" has mirror nodes, too, and does not"
                     : "");
    look_at_work(lasting_diffusion_work_, "density diffusion", "diffusion_work", "");
    return all;
}

std::vector<std::string> Watch::take_news()
{
    std::vector<std::string> news;
    if (fast_since_ && !speed_told_) news.push_back(speed_warning());
    speed_told_ = fast_since_.has_value();
    if (largest_deviation_ > weak_compression && !deviation_told_) {
        news.push_back(density_warning());
        deviation_told_ = true;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!first_through_walls_.empty() && !first_told_) {
        news.push_back(fmt::format("fluid has come into or through a wall: {}", first_through_walls_));
        first_told_ = true;
    }
    return news;
}

std::vector<std::string> Watch::warnings() const
{
    std::vector<std::string> all;
    if (fast_since_) all.push_back(speed_warning());
    if (largest_deviation_ > weak_compression) all.push_back(density_warning());
    for (std::string& warning : energy_warnings()) all.push_back(std::move(warning));
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!first_through_walls_.empty()) {
        all.push_back(fmt::format(
            "fluid has come into or through a wall: {}, the first {}. Likely cause: walls too thin for the support (layers), a "
            "kernel too wide for them (resolution.smoothing_ratio), fluid that starts too close to them, or too large a "
            "step (try a smaller {})",
            through_walls_ == 0   ? std::string("none found in the last output")
            : through_walls_ == 1 ? std::string("1 particle in the last output")
                                  : fmt::format("{} particles in the last output", through_walls_),
            first_through_walls_, step_key(problem_)));
    }
    return all;
}

}  // namespace halfulp
