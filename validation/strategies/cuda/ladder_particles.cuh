// Particles on a device as the strategies store them.
#pragma once

#include "precision/position.hpp"
#include "validation/strategies/cuda/ladder.hpp"
#include "validation/strategies/cuda/pair_kernels.cuh"

namespace halfulp::strategies {

template <bool read_only, class Element>
__device__ Element loaded(const Element* from)
{
    if constexpr (!read_only) return *from;
    else return __ldg(from);
}
template <bool read_only>
__device__ Four<float> loaded_four(const Four<float>* from)
{
    const float4 four = loaded<read_only>(reinterpret_cast<const float4*>(from));
    return {four.x, four.y, four.z, four.w};
}

// What is read of a particle: where it is, for the test of its distance, then the rest.
struct SixArrays {
    const float* position;  // three numbers, cell sides from a corner of all
    const float* velocity;  // three numbers
    const float* density;
    const float* sound_speed;
    const float* pressure_term;
    const float* tensile_share;

    using Place = Vec<3, float>;
    struct State {
        MomentumState<3, float> moving;
        float sound_speed;
        float tensile_share;
    };
    __device__ Place place(std::uint32_t i) const
    {
        return {{position[3 * std::size_t(i)], position[3 * std::size_t(i) + 1], position[3 * std::size_t(i) + 2]}};
    }
    __device__ static Vec<3, float> separation(const Place& a, const Place& b) { return a - b; }
    __device__ State state(std::uint32_t i, const Place& /*place*/) const
    {
        const float* const u = velocity + 3 * std::size_t(i);
        return {{{{u[0], u[1], u[2]}}, pressure_term[i], {density[i]}}, sound_speed[i], tensile_share[i]};
    }
    __device__ static PairTerms<float> pair(const PairPhysics<Kernel>& physics, const Vec<3, float>& r, const State& a,
                                            const State& b)
    {
        return pair_of_stored_terms(physics, r, a, b);
    }
};

template <bool read_only>
struct TwoArrays {
    const Four<float>* places;   // and pressure term
    const Four<float>* motions;  // and density

    using Place = Four<float>;
    using State = MomentumState<3, float>;
    __device__ Place place(std::uint32_t i) const { return loaded_four<read_only>(places + i); }
    __device__ static Vec<3, float> separation(const Place& a, const Place& b)
    {
        return {{a.x - b.x, a.y - b.y, a.z - b.z}};
    }
    __device__ State state(std::uint32_t i, const Place& place) const
    {
        const Four<float> u = loaded_four<read_only>(motions + i);
        return {{{u.x, u.y, u.z}}, place.w, {u.w}};
    }
    __device__ static PairTerms<float> pair(const PairPhysics<Kernel>& physics, const Vec<3, float>& r, const State& a,
                                            const State& b)
    {
        return physics.of<float, Part::both>(r, a, b, physics.parameters);
    }
};

struct WithCells {
    const Four<float>* places;
    const Four<float>* motions;
    const Four<std::int32_t>* cells;

    struct Place {
        Four<float> offset;
        Four<std::int32_t> cell;
    };
    using State = MomentumState<3, float>;
    __device__ Place place(std::uint32_t i) const { return {places[i], cells[i]}; }
    __device__ static Vec<3, float> separation(const Place& a, const Place& b)
    {
        return separation_of(a.offset, b.offset, a.cell, b.cell);
    }
    __device__ State state(std::uint32_t i, const Place& place) const
    {
        const Four<float> u = motions[i];
        return {{{u.x, u.y, u.z}}, place.offset.w, {u.w}};
    }
    __device__ static PairTerms<float> pair(const PairPhysics<Kernel>& physics, const Vec<3, float>& r, const State& a,
                                            const State& b)
    {
        return physics.of<float, Part::both>(r, a, b, physics.parameters);
    }
};

}  // namespace halfulp::strategies
