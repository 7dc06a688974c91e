#include "core/app/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/app/provenance.hpp"
#include "core/app/short_numbers.hpp"
#include "core/output/front.hpp"
#include "core/output/probe_series.hpp"
#include "core/particles/work_columns.hpp"
#include "core/setup/case_warnings.hpp"
#include "core/setup/fitting_spacing.hpp"
#include "core/setup/policy_table.hpp"
#include "core/setup/rounding_loss.hpp"
#include "kernels/time_step.hpp"

namespace halfulp {

namespace {

using Text = std::back_insert_iterator<std::string>;

double magnitude_of(const std::array<double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

const char* per_width(const Problem& problem) { return problem.source.dimensions == 2 ? "/m" : ""; }

// The ledger's rows in the summary, all in one notation: with a fixed point, or with exponents where its six decimals
// would be zeros, or more digits than a double has.
class EnergyTable {
public:
    EnergyTable(Text out, const RunOutcome& outcome) : out_(out), outcome_(outcome) {}

    void balance(const std::string& name, double LedgerRow::*member)
    {
        const double a = outcome_.first.*member;
        const double b = outcome_.last.*member;
        lines_.push_back({.name = name, .start = a, .end = b, .change = b - a});
    }
    void work(const std::string& name, double change, const char* remark = "")
    {
        lines_.push_back({.name = name, .start = {}, .end = {}, .change = change, .remark = remark});
    }
    void print()
    {
        double largest = 0;
        for (const Line& line : lines_) {
            for (const double x : {line.start.value_or(0), line.end.value_or(0), line.change})
                largest = std::max(largest, std::abs(x));
        }
        const bool fixed = largest == 0 || (largest >= 1e-3 && largest < 1e9);
        const auto text = [&](double x) { return fixed ? fmt::format("{:.6f}", x) : fmt::format("{:.6e}", x); };
        const auto change = [&](double x) { return fixed ? fmt::format("{:+.6f}", x) : fmt::format("{:+.6e}", x); };
        for (const Line& line : lines_) {
            // Names of works take the room of a start as well.
            const std::string begin = line.start ? fmt::format("{:<16}{:>16}", line.name, text(*line.start))
                                                 : fmt::format("{:<32}", line.name);
            fmt::format_to(out_, "    {} {:>16} {:>16}{}\n", begin, line.end ? text(*line.end) : "",
                           change(line.change), line.remark);
        }
    }

private:
    struct Line {
        std::string name;
        std::optional<double> start;
        std::optional<double> end;
        double change;
        const char* remark = "";
    };

    Text out_;
    const RunOutcome& outcome_;
    std::vector<Line> lines_;
};

void energy_table(Text out, const Problem& problem, const RunOutcome& outcome)
{
    const char* width = per_width(problem);
    fmt::format_to(out, "  energy ledger     {:>16} {:>16} {:>16}\n", fmt::format("start [J{}]", width),
                   fmt::format("end [J{}]", width), "change");
    EnergyTable table(out, outcome);
    table.balance("kinetic", &LedgerRow::kinetic);
    table.balance("potential", &LedgerRow::potential);
    table.balance("compressive", &LedgerRow::compressive_fluid);
    table.balance("  in the walls", &LedgerRow::compressive_wall);
    table.balance("total", &LedgerRow::total);
    if (problem.physics.central_force) table.balance("central", &LedgerRow::central);
    for (std::size_t k = 0; k < works.size(); ++k) {
        if (!done_in(problem.physics, works[k].work) || works[k].work == Work::integrator) continue;
        std::string name = works[k].name;
        std::replace(name.begin(), name.end(), '_', ' ');
        table.work(name, outcome.last.*work_columns[k]);
    }
    table.work("residual", outcome.last.residual, "   change of the total that no work explains");
    if (problem.physics.integrator_error)
        table.work("  of which", outcome.last.integrator_error, "   the integrator's own; the rest is rounding");
    table.print();
    if (problem.available_energy > 0) {
        fmt::format_to(out, "    residual at the end {:+.2e}, largest {:.2e} of the available {:.6g} J{}\n",
                       outcome.last.residual / problem.available_energy,
                       outcome.largest_residual / problem.available_energy, problem.available_energy, width);
        fmt::format_to(
            out, "    ({})\n",
            problem.available_energy_from_rest
                ? "initial potential energy minus that of the fluid at rest, as low as it has room in the tank"
                : "potential energy above the lowest fluid at the start: no closed tank holds all fluid");
    }
}

void warning_lines(Text out, const std::vector<std::string>& warnings)
{
    for (const std::string& warning : warnings) fmt::format_to(out, "  warning           {}\n", warning);
}

void front_lines(Text out, const Problem& problem, const RunOutcome& outcome)
{
    const Case& c = problem.source;
    if (c.period[0] == 0)  // along which nothing is foremost
        fmt::format_to(out, "  front             {} m at the end (foremost fluid particle)\n",
                       fixed_or_short(outcome.last.front, c.resolution.spacing));
    if (!c.front) return;
    for (const auto& score : score_front(*c.front, magnitude_of(c.gravity), outcome.front)) {
        if (score.points == 0) {
            fmt::format_to(out, "    {}: the run ended before its first point\n", score.reference);
            continue;
        }
        fmt::format_to(
            out,
            "    {}: lag {:.2f} t sqrt(2g/L) (its gate); mean deviation {:.1f} %, largest {:.1f} % over {} of {} points "
            "({} {:.0f} %)",
            score.reference, score.lag, 100 * score.mean_deviation, 100 * score.largest_deviation, score.points,
            score.table_points, score.mean_deviation <= c.front->tolerance ? "within" : "BEYOND",
            100 * c.front->tolerance);
        if (score.speed > 0) fmt::format_to(out, ", speed {:+.1f} %", 100 * (score.speed - 1));
        fmt::format_to(out, "\n");
    }
}

void speed_line(Text out, const Problem& problem, const RunOutcome& outcome)
{
    const double updates = static_cast<double>(problem.particles.size()) * outcome.last.step;
    double total = 0;
    for (const auto& stage : outcome.stages) total += stage.seconds;
    // The first stage is the set-up, in which no step is taken.
    const double stepping = outcome.wall_seconds - outcome.stages.front().seconds;
    fmt::format_to(out, "  speed             {:.2f} million particle steps a second; {:.1f} s in all",
                   updates / stepping / 1e6, outcome.wall_seconds);
    const char* separator = ": ";
    for (const auto& stage : outcome.stages) {
        fmt::format_to(out, "{}{} {:.0f} %", separator, stage.stage, total > 0 ? 100 * stage.seconds / total : 0);
        separator = ", ";
    }
    fmt::format_to(out, "\n");
    if (outcome.bytes_sent == 0) return;
    const auto between = [&](const auto& number_of, const char* pattern) {
        const auto [least, most] = std::ranges::minmax(outcome.ranks, {}, number_of);
        return fmt::format(fmt::runtime(pattern), number_of(least), number_of(most));
    };
    fmt::format_to(out, "  ranks             {}: {} particles each, {} copies of others', passes of {} s\n",
                   outcome.ranks.size(), between([](const RankUse& one) { return one.own; }, "{} to {}"),
                   between([](const RankUse& one) { return one.copies; }, "{} to {}"),
                   between([](const RankUse& one) { return one.pass_seconds; }, "{:.2f} to {:.2f}"));
    const auto& [under_way, waited] = outcome.message_times;
    fmt::format_to(
        out, "  messages          {} in all; under way for {:.2f} s of a rank, which waited for {:.2f} s of them\n",
        bytes_text(static_cast<double>(outcome.bytes_sent)), under_way, waited);
}

struct PolicySizes {
    double bytes_per_particle = 0;
    int digits = 0;  // of the number type's mantissa
};

PolicySizes policy_sizes(const std::string& precision, const Physics& physics)
{
    const PolicyInfo& policy = *find_policy(precision);
    return {.bytes_per_particle = static_cast<double>(cpu_bytes_per_particle(precision, physics)),
            .digits = policy.digits};
}

// s; of a variable step the longest that the sound speed and a laminar viscosity allow
double longest_step(const Problem& problem)
{
    const Case& c = problem.source;
    if (problem.fixed_step > 0) return problem.fixed_step;
    return stable_step(c.time.cfl, smoothing_length(c), 0, c.fluid.sound_speed, lengthwise_viscosity(c));
}

// Answers, whatever the precision of the case, whether single precision needs every measure for accuracy, or any.
void plain_float_line(Text out, const Problem& problem)
{
    const RoundingLoss loss = rounding_loss(problem);
    fmt::format_to(out, "  plain float       rounding of coordinates alone would ");
    if (loss.speed > 0) {
        const double percent = 100 * loss.error(problem.source.time.end);
        fmt::format_to(out, "{} a motion at {:.2g} m/s {}in {:.2g} steps", percent < 100 ? "change" : "destroy",
                       loss.speed,
                       percent >= 100    ? ""
                       : percent >= 9.5  ? fmt::format("by {:.0f} % ", percent)
                       : percent >= 0.01 ? fmt::format("by {:.1g} % ", percent)
                                         : "by less than 0.01 % ",
                       loss.steps);
        if (loss.speed < loss.stalling_speed)
            fmt::format_to(out, "; absolute densities stall below {:.1g} m/s", loss.stalling_speed);
        fmt::format_to(out, "\n");
    } else {
        fmt::format_to(out, "keep the particles moving at {:.1g} m/s\n", loss.drift_error);
    }
}

std::vector<std::string_view> walls_that_stay(const Case& c)
{
    std::vector<std::string_view> still;
    for (const Shape& shape : c.shapes) {
        const auto moves = [&](const Motion& one) { return has_body(one.bodies, shape.name); };
        const bool slides = shape.velocity != std::array<Field, 3>{};
        if (shape.kind == Kind::wall && !slides && !std::ranges::any_of(c.motions, moves))
            still.emplace_back(shape.name);
    }
    return still;
}

// What moves, how far and how fast, by which a wrong column or unit of a table shows, and what stays.
std::string describe_motion(const Case& c, const Motion& motion, const PrescribedMotion& prescribed,
                            const std::vector<std::string_view>& still)
{
    std::vector<std::string> parts;
    const auto add = [&](const std::optional<SignalFunction>& signal, const char* does, const char* unit, double size) {
        if (!signal) return;
        const SignalFunction::Range range = signal->range(c.time.end);
        parts.push_back(fmt::format("{} by {:.3g} to {:.3g} {}, at up to {:.3g} {}/s and {:.3g} {}/s^2", does,
                                    range.lowest / size, range.highest / size, unit, range.fastest / size, unit,
                                    range.most_accelerated / size, unit));
    };
    add(prescribed.angle(), "turns", "degrees", degree);
    add(prescribed.distance(), "moves", "m", 1);
    const std::string what = motion.frame == MotionFrame::moving ? "the frame"
                             : motion.bodies.empty()             ? "every wall"
                                                                 : fmt::format("{}", fmt::join(motion.bodies, ", "));
    return fmt::format("{}, of {}: {}{}", motion.name, what, fmt::join(parts, "; "),
                       still.empty() ? std::string() : fmt::format("; without {}", fmt::join(still, ", ")));
}

}  // namespace

OutputSizes output_sizes(const Problem& problem)
{
    const Case& c = problem.source;
    const PolicyInfo& policy = *find_policy(c.numerics.precision);
    const bool fluid_only = c.output.particles == Case::Output::Particles::fluid;
    double bytes = fluid_only || c.output.within ? sizeof(std::uint32_t) : 0;  // of an id
    for (std::size_t k = 0; k < policy.columns.size(); ++k) {
        const auto& chosen = c.output.columns;
        const bool is_chosen = std::find(chosen.begin(), chosen.end(), policy.columns[k]) != chosen.end();
        if (!is_chosen && (!chosen.empty() || k >= policy.always)) continue;
        const auto [components, number] = policy.sizes[k];
        const bool single = c.output.precision == Case::Output::Precision::single;
        bytes += static_cast<double>(components * (single ? std::min(number, sizeof(float)) : number));
    }
    // A step has one output at most; the last is at the end.
    const double intervals = c.time.end / std::max(c.output.interval, longest_step(problem));
    const double number = std::floor(intervals) + (intervals - std::floor(intervals) > 1e-9 ? 2 : 1);
    return {.number = number,
            .bytes = bytes * static_cast<double>(fluid_only ? problem.fluid : problem.particles.size()),
            .at_most = c.output.within || c.output.compression != Case::Output::Compression::none};
}

std::string bytes_text(double bytes)
{
    const char* unit = "B";
    for (const char* next : {"kB", "MB", "GB", "TB"}) {
        if (bytes < 1000) break;
        bytes /= 1000;
        unit = next;
    }
    return fmt::format("{:.3g} {}", bytes, unit);
}

std::string describe_probe(const ProbeSeries& series)
{
    const auto said = [&](const char* word, const char* key) {
        const auto found = series.description.find(key);
        return found == series.description.end() ? std::string() : fmt::format("{} {}", word, found->second);
    };
    return fmt::format("{}:{}{}{}{}{}{}{}{}", series.name, said("", "measures"), said(" at", "at"),
                       said(" on", "bodies"), said(" about", "about"), said(" along", "normal"),
                       said(" within", "within"), said(", every", "interval"), said("; filter:", "filter"));
}

std::string describe_problem(const Problem& problem, const std::vector<std::string>& warnings)
{
    const Case& c = problem.source;
    std::string text;
    Text out(text);
    const auto count = static_cast<double>(problem.particles.size());
    fmt::format_to(out, "  particles         {} ({} fluid, {} wall)\n", problem.particles.size(), problem.fluid,
                   problem.wall);
    fmt::format_to(out, "  smoothing length  {:.6g} m = {} spacings, support {:.6g} m\n", smoothing_length(c),
                   c.resolution.smoothing_ratio, support_radius(c));
    fmt::format_to(
        out, "  cell side         {:.6g} m (support + skin over {}), in which positions are resolved to {:.1e} m\n",
        problem.units.length, problem.search_cells,
        problem.units.length / std::exp2(policy_sizes(c.numerics.precision, problem.physics).digits + 1));
    fmt::format_to(out, "  sound speed       {} m/s", c.fluid.sound_speed);
    if (problem.available_energy > 0) {
        const double fluid_mass = problem.units.mass * static_cast<double>(problem.fluid);
        fmt::format_to(out, "; all available energy as motion would be {:.3g} m/s on average",
                       std::sqrt(2 * problem.available_energy / fluid_mass));
    }
    fmt::format_to(out, "\n");
    const PolicySizes sizes = policy_sizes(c.numerics.precision, problem.physics);
    fmt::format_to(out, "  memory            about {} ({} bytes a particle and {} of neighbour lists)\n",
                   bytes_text(count * sizes.bytes_per_particle + neighbour_bytes(problem)), sizes.bytes_per_particle,
                   bytes_text(neighbour_bytes(problem)));
    if (problem.fixed_step > 0) {
        fmt::format_to(out, "  steps             {:.0f} of {:.3e} s\n", std::ceil(c.time.end / problem.fixed_step),
                       problem.fixed_step);
    } else {
        const double longest = longest_step(problem);
        fmt::format_to(
            out,
            "  steps             at least {:.0f} of at most {:.3e} s, as a rule a tenth to a third more (variable step)\n",
            std::ceil(c.time.end / longest), longest);
    }
    plain_float_line(out, problem);
    const OutputSizes outputs = output_sizes(problem);
    fmt::format_to(out, "  outputs           {:.0f}, {}{} in all\n", outputs.number, outputs.at_most ? "at most " : "",
                   bytes_text(outputs.number * outputs.bytes));
    const auto still = walls_that_stay(c);  // once: as many shapes as motions would be searched for each motion
    for (std::size_t k = 0; k < c.motions.size(); ++k)
        fmt::format_to(out, "  motion            {}\n", describe_motion(c, c.motions[k], problem.motions[k], still));
    for (const Probe& probe : c.probes)
        fmt::format_to(out, "  probe             {}\n", describe_probe(empty_series(probe, c)));
    for (const auto& moved : problem.snapped) {
        fmt::format_to(out,
                       "  note              shape \"{}\" was fitted to the lattice: its lower and upper faces moved by",
                       c.shapes[static_cast<std::size_t>(moved.shape)].name);
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i)
            fmt::format_to(out, " {}({:+.2e}, {:+.2e})", "xyz"[i], moved.from_moved[i], moved.to_moved[i]);
        fmt::format_to(out, " m\n");
    }
    if (!problem.snapped.empty()) {
        if (const std::optional<double> spacing = fitting_spacing(c))
            fmt::format_to(out, "  note              with resolution.spacing = {} no face of a box would move\n",
                           *spacing);
    }
    for (const FilledVolume& filled : problem.volumes) {
        fmt::format_to(out, "  note              shape \"{}\" {} {} particles for {} of {:.2f} spacings^{} ({:+.1e})\n",
                       c.shapes[static_cast<std::size_t>(filled.shape)].name, filled.relaxed ? "is relaxed:" : "has",
                       filled.particles, c.dimensions == 2 ? "an area" : "a volume", filled.volume, c.dimensions,
                       static_cast<double>(filled.particles) / filled.volume - 1);
    }
    if (decays_too_fast(problem)) {
        fmt::format_to(
            out,
            "  note              with resolution.smoothing_ratio = {} vortices may decay faster than by viscosity, Taylor "
            "and Green's by a third; take 4\n",
            c.resolution.smoothing_ratio);
    }
    warning_lines(out, warnings);
    return text;
}

std::string describe_device(const Problem& problem, const CudaOptions& options)
{
    if (const std::string obstacle = why_no_cuda(problem, options); !obstacle.empty())
        return fmt::format("  on a CUDA device  no: {}\n", obstacle);
    const CudaPlan plan = plan_cuda(problem, options);
    std::string text;
    Text out(text);
    fmt::format_to(out, "  on a CUDA device  {}: {} of {} free\n", plan.device, bytes_text(plan.free_bytes),
                   bytes_text(plan.total_bytes));
    const char* const how = plan.neighbours == NeighbourStorage::none    ? "searched for in every pass"
                            : plan.neighbours == NeighbourStorage::masks ? "stored as bits from one rebuild to the next"
                            : plan.neighbours == NeighbourStorage::compact
                                ? "stored compactly from one rebuild to the next"
                                : "stored from one rebuild to the next";
    fmt::format_to(out, "    neighbours      {}\n", how);
    fmt::format_to(
        out,
        "    bytes a particle about {:.0f}, and in the bulk of the fluid {:.0f} of neighbour lists, {:.0f} of compact ones "
        "or {:.0f} of bits\n",
        plan.bytes_per_particle, plan.list_bytes_per_particle, plan.compact_bytes_per_particle,
        plan.mask_bytes_per_particle);
    const auto most = [&](double bytes_of_neighbours) {
        return plan.free_bytes / (plan.bytes_per_particle + bytes_of_neighbours) / 1e6;
    };
    fmt::format_to(
        out,
        "    largest N       about {:.3g} million particles with lists, {:.3g} with compact ones, {:.3g} with "
        "bits, {:.3g} without\n",
        most(plan.list_bytes_per_particle), most(plan.compact_bytes_per_particle), most(plan.mask_bytes_per_particle),
        most(0));
    return text;
}

std::string summarise(const Problem& problem, const RunOutcome& outcome)
{
    const Case& c = problem.source;
    std::string text;
    Text out(text);
    fmt::format_to(out, "{}: {}, {}\n", c.name, c.numerics.precision, outcome.backend);
    if (!outcome.why_not_cuda.empty()) fmt::format_to(out, "  on the CPU because {}\n", outcome.why_not_cuda);
    fmt::format_to(out, "  particles         {} ({} fluid, {} wall), {:.0f} bytes each\n", problem.particles.size(),
                   problem.fluid, problem.wall,
                   static_cast<double>(outcome.bytes) / static_cast<double>(problem.particles.size()));
    const char* how = outcome.breakdown ? "STOPPED" : outcome.interrupted ? "interrupted" : "reached";
    fmt::format_to(out, "  steps             {:.0f}, {} t = {:.6g} s of {} s; neighbour lists rebuilt {:.0f} times\n",
                   outcome.last.step, how, outcome.last.time, c.time.end, outcome.last.rebuilds);
    energy_table(out, problem, outcome);
    fmt::format_to(out, "  momentum          ({:+.4g}, {:+.4g}, {:+.4g}) kg m/s{}\n", outcome.last.momentum_x,
                   outcome.last.momentum_y, outcome.last.momentum_z, per_width(problem));
    fmt::format_to(
        out,
        "  largest in ledger density deviation {:.2e} (the run stops at {}), speed {:.3g} m/s = {:.3f} of the sound speed\n",
        outcome.largest_density_deviation, c.numerics.density_bound, outcome.largest_speed,
        outcome.largest_speed / c.fluid.sound_speed);
    warning_lines(out, outcome.warnings);
    front_lines(out, problem, outcome);
    speed_line(out, problem, outcome);
    if (!outcome.audited.on.empty())
        fmt::format_to(out, "  audit             {}; the run has waited {:.2f} s for it\n", audit_text(outcome.audited),
                       outcome.audited.seconds);
    fmt::format_to(out, "  state hash        {}\n", outcome.final_hash.text());
    return text;
}

}  // namespace halfulp
