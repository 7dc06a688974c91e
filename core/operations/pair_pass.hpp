// Common parts of passes over pairs: positions of targets, candidates, constants, body forces, and the choice of a
// pass.
//
// A pass is written once for every back end, number of lanes, policy, dimension and smoothing kernel: the data a target
// particle keeps while visiting its neighbours, the contribution of each, and the use of the sums. A back end drives
// it: begin for a target, add for each neighbour in ascending index, finish.
//
// T is the number type of one target (a CUDA thread, a scalar loop) or a vector of several, which share their
// candidates; a lane without the candidate as a neighbour adds an exact zero. Each lane adds to one accumulator per
// component, so no bit depends on the number of lanes or on the back end.
#pragma once

#include "core/neighbours/groups.hpp"
#include "core/operations/lanes.hpp"
#include "core/operations/operation.hpp"
#include "core/operations/pair_data.hpp"
#include "kernels/density.hpp"
#include "precision/error_free.hpp"
#include "precision/position.hpp"
#include "precision/sums.hpp"

namespace halfulp {

// Positions and velocities of target particles.
template <class Policy, int D, class T>
struct Targets {
    using Real = Lane<T>;
    using Position = typename Policy::Position;
    static constexpr int lanes = LaneOf<T>::lanes;

    FourLanes<T> place;     // x, y, z; pressure term
    FourLanes<T> motion;    // u, v, w; density
    FourLanes<T> residual;  // of the position, where pairs read it
    T cells;                // x cell relative to the first lane's
    T side;
    Four<std::int32_t> first;  // cell of the first lane

    // data: pointers to cell, offset, offset_residual and velocity.
    template <class Data>
    HALFULP_INLINE Targets(const Data& data, Real cell_side, const TargetRange& range)
        : place(load_lanes<T>(data.offset, range.first, range.count)),
          motion(load_lanes<T>(data.velocity, range.first, range.count)), side(cell_side), first(data.cell[range.first])
    {
        if constexpr (Position::pairs_read_residual)
            residual = load_lanes<T>(data.offset_residual, range.first, range.count);
        if constexpr (lanes == 1) {
            cells = T(0);
        } else {
            for (int k = 0; k < lanes; ++k) {
                const std::uint32_t i = range.first + static_cast<std::uint32_t>(k < range.count ? k : range.count - 1);
                set_lane(cells, k, Real(data.cell[i].x - first.x));
            }
        }
    }

    // r_ab for the lanes a and one candidate b: (x_a - x_b) + cell difference, in this order (precision/position.hpp);
    // for global coordinates the second part is the difference of the residuals, or absent. shift: cell of the first
    // lane minus that of the candidate's image.
    template <class Data>
    HALFULP_INLINE Vec<D, T> separation(const Data& data, std::uint32_t candidate, const Four<Real>& there,
                                        const Four<Real>& shift) const
    {
        Vec<D, T> r;
        if constexpr (Position::relative_to_cell) {
            if constexpr (lanes == 1) r[0] = position_difference(place.x, T(there.x), length(T(shift.x)));
            else r[0] = position_difference(place.x, T(there.x), length(cells + T(shift.x)));
            r[1] = position_difference(place.y, T(there.y), length(T(shift.y)));
            if constexpr (D == 3) r[2] = position_difference(place.z, T(there.z), length(T(shift.z)));
        } else {
            Vec<D, T> here = components<D>(place);
            Vec<D, T> other = broadcast<D, T>(there);
            Vec<D, T> rest{};
            if constexpr (Position::pairs_read_residual)
                rest = components<D>(residual) - broadcast<D, T>(data.offset_residual[candidate]);
            for (int i = 0; i < D; ++i) {
                if (data.period[static_cast<std::size_t>(i)] != 0) {
                    const std::int64_t image = std::int64_t(first[i]) - static_cast<int>(static_cast<double>(shift[i]));
                    if (const std::int64_t beyond = image - data.cell[candidate][i]; beyond != 0)
                        move_images(beyond, here[i], other[i], rest[i]);
                }
                r[i] = here[i] - other[i];
                if constexpr (Position::pairs_read_residual) r[i] = r[i] + rest[i];
            }
        }
        return r;
    }

