// The elementary operations for Boost.Multiprecision numbers: the host-only reference against which every number type
// and formula is tested. The product in fma is rounded before the sum; at 113 bits and more that is far below anything
// compared with it.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "precision/real.hpp"

namespace halfulp {

using Quad = boost::multiprecision::number<boost::multiprecision::cpp_bin_float_quad::backend_type,
                                           boost::multiprecision::et_off>;

inline Quad fma(const Quad& a, const Quad& b, const Quad& c) { return Quad(a * b) + c; }
inline Quad square_root(const Quad& a) { return boost::multiprecision::sqrt(a); }
inline Quad square_root_of_normal(const Quad& a) { return square_root(a); }
inline Quad reciprocal_of_normal(const Quad& a) { return Quad(1) / a; }
inline Quad larger(const Quad& a, const Quad& b) { return b > a ? b : a; }
inline Quad smaller(const Quad& a, const Quad& b) { return b < a ? b : a; }
inline Quad at_least(const Quad& bound, const Quad& a) { return larger(a, bound); }
inline Quad magnitude(const Quad& a) { return boost::multiprecision::abs(a); }
inline Quad select(bool condition, const Quad& a, const Quad& b) { return condition ? a : b; }
inline Quad exponential(const Quad& a) { return boost::multiprecision::exp(a); }

}  // namespace halfulp
