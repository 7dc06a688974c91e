#include "validation/differential/solver_times.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "core/backends/cuda/cuda_backend.hpp"
#include "core/results/column_number.hpp"
#include "core/schemes/operation_list.hpp"
#include "validation/block.hpp"
#include "validation/columns.hpp"
#include "validation/differential/lattice_field.hpp"
#include "validation/seconds.hpp"

namespace halfulp::differential {

SolverTimes times_of_solver(int particles_along, NeighbourStorage storage, int device, double seconds,
                            const std::vector<Four<double>>& expected)
{
    const Block block{.dimensions = 3, .edge = particles_along, .deviation = 0, .jitter = 0, .speed = 0};
    Case c = case_of(block, "robust");
    c.resolution.smoothing_ratio = reach / 2;
    Problem problem = problem_of(block, c);
    problem.physics = {};
    problem.physics.analyses = {.derivatives = true};
    problem.given.assign(problem.particles.size(), {});
    std::vector<std::size_t> site;  // of each particle in places_of
    const auto edge = static_cast<std::size_t>(particles_along);
    for (std::size_t i = 0; i < problem.particles.size(); ++i) {
        std::array<std::size_t, 3> at{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            problem.given[i].offset[axis] = static_cast<double>(problem.particles[i].offset[axis]);
            at[axis] =
                static_cast<std::size_t>(coordinate_of(problem, problem.particles[i], axis) / c.resolution.spacing);
        }
        site.push_back((at[2] * edge + at[1]) * edge + at[0]);
        problem.given[i].analysed =
            field_at({{static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])}});
    }
    CudaOptions cuda;
    cuda.device = device;
    cuda.neighbours = storage;
    if (std::string why = device >= 0 ? why_no_cuda(problem, cuda) : ""; !why.empty())
        return {.left_out = std::move(why)};
    const auto backend =
        device >= 0 ? make_cuda_backend(problem, cuda) : make_cpu_backend(problem, {.neighbours = storage});
    const auto fastest_of = [&](OperationKind operation) {
        return fastest_time(seconds, [&] {
            backend->execute({operation}, 0);
            backend->complete();
        });
    };
    const double rebuild = fastest_of(kind_of<RebuildNeighbours>);
    const double fastest = fastest_of(kind_of<FindGradient>);
    const Snapshot snapshot = backend->snapshot();
    const Column& gradient = column_of(snapshot, "gradient");
    double square = 0;
    double scale = 0;
    for (std::size_t row = 0; row < snapshot.count; ++row) {
        const Four<double>& ours = expected[site[id_of(snapshot, row)]];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double exact = ours[static_cast<int>(axis)];
            const double d = number_at(gradient, 3 * row + axis) * c.resolution.spacing - exact;
            square += d * d;
            scale += exact * exact;
        }
    }
    return {.left_out = {},
            .rebuild = rebuild,
            .gradient = fastest,
            .bytes = static_cast<double>(backend->bytes()),
            .error = std::sqrt(square / scale)};
}

}  // namespace halfulp::differential
