// The operation mirror_walls: mDBC and pressure cloning, the pressure of walls from the fluid at their mirror nodes
// (kernels/mirrored_density.hpp), one wall particle at a time, in double precision for every policy, like the mirror
// nodes. These are not particles: the cells around them are searched, in ascending order of particles.
#pragma once

#include <cstdint>

#include "core/operations/lanes.hpp"
#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"
#include "core/particles/point_constants.hpp"
#include "kernels/mirrored_density.hpp"
#include "kernels/periodic_image.hpp"
#include "kernels/walls.hpp"

namespace halfulp {

struct MirrorWalls {
    static constexpr OperationInfo info{"mirror_walls", TargetOfOperation::images, Stage::forces};
    static constexpr bool needed(const Physics& physics) { return have_mirror_images(physics.walls); }

    using Reads = Parts<Part<field::MirrorImage>, Part<field::Anchor>>;
    using NeighbourReads =
        Parts<Part<field::Cell>, Part<field::KindOf>, Part<field::Offset, vector>, Part<field::OffsetResidual>,
              Part<field::Coordinate>, Part<field::Velocity>, Part<field::VelocityResidual>>;
    using Writes = Parts<Part<field::WallExtrapolation>>;
    using Fields = Union<FieldsOf<Reads>, FieldsOf<NeighbourReads>>;

    template <class Policy, int D>
    struct Body;
};

template <class Policy, int D>
struct MirrorWalls::Body : ParticleBasis<Policy, D, MirrorWalls::Fields, FieldsOf<MirrorWalls::Writes>> {
    using Basis = ParticleBasis<Policy, D, MirrorWalls::Fields, FieldsOf<MirrorWalls::Writes>>;
    using Basis::particles, Basis::domain, Basis::parameters, Basis::is_fluid, Basis::is_prescribed, Basis::pose_of;
    using typename Basis::Real;

    PointConstants<D> points;
    int search_cells;  // cover the support and the skin
    double skin;       // cell sides

    template <class All>
    HALFULP_INLINE Body(const All& all, const ParticleConstants<Policy, D>& same,
                        const PointConstants<D>& interpolation, int cells)
        : Basis(all, same), points(interpolation), search_cells(cells),
          skin(static_cast<double>(same.skin) / static_cast<double>(same.parameters.cell_side))
    {
    }

    // Position of a wall particle's mirror node, in cell sides from the centre of the cell that the particle was in at
    // the last neighbour list rebuild.
    struct Image {
        Vec<D, std::int32_t> cell;
        Vec<D, double> at;
        Vec<D, double> from_particle;
    };

    HALFULP_INLINE bool has_image(std::size_t i) const { return !is_fluid(i) && particles.mirror_image[i].w > Real(0); }
    HALFULP_INLINE Image image_of(std::size_t i) const
    {
        Image image;
        for (int c = 0; c < D; ++c) image.cell[c] = particles.cell[i][c];
        image.at = position_relative_to<Policy, D>(particles, domain, i, image.cell, {});
        image.from_particle = mirrored(i);
        for (int c = 0; c < D; ++c) image.at[c] = image.at[c] + image.from_particle[c];
        return image;
    }

    // Sets the pressure of wall particle i. near(image, visit) calls visit(b) for all fluid within the support of the
    // mirror node, in ascending order, and possibly for more. T: double, or a vector type to compute the weights of
    // several neighbours at once.
    template <class T, class Near>
    HALFULP_INLINE void extrapolate(std::size_t i, const Near& near) const
    {
        if (has_extrapolated_velocity(domain.physics)) extrapolate_as<T, true>(i, near);
        else extrapolate_as<T, false>(i, near);
    }

    // The same in separate steps, for back ends that compute the terms of a wall's neighbours in several threads.

    // Neighbours within the support of a mirror node, whose terms are not in the sums yet.
    template <class T>
    struct Neighbours {
        std::size_t index[LaneOf<T>::lanes];
        Vec<D, T> from_image{};  // cell sides
        T density{};
        int count = 0;
    };

    HALFULP_INLINE bool is_near(std::size_t b, const Image& image) const
    {
        const Vec<D, double> x = position_relative_to<Policy, D>(particles, domain, b, image.cell, image.at);
        return dot(x, x) < points.support2;
    }

    // Whether b lies within the support; if so, it is added to `some`.
    template <class T>
    HALFULP_INLINE bool take(Neighbours<T>& some, std::size_t b, const Image& image) const
    {
        const Vec<D, double> x = position_relative_to<Policy, D>(particles, domain, b, image.cell, image.at);
        if (!(dot(x, x) < points.support2)) return false;
        some.index[some.count] = b;
        for (int c = 0; c < D; ++c) set_lane(some.from_image[c], some.count, x[c]);
        set_lane(some.density, some.count, density_of(particles, domain, b));
        ++some.count;
        return true;
    }

