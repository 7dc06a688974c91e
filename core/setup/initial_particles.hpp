// The initial particles of a problem. Those of a case as read are computed from its sites on request, which takes 4
// bytes per particle, for its density, instead of 56; once any of them is to be changed, all are stored.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/setup/by_index.hpp"
#include "core/setup/case.hpp"
#include "core/setup/placed_particles.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

struct InitialParticle {
    std::array<std::int32_t, 3> cell{};  // the case's origin included
    std::array<float, 3> offset{};       // cell sides
    std::array<float, 3> velocity{};     // velocity units of the state
    float density = 0;                   // s = rho/rho0 - 1
    Kind kind = Kind::fluid;
    std::int32_t motion = -1;  // index into Problem::motions
    std::int32_t shape = 0;    // index into Case::shapes
    std::int32_t id = -1;      // -1: the position in Problem::particles
};

// The data from which the initial particles of a case are computed.
struct StartOfCase {
    Case source;
    Units units;
    PlacedParticles placed;
    std::array<std::int32_t, 3> period{};  // cells; 0: not periodic
    std::vector<float> density;            // of each; empty: 0
    std::vector<std::int32_t> motion_of;   // the motion of each shape; empty: none

    // Initial particle i. Throws an Error if its cell or velocity is out of range, or if it lies outside of a period.
    [[nodiscard]] InitialParticle operator[](std::size_t i) const;
    // The same with zero velocity, which saves the time to evaluate velocities given as expressions.
    [[nodiscard]] InitialParticle without_velocity(std::size_t i) const;
    // The same in the cell of its place, even if that is at the end of a period, which is the same as its beginning.
    [[nodiscard]] InitialParticle unwrapped(std::size_t i) const;
};

// The particle's true position relative to the case's origin, m, with the rounded offset.
std::array<double, 3> position_of(const Case& c, const Units& units, const InitialParticle& particle);
// For messages. A NaN has no sign, which varies between machines.
std::string position_text(const Case& c, const std::array<double, 3>& x);
std::string number_text(double value);

class InitialParticles {
public:
    using value_type = InitialParticle;

    InitialParticles() = default;
    explicit InitialParticles(std::shared_ptr<const StartOfCase> start) : start_(std::move(start)) {}

    [[nodiscard]] std::size_t size() const { return start_ ? start_->placed.size() : stored_.size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    // Constant, so that nobody changes a copy and takes it for the particle.
    [[nodiscard]] const InitialParticle operator[](std::size_t i) const  // NOLINT(readability-const-return-type)
    {
        return start_ ? (*start_)[i] : stored_[i];
    }
    // For uses that do not need the velocity, which may be zero.
    [[nodiscard]] InitialParticle without_velocity(std::size_t i) const
    {
        return start_ ? start_->without_velocity(i) : stored_[i];
    }
    [[nodiscard]] ByIndex<InitialParticles> begin() const { return {this, 0}; }
    [[nodiscard]] ByIndex<InitialParticles> end() const { return {this, size()}; }

    // All particles, to be changed; from now on they are stored.
    [[nodiscard]] std::vector<InitialParticle>& stored();
    [[nodiscard]] bool are_stored() const { return !start_; }

private:
    std::shared_ptr<const StartOfCase> start_;  // none: they are stored
    std::vector<InitialParticle> stored_;
};

}  // namespace halfulp
