#include "validation/strategies/cuda/ladder.hpp"

#include <chrono>

#include "core/error.hpp"
#include "precision/position.hpp"
#include "precision/sums.hpp"
#include "validation/device/timing.cuh"
#include "validation/strategies/pair_physics.hpp"

namespace halfulp::strategies {

namespace {

using cuda::blocks_for;
using cuda::check;
using cuda::DeviceVector;
using Kernel = FactoredKernels::Of<CubicSpline>;

constexpr int usual_block = 256;
constexpr int most_threads = 1024;
constexpr int staged_block = 64;

template <bool read_only, class Element>
__device__ Element loaded(const Element* from)
{
    if constexpr (!read_only) return *from;
    else return __ldg(from);
}
template <bool read_only>
__device__ Four<float> loaded_four(const Four<float>* from)
{
    const float4 four = loaded<read_only>(reinterpret_cast<const float4*>(from));
    return {four.x, four.y, four.z, four.w};
}

// What is read of a particle: where it is, for the test of its distance, then the rest.
struct SixArrays {
    const float* position;  // three numbers, cell sides from a corner of all
    const float* velocity;  // three numbers
    const float* density;
    const float* sound_speed;
    const float* pressure_term;
    const float* tensile_share;

    using Place = Vec<3, float>;
    struct State {
        MomentumState<3, float> moving;
        float sound_speed;
        float tensile_share;
    };
    __device__ Place place(std::uint32_t i) const
    {
        return {{position[3 * std::size_t(i)], position[3 * std::size_t(i) + 1], position[3 * std::size_t(i) + 2]}};
    }
    __device__ static Vec<3, float> separation(const Place& a, const Place& b) { return a - b; }
    __device__ State state(std::uint32_t i, const Place& /*place*/) const
    {
        const float* const u = velocity + 3 * std::size_t(i);
        return {{{{u[0], u[1], u[2]}}, pressure_term[i], {density[i]}}, sound_speed[i], tensile_share[i]};
    }
    __device__ static PairTerms<float> pair(const PairPhysics<Kernel>& physics, const Vec<3, float>& r, const State& a,
                                            const State& b)
    {
        return pair_of_stored_terms(physics, r, a, b);
    }
};

template <bool read_only>
struct TwoArrays {
    const Four<float>* places;   // and pressure term
    const Four<float>* motions;  // and density

    using Place = Four<float>;
    using State = MomentumState<3, float>;
    __device__ Place place(std::uint32_t i) const { return loaded_four<read_only>(places + i); }
    __device__ static Vec<3, float> separation(const Place& a, const Place& b)
    {
        return {{a.x - b.x, a.y - b.y, a.z - b.z}};
    }
    __device__ State state(std::uint32_t i, const Place& place) const
    {
        const Four<float> u = loaded_four<read_only>(motions + i);
        return {{{u.x, u.y, u.z}}, place.w, {u.w}};
    }
    __device__ static PairTerms<float> pair(const PairPhysics<Kernel>& physics, const Vec<3, float>& r, const State& a,
                                            const State& b)
    {
        return physics.of<float, Part::both>(r, a, b, physics.parameters);
    }
};

struct WithCells {
    const Four<float>* places;
    const Four<float>* motions;
    const Four<std::int32_t>* cells;

