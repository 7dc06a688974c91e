// The operation mirror_walls: mDBC, the density of walls from the fluid at their mirror nodes
// (kernels/mirrored_density.hpp), one wall particle at a time, in double precision for every policy, like the mirror
// nodes. These are not particles: the cells around them are searched, in ascending order of particles.
#pragma once

#include <cstdint>

#include "core/neighbours/reach.hpp"
#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"
#include "core/particles/point_constants.hpp"
#include "kernels/mirrored_density.hpp"
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

    // Sets the density of wall particle i. near(image, visit) calls visit(b) for all fluid within the support of the
    // mirror node, in ascending order, and possibly for more.
    template <class Near>
    HALFULP_INLINE void extrapolate(std::size_t i, const Near& near) const
    {
        const Physics& physics = domain.physics;
        const Vec<D, double> own = velocity_of<Policy, D>(particles, i);
        MirroredSums<D> sums;
        Vec<D, double> to{};
        if (has_image(i)) {
            const Image image = image_of(i);
            for (int c = 0; c < D; ++c) to[c] = image.from_particle[c] * points.inverse_smoothing_length;
            near(image, [&](std::size_t b) { add(sums, b, image, own); });
        }
        const Mirrored<D> mirrored = sums.value(to, this->constants.density_bound);
        const CentredDensity<double> s{mirrored.s};
        Four<Real>& out = particles.wall_extrapolation[i];
        out.w = static_cast<Real>(
            pressure_over_reference_density(physics.state_equation, s, static_cast<double>(parameters.stiffness)));
        if (!has_extrapolated_velocity(physics)) return;
        for (int c = 0; c < D; ++c) out[c] = static_cast<Real>(own[c] - mirrored.velocity[c]);
    }

    // Calls visit(b) for the fluid of all cells that overlap a ball around a mirror node; `margin`: largest distance of
    // a particle from the centre of its cell along an axis. directory has find_row and particles, as in
    // core/neighbours/cell_directory.hpp.
    template <class Directory, class Visit>
    HALFULP_INLINE void search(const Image& image, double radius, double margin, const Directory& directory,
                               Visit visit) const
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
        const auto visit_all = [&](std::uint32_t row, std::int64_t low, std::int64_t high) {
            const auto range = directory.particles(row, low, high);
            for (std::uint32_t b = range.begin; b < range.end; ++b) {
                if (is_fluid(b)) visit(b);
            }
        };
        const int layers = D == 3 ? n : 0;
        for (int dz = -layers; dz <= layers; ++dz) {
            for (int dy = -n; dy <= n; ++dy) {
                const double left2 = radius * radius - (gap2(dz, 2) + gap2(dy, 1));
                if (!(left2 > 0)) continue;
                int first = -n;
                int last = n;
                while (gap2(first, 0) >= left2) ++first;
                while (gap2(last, 0) >= left2) --last;
                const std::uint32_t row =
                    directory.find_row(within_period(middle[2] + dz, 2), within_period(middle[1] + dy, 1));
                if (row == Directory::no_row) continue;
                const std::int64_t low = within_period(middle[0] + first, 0);
                const std::int64_t high = low + (last - first);
                const std::int64_t end = std::int64_t(domain.origin[0]) + domain.period[0];
                if (domain.period[0] == 0 || high < end) {
                    visit_all(row, low, high);
                } else {
                    visit_all(row, low, end - 1);
                    visit_all(row, domain.origin[0], high - domain.period[0]);
                }
            }
        }
    }

    // At the present positions of the particles.
    template <class Directory, class Visit>
    HALFULP_INLINE void search(const Image& image, const Directory& directory, Visit visit) const
    {
        search(image, points.support, 0.5 * (1 + skin), directory, visit);
    }

private:
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

    HALFULP_INLINE void add(MirroredSums<D>& sums, std::size_t b, const Image& image, const Vec<D, double>& own) const
    {
        Vec<D, double> x = position_relative_to<Policy, D>(particles, domain, b, image.cell, image.at);
        const double distance2 = dot(x, x);
        if (!(distance2 < points.support2)) return;
        const double q = square_root(distance2) * points.inverse_smoothing_length;
        const double s = density_of(particles, domain, b);
        const double weight = points.point_weight / (1 + s);
        for (int c = 0; c < D; ++c) x[c] = x[c] * points.inverse_smoothing_length;
        sums.add(x, weight * extrapolation_weight(shape_of(points.kernel, q)),
                 -(weight * gradient_shape_of(points.kernel, q)), s, velocity_of<Policy, D>(particles, b) - own);
    }
};

}  // namespace halfulp