    // Calls visit(term) with the term of each neighbour in `some`. own: the wall's velocity.
    template <bool with_velocity, class T, class Visit>
    HALFULP_INLINE void for_each_term(const Neighbours<T>& some, const Vec<D, double>& own, const Visit& visit) const
    {
        const T q = square_root(dot(some.from_image, some.from_image)) * T(points.inverse_smoothing_length);
        const T weight = T(points.point_weight) / (T(1) + some.density);
        const T value = weight * extrapolation_weight(shape_of(points.kernel, q));
        const T gradient = -(weight * gradient_shape_of(points.kernel, q));
        for (int k = 0; k < some.count; ++k) {
            Vec<D, double> x;
            for (int c = 0; c < D; ++c) x[c] = get_lane(some.from_image[c], k) * points.inverse_smoothing_length;
            Vec<D, double> u{};
            if constexpr (with_velocity) u = velocity_of<Policy, D>(particles, some.index[k]) - own;
            visit(MirroredSums<D, with_velocity>::term(x, get_lane(value, k), get_lane(gradient, k),
                                                       get_lane(some.density, k), u));
        }
    }

    template <bool with_velocity>
    HALFULP_INLINE void set(std::size_t i, const MirroredSums<D, with_velocity>& sums, const Image& image,
                            const Vec<D, double>& own) const
    {
        Vec<D, double> to{};  // from where the density is wanted to the node, smoothing lengths
        const bool clones = clone_pressure(domain.physics.walls);
        for (int c = 0; c < D && !clones; ++c) to[c] = image.from_particle[c] * points.inverse_smoothing_length;
        const Mirrored<D> mirrored = sums.value(to, this->constants.density_bound);
        const auto stiffness = static_cast<double>(parameters.stiffness);
        double pressure = pressure_over_reference_density(domain.physics.state_equation,
                                                          CentredDensity<double>{mirrored.s}, stiffness);
        if (clones && sums.rows[0][0] > 0) pressure -= dot(body_force(i, own), image.from_particle) * side();
        Four<Real>& out = particles.wall_extrapolation[i];
        out.w = static_cast<Real>(pressure);
        if constexpr (with_velocity) {
            for (int c = 0; c < D; ++c) out[c] = static_cast<Real>(own[c] - mirrored.velocity[c]);
        }
    }

    HALFULP_INLINE Vec<D, double> velocity(std::size_t i) const { return velocity_of<Policy, D>(particles, i); }

    // Calls visit(b) for the fluid of all cells that overlap a ball around a mirror node; `margin`: largest distance of
    // a particle from the centre of its cell along an axis. directory: as in core/neighbours/cell_directory.hpp.
    template <class Directory, class Visit>
    HALFULP_INLINE void search(const Image& image, double radius, double margin, const Directory& directory,
                               const Visit& visit) const
    {
        const int n = search_cells;
        std::int64_t middle[3] = {0, 0, 0};
        double from_middle[3] = {0, 0, 0};
        for (int c = 0; c < D; ++c) {
            const double cells = nearest_whole_product(image.at[c], 1.0);
            middle[c] = image.cell[c] + static_cast<std::int64_t>(cells);
            from_middle[c] = image.at[c] - cells;
        }
        const auto gap2 = [&](int cells, int axis) {
            const double gap = larger(magnitude(cells - from_middle[axis]) - margin, 0.0);
            return gap * gap;
        };
        const auto within_period = [&](std::int64_t cell, std::size_t axis) {
            return wrapped(cell, domain.origin[axis], domain.period[axis]);
        };
        const int layers = D == 3 ? n : 0;
        for (int dz = -layers; dz <= layers; ++dz) {
            const std::int64_t z = within_period(middle[2] + dz, 2);
            // Rows at neighbouring y lie one after another: the first at `next` or beyond in this layer is known.
            std::uint32_t row = Directory::no_row;
            std::int64_t next = 0;
            for (int dy = -n; dy <= n; ++dy) {
                const double left2 = radius * radius - (gap2(dz, 2) + gap2(dy, 1));
                if (!(left2 > 0)) continue;
                const std::int64_t y = within_period(middle[1] + dy, 1);
                if (row == Directory::no_row || y != next) row = directory.lower_row(z, y);
                next = y + 1;
                if (!directory.is_at(row, z, y)) continue;
                int first = -n;
                int last = n;
                while (gap2(first, 0) >= left2) ++first;
                while (gap2(last, 0) >= left2) --last;
                const std::int64_t low = within_period(middle[0] + first, 0);
                const std::int64_t high = low + (last - first);
                // Along a period the rest lies at the row's begin.
                const std::int64_t end = std::int64_t(domain.origin[0]) + domain.period[0];
                const bool parted = domain.period[0] > 0 && high >= end;
                visit_cells(directory, row, low, parted ? end - 1 : high, visit);
                if (parted) visit_cells(directory, row, domain.origin[0], high - domain.period[0], visit);
                ++row;
            }
        }
    }

