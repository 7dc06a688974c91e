// halfulp bench list-life: how long neighbour lists are kept, on the dam break of the CEHINAV group's paper on SPH on
// graphics processors, beside its table 1. The paper makes lists every k steps without a bound of displacements or a
// margin; here a margin, the skin, and a bound that lets no pair be missed. What lists without them miss is counted on
// the same flow.
#include "core/app/build_info.hpp"
#include "kernels/differential_operators.hpp"
#include "validation/block.hpp"
#include "validation/columns.hpp"
#include "validation/device/chosen_backend.hpp"
#include "validation/differential/arrangement.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

constexpr int longest_life = 10;  // steps

struct Arguments : MachineOptions {
    std::vector<int> sizes{50, 100, 200};
    double after = 0.3;
    double seconds = 0.2;
    int threads = 1;
};

// Of the paper, ms a step: k = 1, 5 and 10 on a Tesla C1060, and k = 1 on one core of 2.33 GHz.
struct Printed {
    int size;  // H over the spacing
    double cpu;
    double gpu[3];
};
constexpr Printed printed[] = {{50, 26.97, {1.67, 0.98, 0.89}},     {75, 57.19, {3.10, 1.78, 1.61}},
                               {100, 98.09, {5.58, 3.22, 2.95}},    {150, 227.75, {10.55, 6.07, 5.51}},
                               {200, 400.69, {18.32, 10.40, 9.65}}, {225, 494.37, {23.95, 13.60, 12.38}},
                               {250, 596.70, {31.23, 18.87, 17.51}}};

struct Point {
    double x, y;
    bool wall;
};

std::vector<Point> points_of(const Problem& problem, const Snapshot& snapshot)
{
    const Column& cell = column_of(snapshot, "cell");
    const Column& offset = column_of(snapshot, "offset");
    const Column& kind = column_of(snapshot, "kind");
    std::vector<Point> points;
    for (std::size_t i = 0; i < snapshot.count; ++i) {
        const auto at = [&](std::size_t axis) {
            return number_at(cell, 3 * i + axis) - problem.source.origin.cells[axis] + number_at(offset, 3 * i + axis);
        };
        points.push_back({at(0), at(1), static_cast<Kind>(number_at(kind, i)) == Kind::wall});
    }
    return points;
}

// The partners with a higher number of each particle within a reach, in cell sides, ascending; none of two walls.
std::vector<std::vector<std::uint32_t>> pairs_within(const std::vector<Point>& points, double reach)
{
    std::vector<Vec<2, double>> places;
    for (const Point& point : points) places.push_back({{point.x, point.y}});
    auto pairs = differential::neighbours_of<SphericalDomain>(places, reach);
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        std::erase_if(pairs[i], [&](std::uint32_t j) { return j <= i || (points[i].wall && points[j].wall); });
        std::ranges::sort(pairs[i]);
    }
    return pairs;
}

struct Missed {
    double pairs = 0;   // now within the support
    double missed = 0;  // of these, not in the list
};
Missed missed(const std::vector<std::vector<std::uint32_t>>& now, const std::vector<std::vector<std::uint32_t>>& listed)
{
    Missed count;
    for (std::size_t i = 0; i < now.size(); ++i) {
        count.pairs += static_cast<double>(now[i].size());
        for (const std::uint32_t j : now[i]) count.missed += std::ranges::binary_search(listed[i], j) ? 0 : 1;
    }
    return count;
}

class Bench {
public:
    explicit Bench(const Arguments& arguments)
        : arguments_(arguments), page_(arguments.folder, "list-life", "How long neighbour lists are kept"),
          times_(arguments.folder, "list-life",
                 "size,particles,every[steps],threads,step[ms],neighbours[ms],steps_a_rebuild"),
          misses_(arguments.folder, "list-life-missed", "size,age[steps],skin[support],pairs,missed")
    {
    }
    ExitCode run()
    {
        page_.paragraph("Case cehinav-dam-break-2d {} s after its start; {}; program {} {}.", arguments_.after,
                        arguments_.machine.description(arguments_.threads), build::commit, build::tree);
        times();
        misses();
        return page_.close();
    }

private:
    [[nodiscard]] std::unique_ptr<Backend> backend_of(const Problem& problem) const
    {
        return make_backend(problem, arguments_.machine.options(arguments_.threads)).backend;
    }

    static Problem problem_of_size(int size, int every)
    {
        std::vector<std::string> overrides{fmt::format("resolution.spacing={}", 0.6 / size)};
        if (every > 0) overrides.push_back(fmt::format("numerics.rebuild_every={}", every));
        return prepare(case_with("cehinav-dam-break-2d", overrides));
    }

