// Loss of a change by rounding: in a plain float state, and in the compensated one.
#pragma once

#include <array>
#include <vector>

#include "validation/budget/condition.hpp"

namespace halfulp {

struct Loss {
    bool counts = false;  // there was a change at all
    bool whole = false;   // and the number stayed as it was
    double bits = 0;      // of the change's 24, those below the last one that the number keeps
};

// Of value + rate * interval, done by the plain update.
Loss loss_of(float value, float rate, float interval);

struct Tally {
    double changes = 0;
    double lost = 0;
    double bits = 0;
    void add(const Loss& loss);
    [[nodiscard]] double share() const { return lost / changes; }
    [[nodiscard]] double mean_bits() const { return bits / changes; }
};

// The numbers that a float code may keep of a particle.
enum Holding {
    offset_in_cell,
    coordinate_at_origin,
    coordinate_4000,  // cells away
    coordinate_million,
    velocity_held,
    density_centred,
    density_relative,
    density_absolute,
    holding_count
};
inline constexpr std::array<const char*, holding_count> holding_names{"position: offset in a cell",
                                                                      "position: coordinate",
                                                                      "position: coordinate, 4,000 cells away",
                                                                      "position: coordinate, 10^6 cells away",
                                                                      "velocity",
                                                                      "density: rho/rho0 - 1",
                                                                      "density: rho/rho0",
                                                                      "density: rho"};

// The losses of one particle of the fluid in one of the operations that the scheme makes of a step (units of time of
// the state): its components one after another.
std::vector<Loss> losses_of(const Problem& problem, const HeldParticle& particle, Holding holding, double step);

// |residual| over half an ulp of the number that it belongs to, for the fluid.
struct Residuals {
    static constexpr std::size_t bins = 20;  // of [0, 1]
    std::array<double, bins> histogram{};    // shares
    double largest = 0;
    double mean = 0;
    double root_mean_square = 0;  // of the residuals themselves, units of the state
    double count = 0;
};
enum class Quantity { position, velocity, density };
Residuals residuals_of(const Problem& problem, const std::vector<HeldParticle>& particles, Quantity quantity);

}  // namespace halfulp
