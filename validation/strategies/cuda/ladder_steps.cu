#include "validation/seconds.hpp"
#include "validation/strategies/cuda/ladder_kernels.cuh"

namespace halfulp::strategies {

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
    double last = seconds_now();
    const auto lap = [&](double& part) {
        const double time = seconds_now();
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
        last = seconds_now();
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
