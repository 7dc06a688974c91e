// The ladder of optimisations for a device of Dominguez, Crespo and Gomez-Gesteira (2013), table 5, on their testbed.
#include "core/app/build_info.hpp"
#include "validation/block.hpp"
#include "validation/experiment.hpp"
#include "validation/strategies/cuda/ladder.hpp"
#include "validation/strategies/ladder.hpp"
#include "validation/strategies/testbed.hpp"

namespace halfulp::strategies {

namespace {

struct Rung {
    const char* name;
    DeviceStrategy strategy;
    // Percent gained by itself, as printed: GTX 480 and Tesla 1060; zero: not theirs.
    double fermi = 0;
    double tesla = 0;
};

// Each of the first six has what those before it have; the others are compared with the sixth.
std::vector<Rung> rungs()
{
    using enum Storage;
    using enum Search;
    DeviceStrategy s;
    std::vector<Rung> all{{"basic: 27 cells of side r, six arrays, one kernel, blocks of 256", s}};
    s.occupancy = true;
    all.push_back({"blocks by occupancy", s, 7.3, 17.4});
    s.storage = two_arrays;
    all.push_back({"two arrays", s, 18.9, 28.9});
    s.search = ranges;
    all.push_back({"nine stored ranges", s, 3.1, 12.9});
    s.by_kind = true;
    all.push_back({"kernels by kind", s, 2.6, 11.3});
    s.divisions = 2;
    all.push_back({"cells of side r/2", s, 22.7, 12.8});
    const DeviceStrategy best = s;
    s.divisions = 3;
    all.push_back({"cells of side r/3", s});
    s = best;
    s.occupancy = false;
    all.push_back({"blocks of 256", s});
    s = best;
    s.read_only = true;
    all.push_back({"read-only loads", s});
    s = best;
    s.divisions = 1;
    s.search = staged;
    all.push_back({"candidates staged in shared memory, a block a cell of side r", s});
    s = best;
    s.search = cells;
    all.push_back({"125 cells of side r/2 one by one, no stored ranges", s});
    s.divisions = 1;
    all.push_back({"27 cells of side r one by one, no stored ranges", s});
    s = best;
    s.storage = with_cells;
    all.push_back({"positions relative to cells", s});
    s.compensated = true;
    all.push_back({"positions relative to cells, compensated sums", s});
    return all;
}

class Ladder {
public:
    explicit Ladder(const LadderArguments& arguments)
        : arguments_(arguments),
          page_(arguments.folder, "strategies-device", "Strategies for a device, on the testbed of 2013"),
          table_(arguments.folder, "strategies-device",
                 "particles,strategy,divisions,time[ms],over_basic[1],over_before[1],force_difference[ulp],"
                 "rate_difference[ulp],registers,block,occupancy[1],bytes_per_particle,cells[ms]")
    {
        if (arguments_.sizes.empty()) arguments_.sizes = {1e6};
    }
    ExitCode run()
    {
        page_.paragraph(
            "Case dominguez-2013 {} s after its start; {}; program {} {}. Each strategy computes du/dt and ds/dt of all "
            "particles, in single precision, from positions relative to a corner of the case and with plain sums unless "
            "its name says otherwise; times are of one evaluation, the fastest of {} s, without making the cells. "
            "Differences: the largest from the canonical sums, in ulps of the root mean square.",
            arguments_.after, arguments_.machine.description(0), build::commit, build::tree, arguments_.seconds);
        for (const double size : arguments_.sizes) measure(size);
        page_.verdict(all_close_,
                      "every strategy has the rates of the canonical sums within {:g} ulps of the root mean square",
                      allowed);
        page_.verdict(equal_, "stored and computed sound speeds and tensile terms give the same bits");
        return page_.close();
    }

private:
    static constexpr double allowed = 20000;

