// Condition of the matrices of least-squares fits, and the accuracy of their solutions, against Eigen in double and in
// quadruple precision.
#pragma once

#include <vector>

#include "validation/differential/arrangement.hpp"

namespace halfulp::differential {

// Of the matrix of a particle: in a regular lattice in 3D by its place, spherical or cubic domain of reach 3.1.
struct Conditioning {
    double condition = 0;        // in quadruple precision
    double by_double = 0;        // Eigen's in double, of the matrix summed in double
    double own = 0;              // condition_number of the first order's, in float
    double float_error = 0;      // |x - exact|/|exact| of this code's solution in float, of the matrix rounded to float
    double double_error = 0;     // of that in double
    double by_double_error = 0;  // of Eigen's solution in double
};
Conditioning first_order_at(Place place, bool cube);
// scale: r_s over the spacing.
Conditioning second_order_at(Place place, double scale);

// Of every particle's matrices, spherical domain, scale 1.5: those of undetermined fits are infinite.
struct Conditions {
    std::vector<double> first;
    std::vector<double> second;
};
template <int D>
Conditions conditions_of(const Arrangement<D>& arrangement, double reach);

}  // namespace halfulp::differential