    struct Place {
        Four<float> offset;
        Four<std::int32_t> cell;
    };
    using State = MomentumState<3, float>;
    __device__ Place place(std::uint32_t i) const { return {places[i], cells[i]}; }
    __device__ static Vec<3, float> separation(const Place& a, const Place& b)
    {
        return separation_of(a.offset, b.offset, a.cell, b.cell);
    }
    __device__ State state(std::uint32_t i, const Place& place) const
    {
        const Four<float> u = motions[i];
        return {{{u.x, u.y, u.z}}, place.offset.w, {u.w}};
    }
    __device__ static PairTerms<float> pair(const PairPhysics<Kernel>& physics, const Vec<3, float>& r, const State& a,
                                            const State& b)
    {
        return physics.of<float, Part::both>(r, a, b, physics.parameters);
    }
};

struct Ranges {
    Range fluid;
    Range walls;
};

struct Grid {
    const std::uint32_t* fluid;  // the first of each cell, and the number
    const std::uint32_t* walls;
    const std::uint32_t* cell_of;  // of each particle
    const Ranges* ranges;          // of the rows around each cell
    std::int32_t row;              // cells in a row
    std::int32_t layer;            // cells in a layer of rows
};

// What a kernel computes of its targets, and from which candidates.
enum class Targets {
    any,    // forces and density rates from one kind, added to what is there
    fluid,  // forces and density rates, from fluid and walls
    walls,  // density rates, from fluid
};

__device__ Range candidates(Kind kind, const Grid& grid, std::int32_t cell)
{
    const std::uint32_t* const first = kind == Kind::fluid ? grid.fluid : grid.walls;
    return {first[cell], first[cell + 1]};
}

template <int n, Search search, class Visit>
__device__ void for_candidates(const Grid& grid, std::int32_t cell, Kind kind, Visit visit)
{
    if constexpr (search == Search::cells) {
        for (int k = -n; k <= n; ++k)
            for (int j = -n; j <= n; ++j)
                for (int i = -n; i <= n; ++i) visit(candidates(kind, grid, cell + i + j * grid.row + k * grid.layer));
    } else {
        constexpr int rows = (2 * n + 1) * (2 * n + 1);
        const Ranges* const ranges = grid.ranges + std::size_t(cell) * rows;
        for (int k = 0; k < rows; ++k) visit(kind == Kind::fluid ? ranges[k].fluid : ranges[k].walls);
    }
}

template <class Sum>
struct TargetSums {
    Sum force[3];
    Sum rate;