    // At the present positions of the particles.
    template <class Directory, class Visit>
    HALFULP_INLINE void search(const Image& image, const Directory& directory, const Visit& visit) const
    {
        search(image, points.support, 0.5 * (1 + skin), directory, visit);
    }

private:
    // The fluid of a row's cells, which precedes the walls of each.
    template <class Directory, class Visit>
    HALFULP_INLINE void visit_cells(const Directory& directory, std::uint32_t row, std::int64_t low, std::int64_t high,
                                    const Visit& visit) const
    {
        const std::uint32_t end = directory.lower_cell(row, high + 1);
        for (std::uint32_t cell = directory.lower_cell(row, low); cell < end; ++cell) {
            const std::uint32_t end_of_cell = directory.first_particle(cell + 1);
            for (std::uint32_t b = directory.first_particle(cell); b < end_of_cell && is_fluid(b); ++b) visit(b);
        }
    }

    template <class T, bool with_velocity>
    struct Visitor {
        const Body& body;
        const Image& image;
        const Vec<D, double>& own;
        Neighbours<T>& some;
        MirroredSums<D, with_velocity>& sums;

        HALFULP_INLINE void operator()(std::size_t b) const
        {
            if (body.take(some, b, image) && some.count == LaneOf<T>::lanes) add();
        }
        HALFULP_INLINE void add() const
        {
            body.for_each_term<with_velocity>(some, own, [&](const auto& term) { sums.add(term); });
            some.count = 0;
        }
    };

    template <class T, bool with_velocity, class Near>
    HALFULP_INLINE void extrapolate_as(std::size_t i, const Near& near) const
    {
        const Vec<D, double> own = velocity(i);
        MirroredSums<D, with_velocity> sums;
        Image image{};
        if (has_image(i)) {
            image = image_of(i);
            Neighbours<T> some;
            const Visitor<T, with_velocity> visitor{*this, image, own, some, sums};
            near(image, visitor);
            if (some.count > 0) visitor.add();
        }
        set(i, sums, image, own);
    }

    // g - a_w of pressure cloning (kernels/mirrored_density.hpp): gravity, the central force and inertial forces on a
    // wall particle of velocity `own`, less its acceleration by a motion.
    HALFULP_INLINE Vec<D, double> body_force(std::size_t i, const Vec<D, double>& own) const
    {
        const Physics& physics = domain.physics;
        Vec<D, double> force;
        for (int c = 0; c < D; ++c) force[c] = static_cast<double>(parameters.gravity[c]);
        if (physics.central_force) {
            const Vec<D, double> x = position_of<Policy, D>(particles, domain, i);
            for (int c = 0; c < D; ++c) {
                const double distance = (x[c] - domain.centre[static_cast<std::size_t>(c)]) * side();
                force[c] = fma(-static_cast<double>(parameters.central_stiffness), distance, force[c]);
            }
        }
        if (physics.moving_frame) {
            const InertialForce& f = this->constants.inertial;
            Vec<D, std::int32_t> pivot;
            Vec<D, double> offset;
            for (int c = 0; c < D; ++c) {
                pivot[c] = f.pivot_cell[c];
                offset[c] = f.pivot_offset[c];
            }
            const Vec<D, double> r = position_relative_to<Policy, D>(particles, domain, i, pivot, offset);
            for (int c = 0; c < D; ++c) {
                double inertial = f.constant[c];
                for (int k = 0; k < D; ++k) {
                    inertial = fma(f.position[c][k], r[k] * side(), inertial);
                    inertial = fma(f.velocity[c][k], own[k], inertial);
                }
                force[c] = force[c] + inertial;
            }
        }
        if (is_prescribed(i)) {
            const Pose& pose = pose_of(i, this->constants.poses + this->constants.poses_of_forces);
            const Vec<3, double> acceleration = acceleration_at(pose, turned(pose, this->anchor_of(i)));
            for (int c = 0; c < D; ++c) force[c] = force[c] - acceleration[c];
        }
        return force;
    }
    HALFULP_INLINE double side() const { return static_cast<double>(parameters.cell_side); }

    // Vector from a wall particle to its mirror node, rotated with the wall's motion to the end of the step, cell
    // sides.
    HALFULP_INLINE Vec<D, double> mirrored(std::size_t i) const
    {
        const Four<Real> start = particles.mirror_image[i];
        Vec<3, double> all{};
        for (int c = 0; c < D; ++c) all[c] = static_cast<double>(start[c]);
        if (is_prescribed(i)) all = turned(pose_of(i, this->constants.poses + this->constants.poses_of_forces), all);
        Vec<D, double> to;
        for (int c = 0; c < D; ++c) to[c] = all[c];
        return to;
    }
};

}  // namespace halfulp
