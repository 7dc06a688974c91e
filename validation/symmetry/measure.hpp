// The measurements of `halfulp validate symmetry`, as rows for a study.
#pragma once

#include <cstdint>

#include "validation/study.hpp"
#include "validation/symmetry/images.hpp"

namespace halfulp {

// A case and its image, step by step beside each other.
struct ImageNumbers {
    // Of the first passes over neighbours, from starts that are images of each other to the bit.
    double same_forces = 0;       // share of the components of du/dt that have the same bits
    double same_density = 0;      // share of ds/dt
    double force_difference = 0;  // largest difference of du/dt, in u of the largest du/dt

    double first_different_step = -1;  // the first at which any particle differs; -1: none did
    double same_to_the_end = 0;        // 1: of scaled images, every number of the state is the same at the end
    double broke = 0;
};
struct ImageComparison : ImageNumbers {
    struct Moment {
        double step = 0;
        double time = 0;      // s
        double rms = 0;       // of the difference of positions, spacings
        double largest = 0;   // m
        double velocity = 0;  // largest difference of velocity, in u of the largest speed
        double same = 0;      // share of the particles with the same bits of position, velocity and pressure
    };
    std::vector<Moment> moments;
};
Results rows_of(const ImageComparison& comparison);
ImageComparison image_comparison_of(const Results& rows);

// About `moments` of the steps are kept, ever farther apart. u is 2^-24, or 2^-53 for a policy in double.
ImageComparison compare_with_image(const Case& c, const Image& image, std::uint64_t seed, int steps, int moments);

// What an isolated system keeps.
struct Conservation {
    bool broke = false;
    struct Moment {
        double step = 0;
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
};
Results rows_of(const Conservation& conservation);
Conservation conservation_of(const Results& rows);

Conservation measure_conservation(const Case& c, std::uint64_t seed, int steps, int moments);

// 0 and the whole numbers nearest to a geometric sequence from 1 to steps, without repetition.
std::vector<int> spread_steps(int steps, int moments);

}  // namespace halfulp
