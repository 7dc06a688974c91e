// The fish pass of `halfulp validate pools`.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/setup/policy_table.hpp"
#include "core/setup/read_case.hpp"
#include "core/setup/units.hpp"
#include "validation/experiment.hpp"
#include "validation/pools/parts.hpp"

namespace halfulp {

namespace {

constexpr std::int32_t far_away = 1'000'000'000;
constexpr double allowed_ratio = 2;  // robust's energy error over double's, of flows that part

struct Pass {
    std::string precision;
    std::int32_t cells;  // the origin's distance along x, and along -y
};

// Each precision's run at the origin comes before its others.
std::vector<Pass> passes_of(Scale scale)
{
    std::vector<Pass> passes;
    const auto add = [&](const char* precision, const std::vector<std::int32_t>& distances) {
        if (find_policy(precision) == nullptr) return;
        passes.push_back({precision, 0});
        for (const std::int32_t cells : distances) passes.push_back({precision, cells});
    };
    for (const char* precision : {"double", "robust", "gpusph", "dualsphysics"}) add(precision, {far_away});
    if (scale == Scale::quick) {
        add("naive", {1000, 100'000, far_away});
        return passes;
    }
    add("naive", {1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, far_away});
    // What the positions alone do to the one and the other. Farther away the coordinates of all particles would fall
    // together, and every pair would be one of neighbours.
    add("naive/position=cell-offset", {far_away});
    add("robust/position=global", {1000, 10'000, 100'000});
    if (scale == Scale::full) {
        add("reversible", {far_away});
        add("double/position=global", {1000, 1'000'000, far_away});
    }
    return passes;
}

double largest_energy_error(const Record& record)
{
    double largest = 0;
    for (const RecordedOutput& output : record.outputs)
        largest = std::max(largest, std::isfinite(output.energy_error) ? std::abs(output.energy_error) : INFINITY);
    return largest;
}

// Fluid particles more than half a spacing outside of what the outline of the pass spans.
std::size_t left_the_pass(const Case& c, const Record& record)
{
    double from[2]{INFINITY, INFINITY};
    double to[2]{-INFINITY, -INFINITY};
    for (const auto& corner : c.shapes.front().points) {
        for (int k = 0; k < 2; ++k) {
            from[k] = std::min(from[k], corner[static_cast<std::size_t>(k)] - c.resolution.spacing / 2);
            to[k] = std::max(to[k], corner[static_cast<std::size_t>(k)] + c.resolution.spacing / 2);
        }
    }
    std::size_t outside = 0;
    for (const FluidParticle& p : record.outputs.back().copies[0].fluid)
        outside += p.x >= from[0] && p.x <= to[0] && p.y >= from[1] && p.y <= to[1] ? 0 : 1;
    return outside;
}

// The pool that each fluid particle starts in, from 0.
std::vector<std::size_t> pool_of_fluid(const Case& c)
{
    const Problem problem = prepare(c);
    std::vector<std::size_t> pools;
    std::size_t pool = 0;
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
        if (c.shapes[k].kind == Kind::fluid) pools.insert(pools.end(), problem.of_shape[k], pool++);
    }
    return pools;
}

std::string what_happened(const Record& here, const Record& there)
{
    if (there.ending != Record::Ending::completed || moved(there.outputs.back().copies[0]) == 0)
        return ending_in_words(there);
    const std::size_t same = outputs_with_the_same_bits(here, there);
    return same == here.outputs.size() ? "the same bits at every output" : "ran to its end, with other bits";
}

// The particles at three moments, or at the last there is, for the figure; before them the walls, in pool -1.
void write_particles(const StudyOptions& options, const std::vector<Pass>& passes, const std::vector<Record>& records,
                     const Case& c)
{
    const std::vector<std::size_t> pools = pool_of_fluid(c);
    Table table(options.folder, "pools-particles",
                "precision,cells[1],moment,time[s],ending,pool,x[m],y[m],speed[m/s]");
    const Problem problem = prepare(c);
    for (const InitialParticle& particle : problem.particles) {
        if (particle.kind != Kind::wall) continue;
        const auto at = [&](std::size_t k) {
            return (particle.cell[k] + static_cast<double>(particle.offset[k])) * problem.units.length;
        };
        table.row("walls", 0, 0, 0, "", -1, fmt::format("{:.5g}", at(0)), fmt::format("{:.5g}", at(1)), 0);
    }
    for (std::size_t k = 0; k < passes.size(); ++k) {
        const Record& record = records[k];
        const std::size_t outputs = records.front().outputs.size();
        for (std::size_t moment = 1; moment <= 3; ++moment) {
            const std::size_t wanted = (outputs - 1) * moment / 3;
            const bool early = wanted >= record.regular();
            const RecordedOutput& output = early ? record.outputs.back() : record.outputs[wanted];
            const char* const ending = !early ? "" : record.ending == Record::Ending::frozen ? "frozen" : "broke";
            const auto& fluid = output.copies[0].fluid;
            for (std::size_t i = 0; i < fluid.size(); ++i)
                table.row(passes[k].precision, passes[k].cells, moment, fmt::format("{:.4g}", output.time), ending,
                          pools[i], fmt::format("{:.5g}", fluid[i].x), fmt::format("{:.5g}", fluid[i].y),
                          fmt::format("{:.4g}", std::hypot(fluid[i].u, fluid[i].v)));
        }
    }
}

// How many of the particles moved, and what became of the energy, over the distance.
void write_findings(Page& page, const std::vector<Pass>& passes, const std::vector<Record>& records)
{
    std::vector<std::string> all;
    std::vector<std::string> some;
    std::vector<std::string> none;
    bool broke = false;
    for (std::size_t k = 0; k < passes.size(); ++k) {
        const auto& [precision, cells] = passes[k];
        const Record& record = records[k];
        if (precision == "dualsphysics" && cells != 0) {
            const Record& here = records[k - 1];
            page.paragraph(
                "dualsphysics keeps coordinates in double. {} cells away they round by up to {:.1g} m at the start, "
                "and the flow parts the two runs from there, by up to {:.2g} m at the end; the energy error is {:.2e} there and "
                "{:.2e} at the origin. It has other bits elsewhere, but by these measures it is not less accurate.",
                cells, largest_difference(here.outputs.front().copies[0], record.outputs.front().copies[0]),
                largest_difference(here.outputs.back().copies[0], record.outputs.back().copies[0]),
                largest_energy_error(record), largest_energy_error(here));
        }
        if (precision != "naive") continue;
        const CopyRecord& last = record.outputs.back().copies[0];
        broke = broke || record.ending == Record::Ending::broke;
        if (record.ending == Record::Ending::broke || moved(last) == last.fluid.size())
            all.push_back(fmt::format("{} (energy error {:.1e})", cells, largest_energy_error(record)));
        else if (moved(last) > 0)
            some.push_back(fmt::format("{} ({} of {} along both axes; energy error {:.1e}, fastest {:.3g} m/s)", cells,
                                       moved(last), last.fluid.size(), largest_energy_error(record),
                                       record.outputs.back().max_speed));
        else
            none.push_back(fmt::format("{} (followed for {:.2g} s; then {:.3g} m/s)", cells, record.time,
                                       record.outputs.back().max_speed));
    }
    const auto listed = [](const std::vector<std::string>& those) {
        return those.empty() ? std::string("none") : fmt::format("{}", fmt::join(those, ", "));
    };
    page.paragraph(
        "naive, cells away at which all of the fluid moves: {}. At which a part of it moves: {}. At which nothing does: {}. "
        "What stands still does so because u dt is less than half an ulp of its coordinate; its speed goes on changing and its "
        "height does not, hence the energy error. {}",
        listed(all), listed(some), listed(none),
        broke ? "A run whose density or speed left its bounds was stopped." : "No run was stopped by its bounds.");
}

}  // namespace

void write_fish_pass(Page& page, const PoolsArguments& arguments)
{
    const StudyOptions& options = arguments;
    const double spacing = arguments.spacing > 0 ? arguments.spacing : options.choose(0.05, 0.025, 0.025);
    const std::vector<Pass> passes = passes_of(options.scale);
    std::vector<Job> jobs;
    std::vector<Case> cases;
    for (const Pass& pass : passes) {
        cases.push_back(case_with("fish-pass-2d", {fmt::format("resolution.spacing={}", spacing),
                                                   fmt::format("origin.cells=[{},{}]", pass.cells, -pass.cells),
                                                   fmt::format("numerics.precision={}", pass.precision)}));
        jobs.push_back(job_of({cases.back(), {{}}}));
    }
    const double side = cell_side(cases.front());

    page.heading("A fish pass of eight pools");
    page.paragraph(
        "The case fish-pass-2d at a spacing of {} m: inviscid, fixed step, cells of {:.4g} m. Each precision is compared "
        "with itself at the origin, output by output; positions are differences of cells and offsets, or of coordinates "
        "as the policy keeps them. Inviscid flow is chaotic: once a bit differs, the particles of two runs part.",
        spacing, side);
    page.table({"precision", "cells away", "distance [m]", "outputs with the same bits", "difference at the start [m]",
                "at a third of the time [m]", "at the end [m]", "fluid moved along both axes", "in another cell",
                "fastest at the end [m/s]", "largest energy error", "what happened"},
               "differences: the largest of any fluid particle's position to that of the run at the origin; energy: "
               "|residual| over the available energy at the outputs");
    Table table(options.folder, "pools",
                "precision,cells[1],output,time[s],state_hash,same_bits,other_particles[1],difference[m],moved[1],"
                "crossed[1],energy_error[1],max_speed[m/s]");
    std::vector<Record> records;
    std::map<std::string, std::size_t> origin;
    Study("pools", options).run(jobs, [&](std::size_t k, const Results& rows) {
        const Pass& pass = passes[k];
        const Record& there = records.emplace_back(decode(rows));
        if (pass.cells == 0) origin[pass.precision] = k;
        const Record& here = records[origin.at(pass.precision)];
        std::vector<double> differences;
        for (std::size_t n = 0; n < there.outputs.size(); ++n) {
            const RecordedOutput& output = there.outputs[n];
            const CopyRecord& copy = output.copies[0];
            const bool comparable = n < std::min(here.regular(), there.regular());
            std::size_t others = copy.fluid.size();
            double difference = INFINITY;
            if (comparable) {
                const CopyRecord& reference = here.outputs[n].copies[0];
                others = 0;
                for (std::size_t i = 0; i < copy.fluid.size(); ++i)
                    others += copy.fluid[i] == reference.fluid[i] ? 0 : 1;
                difference = largest_difference(copy, reference);
                differences.push_back(difference);
            }
            table.row(pass.precision, pass.cells, n, output.time, output.hash.text(),
                      comparable && copy.hash == here.outputs[n].copies[0].hash, others, difference, moved(copy),
                      copy.crossed, output.energy_error, output.max_speed);
        }
        const auto at = [&](std::size_t n) {
            return n < differences.size() ? fmt::format("{:.2g}", differences[n]) : std::string("–");
        };
        const CopyRecord& last = there.outputs.back().copies[0];
        const std::size_t outputs = here.outputs.size();
        page.row("{} | {} | {:.3g} | {} of {} | {} | {} | {} | {} of {} | {} | {:.3g} | {:.2e} | {}", pass.precision,
                 pass.cells, pass.cells * side, outputs_with_the_same_bits(here, there), outputs, at(0),
                 at((outputs - 1) / 3), at(outputs - 1), moved(last), last.fluid.size(), last.crossed,
                 there.outputs.back().max_speed, largest_energy_error(there),
                 pass.cells == 0 ? ending_in_words(there) : what_happened(here, there));
    });
    write_particles(options, passes, records, cases.front());

    write_findings(page, passes, records);

    const auto find = [&](const std::string& precision, std::int32_t cells) -> std::size_t {
        return static_cast<std::size_t>(
            std::ranges::find_if(passes,
                                 [&](const Pass& pass) { return pass.precision == precision && pass.cells == cells; }) -
            passes.begin());
    };
    for (const char* precision : {"robust", "double", "gpusph"}) {
        const Record& here = records[find(precision, 0)];
        const Record& there = records[find(precision, far_away)];
        const std::size_t same = outputs_with_the_same_bits(here, there);
        page.verdict(
            here.ending == Record::Ending::completed && same == here.outputs.size() && same == there.outputs.size(),
            "{}: the fish pass 10^9 cells away has the bits of that at the origin at all {} outputs ({} of them)",
            precision, here.outputs.size(), same);
    }
    const std::size_t robust = find("robust", 0);
    const double ratio = largest_energy_error(records[robust]) / largest_energy_error(records[find("double", 0)]);
    const std::size_t outside = left_the_pass(cases[robust], records[robust]);
    page.verdict(ratio <= allowed_ratio && outside == 0,
                 "robust: the energy error is at most {} times that of double ({:.2f}), and no particle "
                 "leaves the pass ({} did)",
                 allowed_ratio, ratio, outside);
    const std::size_t naive = find("naive", far_away);
    page.verdict(
        outputs_with_the_same_bits(records[find("naive", 0)], records[naive]) <= 1,
        "naive has other bits 10^9 cells away at every output after the start, so the comparison can tell ({})",
        ending_in_words(records[naive]));
    page.draw(
        options.folder / "pools-particles.csv", "pools",
        "The fish pass, coloured by the pool that the water started in: robust and naive at the origin and far "
        "away. Where a run stopped, its last moment; where the coordinates are too coarse for the pass, all there is of it, "
        "in axes of its own.");
    page.draw(table.path(), "pools",
              "Left: the largest difference of a position to the same precision's run at the origin. Right: energy "
              "error of the runs over time.");
}

}  // namespace halfulp
