// halfulp validate cost: what a policy's step costs in time and memory, as ratios in one run. Each policy is measured
// beside robust, in turns, so that what else the machine does hits both; the ratio is the median of the turns.
#include <set>

#include "core/backends/cuda/cuda_backend.hpp"
#include "validation/block.hpp"
#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"
#include "validation/reversal/there_and_back.hpp"
#include "validation/statistics.hpp"

namespace halfulp {

namespace {

struct Arguments : StudyOptions {
    int cube = 0;  // particles along its edge; 0: those of the scale
    int square = 0;
    int quad_cube = 0;
    int rounds = 0;
};

// Of one policy on one block of fluid.
struct Cost {
    std::vector<double> ratios;  // of processor time to robust's, one a round
    Timing fastest;              // each number the smallest of the rounds
    double buffers = 0;          // bytes a particle, without neighbour lists

    [[nodiscard]] double ratio() const { return quantile(ratios, 0.5); }
    [[nodiscard]] double smallest() const { return *std::ranges::min_element(ratios); }
    [[nodiscard]] double largest() const { return *std::ranges::max_element(ratios); }
};

struct Setting {
    int dimensions;
    int edge;
    int lanes;  // 0: the policy's usual number
};

// Seconds of steps on each side of a ratio: several intervals, of which the fastest counts.
constexpr double measured = 0.03;

Cost compare_with_robust(const std::string& precision, const Setting& setting, int rounds)
{
    const CpuOptions cpu{.threads = 1, .lanes = setting.lanes};
    const Problem problem = timed_block(setting.dimensions, setting.edge, precision);
    const Problem of_robust = timed_block(setting.dimensions, setting.edge, "robust");
    Cost cost;
    for (int round = 0; round < rounds; ++round) {
        // In turns first and second.
        Timing robust;
        if (round % 2 == 0) robust = time_steps(of_robust, cpu, measured);
        const Timing own = time_steps(problem, cpu, measured);
        if (round % 2 == 1) robust = time_steps(of_robust, cpu, measured);
        cost.ratios.push_back(own.processor / robust.processor);
        if (round == 0) cost.fastest = own;
        cost.fastest.processor = std::min(cost.fastest.processor, own.processor);
        for (std::size_t k = 0; k < own.stages.size(); ++k)
            cost.fastest.stages[k].seconds = std::min(cost.fastest.stages[k].seconds, own.stages[k].seconds);
    }
    cost.buffers = static_cast<double>(cpu_bytes_per_particle(precision, problem.physics));
    return cost;
}

class CostStudy {
public:
    explicit CostStudy(Arguments arguments)
        : arguments_(std::move(arguments)), page_(arguments_.folder, "cost", "What a step costs"),
          table_(arguments_.folder, "cost",
                 fmt::format("precision,bundle,dimensions,particles,backend,{},to_robust[1],smallest[1],largest[1],"
                             "to_naive[1],buffers[bytes],all[bytes],from_double[m]",
                             stage_columns))
    {
    }