    void times()
    {
        page_.heading("Time of a step");
        page_.table(
            {"H/spacing", "particles", "lists every", "ms a step", "of it lists", "steps a rebuild", "over every step",
             "paper: Tesla C1060", "over every step", "paper: one core"},
            "every k steps, and earlier where the displacements ask for it; by displacements alone is the program's "
            "default");
        for (const int size : arguments_.sizes) {
            double first = 0;
            for (const int every : {1, 5, 10, 0}) {
                const Problem problem = problem_of_size(size, every);
                const Timing timing = time_steps(problem, backend_of(problem), arguments_.seconds, arguments_.after);
                const double scale = 1e-6 * static_cast<double>(problem.particles.size());
                // Of one thread its own time: others' turns on the core do not count.
                const bool alone = !arguments_.machine.on_device() && arguments_.threads == 1;
                const double step = (alone ? timing.processor : timing.nanoseconds) * scale;
                const double lists = step * timing.stages.front().seconds / timing.nanoseconds;
                if (first == 0) first = step;
                times_.row(size, problem.particles.size(), every, arguments_.threads, step, lists,
                           1 / timing.rebuilds_per_step);
                const auto* const paper = std::ranges::find(printed, size, &Printed::size);
                const bool known = paper != std::end(printed);
                std::string gpu, ratio;
                if (known && every > 0) {
                    const double there = paper->gpu[every == 1 ? 0 : every == 5 ? 1 : 2];
                    gpu = fmt::format("{}", there);
                    ratio = fmt::format("{:.2f}", paper->gpu[0] / there);
                }
                page_.row("{} | {} | {} | {:.3f} | {:.0f} % | {:.1f} | {:.2f} | {} | {} | {}", size,
                          problem.particles.size(), every == 0 ? "by displacements" : fmt::format("{}", every), step,
                          100 * lists / step, 1 / timing.rebuilds_per_step, first / step, gpu, ratio,
                          known && every == 1 ? fmt::format("{}", paper->cpu) : "");
            }
        }
    }

    void misses()
    {
        const int size = arguments_.sizes.front();
        page_.heading("What lists without a bound miss");
        page_.table(
            {"age of the list [steps]", "pairs", "missed without a margin", "share",
             "missed with a margin for ten steps", "missed with the program's"},
            "H/spacing {}; a margin for ten steps: ten steps of twice the largest speed; the program makes a list anew "
            "before it misses a pair, so its column is that of a list kept too long",
            size);
        const Problem problem = problem_of_size(size, 0);
        Simulation simulation(problem, backend_of(problem));
        while (simulation.time() < arguments_.after) simulation.step();
        const double support = static_cast<double>(problem.support);
        const double speed = simulation.ledger_row().max_speed;
        const double margin = longest_life * 2 * speed * simulation.next_step() / problem.units.length;
        const std::vector<Point> start = points_of(problem, simulation.snapshot());
        const double reaches[] = {support, support + margin, support + static_cast<double>(problem.skin)};
        std::vector<std::vector<std::vector<std::uint32_t>>> lists;
        for (const double reach : reaches) lists.push_back(pairs_within(start, reach));
        bool bounded = true;
        for (int age = 1; age <= longest_life; ++age) {
            simulation.step();
            const auto now = pairs_within(points_of(problem, simulation.snapshot()), support);
            Missed counts[3];
            for (std::size_t k = 0; k < 3; ++k) {
                counts[k] = missed(now, lists[k]);
                misses_.row(size, age, reaches[k] / support - 1, counts[k].pairs, counts[k].missed);
            }
            bounded = bounded && counts[1].missed == 0;
            page_.row("{} | {} | {} | {:.3f} % | {} | {}", age, counts[0].pairs, counts[0].missed,
                      100 * counts[0].missed / counts[0].pairs, counts[1].missed, counts[2].missed);
        }
        page_.paragraph("Margin for ten steps: {:.3f} of the support; the program's skin: {:.3f}.", margin / support,
                        static_cast<double>(problem.skin) / support);
        page_.verdict(bounded, "a margin of ten steps at twice the largest speed misses no pair in ten steps");
    }

    Arguments arguments_;
    Page page_;
    Table times_;
    Table misses_;
};

const bool registered = register_bench<Arguments>(
    "list-life", "How long neighbour lists are kept, beside table 1 of the CEHINAV group's paper",
    [](const Arguments& arguments) { return Bench(arguments).run(); },
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--sizes", arguments.sizes, "H over the spacing; the paper has 50, 75, 100, 150, 200, 225, 250",
            CLI::Range(10, 1000));
        add(command, "--after", arguments.after, "Simulated time at which steps are timed, s", CLI::Range(0.0, 100.0));
        add(command, "--seconds", arguments.seconds, "Shortest time to measure each row for", CLI::Range(0.0, 600.0));
        add(command, "--threads", arguments.threads, "Threads on the CPU", CLI::Range(1, 1024));
    });

}  // namespace

}  // namespace halfulp
