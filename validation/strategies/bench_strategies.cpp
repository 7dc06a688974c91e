// halfulp bench strategies: the strategies that Dominguez, Crespo and Gomez-Gesteira describe for the CPU (2011,
// preprint of "Optimization strategies for parallel CPU and GPU implementations of a meshfree particle method"; 2013,
// Comput. Phys. Commun. 184, 617), on their testbed, beside their figures.
#include <thread>

#include "core/app/build_info.hpp"
#include "core/app/machine.hpp"
#include "validation/device/chosen_backend.hpp"
#include "validation/experiment.hpp"
#include "validation/strategies/cpu/strategies.hpp"
#include "validation/strategies/ladder.hpp"
#include "validation/strategies/testbed.hpp"

namespace halfulp::strategies {

namespace {

struct Arguments : LadderArguments {
    std::vector<int> threads;
};

struct Row {
    std::string name;
    Strategy strategy;
    std::string printed;
};

class Bench {
public:
    explicit Bench(const Arguments& arguments)
        : arguments_(arguments),
          page_(arguments.folder, "strategies", "Strategies for the CPU, on the testbed of 2013"),
          table_(arguments.folder, "strategies",
                 "particles,strategy,divisions,width,threads,time[ms],pairs[1/s],over_basic[1],over_best[1],"
                 "force_difference[ulp],rate_difference[ulp],imbalance[1],bytes,arranging[ms]")
    {
        if (arguments_.sizes.empty()) arguments_.sizes = {25e3, 100e3, 300e3};
        if (arguments_.threads.empty()) {
            const int all = static_cast<int>(std::thread::hardware_concurrency());
            for (const int count : {2, 4, 8})
                if (count < all) arguments_.threads.push_back(count);
            if (all > 1) arguments_.threads.push_back(all);
        }
    }

    ExitCode run()
    {
        page_.paragraph(
            "Case dominguez-2013 {} s after its start; {}; program {} {}. Each strategy computes du/dt and ds/dt of all particles "
            "with both rates in one sweep, single precision, plain sums; times are of one evaluation, the fastest of {} s, "
            "without making the cells. Differences: the largest from the canonical sums, in ulps of the root mean square.",
            arguments_.after, describe_processor(), build::commit, build::tree, arguments_.seconds);
        for (const double size : arguments_.sizes) measure(size);
        page_.verdict(all_close_,
                      "every strategy has the rates of the canonical sums within {:g} ulps of the root mean "
                      "square",
                      allowed);
        page_.verdict(fixed_equal_, "sums of whole numbers have the same bits on any number of threads");
        return page_.close();
    }

private:
    static constexpr double allowed = 2000;

    [[nodiscard]] std::vector<Row> rows() const
    {
        std::vector<Row> all{{"basic: both sides, cells r", {}, "1"},
                             {"both sides, cells r/2", {.divisions = 2}, ""},
                             {"both sides, cells r/3", {.divisions = 3}, ""},
                             {"both sides, packs, cells r", {.width = 8}, ""},
                             {"both sides, packs, cells r/2", {.divisions = 2, .width = 8}, ""}};
        for (const int divisions : {1, 2, 3})
            all.push_back({divisions == 1 ? "symmetry, cells r" : fmt::format("symmetry, cells r/{}", divisions),
                           {.way = Way::symmetric, .divisions = divisions},
                           ""});
        for (const int width : {4, 8})
            for (const int divisions : {1, 2, 3})
                all.push_back({divisions == 1 ? "symmetry, packs, cells r"
                                              : fmt::format("symmetry, packs, cells r/{}", divisions),
                               {.way = Way::symmetric, .divisions = divisions, .width = width},
                               divisions == 2 && width == 4 ? "2.3 (300,000; fig. 13, 2011)" : ""});
        all.push_back({"symmetry, packs, cells r/2, a sweep for each rate",
                       {.way = Way::symmetric, .divisions = 2, .width = 8, .separate = true},
                       ""});
        all.push_back(
            {"symmetry, whole numbers, packs, cells r/2", {.way = Way::fixed_point, .divisions = 2, .width = 8}, ""});
        for (const int threads : arguments_.threads) {
            for (const int block : {1, 10, 100})
                all.push_back({fmt::format("threads, both sides, blocks of {}", block),
                               {.way = Way::asymmetric, .divisions = 2, .width = 8, .threads = threads, .block = block},
                               ""});
            all.push_back({"threads, symmetry, sums a thread",
                           {.way = Way::symmetric, .divisions = 2, .width = 8, .threads = threads},
                           threads == 8 ? "10.3, 4.5 times the best on one core (300,000; figs. 14, 15, 2011)" : ""});
            all.push_back(
                {"threads, slices along x", {.way = Way::slices, .divisions = 2, .width = 8, .threads = threads}, ""});
            all.push_back({"threads, slices along y",
                           {.way = Way::slices, .divisions = 2, .width = 8, .threads = threads, .along_y = true},
                           ""});
            all.push_back({"threads, symmetry, whole numbers",
                           {.way = Way::fixed_point, .divisions = 2, .width = 8, .threads = threads},
                           ""});
        }
        return all;
    }

