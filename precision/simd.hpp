// A SIMD vector of numbers: one lane per target particle.
//
// Built on the compiler's vector extensions, so that the same source runs at any width on any instruction set; only fma
// and the square root name instructions. Every lane computes exactly the scalar result: its bits never depend on the
// width or on other lanes.
#pragma once

#include <cstdint>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "precision/real.hpp"
#include "precision/wider.hpp"

namespace halfulp {

namespace detail {
template <class T>
using LaneInteger = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <class T, int width>
struct VectorOf {
    typedef T type __attribute__((vector_size(width * sizeof(T))));
};
}  // namespace detail

// The result of a comparison: all bits of a lane set, or none.
template <class T, int width>
struct SimdMask {
    using Integer = detail::LaneInteger<T>;
    using Vector = typename detail::VectorOf<Integer, width>::type;
    Vector bits;

    friend HALFULP_INLINE SimdMask operator&(SimdMask a, SimdMask b) { return {a.bits & b.bits}; }
    friend HALFULP_INLINE SimdMask operator|(SimdMask a, SimdMask b) { return {a.bits | b.bits}; }
};

template <class T, int width>
struct Simd {
    using Vector = typename detail::VectorOf<T, width>::type;
    using Mask = SimdMask<T, width>;
    Vector v;

    Simd() = default;
    HALFULP_INLINE Simd(T value) : v(value - Vector{}) {}
    HALFULP_INLINE explicit Simd(Vector vector) : v(vector) {}

    HALFULP_INLINE T operator[](int lane) const { return v[lane]; }
    HALFULP_INLINE void set(int lane, T value) { v[lane] = value; }

    friend HALFULP_INLINE Simd operator+(Simd a, Simd b) { return Simd(a.v + b.v); }
    friend HALFULP_INLINE Simd operator-(Simd a, Simd b) { return Simd(a.v - b.v); }
    friend HALFULP_INLINE Simd operator*(Simd a, Simd b) { return Simd(a.v * b.v); }
    friend HALFULP_INLINE Simd operator/(Simd a, Simd b) { return Simd(a.v / b.v); }
    friend HALFULP_INLINE Simd operator-(Simd a) { return Simd(-a.v); }
    HALFULP_INLINE Simd& operator+=(Simd b)
    {
        v += b.v;
        return *this;
    }
    HALFULP_INLINE Simd& operator-=(Simd b)
    {
        v -= b.v;
        return *this;
    }
    HALFULP_INLINE Simd& operator*=(Simd b)
    {
        v *= b.v;
        return *this;
    }

    friend HALFULP_INLINE Mask operator<(Simd a, Simd b) { return {a.v < b.v}; }
    friend HALFULP_INLINE Mask operator>(Simd a, Simd b) { return {a.v > b.v}; }
    friend HALFULP_INLINE Mask operator<=(Simd a, Simd b) { return {a.v <= b.v}; }
    friend HALFULP_INLINE Mask operator>=(Simd a, Simd b) { return {a.v >= b.v}; }
};

template <class T, int width>
struct LaneOf<Simd<T, width>> {
    using type = T;
    static constexpr int lanes = width;
};

template <class T, int width>
HALFULP_INLINE Simd<T, width> select(SimdMask<T, width> mask, Simd<T, width> a, Simd<T, width> b)
{
    return Simd<T, width>(mask.bits ? a.v : b.v);
}

// With b as its first operand the instruction equals the scalar form: it returns the second operand, a, if one is NaN
// or both are zero.
template <class T, int width>
HALFULP_INLINE Simd<T, width> larger(Simd<T, width> a, Simd<T, width> b)
{
    using S [[maybe_unused]] = Simd<T, width>;
#if defined(__AVX__)
    if constexpr (std::is_same_v<T, float> && width == 4) return S(_mm_max_ps(b.v, a.v));
    if constexpr (std::is_same_v<T, float> && width == 8) return S(_mm256_max_ps(b.v, a.v));
    if constexpr (std::is_same_v<T, double> && width == 2) return S(_mm_max_pd(b.v, a.v));
    if constexpr (std::is_same_v<T, double> && width == 4) return S(_mm256_max_pd(b.v, a.v));
#endif
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, float> && width == 16) return S(_mm512_max_ps(b.v, a.v));
    if constexpr (std::is_same_v<T, double> && width == 8) return S(_mm512_max_pd(b.v, a.v));
#endif
    return select(b > a, b, a);
}