    // For global coordinates a and b, whose residuals differ by `rest`, where b stands for its image `beyond` cells
    // away: moves the one nearer to the end of the period to before its beginning, so that exchanging a and b changes
    // the sign of their difference and no other bit.
    HALFULP_INLINE void move_images(std::int64_t beyond, T& a, T& b, T& rest) const
    {
        const T period = T(Real(static_cast<double>(beyond < 0 ? -beyond : beyond))) * side;
        const WithError<T> moved = two_sum(beyond < 0 ? b : a, -period);
        if (beyond < 0) b = moved.value;
        else a = moved.value;
        rest = beyond < 0 ? rest - moved.error : rest + moved.error;
    }

    // Cell differences remain whole numbers until here, so that no bit depends on the grouping of lanes.
    HALFULP_INLINE T length(const T& cell_difference) const
    {
        if constexpr (Policy::Units::cell_is_one) return cell_difference;
        else return cell_difference * side;
    }
};

// A neighbour candidate, as seen by a pass.
template <int D, class T>
struct Neighbour {
    std::uint32_t index;
    unsigned lanes;       // bit k: lane k has it as a neighbour
    bool wall;            // or fluid
    Four<Lane<T>> place;  // x, y, z; pressure term
    Vec<D, T> r;          // r_ab
};

// The fields of targets and neighbours that every pass reads.
using PlaceParts = Parts<Part<field::Cell>, Part<field::KindOf>, Part<field::Offset, vector>,
                         Part<field::OffsetResidual>, Part<field::Velocity>>;

// Base of all passes; it accesses only the particle fields that its operation declares.
template <class Policy, int D, class T, class Operation>
struct PairPass {
    using Real = Lane<T>;
    using Sum = typename Policy::template Sum<T>;
    using Density = typename Policy::Density;
    using Distance = typename Policy::Distance;
    using Data = PairData<Real>;
    using Place = Targets<Policy, D, T>;
    using Reads = Union<FieldsOf<PlaceParts>,
                        Union<FieldsOf<typename Operation::Reads>, FieldsOf<typename Operation::NeighbourReads>>>;

    // Threads visit targets in any order, so nothing that one writes may be read by another.
    static_assert(!share_components_of_neighbours<Operation, PlaceParts>,
                  "a pass over pairs writes what it reads of neighbours");

    const PairConstants<Real>& constants;
    Access<Real, Reads, FieldsOf<typename Operation::Writes>> data;
    Parameters<D, T> p;

    HALFULP_INLINE explicit PairPass(const Data& all) : constants(all), data(all), p(all.parameters.template as<D, T>())
    {
    }

    HALFULP_INLINE Place places(const TargetRange& range) const
    {
        return Place(data, Real(constants.parameters.cell_side), range);
    }

    HALFULP_INLINE CentredDensity<T> centred(const T& stored) const
    {
        return Density::centred(stored, p.reference_density);
    }

    // Calls use(lane, particle) for the lanes that are set.
    template <class Use>
    static HALFULP_INLINE void for_lanes(unsigned lanes, const TargetRange& range, Use use)
    {
        for (int k = 0; k < range.count; ++k) {
            if ((lanes >> k & 1U) != 0) use(k, range.first + static_cast<std::uint32_t>(k));
        }
    }
    static HALFULP_INLINE unsigned all_lanes(const TargetRange& range) { return (1U << range.count) - 1; }
    static HALFULP_INLINE unsigned wall_lanes(const TargetRange& range)
    {
        return all_lanes(range) & ~static_cast<unsigned>(range.fluid_lanes);
    }

