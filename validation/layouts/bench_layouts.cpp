// halfulp bench layouts: arrays of structures against structures of arrays, and wide arrays in several orders, beside
// the figures of Bilotta, Zago and Herault, "Design and implementation of particle systems for meshfree methods with
// high performance" (2018), tables 1 and 2.
#include <thread>

#include "core/app/build_info.hpp"
#include "validation/device/chosen_backend.hpp"
#include "validation/experiment.hpp"
#include "validation/layouts/swarm.hpp"

namespace halfulp::layouts {

namespace {

struct Arguments : MachineOptions {
    double particles = 0x1p22;
    double megabytes = 256;  // of the positions of wide arrays
    int rounds = 50;
    int threads = 0;
};

ExitCode run_bench(const Arguments& arguments)
{
    const bool on_device = arguments.machine.on_device();
    const int threads =
        arguments.threads > 0 ? arguments.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    Page page(arguments.folder, "layouts",
              on_device ? "Layouts of memory, on a device" : "Layouts of memory, on the CPU");
    Table table(arguments.folder, "layouts",
                "table,layout,together,particles,dimensions,threads,update[ms],iteration[ms]");
    page.paragraph("{}; program {} {}. Medians of {} updates.", arguments.machine.description(threads), build::commit,
                   build::tree, arguments.rounds);

    const auto particles = static_cast<std::size_t>(arguments.particles);
    page.heading("Arrays of structures, structures of arrays");
    page.table({"layout", "position update [ms]", "over the first", "whole iteration [ms]", "over the first",
                "printed [ms]: 2^24, GT 750M"},
               "a particle swarm in 3D, {} particles; a whole iteration draws two random numbers a component",
               particles);
    struct Named {
        Structure structure;
        const char* name;
        int printed;
    };
    bool equal = true;
    Timed first;
    for (const Named& one : {Named{Structure::structures, "structures, written whole", 98},
                             Named{Structure::selective_structures, "structures, what has changed written", 73},
                             Named{Structure::arrays, "arrays of three numbers", 25},
                             Named{Structure::padded_arrays, "arrays of four numbers", 13}}) {
        const Timed timed = on_device ? time_swarm_on_device(one.structure, particles, arguments.rounds)
                                      : time_swarm(one.structure, particles, threads, arguments.rounds);
        if (first.bits == 0) first = timed;
        equal = equal && timed.bits == first.bits;
        table.row("structures", one.name, 1, particles, 3, threads, 1e3 * timed.update, 1e3 * timed.iteration);
        page.row("{} | {:.3f} | {:.2f} | {:.2f} | {:.2f} | {}", one.name, 1e3 * timed.update,
                 first.update / timed.update, 1e3 * timed.iteration, first.iteration / timed.iteration, one.printed);
    }
    page.verdict(equal, "every layout has the same bits after the same updates and iterations");

    constexpr int dimensions = 128;
    const auto wide = static_cast<std::size_t>(arguments.megabytes * 0x1p20 / (dimensions * sizeof(float))) / 16 * 16;
    page.heading("Wide arrays");
    page.table(
        {"layout", "a particle at a time [ms]", "16 together [ms]", "printed [ms]: Intel HD GT2", "i7-4712HQ"},
        "position update in {} dimensions, {} particles; the paper's number of particles is not printed, and its digits "
        "for the i7 run together in our copy: most likely these",
        dimensions, wide);
    struct Chunk {
        int size;
        const char* name;
        int on_gpu;
        int on_cpu;
    };
    bool wide_equal = true;
    std::uint64_t bits = 0;
    for (const Chunk& one :
         {Chunk{0, "particle by particle", 237, 120}, Chunk{1, "transposed", 75, 568}, Chunk{2, "chunks of 2", 63, 294},
          Chunk{4, "chunks of 4", 58, 422}, Chunk{8, "chunks of 8", 59, 53}, Chunk{16, "chunks of 16", 91, 41}}) {
        double times[2] = {0, 0};
        for (const int together : {1, 16}) {
            const int rounds = std::max(3, arguments.rounds / 5);
            if (on_device && together != 1) continue;
            const Timed timed = on_device ? time_wide_update_on_device(one.size, wide, dimensions, rounds)
                                          : time_wide_update(one.size, together, wide, dimensions, threads, rounds);
            if (bits == 0) bits = timed.bits;
            wide_equal = wide_equal && bits == timed.bits;
            times[together == 1 ? 0 : 1] = 1e3 * timed.update;
            table.row("wide", one.name, together, wide, dimensions, threads, 1e3 * timed.update, 0.0);
        }
        page.row("{} | {:.2f} | {} | {} | {}", one.name, times[0], on_device ? "" : fmt::format("{:.2f}", times[1]),
                 one.on_gpu, one.on_cpu);
    }
    page.verdict(wide_equal, "every order of wide arrays has the same bits");
    return page.close();
}

const bool registered = register_bench<Arguments>(
    "layouts", "Layouts of memory for particles, beside the figures of Bilotta, Zago and Herault 2018", run_bench,
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--particles", arguments.particles, "Particles of the swarm in 3D", CLI::Range(1e3, 1e9));
        add(command, "--megabytes", arguments.megabytes, "Size of the positions of wide arrays", CLI::Range(1.0, 1e6));
        add(command, "--rounds", arguments.rounds, "Updates to take the median of", CLI::Range(3, 100000));
        add(command, "--threads", arguments.threads, "Threads (default: all)", CLI::Range(1, 1024));
    });

}  // namespace

}  // namespace halfulp::layouts