    __device__ void add(const PairTerms<float>& terms, bool with_force)
    {
        if (with_force)
            for (int c = 0; c < 3; ++c) force[c].add(terms.force[c]);
        rate.add(terms.rate);
    }
    __device__ Four<float> value() const
    {
        return {force[0].value(), force[1].value(), force[2].value(), rate.value()};
    }
};

// Targets first .. first + count - 1; kind: of the candidates, where the targets are any.
template <class Particles, class Sum, int n, Search search, Targets targets>
__global__ void interact(const Particles particles, const Grid grid, const PairPhysics<Kernel> physics,
                         std::uint32_t first, std::uint32_t count, Kind kind, Four<float>* results)
{
    const auto t = static_cast<std::uint32_t>(cuda::thread_index());
    if (t >= count) return;
    const std::uint32_t a = first + t;
    const auto here = particles.place(a);
    const auto state = particles.state(a, here);
    TargetSums<Sum> sums;
    if constexpr (targets == Targets::any) {
        const Four<float> before = results[a];
        for (int c = 0; c < 3; ++c) sums.force[c].sum = before[c];
        sums.rate.sum = before.w;
    }
    const auto visit = [&](const Range& range) {
        for (std::uint32_t b = range.begin; b < range.end; ++b) {
            const auto there = particles.place(b);
            const Vec<3, float> r = Particles::separation(here, there);
            if (!(dot(r, r) < physics.reach_squared) || a == b) continue;
            sums.add(Particles::pair(physics, r, state, particles.state(b, there)), targets != Targets::walls);
        }
    };
    const auto cell = static_cast<std::int32_t>(grid.cell_of[a]);
    for_candidates<n, search>(grid, cell, targets == Targets::any ? kind : Kind::fluid, visit);
    if constexpr (targets == Targets::fluid) for_candidates<n, search>(grid, cell, Kind::wall, visit);
    results[a] = sums.value();
}

// A block for each cell that has targets: its threads take the cell's targets, and read candidates together.
template <class Sum, int n, Targets targets>
__global__ void __launch_bounds__(staged_block)
    interact_staged(const TwoArrays<false> particles, const Grid grid, const PairPhysics<Kernel> physics,
                    const std::uint32_t* occupied, Four<float>* results)
{
    __shared__ Four<float> places[staged_block];
    __shared__ Four<float> motions[staged_block];
    const auto cell = static_cast<std::int32_t>(occupied[blockIdx.x]);
    const Range own = candidates(targets == Targets::walls ? Kind::wall : Kind::fluid, grid, cell);
    for (std::uint32_t base = own.begin; base < own.end; base += staged_block) {
        const std::uint32_t a = base + threadIdx.x;
        const bool wanted = a < own.end;
        const std::uint32_t some = wanted ? a : own.begin;
        const Four<float> here = particles.place(some);
        const auto state = particles.state(some, here);
        TargetSums<Sum> sums;
        const auto visit = [&](const Range& range) {
            for (std::uint32_t begin = range.begin; begin < range.end; begin += staged_block) {
                const std::uint32_t mine = begin + threadIdx.x;
                __syncthreads();
                if (mine < range.end) {
                    places[threadIdx.x] = particles.places[mine];
                    motions[threadIdx.x] = particles.motions[mine];
                }
                __syncthreads();
                const std::uint32_t end = min(range.end - begin, static_cast<std::uint32_t>(staged_block));
                if (!wanted) continue;
                for (std::uint32_t k = 0; k < end; ++k) {
                    const Vec<3, float> r = TwoArrays<false>::separation(here, places[k]);
                    if (!(dot(r, r) < physics.reach_squared) || begin + k == a) continue;
                    const Four<float> u = motions[k];
                    const MomentumState<3, float> there{{{u.x, u.y, u.z}}, places[k].w, {u.w}};
                    sums.add(TwoArrays<false>::pair(physics, r, state, there), targets != Targets::walls);
                }
            }
        };
        for_candidates<n, Search::ranges>(grid, cell, Kind::fluid, visit);
        if constexpr (targets == Targets::fluid) for_candidates<n, Search::ranges>(grid, cell, Kind::wall, visit);
        if (wanted) results[a] = sums.value();
    }
}

__global__ void make_ranges(const Grid grid, std::int32_t cells, int n, Ranges* ranges)
{
    const std::size_t t = cuda::thread_index();
    const int across = 2 * n + 1;
    const auto rows = static_cast<std::size_t>(across) * static_cast<std::size_t>(across);
    if (t >= static_cast<std::size_t>(cells) * rows) return;
    const auto cell = static_cast<std::int64_t>(t / rows);
    const auto k = static_cast<int>(t % rows);
    const std::int64_t begin =
        cell - n + (k % across - n) * std::int64_t(grid.row) + (k / across - n) * std::int64_t(grid.layer);
    // Cells at the rim of the grid are empty, and so are ranges that would leave it.
    if (begin < 0 || begin + across > cells) ranges[t] = {};
    else ranges[t] = {{grid.fluid[begin], grid.fluid[begin + across]}, {grid.walls[begin], grid.walls[begin + across]}};
}

struct Block {
    int threads = usual_block;
    double occupancy = 0;
};
// Of so many threads, or of as many as let most be resident: the smallest such.
template <class Function>
Block block_of(Function kernel, bool chosen, int threads = usual_block)
{
    const double most = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    const auto resident = [&](int size) {
        int blocks = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, 0), "asking for the occupancy");
        return blocks * size / most;
    };
    Block best{threads, resident(threads)};
    if (!chosen) return best;
    for (int size = 64; size <= most_threads; size += 32) {
        const double occupancy = resident(size);
        if (occupancy > best.occupancy || (occupancy == best.occupancy && size < best.threads))
            best = {size, occupancy};
    }
    return best;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Relative to a corner of all particles, cell sides: as codes without cells have them.
std::vector<Four<float>> global_places(const Arrangement& at)
{
    std::array<std::int32_t, 3> low{at.cell[0].x, at.cell[0].y, at.cell[0].z};
    for (const Four<std::int32_t>& cell : at.cell)
        for (int c = 0; c < 3; ++c)
            low[static_cast<std::size_t>(c)] = std::min(low[static_cast<std::size_t>(c)], cell[c]);
    std::vector<Four<float>> places = at.place;
    for (std::uint32_t i = 0; i < at.count(); ++i)
        for (int c = 0; c < 3; ++c)
            places[i][c] += static_cast<float>(at.cell[i][c] - low[static_cast<std::size_t>(c)]);
    return places;
}

// The particles, cells and ranges of an evaluation on the device.
class OnDevice {
public:
    OnDevice(const Problem& problem, const Arrangement& at, const DeviceStrategy& strategy)
        : strategy_(strategy), at_(at), physics_{problem.physics, problem.parameters, reach_squared(problem)},
          fluid_(at.first_fluid()), walls_(at.first_walls()), cell_of_(at.cell_of), results_(at.count())
    {
        if (strategy.storage == Storage::with_cells) {
            places_.emplace_back(at.place);
            cells_.emplace_back(at.cell);
        } else {
            places_.emplace_back(global_places(at));
        }
        motions_.emplace_back(at.motion);
        if (strategy.storage == Storage::six_arrays) {
            numbers_.reserve(6);
            std::vector<float> position, velocity, density, sound, pressure, tensile;
            const std::vector<Four<float>> places = global_places(at);
            for (std::uint32_t i = 0; i < at.count(); ++i) {
                for (int c = 0; c < 3; ++c) position.push_back(places[i][c]);
                for (int c = 0; c < 3; ++c) velocity.push_back(at.motion[i][c]);
                density.push_back(at.motion[i].w);
                sound.push_back(sound_speed(StateEquation::tait, CentredDensity<float>{at.motion[i].w},
                                            problem.parameters.sound_speed));
                pressure.push_back(at.place[i].w);
                tensile.push_back(tensile_share(at.place[i].w));
            }
            for (const auto* one : {&position, &velocity, &density, &sound, &pressure, &tensile})
                numbers_.emplace_back(*one);
        }
        grid_ = {fluid_.data(), walls_.data(), cell_of_.data(), nullptr, at.columns(), at.layer()};
        if (strategy.search != Search::cells) {
            const std::size_t across = 2 * static_cast<std::size_t>(at.divisions) + 1;
            ranges_.resize(static_cast<std::size_t>(at.cells()) * across * across);
            make_ranges<<<blocks_for(ranges_.size(), 256), 256>>>(grid_, at.cells(), at.divisions, ranges_.data());
            check(cudaGetLastError(), "making ranges");
            grid_.ranges = ranges_.data();
        }
        if (strategy.search == Search::staged) {
            std::vector<std::uint32_t> with_fluid, with_walls;
            for (std::int32_t cell = 0; cell < at.cells(); ++cell) {
                const Range fluid = at.fluid(cell);
                const Range walls = at.walls(cell);
                if (fluid.begin != fluid.end) with_fluid.push_back(static_cast<std::uint32_t>(cell));
                if (walls.begin != walls.end) with_walls.push_back(static_cast<std::uint32_t>(cell));
            }
            occupied_.emplace_back(with_fluid);
            occupied_.emplace_back(with_walls);
        }
    }