    void measure(double size)
    {
        const Problem problem = prepare(case_with(
            "dominguez-2013", {fmt::format("resolution.spacing={}", spacing_for(size)), "numerics.precision=robust"}));
        require_covered(problem);
        const int all_threads = arguments_.threads.empty() ? 1 : arguments_.threads.back();
        Simulation simulation(problem, make_cpu_backend(problem, {.threads = all_threads}));
        while (simulation.time() < arguments_.after) simulation.step();
        const State state = state_of(problem, simulation.snapshot());
        const Rates canonical = simulation.backend().rates();

        page_.heading("{} particles, {} of them fluid", problem.particles.size(), problem.fluid);
        const auto inside = count_pairs(problem, state, 1).inside;
        std::string searched;
        for (int n = 1; n <= 3; ++n)
            searched += fmt::format("{}{:.1f} % with cells r{}", n == 1 ? "" : ", ",
                                    100 * inside / count_pairs(problem, state, n).candidates,
                                    n == 1 ? std::string() : fmt::format("/{}", n));
        page_.paragraph(
            "{:.1f} million pairs inside the support, counted from both sides; of the candidates these are {} "
            "(volumes give 15.5, 26.8 and 33.0 %).",
            1e-6 * inside, searched);
        page_.table({"strategy", "pairs at a time", "threads", "ms", "million pairs/s", "over basic",
                     "over the best on one thread", "paper, over basic", "du/dt [ulp]", "ds/dt [ulp]", "imbalance",
                     "sums [MB]", "making cells [ms]"});
        double basic = 0;
        double best = 0;
        std::uint64_t fixed_bits = 0;
        const auto text_if = [](bool shown, double value) { return shown ? fmt::format("{:.2f}", value) : ""; };
        for (const Row& row : rows()) {
            const Evaluated e = evaluate(problem, state, row.strategy, arguments_.seconds);
            const Differences d = differences(e.rates, canonical, state.kind);
            all_close_ = all_close_ && d.force < allowed && d.rate < allowed;
            if (row.strategy.way == Way::fixed_point) {
                if (fixed_bits == 0) fixed_bits = e.bits;
                fixed_equal_ = fixed_equal_ && fixed_bits == e.bits;
            }
            if (basic == 0) basic = e.seconds;
            if (row.strategy.threads == 1 && (best == 0 || e.seconds < best)) best = e.seconds;
            const Strategy& s = row.strategy;
            table_.row(problem.particles.size(), row.name, s.divisions, s.width, s.threads, 1e3 * e.seconds,
                       inside / e.seconds, basic / e.seconds, best / e.seconds, d.force, d.rate, e.imbalance, e.bytes,
                       1e3 * e.arranging);
            page_.row("{} | {} | {} | {:.2f} | {:.1f} | {:.2f} | {} | {} | {:.0f} | {:.0f} | {} | {:.1f} | {:.1f}",
                      row.name, s.width, s.threads, 1e3 * e.seconds, 1e-6 * inside / e.seconds, basic / e.seconds,
                      text_if(s.threads > 1, best / e.seconds), row.printed, d.force, d.rate,
                      text_if(s.way == Way::slices, e.imbalance), 1e-6 * e.bytes, 1e3 * e.arranging);
        }
        std::vector<int> threads{1};
        threads.insert(threads.end(), arguments_.threads.begin(), arguments_.threads.end());
        for (const int count : threads) production(problem, simulation, count, inside, basic, best);
    }

    // The program's own passes in whole steps from the same state: stored lists, lanes are targets, both rates
    // in one pass, compensated sums, and the works that the ledger books.
    void production(const Problem& problem, const Simulation& from, int threads, double inside, double basic,
                    double best)
    {
        Simulation simulation(problem, make_cpu_backend(problem, {.threads = threads}), from.state());
        const auto passes = [&] {
            double seconds = 0;
            for (const StageTime& stage : simulation.backend().stage_times())
                if (stage.stage == stage_names[1] || stage.stage == stage_names[2]) seconds += stage.seconds;
            return seconds;
        };
        simulation.step();
        double fastest = 0;
        double spent = 0;
        for (int k = 0; k < 3 || spent < arguments_.seconds; ++k) {
            const double before = passes();
            simulation.step();
            const double took = passes() - before;
            spent += took;
            if (k == 0 || took < fastest) fastest = took;
        }
        table_.row(problem.particles.size(), "production", 0, 8, threads, 1e3 * fastest, inside / fastest,
                   basic / fastest, best / fastest, 0.0, 0.0, 1.0, 0.0, 0.0);
        page_.row(
            "production: stored lists, lanes are targets, one pass, KBN sums, works | 8 | {} | {:.2f} | {:.1f} | {:.2f} | {:.2f} "
            "|  | 0 | 0 |  |  | ",
            threads, 1e3 * fastest, 1e-6 * inside / fastest, basic / fastest, best / fastest);
    }

    Arguments arguments_;
    Page page_;
    Table table_;
    bool all_close_ = true;
    bool fixed_equal_ = true;
};

const bool registered = register_bench<Arguments>(
    "strategies", "Strategies for sums over pairs, beside the figures of Dominguez et al. 2011 and 2013",
    [](const Arguments& arguments) {
        return arguments.machine.on_device() ? run_ladder(arguments) : Bench(arguments).run();
    },
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--sizes", arguments.sizes,
            "Numbers of particles, about (default: 25, 100 and 300 thousand, on a device a million)",
            CLI::Range(5e3, 1e7));
        add(command, "--threads", arguments.threads, "Numbers of threads (default: 2, 4, 8 and all)",
            CLI::Range(2, 1024));
        add(command, "--after", arguments.after, "Simulated time at which rates are computed, s",
            CLI::Range(0.0, 100.0));
        add(command, "--seconds", arguments.seconds, "Shortest time to measure each row for", CLI::Range(0.0, 600.0));
    });

}  // namespace

}  // namespace halfulp::strategies
