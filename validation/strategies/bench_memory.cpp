// halfulp bench memory: what the tiers of memory take and cost, and which of them is chosen, beside figures 10 and 11
// of Dominguez, Crespo and Gomez-Gesteira (2013).
#include <algorithm>

#include "core/app/build_info.hpp"
#include "core/setup/host_memory.hpp"
#include "validation/block.hpp"
#include "validation/device/chosen_backend.hpp"
#include "validation/device/device.hpp"
#include "validation/experiment.hpp"
#include "validation/strategies/cuda/ladder.hpp"
#include "validation/strategies/testbed.hpp"

namespace halfulp::strategies {

namespace {

struct Arguments : MachineOptions {
    int threads = 1;
    std::vector<double> sizes;
    double after = 0.05;
    double seconds = 0.3;
    int steps = 20;
};

class Bench {
public:
    explicit Bench(const Arguments& arguments)
        : arguments_(arguments), page_(arguments.folder, "memory", "Tiers of memory"),
          table_(arguments.folder, "memory",
                 "particles,tier,estimate_per_particle,bytes_per_particle,free_bytes,most_particles,step[ms]")
    {
        if (arguments_.sizes.empty()) arguments_.sizes = on_device() ? std::vector{3e5, 1e6} : std::vector{25e3, 1e5};
    }

    ExitCode run()
    {
        page_.paragraph("Case dominguez-2013 {} s after its start; {}; program {} {}.", arguments_.after,
                        arguments_.machine.description(arguments_.threads), build::commit, build::tree);
        page_.heading("The program's tiers");
        page_.table(
            {"particles", "neighbours", "bytes a particle, estimated", "measured", "memory free [GB]",
             "most particles [million]", "ms a step", "over lists"},
            "estimated: as halfulp info and the choice of the tier do; most particles: memory over the measured "
            "bytes a particle");
        for (const double size : arguments_.sizes) tiers(size);
        page_.verdict(equal_, "every tier has the same bits after {} steps", arguments_.steps);
        if (on_device()) {
            chosen();
            papers();
        }
        return page_.close();
    }

private:
    [[nodiscard]] bool on_device() const { return arguments_.machine.on_device(); }
    [[nodiscard]] BackendOptions on(NeighbourStorage storage) const
    {
        return arguments_.machine.options(arguments_.threads, storage);
    }
    struct Estimate {
        double particle;
        double lists;  // a particle
        double compact;
        double masks;
        double free;
    };
    [[nodiscard]] Estimate estimate_of(const Problem& problem) const
    {
        if (on_device()) {
            const CudaPlan plan = plan_cuda(problem, on(NeighbourStorage::automatic).cuda);
            return {plan.bytes_per_particle, plan.list_bytes_per_particle, plan.compact_bytes_per_particle,
                    plan.mask_bytes_per_particle, plan.free_bytes};
        }
        const std::string& precision = problem.source.numerics.precision;
        return {static_cast<double>(cpu_bytes_per_particle(precision, problem.physics)),
                neighbour_bytes(problem) / static_cast<double>(problem.particles.size()), 0, 0, host_memory().free};
    }

    void tiers(double size)
    {
        Testbed bed = testbed(size, arguments_.after, on(NeighbourStorage::automatic));
        const Estimate estimate = estimate_of(bed.problem);
        double with_lists = 0;
        std::optional<StateHash> hash;
        struct Tier {
            NeighbourStorage storage;
            const char* name;
            double bytes;
        };
        std::vector<Tier> all{{NeighbourStorage::stored, "lists", estimate.lists},
                              {NeighbourStorage::compact, "compact lists", estimate.compact},
                              {NeighbourStorage::masks, "a bit for each candidate", estimate.masks},
                              {NeighbourStorage::none, "searched in every pass", 0}};
        if (!on_device()) all.erase(all.begin() + 1, all.begin() + 3);
        for (const auto& [storage, name, bytes] : all) {
            const StateHash reached = hash_after(bed.problem, on(storage));
            if (!hash) hash = reached;
            equal_ = equal_ && *hash == reached;
            const Timing timing =
                time_steps(bed.problem, make_backend(bed.problem, on(storage)).backend, arguments_.seconds);
            const double step = 1e-6 * timing.nanoseconds * static_cast<double>(bed.problem.particles.size());
            if (with_lists == 0) with_lists = step;
            const double wanted = estimate.particle + bytes;
            const double most = estimate.free / timing.bytes;
            table_.row(bed.problem.particles.size(), name, wanted, timing.bytes, estimate.free, most, step);
            page_.row("{} | {} | {:.0f} | {:.0f} | {:.1f} | {:.1f} | {:.3f} | {:.2f}", bed.problem.particles.size(),
                      name, wanted, timing.bytes, 1e-9 * estimate.free, 1e-6 * most, step, step / with_lists);
        }
        last_ = std::move(bed);
    }

