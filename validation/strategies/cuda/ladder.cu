#include "validation/seconds.hpp"
#include "validation/strategies/cuda/ladder_kernels.cuh"

namespace halfulp::strategies {

namespace {

constexpr int most_threads = 1024;

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
    const double begun = seconds_now();
    const Arrangement at(state, static_cast<double>(problem.support), strategy.divisions);
    const double arranging = seconds_now() - begun;
    DeviceEvaluated result = OnDevice(problem, at, strategy).measure(problem, seconds);
    result.arranging = arranging;
    return result;
}

}  // namespace halfulp::strategies