    void measure(double size)
    {
        const Testbed bed = testbed(size, arguments_.after, arguments_.machine.options(0));
        const auto count = static_cast<double>(bed.problem.particles.size());
        page_.heading("{} particles, {} of them fluid", bed.problem.particles.size(), bed.problem.fluid);
        page_.table(
            {"strategy", "ms", "over basic", "over the one before", "2013: GTX 480", "Tesla 1060", "du/dt [ulp]",
             "ds/dt [ulp]", "registers", "block", "occupancy", "bytes a particle", "making cells, host [ms]"},
            "the first six as in table 5, each with those before it; the others beside the sixth");
        double basic = 0;
        double before = 0;
        double sixth = 0;
        std::uint64_t stored = 0;
        std::size_t k = 0;
        for (const Rung& rung : rungs()) {
            const DeviceEvaluated e = evaluate_on_device(bed.problem, bed.state, rung.strategy, arguments_.seconds);
            const Differences d = differences(e.rates, bed.canonical, bed.state.kind);
            all_close_ = all_close_ && d.force < allowed && d.rate < allowed;
            if (k == 1) stored = bits_of(e.rates);
            if (k == 2) equal_ = equal_ && bits_of(e.rates) == stored;
            if (k == 0) basic = e.seconds;
            const double compared = k == 0 ? e.seconds : k < 6 ? before : sixth;
            if (k == 5) sixth = e.seconds;
            before = e.seconds;
            ++k;
            table_.row(bed.problem.particles.size(), rung.name, rung.strategy.divisions, 1e3 * e.seconds,
                       basic / e.seconds, compared / e.seconds, d.force, d.rate, e.registers, e.block, e.occupancy,
                       e.bytes / count, 1e3 * e.arranging);
            page_.row("{} | {:.3f} | {:.2f} | {:.2f} | {} | {} | {:.0f} | {:.0f} | {} | {} | {:.2f} | {:.0f} | {:.0f}",
                      rung.name, 1e3 * e.seconds, basic / e.seconds, compared / e.seconds, printed(rung.fermi),
                      printed(rung.tesla), d.force, d.rate, e.registers, e.block, e.occupancy, e.bytes / count,
                      1e3 * e.arranging);
        }
        production(bed, basic, sixth, NeighbourStorage::stored, "the program's pass: stored lists, works");
        production(bed, basic, sixth, NeighbourStorage::none, "the program's pass without lists, works");
        partial(bed);
    }

    // The program's own pass in whole steps from the same state.
    void production(const Testbed& bed, double basic, double sixth, NeighbourStorage storage, const char* name)
    {
        const Timing timing = whole_steps(bed, storage);
        const std::vector<double> stages = timing.of_stages();
        const double seconds = 1e-9 * (stages[1] + stages[2]) * static_cast<double>(bed.problem.particles.size());
        table_.row(bed.problem.particles.size(), name, 0, 1e3 * seconds, basic / seconds, sixth / seconds, 0.0, 0.0, 0,
                   0, 0.0, timing.bytes, 0.0);
        page_.row("{} | {:.3f} | {:.2f} | {:.2f} |  |  | 0 | 0 |  |  |  | {:.0f} | ", name, 1e3 * seconds,
                  basic / seconds, sixth / seconds, timing.bytes);
    }

    [[nodiscard]] Timing whole_steps(const Testbed& bed, NeighbourStorage storage) const
    {
        return time_steps(bed.problem, make_backend(bed.problem, arguments_.machine.options(0, storage)).backend,
                          std::max(0.2, arguments_.seconds));
    }

    void partial(const Testbed& bed)
    {
        page_.heading("Partly on the device, {} particles", bed.problem.particles.size());
        page_.table(
            {"where", "cells or lists", "sums over pairs", "update", "transfers", "all", "transfers, share",
             "du/dt [ulp]", "ds/dt [ulp]"},
            "ms a step. Partly: sums on the device, cells, update and everything else on one thread of the host, "
            "particles copied there and back in every step; 2013, GTX 480, 500,000 particles: 9.4 % of the time "
            "are transfers");
        const PartialSteps partly = steps_partly_on_device(bed.problem, bed.state, 5);
        const auto row = [&](const char* where, double cells, double sums, double update, double transfers,
                             const Differences& d) {
            const double all = cells + sums + update + transfers;
            page_.row("{} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.1f} % | {:.0f} | {:.0f}", where,
                      1e3 * cells, 1e3 * sums, 1e3 * update, 1e3 * transfers, 1e3 * all, 100 * transfers / all, d.force,
                      d.rate);
            parts_.row(bed.problem.particles.size(), where, 1e3 * cells, 1e3 * sums, 1e3 * update, 1e3 * transfers,
                       d.force, d.rate);
        };
        const Differences of_partly = differences(partly.rates, bed.canonical, bed.state.kind);
        all_close_ = all_close_ && of_partly.force < allowed && of_partly.rate < allowed;
        row("partly", partly.cells, partly.sums, partly.update, partly.transfers, of_partly);
        const Timing timing = whole_steps(bed, NeighbourStorage::stored);
        const std::vector<double> stages = timing.of_stages();
        const double scale = 1e-9 * static_cast<double>(bed.problem.particles.size());
        row("all of it: the program", scale * stages[0], scale * (stages[1] + stages[2]), scale * stages[3], 0, {});
    }

    LadderArguments arguments_;
    Page page_;
    Table table_;
    Table parts_{arguments_.folder, "strategies-device-parts",
                 "particles,where,cells[ms],sums[ms],update[ms],transfers[ms],"
                 "force_difference[ulp],rate_difference[ulp]"};
    bool all_close_ = true;
    bool equal_ = true;

    static std::string printed(double percent) { return percent > 0 ? fmt::format("{:.3f}", 1 + percent / 100) : ""; }
};

}  // namespace

ExitCode run_ladder(const LadderArguments& arguments) { return Ladder(arguments).run(); }

}  // namespace halfulp::strategies
