// The fish pass of `halfulp validate pools`.
#include "core/setup/policy_table.hpp"
#include "validation/columns.hpp"
#include "validation/pools/pools.hpp"

namespace halfulp {

namespace {

constexpr std::int32_t far_away = 1'000'000'000;
constexpr double allowed_ratio = 2;  // robust's energy error over double's, of flows that part

struct Pass {
    std::string precision;
    std::int32_t cells;  // the origin's distance along x, and along -y
    Case source;
    Record record;

    [[nodiscard]] const CopyRecord& at_end() const { return record.outputs.back().copies[0]; }
    [[nodiscard]] double largest_energy_error() const
    {
        double largest = 0;
        for (const RecordedOutput& output : record.outputs)
            largest = std::max(largest, std::isfinite(output.energy_error) ? std::abs(output.energy_error) : INFINITY);
        return largest;
    }
};

// Each precision's run at the origin comes before its others.
std::vector<Pass> passes_of(Scale scale, double spacing)
{
    std::vector<Pass> passes;
    const auto add = [&](const char* precision, std::vector<std::int32_t> distances) {
        if (find_policy(precision) == nullptr) return;
        distances.insert(distances.begin(), 0);
        for (const std::int32_t cells : distances) {
            const Variant variant{.spacing = spacing, .cells = cells, .precision = precision};
            passes.push_back({precision, cells, case_with("fish-pass-2d", variant), {}});
        }
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

// Fluid particles more than half a spacing outside of what the outline of the pass spans.
std::size_t left_the_pass(const Pass& pass)
{
    double from[2]{INFINITY, INFINITY};
    double to[2]{-INFINITY, -INFINITY};
    for (const auto& corner : pass.source.shapes.front().points) {
        for (int k = 0; k < 2; ++k) {
            from[k] = std::min(from[k], corner[static_cast<std::size_t>(k)] - pass.source.resolution.spacing / 2);
            to[k] = std::max(to[k], corner[static_cast<std::size_t>(k)] + pass.source.resolution.spacing / 2);
        }
    }
    const auto outside = [&](const FluidParticle& p) {
        return !(p.x >= from[0] && p.x <= to[0] && p.y >= from[1] && p.y <= to[1]);
    };
    return static_cast<std::size_t>(std::ranges::count_if(pass.at_end().fluid, outside));
}

std::string short_number(double value, int digits = 5) { return fmt::format("{:.{}g}", value, digits); }

// The particles at three moments, or at the last there is, for the figure; before them the walls, in pool -1.
void write_particles(const StudyOptions& options, const std::vector<Pass>& passes)
{
    const Case& c = passes.front().source;
    const Problem problem = prepare(c);
    Table table(options.folder, "pools-particles",
                "precision,cells[1],moment,time[s],ending,pool,x[m],y[m],speed[m/s]");
    for (const InitialParticle& particle : problem.particles) {
        if (particle.kind != Kind::wall) continue;
        table.row("walls", 0, 0, 0, "", -1, short_number(coordinate_of(problem, particle, 0)),
                  short_number(coordinate_of(problem, particle, 1)), 0);
    }
    std::vector<std::size_t> pools;  // in which each fluid particle starts, from 0
    std::size_t pool = 0;
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
        if (c.shapes[k].kind == Kind::fluid) pools.insert(pools.end(), problem.of_shape[k], pool++);
    }
    for (const Pass& pass : passes) {
        for (std::size_t moment = 1; moment <= 3; ++moment) {
            const std::size_t wanted = (passes.front().record.outputs.size() - 1) * moment / 3;
            const RecordedOutput& output =
                wanted < pass.record.regular() ? pass.record.outputs[wanted] : pass.record.outputs.back();
            const auto& fluid = output.copies[0].fluid;
            for (std::size_t i = 0; i < fluid.size(); ++i)
                table.row(pass.precision, pass.cells, moment, short_number(output.time, 4),
                          pass.record.ending_at(wanted), pools[i], short_number(fluid[i].x), short_number(fluid[i].y),
                          short_number(std::hypot(fluid[i].u, fluid[i].v), 4));
        }
    }
}

// How many of the particles moved, and what became of the energy, over the distance.
void write_findings(Page& page, const std::vector<Pass>& passes)
{
    std::vector<std::string> all;
    std::vector<std::string> some;
    std::vector<std::string> none;
    bool broke = false;
    for (std::size_t k = 0; k < passes.size(); ++k) {
        const Pass& pass = passes[k];
        const Record& record = pass.record;
        const double error = pass.largest_energy_error();
        if (pass.precision == "dualsphysics" && pass.cells != 0) {
            const Pass& here = passes[k - 1];
            page.paragraph(
                "dualsphysics keeps coordinates in double. {} cells away they round by up to {:.1g} m at the start, "
                "and the flow parts the two runs from there, by up to {:.2g} m at the end; the energy error is {:.2e} there and "
                "{:.2e} at the origin. It has other bits elsewhere, but by these measures it is not less accurate.",
                pass.cells, largest_difference(here.record.outputs.front().copies[0], record.outputs.front().copies[0]),
                largest_difference(here.at_end(), pass.at_end()), error, here.largest_energy_error());
        }
        if (pass.precision != "naive") continue;
        const std::size_t moved = pass.at_end().moved_along_both();
        const std::size_t count = pass.at_end().fluid.size();
        const double fastest = record.outputs.back().max_speed;
        const bool broken = record.ending == Record::Ending::broke;
        broke = broke || broken;
        if (broken || moved == count) all.push_back(fmt::format("{} (energy error {:.1e})", pass.cells, error));
        else if (moved > 0)
            some.push_back(fmt::format("{} ({} of {} along both axes; energy error {:.1e}, fastest {:.3g} m/s)",
                                       pass.cells, moved, count, error, fastest));
        else
            none.push_back(
                fmt::format("{} (followed for {:.2g} s; then {:.3g} m/s)", pass.cells, record.time, fastest));
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

void judge(Page& page, const std::vector<Pass>& passes)
{
    const auto find = [&](const std::string& precision, std::int32_t cells) -> const Pass& {
        return *std::ranges::find_if(
            passes, [&](const Pass& pass) { return pass.precision == precision && pass.cells == cells; });
    };
    for (const char* precision : {"robust", "double", "gpusph"}) {
        const Record& here = find(precision, 0).record;
        const Record& there = find(precision, far_away).record;
        const std::size_t same = outputs_with_the_same_bits(here, there);
        page.verdict(
            here.ending == Record::Ending::completed && same == here.outputs.size() && same == there.outputs.size(),
            "{}: the fish pass 10^9 cells away has the bits of that at the origin at all {} outputs ({} of them)",
            precision, here.outputs.size(), same);
    }
    const Pass& robust = find("robust", 0);
    const double ratio = robust.largest_energy_error() / find("double", 0).largest_energy_error();
    const std::size_t outside = left_the_pass(robust);
    page.verdict(ratio <= allowed_ratio && outside == 0,
                 "robust: the energy error is at most {} times that of double ({:.2f}), and no particle "
                 "leaves the pass ({} did)",
                 allowed_ratio, ratio, outside);
    const Record& naive = find("naive", far_away).record;
    page.verdict(
        outputs_with_the_same_bits(find("naive", 0).record, naive) <= 1,
        "naive has other bits 10^9 cells away at every output after the start, so the comparison can tell ({})",
        naive.ending_in_words());
}

// A pass beside the one of the same precision at the origin, output by output.
void write_comparison(Page& page, Table& table, const Pass& pass, const Record& here, double side)
{
    const Record& there = pass.record;
    std::vector<double> differences;
    for (std::size_t n = 0; n < there.outputs.size(); ++n) {
        const RecordedOutput& output = there.outputs[n];
        const CopyRecord& copy = output.copies[0];
        const bool comparable = n < std::min(here.regular(), there.regular());
        std::size_t others = copy.fluid.size();
        if (comparable) {
            const CopyRecord& reference = here.outputs[n].copies[0];
            for (std::size_t i = 0; i < copy.fluid.size(); ++i) others -= copy.fluid[i] == reference.fluid[i] ? 1 : 0;
            differences.push_back(largest_difference(copy, reference));
        }
        table.row(pass.precision, pass.cells, n, output.time, output.hash.text(),
                  comparable && copy.hash == here.outputs[n].copies[0].hash, others,
                  comparable ? differences.back() : INFINITY, copy.moved_along_both(), copy.crossed,
                  output.energy_error, output.max_speed);
    }
    const auto at = [&](std::size_t n) {
        return n < differences.size() ? fmt::format("{:.2g}", differences[n]) : std::string("–");
    };
    const CopyRecord& last = pass.at_end();
    const std::size_t outputs = here.outputs.size();
    const std::size_t same = outputs_with_the_same_bits(here, there);
    std::string happened = there.ending_in_words();
    if (pass.cells != 0 && there.ending == Record::Ending::completed && last.moved_along_both() > 0)
        happened = same == outputs ? "the same bits at every output" : "ran to its end, with other bits";
    page.row("{} | {} | {:.3g} | {} of {} | {} | {} | {} | {} of {} | {} | {:.3g} | {:.2e} | {}", pass.precision,
             pass.cells, pass.cells * side, same, outputs, at(0), at((outputs - 1) / 3), at(outputs - 1),
             last.moved_along_both(), last.fluid.size(), last.crossed, there.outputs.back().max_speed,
             pass.largest_energy_error(), happened);
}

}  // namespace

void write_fish_pass(Page& page, const PoolsArguments& arguments)
{
    const double spacing = arguments.spacing > 0 ? arguments.spacing : arguments.choose(0.05, 0.025, 0.025);
    std::vector<Pass> passes = passes_of(arguments.scale, spacing);
    std::vector<Job> jobs;
    for (const Pass& pass : passes) jobs.push_back(job_of(pass.source, {{}}));
    const double side = cell_side(passes.front().source);

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
    Table table(arguments.folder, "pools",
                "precision,cells[1],output,time[s],state_hash,same_bits,other_particles[1],difference[m],moved[1],"
                "crossed[1],energy_error[1],max_speed[m/s]");
    std::size_t origin = 0;  // the pass of the same precision there
    Study("pools", arguments).run(jobs, [&](std::size_t k, const Result& result) {
        passes[k].record = result.as<Record>();
        if (passes[k].cells == 0) origin = k;
        write_comparison(page, table, passes[k], passes[origin].record, side);
    });
    write_particles(arguments, passes);
    write_findings(page, passes);
    judge(page, passes);
    page.draw(
        arguments.folder / "pools-particles.csv", "pools",
        "The fish pass, coloured by the pool that the water started in: robust and naive at the origin and far "
        "away. Where a run stopped, its last moment; where the coordinates are too coarse for the pass, all there is of it, "
        "in axes of its own.");
    page.draw(table.complete(), "pools",
              "Left: the largest difference of a position to the same precision's run at the origin. Right: energy "
              "error of the runs over time.");
}

}  // namespace halfulp