    DeviceEvaluated measure(const Problem& problem, double seconds)
    {
        DeviceEvaluated result;
        const auto with_sum = [&]<class Sum>() {
            switch (strategy_.storage) {
            case Storage::six_arrays: return with_divisions<SixArrays, Sum>(result, six_arrays(), seconds);
            case Storage::two_arrays: {
                const Four<float>* const places = places_.front().data();
                const Four<float>* const motions = motions_.front().data();
                if (strategy_.search == Search::staged) return measure_staged<Sum>(result, {places, motions}, seconds);
                if (strategy_.read_only)
                    return with_divisions<TwoArrays<true>, Sum>(result, {places, motions}, seconds);
                return with_divisions<TwoArrays<false>, Sum>(result, {places, motions}, seconds);
            }
            case Storage::with_cells:
                return with_divisions<WithCells, Sum>(
                    result, {places_.front().data(), motions_.front().data(), cells_.front().data()}, seconds);
            }
            __builtin_unreachable();
        };
        if (strategy_.compensated) with_sum.template operator()<KbnSum<float>>();
        else with_sum.template operator()<PlainSum<float>>();
        result.rates = rates_from(problem, downloaded(results_), at_.id);
        result.bytes = bytes();
        return result;
    }

private:
    SixArrays six_arrays() const
    {
        if (numbers_.empty()) return {};
        return {numbers_[0].data(), numbers_[1].data(), numbers_[2].data(),
                numbers_[3].data(), numbers_[4].data(), numbers_[5].data()};
    }
    [[nodiscard]] double bytes() const
    {
        const double particle = strategy_.storage == Storage::six_arrays   ? 40
                                : strategy_.storage == Storage::two_arrays ? 32
                                                                           : 48;
        return at_.count() * (particle + 4 + 16) + at_.cells() * 8.0 +
               static_cast<double>(ranges_.size()) * sizeof(Ranges);
    }

    template <class Particles, class Sum>
    void with_divisions(DeviceEvaluated& result, const Particles& particles, double seconds)
    {
        const auto with = [&]<int n, Search search>() {
            if (strategy_.by_kind) measure_by_kind<Particles, Sum, n, search>(result, particles, seconds);
            else if constexpr (std::is_same_v<Sum, PlainSum<float>> && n == 1)
                measure_each<Particles, n, search>(result, particles, seconds);
            else throw not_compiled();
        };
        if (strategy_.search == Search::cells) {
            if constexpr (!std::is_same_v<Particles, WithCells>) {
                if (strategy_.divisions == 1) return with.template operator()<1, Search::cells>();
                if (strategy_.divisions == 2) return with.template operator()<2, Search::cells>();
            }
            throw not_compiled();
        }
        switch (strategy_.divisions) {
        case 1: return with.template operator()<1, Search::ranges>();
        case 2: return with.template operator()<2, Search::ranges>();
        case 3: return with.template operator()<3, Search::ranges>();
        default: throw not_compiled();
        }
    }
    static Error not_compiled() { return input_error("this strategy for a device is not compiled"); }

