// The particles of a problem at the start. As a case has them they are computed from its sites when they are asked for,
// which takes four bytes a particle, for its density, in place of 56; once something changes one they are all stored.
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

// What the particles of a case follow from.
struct StartOfCase {
    Case source;
    Units units;
    PlacedParticles placed;
    std::array<std::int32_t, 3> period{};  // cells; 0: not periodic
    std::vector<float> density;            // of each; empty: 0
    std::vector<std::int32_t> motion_of;   // the motion of each shape; empty: none

    // Throws an Error if its cell or velocity is out of range, or if it lies outside of a period.
    [[nodiscard]] InitialParticle operator[](std::size_t i) const;
    // The same with a velocity of zero, which takes no time where velocities are expressions.
    [[nodiscard]] InitialParticle without_velocity(std::size_t i) const;
    // That in the cell of its place, also where that is the end of a period, which is the beginning.
    [[nodiscard]] InitialParticle unwrapped(std::size_t i) const;
};

// Its true position relative to the case's origin, m, with the rounded offset.
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
    // Where its velocity is of no interest, and may be zero.
    [[nodiscard]] InitialParticle without_velocity(std::size_t i) const
    {
        return start_ ? start_->without_velocity(i) : stored_[i];
    }
    [[nodiscard]] ByIndex<InitialParticles> begin() const { return {this, 0}; }
    [[nodiscard]] ByIndex<InitialParticles> end() const { return {this, size()}; }

    // For changes: all of them, stored from now on.
    [[nodiscard]] std::vector<InitialParticle>& stored();
    [[nodiscard]] bool are_stored() const { return !start_; }

private:
    std::shared_ptr<const StartOfCase> start_;  // none: they are stored
    std::vector<InitialParticle> stored_;
};

}  // namespace halfulp
