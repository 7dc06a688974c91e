// Transfer of numbers between particle arrays and vector lanes; a scalar is a vector of one lane. Code that uses
// vectors includes precision/simd.hpp.
#pragma once

#include "core/particles/buffers.hpp"
#include "kernels/vector.hpp"
#include "precision/real.hpp"

namespace halfulp {

template <class T>
HALFULP_INLINE void set_lane(T& vector, int lane, Lane<T> value)
{
    if constexpr (LaneOf<T>::lanes == 1) vector = value;
    else vector.set(lane, value);
}

template <class T>
HALFULP_INLINE Lane<T> get_lane(const T& vector, int lane)
{
    if constexpr (LaneOf<T>::lanes == 1) return vector;
    else return vector[lane];
}

// Four components of W particles, component by component.
template <class T>
struct FourLanes {
    T x, y, z, w;
};

// Particles first .. first + count - 1 in the lanes; lanes beyond repeat the last, so that they hold ordinary numbers.
template <class T>
HALFULP_INLINE FourLanes<T> load_lanes(const Four<Lane<T>>* particles, std::uint32_t first, int count)
{
    FourLanes<T> lanes;
    for (int k = 0; k < LaneOf<T>::lanes; ++k) {
        const Four<Lane<T>>& p = particles[first + static_cast<std::uint32_t>(k < count ? k : count - 1)];
        set_lane(lanes.x, k, p.x);
        set_lane(lanes.y, k, p.y);
        set_lane(lanes.z, k, p.z);
        set_lane(lanes.w, k, p.w);
    }
    return lanes;
}

// The same for a field with one number per particle.
template <class T>
HALFULP_INLINE T load_numbers(const Lane<T>* particles, std::uint32_t first, int count)
{
    T lanes;
    for (int k = 0; k < LaneOf<T>::lanes; ++k)
        set_lane(lanes, k, particles[first + static_cast<std::uint32_t>(k < count ? k : count - 1)]);
    return lanes;
}

// x, y and z as a vector of D components.
template <int D, class T>
HALFULP_INLINE Vec<D, T> components(const FourLanes<T>& lanes)
{
    Vec<D, T> v;
    v[0] = lanes.x;
    v[1] = lanes.y;
    if constexpr (D == 3) v[2] = lanes.z;
    return v;
}

// x, y and z of one particle, broadcast to all lanes.
template <int D, class T>
HALFULP_INLINE Vec<D, T> broadcast(const Four<Lane<T>>& particle)
{
    Vec<D, T> v;
    v[0] = T(particle.x);
    v[1] = T(particle.y);
    if constexpr (D == 3) v[2] = T(particle.z);
    return v;
}

// An exact zero in the lanes that do not have the candidate as a neighbour.
template <class T>
HALFULP_INLINE T masked(unsigned lanes, T value)
{
    if constexpr (LaneOf<T>::lanes == 1) return value;  // a scalar's list holds only its own neighbours
    else return keep_lanes(lanes, value);
}

// a in the lanes whose bit is set, b elsewhere.
template <class T>
HALFULP_INLINE T chosen(unsigned lanes, T a, T b)
{
    if constexpr (LaneOf<T>::lanes == 1) return (lanes & 1U) != 0 ? a : b;
    else return choose_lanes(lanes, a, b);
}

}  // namespace halfulp
