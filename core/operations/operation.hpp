// The descriptor of a scheme's operation, compiled once. Bodies, the only templates, follow it in the operation's own
// file; core/operations/operations.hpp lists them all.
//
// An operation is a struct with
//   static constexpr OperationInfo info
//   static constexpr bool needed(const Physics&)      whether a scheme needs it, or an output if its stage is that
// and, by info.target,
//   pairs       Reads, NeighbourReads, Writes: fields read of a target, of its neighbours, and written;
//               Pass<Policy, D, T[, Kernel]>, the pass (pair_pass.hpp); where there are several, for parts of the
//               physics, with_pass<Policy, D, T>(constants, use), which chooses one
//   particles   Update<Policy, D>, the update of one particle, and Booking<Policy, D>, its contribution to the works;
//               either may be missing; or Measure<Policy, D>, whose largest value is its maximum.
//               Only the fields that each declares are accessible. Or InOrder, a list of several such operations
//               (together.hpp)
//   images      Reads, Writes and Body<Policy, D>: a gather at mirror nodes (mirror_walls.hpp)
//   lists       nothing: a service of the back end, which keeps the neighbour lists
#pragma once

#include <cstdint>

#include "core/particles/fields.hpp"
#include "core/schemes/operation_list.hpp"

namespace halfulp {

enum class TargetOfOperation : std::uint8_t { particles, pairs, images, lists };

// The stage to which an operation's time is attributed; that of an output, which its caller measures, comes after the
// stages of a step.
enum class Stage : std::uint8_t { neighbours, density, forces, update, output };
inline constexpr int stages = 4;
inline constexpr const char* stage_names[stages] = {"neighbours", "density rate", "forces", "update"};

// The exact maximum over all targets left by an operation, to choose the step or to end a loop.
enum class Maximum : std::uint8_t { none, signal_speed, acceleration_squared, residual };
inline constexpr int most_maxima = 2;  // of an operation
struct Maxima {
    Maximum value[most_maxima] = {};
};

struct OperationInfo {
    const char* name;
    TargetOfOperation target;
    Stage stage;
    Maxima maxima{};

    [[nodiscard]] constexpr bool leaves(Maximum one) const { return maxima.value[0] == one || maxima.value[1] == one; }
};

// The values of the maxima of an operation, in the order of its descriptor.
template <class Real>
struct Largest {
    Real value[most_maxima] = {};

    constexpr Largest() = default;
    HALFULP_HOST_DEVICE constexpr Largest(const Real& first, const Real& second = Real(0)) : value{first, second} {}

    HALFULP_HOST_DEVICE constexpr const Real& operator[](int k) const { return value[k]; }
};

template <class Real>
HALFULP_INLINE Largest<Real> larger(const Largest<Real>& a, const Largest<Real>& b)
{
    return {larger(a[0], b[0]), larger(a[1], b[1])};
}

// The part of a step that an operation on particles covers.
template <class Real>
struct Interval {
    Real length;
    bool to_the_end;     // the fraction of the step is 1
    bool booked = true;  // whether it is added to the works
};

template <class Real>
Interval<Real> interval_of(const Operation& operation, double step)
{
    return {static_cast<Real>(operation.fraction * step), !(operation.fraction < 1),
            operation.booking == Booking::booked};
}

// Components of a field of four numbers: the units of a halo exchange where several devices share a run.
enum Components : unsigned { vector = 1, scalar = 2, all = 3 };  // x, y, z; w

template <class F, unsigned components = all>
struct Part {
};

template <class... P>
struct Parts {
};

namespace detail {

template <class List>
struct FieldsOfParts;
template <class... F, unsigned... components>
struct FieldsOfParts<Parts<Part<F, components>...>> {
    using type = FieldList<F...>;
};

template <class... Lists>
struct JoinedParts;
template <class... A>
struct JoinedParts<Parts<A...>> {
    using type = Parts<A...>;
};
template <class... A, class... B, class... More>
struct JoinedParts<Parts<A...>, Parts<B...>, More...> : JoinedParts<Parts<A..., B...>, More...> {
};

// The components of a field in a list of parts.
template <class F, class List>
inline constexpr unsigned components_in = 0;
template <class F, class... Fields, unsigned... components>
inline constexpr unsigned components_in<F, Parts<Part<Fields, components>...>> =
    (0U | ... | (std::is_same_v<F, Fields> ? components : 0U));

template <class Some, class Others>
inline constexpr bool share_components = false;
template <class... F, unsigned... components, class Others>
inline constexpr bool share_components<Parts<Part<F, components>...>, Others> =
    ((components_in<F, Others> & components) | ... | 0U) != 0;

template <class Operation>
struct InOrder {
    using type = OperationList<Operation>;
};
template <class Operation>
requires requires { typename Operation::InOrder; }
struct InOrder<Operation> {
    using type = typename Operation::InOrder;
};

template <class A, class B>
struct Joined;
template <class... A, class... B>
struct Joined<FieldList<A...>, FieldList<B...>> {
    using type = FieldList<A..., B...>;
};

}  // namespace detail

// The operations that are carried out one after another for each particle: those of a fused operation (together.hpp),
// or the operation itself.
template <class Operation>
using InOrderOf = typename detail::InOrder<Operation>::type;

// Whether an operation over pairs writes components that it, or any pass, reads from neighbours.
template <class Operation, class ReadByAll>
inline constexpr bool share_components_of_neighbours =
    detail::share_components<typename Operation::Writes, typename Operation::NeighbourReads> ||
    detail::share_components<typename Operation::Writes, ReadByAll>;

template <class List>
using FieldsOf = typename detail::FieldsOfParts<List>::type;

// The fields of two lists, each once.
template <class A, class B>
using Union = typename detail::Joined<A, typename detail::Without<B, A>::type>::type;

}  // namespace halfulp
