#include "validation/decisive/flows.hpp"

#include <bit>
#include <condition_variable>
#include <mutex>
#include <random>

#include "core/backends/cuda/cuda_backend.hpp"
#include "core/error.hpp"
#include "validation/decisive/flow_parts.hpp"
#include "validation/decisive/settled_start.hpp"

namespace halfulp {

using namespace decisive;

namespace {

// The runs on each device that has had one, of a study whose runs share the machine's devices.
struct Devices {
    std::mutex mutex;
    std::condition_variable left;
    std::vector<int> runs;
};

// A place on a CUDA device, waited for and held. Two runs share a device: while the host looks at one, the other's
// steps go on.
class DeviceLease {
public:
    explicit DeviceLease(const Problem& problem)
    {
        int usable = 0;
        while (why_no_cuda(problem, {.device = usable}).empty()) ++usable;
        if (usable == 0) return;
        Devices& all = devices();
        std::unique_lock lock(all.mutex);
        all.runs.resize(std::max(all.runs.size(), static_cast<std::size_t>(usable)));
        const auto emptiest = [&] { return std::min_element(all.runs.begin(), all.runs.begin() + usable); };
        all.left.wait(lock, [&] { return *emptiest() < runs_on_a_device; });
        device_ = static_cast<int>(emptiest() - all.runs.begin());
        ++all.runs[static_cast<std::size_t>(device_)];
    }
    ~DeviceLease()
    {
        if (device_ < 0) return;
        Devices& all = devices();
        const std::scoped_lock lock(all.mutex);
        --all.runs[static_cast<std::size_t>(device_)];
        all.left.notify_all();
    }
    DeviceLease(const DeviceLease&) = delete;
    DeviceLease& operator=(const DeviceLease&) = delete;

    // -1: no device can run the problem.
    [[nodiscard]] int device() const { return device_; }

private:
    static constexpr int runs_on_a_device = 2;
    static Devices& devices()
    {
        static Devices all;
        return all;
    }
    int device_ = -1;
};

// One ulp of single precision up or down, of each component of velocities and offsets that is not zero.
void move_by_an_ulp(Problem& problem, unsigned seed)
{
    std::mt19937 random(seed);
    for (InitialParticle& particle : problem.particles.stored()) {
        if (particle.kind != Kind::fluid) continue;
        for (auto* const numbers : {&particle.velocity, &particle.offset}) {
            for (float& number : *numbers) {
                const float towards = (random() & 1U) != 0 ? 1e30F : -1e30F;
                if (number != 0) number = std::nextafter(number, towards);
            }
        }
    }
}

// At random by a distance that is uniformly distributed along each axis.
void displace(Problem& problem, unsigned seed, double displaced)
{
    std::mt19937 random(seed);
    const double largest = std::sqrt(3.0) * displaced * problem.source.resolution.spacing / problem.units.length;
    for (InitialParticle& particle : problem.particles.stored()) {
        if (particle.kind != Kind::fluid) continue;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.source.dimensions); ++axis)
            particle.offset[axis] += static_cast<float>(largest * (0x1p-31 * random() - 1));
    }
}

void add_velocity(const Flow& flow, Problem& problem)
{
    if (!flow.added) return;
    for (InitialParticle& particle : problem.particles.stored()) {
        if (particle.kind != Kind::fluid) continue;
        std::array<double, 3> place{};
        for (std::size_t axis = 0; axis < 3; ++axis) place[axis] = coordinate_of(problem, particle, axis);
        const std::array<double, 3> added = flow.added(place);
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.source.dimensions); ++axis)
            particle.velocity[axis] += static_cast<float>(added[axis] / problem.units.velocity);
    }
}

}  // namespace

Case case_of(const Flow& flow, const Arm& arm)
{
    std::vector<std::string> overrides = flow.overrides;
    overrides.push_back("time.step=variable");
    overrides.push_back(fmt::format("time.cfl={}", flow.cfl * arm.step));
    overrides.push_back("numerics.precision=" + arm.precision);
    if (arm.cells != 0) {
        overrides.push_back(
            fmt::format("origin.cells=[{},{}{}]", arm.cells, -arm.cells,
                        std::ranges::count(overrides, "dimensions=3") > 0 ? fmt::format(",{}", arm.cells) : ""));
    }
    Case c = case_with(flow.case_name, overrides);
    c.time.end *= arm.part;
    // As often in time.
    if (c.numerics.density_filter != DensityFilter::none)
        c.numerics.filter_every = static_cast<int>(std::lround(c.numerics.filter_every / arm.step));
    return c;
}

Problem problem_on_lattice(const Flow& flow, const Arm& arm)
{
    Problem problem = prepare(case_of(flow, arm));
    add_velocity(flow, problem);
    return problem;
}