    [[nodiscard]] StateHash hash_after(const Problem& problem, const BackendOptions& options) const
    {
        Simulation simulation(problem, make_backend(problem, options).backend);
        for (int k = 0; k < arguments_.steps; ++k) simulation.step();
        return simulation.snapshot().hash;
    }

    // With the device's memory taken but for what has no room for lists.
    void chosen()
    {
        page_.heading("The tier that is chosen");
        const Estimate estimate = estimate_of(last_.problem);
        const double count = static_cast<double>(last_.problem.particles.size());
        const StateHash before = hash_after(last_.problem, on(NeighbourStorage::automatic));
        const auto expect = [&](double bytes_of_neighbours, const char* words, const char* what) {
            const OccupiedDevice occupied(count * (estimate.particle + bytes_of_neighbours));
            // Gone before another asks for the memory.
            const std::string description =
                make_backend(last_.problem, on(NeighbourStorage::automatic)).backend->description();
            const StateHash after = hash_after(last_.problem, on(NeighbourStorage::automatic));
            page_.paragraph("With {:.2f} GB free for {} particles: {}.", 1e-9 * estimate_of(last_.problem).free,
                            last_.problem.particles.size(), description);
            page_.verdict(description.find(words) != std::string::npos && before == after, "{}", what);
        };
        expect(0.5 * (estimate.compact + estimate.lists), "compact neighbour lists",
               "where lists do not fit compact ones are kept, with the same bits of the result");
        expect(0.5 * std::min(estimate.compact, estimate.masks), "no stored neighbours",
               "where these do not fit either neighbours are searched for in every pass, with the same bits");
    }

    // FastCells(r/2), SlowCells(r/2) and SlowCells(r), as strategies of the ladder.
    void papers()
    {
        page_.heading("Tiers of 2013");
        page_.table({"tier", "sums over pairs [ms]", "over the first", "du/dt [ulp]", "ds/dt [ulp]",
                     "bytes a particle of arrays, cells and ranges", "2013: bytes a particle in all"},
                    "{} particles; theirs are those of the whole program: 1.8 and 9 million particles in 1.4 GB",
                    last_.problem.particles.size());
        const double count = static_cast<double>(last_.problem.particles.size());
        double first = 0;
        using enum Search;
        struct Tier {
            const char* name;
            Search search;
            int divisions;
            const char* printed;
        };
        for (const Tier& tier : {Tier{"ranges of 25 rows of cells of side r/2", ranges, 2, "778"},
                                 Tier{"125 cells of side r/2 one by one", cells, 2, ""},
                                 Tier{"27 cells of side r one by one", cells, 1, "155 to 160"}}) {
            const DeviceEvaluated e = evaluate_on_device(last_.problem, last_.state,
                                                         {.storage = Storage::two_arrays,
                                                          .search = tier.search,
                                                          .divisions = tier.divisions,
                                                          .by_kind = true,
                                                          .occupancy = true},
                                                         arguments_.seconds);
            if (first == 0) first = e.seconds;
            const Differences d = differences(e.rates, last_.canonical, last_.state.kind);
            tiers_.row(last_.problem.particles.size(), tier.name, 1e3 * e.seconds, e.bytes / count, d.force, d.rate);
            page_.row("{} | {:.3f} | {:.2f} | {:.0f} | {:.0f} | {:.0f} | {}", tier.name, 1e3 * e.seconds,
                      e.seconds / first, d.force, d.rate, e.bytes / count, tier.printed);
        }
    }

    Arguments arguments_;
    Page page_;
    Table table_;
    Table tiers_{arguments_.folder, "memory-2013",
                 "particles,tier,sums[ms],bytes_per_particle,force_difference[ulp],"
                 "rate_difference[ulp]"};
    Testbed last_;
    bool equal_ = true;
};

const bool registered = register_bench<Arguments>(
    "memory", "Tiers of memory: neighbours in lists or searched for in every pass, and which is chosen",
    [](const Arguments& arguments) { return Bench(arguments).run(); },
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--threads", arguments.threads, "Threads on the CPU", CLI::Range(1, 1024));
        add(command, "--sizes", arguments.sizes,
            "Numbers of particles, about (default: 25 and 100 thousand, on a device 300 thousand and a "
            "million)",
            CLI::Range(5e3, 1e8));
        add(command, "--after", arguments.after, "Simulated time from which steps are taken, s",
            CLI::Range(0.0, 100.0));
        add(command, "--seconds", arguments.seconds, "Shortest time to measure each row for", CLI::Range(0.0, 600.0));
        add(command, "--steps", arguments.steps, "Steps after which bits are compared", CLI::Range(1, 100000));
    });

}  // namespace

}  // namespace halfulp::strategies