template <class T, int width>
HALFULP_INLINE Simd<T, width> smaller(Simd<T, width> a, Simd<T, width> b)
{
    using S [[maybe_unused]] = Simd<T, width>;
#if defined(__AVX__)
    if constexpr (std::is_same_v<T, float> && width == 4) return S(_mm_min_ps(b.v, a.v));
    if constexpr (std::is_same_v<T, float> && width == 8) return S(_mm256_min_ps(b.v, a.v));
    if constexpr (std::is_same_v<T, double> && width == 2) return S(_mm_min_pd(b.v, a.v));
    if constexpr (std::is_same_v<T, double> && width == 4) return S(_mm256_min_pd(b.v, a.v));
#endif
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, float> && width == 16) return S(_mm512_min_ps(b.v, a.v));
    if constexpr (std::is_same_v<T, double> && width == 8) return S(_mm512_min_pd(b.v, a.v));
#endif
    return select(b < a, b, a);
}

template <class T, int width>
HALFULP_INLINE Simd<T, width> magnitude(Simd<T, width> a)
{
    using Bits = typename detail::VectorOf<detail::Bits<T>, width>::type;
    constexpr auto all_but_sign = static_cast<detail::Bits<T>>(~detail::Bits<T>(0)) >> 1;
    return Simd<T, width>(
        reinterpret_cast<typename Simd<T, width>::Vector>(reinterpret_cast<Bits>(a.v) & (Bits{} + all_but_sign)));
}

// Bit k of `lanes` says whether lane k takes part.
template <class T, int width>
HALFULP_INLINE SimdMask<T, width> mask_from_bits(unsigned lanes)
{
    using Mask = SimdMask<T, width>;
    typename Mask::Vector bit;
    for (int k = 0; k < width; ++k) bit[k] = typename Mask::Integer(1) << k;
    const typename Mask::Vector all = static_cast<typename Mask::Integer>(lanes) - typename Mask::Vector{};
    return {(all & bit) != 0};
}

template <class T, int width>
HALFULP_INLINE unsigned bits_from_mask(SimdMask<T, width> mask)
{
#if defined(__AVX__)
    if constexpr (sizeof(mask.bits) == 32 && sizeof(T) == 4)
        return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask.bits)));
    if constexpr (sizeof(mask.bits) == 32 && sizeof(T) == 8)
        return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask.bits)));
    if constexpr (sizeof(mask.bits) == 16 && sizeof(T) == 4)
        return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(mask.bits)));
#endif
    unsigned lanes = 0;
    for (int k = 0; k < width; ++k) lanes |= (mask.bits[k] != 0 ? 1U : 0U) << k;
    return lanes;
}

// The value in the lanes whose bit is set, +0 in the others.
template <class T, int width>
HALFULP_INLINE Simd<T, width> keep_lanes(unsigned lanes, Simd<T, width> value)
{
    using S [[maybe_unused]] = Simd<T, width>;
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, float> && width == 16)
        return S(_mm512_maskz_mov_ps(static_cast<__mmask16>(lanes), value.v));
    if constexpr (std::is_same_v<T, double> && width == 8)
        return S(_mm512_maskz_mov_pd(static_cast<__mmask8>(lanes), value.v));
#endif
    return select(mask_from_bits<T, width>(lanes), value, S(T(0)));
}