Recorded follow(const Flow& flow, const Arm& arm, bool on_devices)
{
    Problem problem = prepare(case_of(flow, arm));
    if (flow.settle > 0) settle(flow, problem);
    add_velocity(flow, problem);
    if (arm.displaced > 0) displace(problem, arm.ulp_seed, arm.displaced);
    else if (arm.ulp_seed != 0) move_by_an_ulp(problem, arm.ulp_seed);
    Recorded recorded;
    recorded.particles = static_cast<double>(problem.particles.size());
    FluidState first;
    const auto every = static_cast<std::uint64_t>(std::round(static_cast<double>(flow.sample_every) / arm.step));
    const auto look = [&](const Problem& of, const Simulation& now) {
        const FluidState fluid = fluid_of(of, now.snapshot());
        if (recorded.times.empty()) first = fluid;
        recorded.times.push_back(now.time());
        recorded.signals.push_back(flow.measure(now, fluid, first));
        std::uint64_t bits = recorded.velocity_bits.empty() ? 0 : recorded.velocity_bits.back();
        for (const auto& u : fluid.velocity) {
            for (const double component : u) bits = (bits ^ std::bit_cast<std::uint64_t>(component)) * 1099511628211U;
        }
        recorded.velocity_bits.push_back(bits);
    };
    std::optional<DeviceLease> lease;
    if (flow.large || on_devices) lease.emplace(problem);
    const Simulated run = simulate(std::move(problem), every, look, [&](const Problem& of) {
        if (lease && lease->device() >= 0) return make_cuda_backend(of, {.device = lease->device()});
        if (flow.large) complain(fmt::format("decisive: {}, {} takes days without a CUDA device", flow.name, arm.name));
        return make_cpu_backend(of, one_thread);
    });
    recorded.broke = run.broke;
    recorded.steps = run.steps;
    return recorded;
}

bool have_same_bits(const Recorded& one, const Recorded& other)
{
    std::size_t common = std::min(one.times.size(), other.times.size());
    if (one.times.back() != other.times.back()) --common;
    return common > 1 &&
           std::equal(one.velocity_bits.begin(), one.velocity_bits.begin() + common, other.velocity_bits.begin()) &&
           std::equal(one.times.begin(), one.times.begin() + common, other.times.begin());
}

std::vector<Flow> decisive_flows(Scale scale)
{
    std::vector<Flow> flows;
    if (scale == Scale::quick) {
        flows.push_back(seiche({.name = "seiche-small", .height = 2e-4, .spacing = 0.05, .end = 10}, scale));
        flows.push_back(
            seiche({.name = "settled-small", .height = 2.5e-3, .spacing = 0.05, .end = 10, .settle = 2}, scale));
        flows.push_back(couette(0.1, 1, 16, 1.5, scale));
        flows.push_back(body_in_waves(4, 4, scale));
        return flows;
    }
    const bool full = scale == Scale::full;
    const double end = full ? 120 : 60;
    flows.push_back(seiche({.name = "seiche-small", .height = 2e-4, .end = end}, scale));
    flows.push_back(seiche({.name = "seiche-h200", .height = 2.5e-3, .end = end}, scale));
    flows.push_back(seiche({.name = "seiche-h100", .height = 5e-3, .end = end, .parts = false}, scale));
    flows.push_back(seiche({.name = "seiche-defaults", .height = 2.5e-3, .end = end, .defaults = true}, scale));
    flows.push_back(seiche(
        {.name = "seiche-everything", .height = 2.5e-3, .end = end / 2, .defaults = true, .every_term = true}, scale));
    std::ranges::move(settled_flows(end, scale), std::back_inserter(flows));
    // As far in diffusion times and displacements with a quarter of the viscosity and of the speed, in 10^6 steps.
    flows.push_back(full ? couette(2.5e-4, 2.5e-5, 20, 2000, scale) : couette(1e-3, 1e-4, 20, 100, scale));
    flows.push_back(
        seiche({.name = "seiche-deep", .height = 5e-3, .end = end / 2, .depth = 1, .sound_speed = 62.6}, scale));
    flows.push_back(low_fill(0.02, full ? 200 : 20, scale));
    flows.push_back(rest(0.025, full ? 500 : 50, scale));
    flows.push_back(body_in_waves(8, full ? 60 : 30, scale));
    flows.push_back(seiche_3d(full ? 144 : 36, 5e-4, full ? 2.5 : 6, scale));
    std::ranges::move(ladder_flows(scale), std::back_inserter(flows));
    std::ranges::move(displaced_flows(scale), std::back_inserter(flows));
    std::ranges::move(starts_flows(scale), std::back_inserter(flows));
    std::ranges::move(settled_starts_flows(scale), std::back_inserter(flows));
    return flows;
}

}  // namespace halfulp