    static HALFULP_INLINE void store(unsigned lanes, const TargetRange& range, const Vec<D, T>& value, Four<Real>* out)
    {
        for_lanes(lanes, range, [&](int k, std::uint32_t a) {
            for (int c = 0; c < D; ++c) out[a][c] = get_lane(value[c], k);
        });
    }

    // Distance from a point to the targets along one axis; the point is `offset` cell sides from a cell's centre.
    HALFULP_INLINE T distance_along(int axis, const Place& place, const TargetRange& range, std::int32_t cell,
                                    double offset) const
    {
        const auto side = static_cast<double>(constants.parameters.cell_side);
        const T here = components<D>(place.place)[axis];
        if constexpr (Policy::Position::relative_to_cell) {
            T cells;
            for (int k = 0; k < Place::lanes; ++k) {
                const std::uint32_t a = range.first + static_cast<std::uint32_t>(k < range.count ? k : range.count - 1);
                set_lane(cells, k, Real(std::int64_t(data.cell[a][axis]) - cell));
            }
            return position_difference(here, constant<T>(offset * side), place.length(cells));
        } else {
            return here - constant<T>((cell + offset) * side);
        }
    }

    // Gravity and the central force on the targets.
    HALFULP_INLINE Vec<D, T> body_force(const Place& place, const TargetRange& range) const
    {
        Vec<D, T> force;
        for (int i = 0; i < D; ++i) force[i] = p.gravity[i];
        if (!constants.physics.central_force) return force;
        for (int i = 0; i < D; ++i) {
            const auto axis = static_cast<std::size_t>(i);
            const T distance = distance_along(i, place, range, constants.centre.cell[axis],
                                              static_cast<double>(constants.centre.offset[axis]));
            force[i] = fma(-p.central_stiffness, distance, force[i]);
        }
        return force;
    }

    // Inertial force of a moving frame on targets of velocity u.
    HALFULP_INLINE Vec<D, T> inertial_force(const Place& place, const Vec<D, T>& u, const TargetRange& range) const
    {
        const InertialForce& f = constants.inertial;
        Vec<D, T> r;
        for (int i = 0; i < D; ++i) r[i] = distance_along(i, place, range, f.pivot_cell[i], f.pivot_offset[i]);
        Vec<D, T> force;
        for (int i = 0; i < D; ++i) {
            force[i] = constant<T>(f.constant[i]);
            for (int j = 0; j < D; ++j) {
                force[i] = fma(constant<T>(f.position[i][j]), r[j], force[i]);
                force[i] = fma(constant<T>(f.velocity[i][j]), u[j], force[i]);
            }
        }
        return force;
    }
};

template <class Pass>
struct PassOf {
    using type = Pass;
};

template <class Operation, class Policy, int D, class T, class Use>
concept ChoosesPass = requires(const PairConstants<Lane<T>>& constants, Use use)
{
    Operation::template with_pass<Policy, D, T>(constants, use);
};

template <class Operation, class Policy, int D, class T>
concept NeedsNoKernel = requires
{
    typename Operation::template Pass<Policy, D, T>;
};

// Calls use(PassOf<...>{}) with the operation's pass for the case's smoothing kernel, as the policy evaluates it: its
// Pass<Policy, D, T, Kernel>, its Pass<Policy, D, T> if it evaluates no kernel, or the one that it chooses for the
// physics.
template <class Operation, class Policy, int D, class T, class Use>
auto with_pass_of(const PairConstants<Lane<T>>& constants, Use use)
{
    if constexpr (ChoosesPass<Operation, Policy, D, T, Use>) {
        return Operation::template with_pass<Policy, D, T>(constants, use);
    } else if constexpr (NeedsNoKernel<Operation, Policy, D, T>) {
        return use(PassOf<typename Operation::template Pass<Policy, D, T>>{});
    } else {
        return with_kernel(constants.kernel, [&](auto kernel) {
            using Kernel = typename Policy::Kernels::template Of<decltype(kernel)>;
            return use(PassOf<typename Operation::template Pass<Policy, D, T, Kernel>>{});
        });
    }
}

}  // namespace halfulp
