// The same problem seen in a mirror, turned, from a moving frame or in other units, and the way back. In two
// dimensions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/setup/problem.hpp"
#include "validation/columns.hpp"

namespace halfulp {

enum class ImageKind { mirror, half_turn, quarter_turn, boost, scaled };

struct Image {
    std::string name;
    ImageKind kind = ImageKind::mirror;
    std::array<double, 2> boost{};  // m/s, added to every velocity
    // Of scaled: lengths, velocities and the density at rest times 2 to these powers.
    int length = 0;
    int velocity = 0;
    int density = 0;
};

// Cells and offsets are negated (x -> -x; both; or (x, y) -> (-y, x)), about the middle of the cell (0, 0). An offset
// of exactly 1/2 goes on to the next cell, as everywhere.
Problem geometric_image(Problem problem, const Image& image);

// Lengths, velocities and the density at rest of a case whose shapes are boxes with constant velocities.
Case scaled_case(Case c, const Image& image);

// Gives a lattice at rest with itself something to do: every particle is displaced by up to a tenth of a spacing, gets
// s of up to 1e-3 and up to 1/4 m/s more, in multiples of 2^-10 m/s. The same for the same seed, whatever the
// precision; speed_unit is what stands for 1 m/s in a scaled case.
void stir(Problem& problem, std::uint64_t seed, double speed_unit = 1);

// The image of a case in a precision, stirred. Velocities of boosted images are exact sums.
Problem image_of(const Case& c, const Image& image, std::uint64_t seed);

// A state of the image, at a time in s since the start, seen as the original would be. metre: see below.
FluidState taken_back(FluidState state, const Image& image, double time, double metre = 1);
// Vectors of the image, e.g. accelerations, in their own units.
std::array<double, 2> vector_taken_back(const std::array<double, 2>& vector, const Image& image);

// What positions are reported in, over the metre of velocity times time: the cell side in double over the rounded one
// that a policy in SI units computes with, within 2^-24 of 1; 1 in scaled units.
double reported_metre(const Problem& problem);

}  // namespace halfulp