// a in the lanes whose bit is set, b elsewhere.
template <class T, int width>
HALFULP_INLINE Simd<T, width> choose_lanes(unsigned lanes, Simd<T, width> a, Simd<T, width> b)
{
    return select(mask_from_bits<T, width>(lanes), a, b);
}

// a b + c, rounded once in every lane. Vectors wider than the hardware's are split into halves.
template <class T, int width>
HALFULP_INLINE Simd<T, width> fma(Simd<T, width> a, Simd<T, width> b, Simd<T, width> c)
{
    using S [[maybe_unused]] = Simd<T, width>;
#if defined(__FMA__)
    if constexpr (std::is_same_v<T, float> && width == 4) return S(_mm_fmadd_ps(a.v, b.v, c.v));
    if constexpr (std::is_same_v<T, float> && width == 8) return S(_mm256_fmadd_ps(a.v, b.v, c.v));
    if constexpr (std::is_same_v<T, double> && width == 2) return S(_mm_fmadd_pd(a.v, b.v, c.v));
    if constexpr (std::is_same_v<T, double> && width == 4) return S(_mm256_fmadd_pd(a.v, b.v, c.v));
#endif
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, float> && width == 16) return S(_mm512_fmadd_ps(a.v, b.v, c.v));
    if constexpr (std::is_same_v<T, double> && width == 8) return S(_mm512_fmadd_pd(a.v, b.v, c.v));
#endif
    S result;
    for (int k = 0; k < width; ++k) result.v[k] = fma(T(a.v[k]), T(b.v[k]), T(c.v[k]));
    return result;
}

template <class T, int width>
HALFULP_INLINE Simd<T, width> square_root(Simd<T, width> a)
{
    using S [[maybe_unused]] = Simd<T, width>;
#if defined(__AVX__)
    if constexpr (std::is_same_v<T, float> && width == 4) return S(_mm_sqrt_ps(a.v));
    if constexpr (std::is_same_v<T, float> && width == 8) return S(_mm256_sqrt_ps(a.v));
    if constexpr (std::is_same_v<T, double> && width == 2) return S(_mm_sqrt_pd(a.v));
    if constexpr (std::is_same_v<T, double> && width == 4) return S(_mm256_sqrt_pd(a.v));
#endif
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, float> && width == 16) return S(_mm512_sqrt_ps(a.v));
    if constexpr (std::is_same_v<T, double> && width == 8) return S(_mm512_sqrt_pd(a.v));
#endif
    S result;
    for (int k = 0; k < width; ++k) result.v[k] = square_root(T(a.v[k]));
    return result;
}

template <class T, int width>
HALFULP_INLINE Simd<T, width> power_of_two(Simd<T, width> k)
{
    using S [[maybe_unused]] = Simd<T, width>;
    using Bits = typename detail::VectorOf<detail::Bits<T>, width>::type;
    const S sum = k + constant<S>(detail::whole_numbers<T> + detail::exponent_bias<T>);
    return S(reinterpret_cast<typename S::Vector>(reinterpret_cast<Bits>(sum.v) << detail::mantissa_bits<T>));
}

template <class T, int width>
struct WiderOf<Simd<T, width>> {
    using type = Simd<double, width>;
};

template <class T, int width>
HALFULP_INLINE Simd<double, width> widened(Simd<T, width> a)
{
    return Simd<double, width>(__builtin_convertvector(a.v, typename Simd<double, width>::Vector));
}

template <class S>
requires(LaneOf<S>::lanes > 1) HALFULP_INLINE S narrowed(Simd<double, LaneOf<S>::lanes> a)
{
    return S(__builtin_convertvector(a.v, typename S::Vector));
}

// The number type for a width: for one lane the scalar itself, so that loops are written once for every width.
template <class T, int width>
using SimdOrScalar = std::conditional_t<width == 1, T, Simd<T, width == 1 ? 2 : width>>;

}  // namespace halfulp