    ExitCode run()
    {
        if (arguments_.cube == 0) arguments_.cube = arguments_.choose(12, 16, 32);
        if (arguments_.square == 0) arguments_.square = arguments_.choose(40, 60, 180);
        if (arguments_.quad_cube == 0) arguments_.quad_cube = arguments_.choose(5, 8, 12);
        if (arguments_.rounds == 0) arguments_.rounds = arguments_.choose(5, 6, 12);
        policies_ = laboratory_policies(arguments_.scale);
        // Not in the middle of what follows: all of these run side by side.
        measure_errors();
        const auto particles = [](int edge, int dimensions) { return std::llround(std::pow(edge, dimensions)); };
        page_.paragraph(
            "Whole steps of the default integrator with viscosity and a variable step, from one rebuild of the neighbours "
            "to the next (the fastest of some), one thread, {} rounds; in each a policy and robust one after the other. The ratio is "
            "that of the time that the thread had a processor for, the median over the rounds; nanoseconds are the smallest of "
            "the rounds, those of the stages by the clock. Those on a CUDA device, where there is one, are by the clock alone. Times are taken anew each time, one at a "
            "time whatever --threads says, and depend on the machine; the ratios less so, and nothing here asks them to be "
            "anything. Only the runs that show how far from double a policy is are kept from before.",
            arguments_.rounds);
        const Costs in_3d =
            compare({3, arguments_.cube, 0}, policies_,
                    fmt::format("3D, a cube of {} particles, 174 neighbours inside", particles(arguments_.cube, 3)));
        const Costs in_2d =
            compare({2, arguments_.square, 0}, policies_,
                    fmt::format("2D, a square of {} particles, 50 neighbours inside", particles(arguments_.square, 2)));
        if (arguments_.scale != Scale::quick)
            compare({3, arguments_.cube, 1}, policies_, "The same cube, one lane: without SIMD");
        std::vector<PolicyInfo> wide = policies();
        std::erase_if(wide,
                      [](const PolicyInfo& policy) { return policy.number != "quad" && policy.name != "double"; });
        const Costs in_quad =
            compare({3, arguments_.quad_cube, 0}, wide,
                    fmt::format("Quadruple precision, a cube of {} particles: few, and most of them at a surface",
                                particles(arguments_.quad_cube, 3)));
        compare_on_device();
        summarise(in_3d, in_2d, in_quad.contains("quad") ? in_quad.at("quad").ratio() : NAN);
        page_.draw(table_.complete(), "cost",
                   "Left: time of a step in 3D as a multiple of robust's, with the smallest and largest of the rounds. "
                   "Middle: bytes a particle, buffers and neighbour lists. Right: time against how far from double a "
                   "collapse is after 200 steps.");
        return page_.close();
    }

private:
    // What a policy's rounding makes of a run: its largest distance from double in the same units, before any impact.
    void measure_errors()
    {
        constexpr int steps = 200;
        std::set<std::string> names;
        for (const PolicyInfo& policy : policies_) {
            names.insert(policy.name);
            if (find_policy(double_reference(policy)) != nullptr) names.insert(double_reference(policy));
        }
        Measurements<std::string, Return> measurements;
        for (const std::string& name : names) {
            const Case c = case_with("inviscid-tank-2d", Variant{.cfl = 0.1, .precision = name});
            measurements.add(name, job_key("cost", c, {fmt::format("steps={}", steps)}),
                             [c] { return there_and_back(c, steps, false); });
        }
        Returns runs;
        Study("cost", arguments_).run(measurements, [&](const std::string& name, const Return& run) {
            runs[name] = run;
        });
        for (const PolicyInfo& policy : policies_) {
            const auto reference = runs.find(double_reference(policy));
            if (reference == runs.end() || reference->first == policy.name) continue;
            const Return& own = runs.at(policy.name);
            errors_[policy.name] = std::max(farthest(own.turn, reference->second.turn), own.resolution);
        }
    }

    void begin(const std::string& caption)
    {
        page_.heading(caption);
        page_.table({"precision", "back end", "ns a step", "neighbours", "density rate", "forces", "update",
                     "to robust", "of the rounds", "to naive", "bytes of buffers", "with lists"},
                    "nanoseconds and bytes a particle");
    }

    void row(const PolicyInfo& policy, const Setting& setting, const Cost& cost, double naive)
    {
        // Whole nanoseconds say enough of a CPU.
        const int digits = cost.fastest.processor < 20 ? 3 : 0;
        const double to_naive = cost.ratio() / naive;
        page_.row("{} | {} | {:.{}f} | {} | {:.2f} | {:.2f}–{:.2f} | {:.2f} | {:.0f} | {:.0f}", policy.name,
                  cost.fastest.backend, cost.fastest.processor, digits, cost.fastest.stages_text(digits, ""),
                  cost.ratio(), cost.smallest(), cost.largest(), to_naive, cost.buffers, cost.fastest.bytes);
        const auto error = errors_.find(policy.name);
        table_.row(policy.name, policy.bundle, setting.dimensions,
                   std::llround(std::pow(setting.edge, setting.dimensions)), cost.fastest.backend,
                   cost.fastest.processor, cost.fastest.of_stages(), cost.ratio(), cost.smallest(), cost.largest(),
                   to_naive, cost.buffers, cost.fastest.bytes,
                   error == errors_.end() ? std::string() : fmt::format("{}", error->second));
    }

    using Costs = std::map<std::string, Cost>;  // of policies by name

