// Fields of the particles and lists of fields, the basis of storage, views, copies, checkpoints and the operations'
// access.
//
// A field is a type that defines everything about it in one place (core/particles/fields.hpp has them all):
//   Element<Real>        of one particle, for the policy's number type
//   Member<Storage>      a struct with one member of the field's name: a vector or a pointer
//   of(members)          that member
//   present<Policy>(p)   whether physics p under the policy uses it; otherwise it stays empty
//   info(p)              name, unit, role, description
#pragma once

#include <type_traits>
#include <vector>

#include "kernels/physics.hpp"
#include "precision/annotation.hpp"

namespace halfulp {

// Four numbers (16 bytes in single precision), so that a pair pass loads a neighbour with two loads.
template <class T>
struct alignas(4 * sizeof(T)) Four {
    T x, y, z, w;

    HALFULP_INLINE T& operator[](int i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    HALFULP_INLINE const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
};

// The role of a field:
//   state    defines the particle, and moves with it when particles are sorted
//   shown    state from which outputs are made
//   derived  computed from the state within a step; invalid once neighbours are found anew
//   carried  derived, but moves with its particle: for estimates on which no bit depends (core/neighbours/course.hpp)
//   result   like derived, but computed for the output that follows
enum class Role { shown, state, derived, carried, result };

// What a field may contain in a state read from a file:
//   finite       finite numbers
//   moved        finite numbers, the first three as at the start for particles that never move, and along axes that the
//                case does not have
//   as_at_start  the value with which the particle began
enum class Allowed { finite, moved, as_at_start };

struct FieldInfo {
    const char* name;
    const char* unit;
    Role role;
    const char* description;
    Allowed allowed = Allowed::finite;
};

// Whether it moves with its particle when particles are sorted.
constexpr bool is_sorted(const FieldInfo& info)
{
    return info.role == Role::shown || info.role == Role::state || info.role == Role::carried;
}

// Defines a field. `Number` and `condition` may use Real, Policy and physics; a last argument gives its Allowed, if
// that is not Allowed::finite.
#define HALFULP_FIELD(Type, member, Number, unit, role, description, condition, ...) \
    struct Type {                                                                    \
        template <class Real>                                                        \
        using Element = Number;                                                      \
        template <class Storage>                                                     \
        struct Member {                                                              \
            Storage member{};                                                        \
        };                                                                           \
        template <class Storage>                                                     \
        static HALFULP_INLINE Storage& of(Member<Storage>& members)                  \
        {                                                                            \
            return members.member;                                                   \
        }                                                                            \
        template <class Storage>                                                     \
        static HALFULP_INLINE const Storage& of(const Member<Storage>& members)      \
        {                                                                            \
            return members.member;                                                   \
        }                                                                            \
        template <class Policy>                                                      \
        static constexpr bool present([[maybe_unused]] const Physics& physics)       \
        {                                                                            \
            return condition;                                                        \
        }                                                                            \
        static constexpr FieldInfo info([[maybe_unused]] const Physics& physics)     \
        {                                                                            \
            return {#member, unit, role, description __VA_OPT__(, ) __VA_ARGS__};    \
        }                                                                            \
    };

template <class... F>
struct FieldList {
};

template <class F, class List>
inline constexpr bool contains = false;
template <class F, class... Some>
inline constexpr bool contains<F, FieldList<Some...>> = (std::is_same_v<F, Some> || ...);

template <class Element>
using HostVector = std::vector<Element>;
template <class Element>
using Pointer = Element*;
template <class Element>
using ConstPointer = const Element*;

namespace detail {

template <class Real, template <class> class Storage, class List>
struct MembersOf;
template <class Real, template <class> class Storage, class... F>
struct MembersOf<Real, Storage, FieldList<F...>> : F::template Member<Storage<typename F::template Element<Real>>>... {
};

// The fields of a list that are not in another.
template <class List, class Others, class Kept = FieldList<>>
struct Without;
template <class Others, class... Kept>
struct Without<FieldList<>, Others, FieldList<Kept...>> {
    using type = FieldList<Kept...>;
};
template <class F, class... Rest, class Others, class... Kept>
struct Without<FieldList<F, Rest...>, Others, FieldList<Kept...>>
    : Without<FieldList<Rest...>, Others,
              std::conditional_t<contains<F, Others>, FieldList<Kept...>, FieldList<Kept..., F>>> {
};

}  // namespace detail

// A member for each field of a list, named as the field.
template <class Real, template <class> class Storage, class List>
using Members = detail::MembersOf<Real, Storage, List>;

// Calls use.template operator()<F>() for each field of a list.
template <class... F, class Use>
HALFULP_INLINE constexpr void for_each_field(FieldList<F...> /*list*/, Use&& use)
{
    (use.template operator()<F>(), ...);
}

// Pointers to some fields: those of Writes may be written, those of Reads only read; access to others does not compile.
// Constructed from any type that has pointers to these fields.
template <class Real, class Reads, class Writes>
struct Access : Members<Real, Pointer, Writes>,
                Members<Real, ConstPointer, typename detail::Without<Reads, Writes>::type> {
    Access() = default;
    template <class All>
    HALFULP_INLINE explicit Access(const All& all)
    {
        set(all, Writes{});
        set(all, typename detail::Without<Reads, Writes>::type{});
    }

private:
    template <class All, class... F>
    HALFULP_INLINE void set(const All& all, FieldList<F...> /*list*/)
    {
        ((F::of(*this) = F::of(all)), ...);
    }
};

}  // namespace halfulp
