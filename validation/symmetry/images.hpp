// Images of a problem in two dimensions: in a mirror, turned, from a moving frame or in other units; the way back; and
// what the flow of an image and that of an isolated system keep.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
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

// Disturbs a lattice at rest: every particle is displaced by up to a tenth of a spacing, gets s of up to 1e-3 and up to
// 1/4 m/s more, in multiples of 2^-10 m/s. The same for the same seed, whatever the
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

// A case and its image, step by step beside each other.
struct ImageComparison {
    // Of the first passes over neighbours, from starts that are images of each other to the bit.
    double same_forces = 0;       // share of the components of du/dt that have the same bits
    double same_density = 0;      // share of ds/dt
    double force_difference = 0;  // largest difference of du/dt, in u of the largest du/dt

    int first_different_step = -1;  // the first at which any particle differs; -1: none did
    bool same_to_the_end = false;   // of scaled images, every number of the state is the same at the end
    bool broke = false;

    struct Moment {
        int step = 0;
        double time = 0;      // s
        double rms = 0;       // of the difference of positions, spacings
        double largest = 0;   // m
        double velocity = 0;  // largest difference of velocity, in u of the largest speed
        double same = 0;      // share of the particles with the same bits of position, velocity and pressure
    };
    std::vector<Moment> moments;
    static auto members(auto& self)
    {
        return std::tie(self.same_forces, self.same_density, self.force_difference, self.first_different_step,
                        self.same_to_the_end, self.broke, self.moments);
    }
};

// About `moments` of the steps are kept, ever farther apart. u is 2^-24, or 2^-53 for a policy in double.
ImageComparison compare_with_image(const Case& c, const Image& image, std::uint64_t seed, int steps, int moments);

// What an isolated system conserves.
struct Conservation {
    bool broke = false;
    struct Moment {
        int step = 0;
        double time = 0;              // s
        double momentum = 0;          // |P - P(0)| / sum m |u| at the start
        double angular_momentum = 0;  // |L - L(0)| / sum m |x| |u| at the start
        double centre = 0;            // |X - X(0) - P(0) t / M|, spacings
        // Of `momentum` and `centre` for sums and updates that round as those of `robust` do: all roundings to one
        // side, and the standard deviation if they are independent.
        double momentum_bound = 0;
        double momentum_expected = 0;
        double centre_bound = 0;
    };
    std::vector<Moment> moments;
    static auto members(auto& self) { return std::tie(self.broke, self.moments); }
};

Conservation measure_conservation(const Case& c, std::uint64_t seed, int steps, int moments);

// 0 and the whole numbers nearest to a geometric sequence from 1 to steps, without repetition.
std::vector<int> spread_steps(int steps, int moments);

}  // namespace halfulp
