// The operation move_walls: walls are placed at the position that their motion prescribes at fraction, 1/2 or 1, of the
// step, with the velocity there.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

struct MoveWalls {
    static constexpr OperationInfo info{"move_walls", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics) { return physics.moving_walls; }

    using Reads = Parts<Part<field::Cell>, Part<field::Anchor>>;
    using Writes = Parts<Part<field::Offset, vector>, Part<field::OffsetResidual>, Part<field::Coordinate>,
                         Part<field::Velocity, vector>, Part<field::VelocityResidual, vector>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles, Basis::constants, Basis::parameters;
        using typename Basis::Position, typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->is_prescribed(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& interval) const
        {
            const Pose& pose = this->pose_of(i, constants.poses + (interval.to_the_end ? constants.motions : 0));
            const Vec<3, double> arm = turned(pose, this->anchor_of(i));
            const Vec<D, double> from_cell = this->place_from_cell(i, pose, arm);
            const Vec<3, double> u = velocity_at(pose, arm);
            const auto side = static_cast<double>(parameters.cell_side);
            for (int c = 0; c < D; ++c) {
                if constexpr (Position::in_double)
                    particles.coordinate[i][c] = (particles.cell[i][c] + from_cell[c]) * side;
                else
                    this->set(particles.offset[i][c], particles.offset_residual, i, c,
                              this->offset_of(i, c, from_cell[c]));
                this->set(particles.velocity[i][c], particles.velocity_residual, i, c, u[c]);
            }
            if constexpr (Position::in_double) this->offset_from_coordinate(i);
        }
    };
};

}  // namespace halfulp