    // One kernel for all three kinds of pairs, each of which reads and writes its targets.
    template <class Particles, int n, Search search>
    void measure_each(DeviceEvaluated& result, const Particles& particles, double seconds)
    {
        const auto kernel = interact<Particles, PlainSum<float>, n, search, Targets::any>;
        describe(result, kernel);
        const std::uint32_t fluid = at_.fluid_count;
        const std::uint32_t walls = at_.count() - fluid;
        const auto launch = [&](std::uint32_t first, std::uint32_t count, Kind kind) {
            kernel<<<blocks_for(count, result.block), result.block>>>(particles, grid_, physics_, first, count, kind,
                                                                      results_.data());
        };
        result.seconds = fastest_of(seconds, [&] {
            check(cudaMemsetAsync(results_.data(), 0, results_.size() * sizeof(Four<float>)), "clearing sums");
            launch(0, fluid, Kind::fluid);
            launch(0, fluid, Kind::wall);
            launch(fluid, walls, Kind::fluid);
        });
    }
    template <class Particles, class Sum, int n, Search search>
    void measure_by_kind(DeviceEvaluated& result, const Particles& particles, double seconds)
    {
        const auto of_fluid = interact<Particles, Sum, n, search, Targets::fluid>;
        const auto of_walls = interact<Particles, Sum, n, search, Targets::walls>;
        describe(result, of_fluid);
        const int block_of_walls = block_of(of_walls, strategy_.occupancy).threads;
        const std::uint32_t fluid = at_.fluid_count;
        const std::uint32_t walls = at_.count() - fluid;
        result.seconds = fastest_of(seconds, [&] {
            of_fluid<<<blocks_for(fluid, result.block), result.block>>>(particles, grid_, physics_, 0, fluid,
                                                                        Kind::fluid, results_.data());
            of_walls<<<blocks_for(walls, block_of_walls), block_of_walls>>>(particles, grid_, physics_, fluid, walls,
                                                                            Kind::fluid, results_.data());
        });
    }
    template <class Sum>
    void measure_staged(DeviceEvaluated& result, const TwoArrays<false>& particles, double seconds)
    {
        const auto with = [&]<int n>() {
            const auto of_fluid = interact_staged<Sum, n, Targets::fluid>;
            const auto of_walls = interact_staged<Sum, n, Targets::walls>;
            describe(result, of_fluid, staged_block);
            const auto launch = [&](auto kernel, const Uploaded<std::uint32_t>& cells) {
                const auto blocks = static_cast<unsigned>(cells.memory.size());
                if (blocks > 0)
                    kernel<<<blocks, staged_block>>>(particles, grid_, physics_, cells.data(), results_.data());
            };
            result.seconds = fastest_of(seconds, [&] {
                launch(of_fluid, occupied_[0]);
                launch(of_walls, occupied_[1]);
            });
        };
        if (strategy_.divisions == 1) return with.template operator()<1>();
        throw not_compiled();
    }
    template <class Function>
    void describe(DeviceEvaluated& result, Function kernel, int threads = usual_block) const
    {
        const Block block = block_of(kernel, strategy_.occupancy && threads == usual_block, threads);
        cudaFuncAttributes attributes{};
        check(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel");
        result.registers = attributes.numRegs;
        result.block = block.threads;
        result.occupancy = block.occupancy;
    }

    DeviceStrategy strategy_;
    const Arrangement& at_;
    PairPhysics<Kernel> physics_;
    Uploaded<std::uint32_t> fluid_;
    Uploaded<std::uint32_t> walls_;
    Uploaded<std::uint32_t> cell_of_;
    std::vector<Uploaded<Four<float>>> places_;
    std::vector<Uploaded<Four<float>>> motions_;
    std::vector<Uploaded<Four<std::int32_t>>> cells_;
    std::vector<Uploaded<float>> numbers_;
    std::vector<Uploaded<std::uint32_t>> occupied_;  // cells with fluid, cells with walls
    DeviceVector<Ranges> ranges_;
    DeviceVector<Four<float>> results_;
    Grid grid_{};
};

}  // namespace

DeviceEvaluated evaluate_on_device(const Problem& problem, const State& state, const DeviceStrategy& strategy,
                                   double seconds)
{
    const double begun = now();
    const Arrangement at(state, static_cast<double>(problem.support), strategy.divisions);
    const double arranging = now() - begun;
    DeviceEvaluated result = OnDevice(problem, at, strategy).measure(problem, seconds);
    result.arranging = arranging;
    return result;
}

PartialSteps steps_partly_on_device(const Problem& problem, const State& start, int steps)
{
    const Parameters<3, float>& p = problem.parameters;
    // A step of Euler's method, as long as a wave takes for a fifth of the smoothing length.
    const float step = 0.2F * p.smoothing_length / p.sound_speed;
    State state = start;
    const PairPhysics<Kernel> physics{problem.physics, problem.parameters, reach_squared(problem)};
    DeviceVector<Four<float>> places(state.cell.size());
    DeviceVector<Four<float>> motions(state.cell.size());
    DeviceVector<Four<float>> sums(state.cell.size());
    DeviceVector<std::uint32_t> cell_of(state.cell.size());
    DeviceVector<std::uint32_t> fluid_cells;
    DeviceVector<std::uint32_t> wall_cells;
    std::vector<Four<float>> sums_here(state.cell.size());
    PartialSteps spent;
    double last = now();
    const auto lap = [&](double& part) {
        const double time = now();
        part += time - last;
        last = time;
    };
    const auto copy_there = [](auto& there, const auto& here) {
        there.grow(here.size(), "the particles");
        check(cudaMemcpy(there.data(), here.data(), here.size() * sizeof(here[0]), cudaMemcpyHostToDevice),
              "copying to the device");
    };
    for (int k = -1; k < steps; ++k) {
        if (k == 0) spent = {.rates = std::move(spent.rates)};  // the first loads the code
        last = now();
        const Arrangement at(state, static_cast<double>(problem.support), 1);
        const std::vector<Four<float>> global = global_places(at);
        lap(spent.cells);
        copy_there(places, global);
        copy_there(motions, at.motion);
        copy_there(cell_of, at.cell_of);
        copy_there(fluid_cells, at.first_fluid());
        copy_there(wall_cells, at.first_walls());
        lap(spent.transfers);
        const TwoArrays<false> particles{places.data(), motions.data()};
        const Grid grid{fluid_cells.data(), wall_cells.data(), cell_of.data(), nullptr, at.columns(), at.layer()};
        const std::uint32_t fluid = at.fluid_count;
        const std::uint32_t walls = at.count() - fluid;
        interact<TwoArrays<false>, PlainSum<float>, 1, Search::cells, Targets::fluid>
            <<<blocks_for(fluid, usual_block), usual_block>>>(particles, grid, physics, 0, fluid, Kind::fluid,
                                                              sums.data());
        interact<TwoArrays<false>, PlainSum<float>, 1, Search::cells, Targets::walls>
            <<<blocks_for(walls, usual_block), usual_block>>>(particles, grid, physics, fluid, walls, Kind::fluid,
                                                              sums.data());
        check(cudaDeviceSynchronize(), "summing over neighbours");
        lap(spent.sums);
        check(cudaMemcpy(sums_here.data(), sums.data(), sums_here.size() * sizeof(Four<float>), cudaMemcpyDeviceToHost),
              "copying from the device");
        lap(spent.transfers);
        if (k < 0) spent.rates = rates_from(problem, sums_here, at.id);
        for (std::uint32_t i = 0; i < at.count(); ++i) {
            const std::uint32_t id = at.id[i];
            Four<float>& u = state.motion[id];
            Four<float>& x = state.place[id];
            u.w += step * (p.pair_scale * sums_here[i].w);
            x.w = pressure_term(problem.physics, CentredDensity<float>{u.w}, p.stiffness);
            if (i >= fluid) continue;
            for (int c = 0; c < 3; ++c) {
                u[c] += step * fma(-p.pair_scale, sums_here[i][c], p.gravity[c]);
                x[c] += step * u[c];
                if (!carry(state.cell[id][c], x[c])) throw input_error("a particle has left the range of cells.");
            }
        }
        lap(spent.update);
    }
    for (double* part : {&spent.cells, &spent.transfers, &spent.sums, &spent.update}) *part /= steps;
    return spent;
}

}  // namespace halfulp::strategies
