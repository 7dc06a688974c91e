// Lattices of particles and their buckets, for tests of differential operators.
#pragma once

#include "tests/precision/reference.hpp"
#include "validation/differential/buckets.hpp"

namespace halfulp::differential {

using test::Random;

inline constexpr double reach = 3.1;

// edge^3 particles, x fastest, moved by at most `disorder`.
inline std::vector<Vec<3, double>> lattice(int edge, double disorder = 0)
{
    Random random(53);
    std::vector<Vec<3, double>> places;
    for (int z = 0; z < edge; ++z) {
        for (int y = 0; y < edge; ++y) {
            for (int x = 0; x < edge; ++x) {
                places.push_back({{x + random.uniform(-disorder, disorder), y + random.uniform(-disorder, disorder),
                                   z + random.uniform(-disorder, disorder)}});
            }
        }
    }
    return places;
}

}  // namespace halfulp::differential