    Costs compare(const Setting& setting, const std::vector<PolicyInfo>& policies, const std::string& caption)
    {
        begin(caption);
        // Without SIMD everything is slow, and the ratios are steadier.
        const int rounds = setting.lanes == 1 ? std::max(1, arguments_.rounds / 3) : arguments_.rounds;
        // First, since the others are given as multiples of it.
        const Cost naive = compare_with_robust("naive", setting, rounds);
        Costs costs;
        for (const PolicyInfo& policy : policies) {
            Cost& cost = costs[policy.name];
            cost = policy.name == "naive"
                       ? naive
                       : compare_with_robust(policy.name, setting, policy.number == "quad" ? 1 : rounds);
            row(policy, setting, cost, naive.ratio());
        }
        return costs;
    }

    // A million particles, so that the device is busy; one interval each, as nothing else runs there.
    void compare_on_device()
    {
        const CudaOptions cuda;
        const Setting setting{3, 100, 0};
        const auto timing_of = [&](const std::string& precision) {
            const Problem problem = timed_block(setting.dimensions, setting.edge, precision);
            return time_steps(problem, make_cuda_backend(problem, cuda), measured);
        };
        if (const std::string obstacle = why_no_cuda(timed_block(3, 4, "robust"), cuda); !obstacle.empty()) {
            page_.paragraph("Not measured on a CUDA device: {}.", obstacle);
            return;
        }
        begin("3D, a cube of 1,000,000 particles, 174 neighbours inside, on a CUDA device");
        const Timing robust = timing_of("robust");
        const Timing naive = timing_of("naive");
        for (const PolicyInfo& policy : policies_) {
            const Problem small = timed_block(setting.dimensions, 4, policy.name);
            if (!why_no_cuda(small, cuda).empty()) continue;
            Cost cost;
            cost.fastest = timing_of(policy.name);
            cost.fastest.processor = cost.fastest.nanoseconds;
            cost.ratios = {cost.fastest.nanoseconds / robust.nanoseconds};
            cost.buffers = static_cast<double>(cpu_bytes_per_particle(policy.name, small.physics));
            row(policy, setting, cost, naive.nanoseconds / robust.nanoseconds);
        }
    }

    void summarise(const Costs& in_3d, const Costs& in_2d, double quad)
    {
        const Cost& robust = in_3d.at("robust");
        const Cost& naive = in_3d.at("naive");
        const Cost& in_double = in_3d.at("double");
        page_.paragraph(
            "robust takes {:.2f} times naive's time in 3D and {:.2f} times in 2D; double takes {:.2f} and {:.2f} times "
            "robust's, quad about {:.0f} times on the small cube. What robust holds takes {:.0f} bytes a particle, naive's "
            "{:.0f}, double's {:.0f}; with neighbour lists in 3D {:.0f}, {:.0f} and {:.0f}.",
            1 / naive.ratio(), 1 / in_2d.at("naive").ratio(), in_double.ratio(), in_2d.at("double").ratio(), quad,
            robust.buffers, naive.buffers, in_double.buffers, robust.fastest.bytes, naive.fastest.bytes,
            in_double.fastest.bytes);
        page_.paragraph(
            "How far to trust a ratio: robust against itself gives {:.3f} in 3D, {:.3f} to {:.3f} in single rounds.",
            robust.ratio(), robust.smallest(), robust.largest());
    }

    Arguments arguments_;
    Page page_;
    Table table_;
    std::vector<PolicyInfo> policies_;
    std::map<std::string, double> errors_;  // m
};

const bool registered = register_study<Arguments>(
    "cost", "Time per step and bytes per particle of every policy, as ratios measured in one run",
    [](const Arguments& arguments) { return CostStudy(arguments).run(); },
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--cube", arguments.cube, "Particles along the cube's edge (default: 16; --quick: 12; --full: 32)",
            CLI::Range(4, 400));
        add(command, "--square", arguments.square,
            "Particles along the square's edge (default: 60; --quick: 40; --full: 180)", CLI::Range(4, 4000));
        add(command, "--quad-cube", arguments.quad_cube,
            "Particles along the edge of the cube for quadruple precision (default: 8; --quick: 5; --full: 12)",
            CLI::Range(3, 100));
        add(command, "--rounds", arguments.rounds, "Measurements of each policy (default: 6; --quick: 5; --full: 12)",
            CLI::Range(1, 1000));
    });

}  // namespace

}  // namespace halfulp
