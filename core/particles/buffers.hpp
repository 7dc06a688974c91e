// The memory of all fields of a run's particles (core/particles/fields.hpp), as a structure of arrays.
#pragma once

#include <tuple>
#include <vector>

#include "core/particles/fields.hpp"

namespace halfulp {

// Vector: the back end's container, HostVector or the CUDA back end's.
template <class Policy, template <class> class Vector = HostVector>
struct Buffers : Members<typename Policy::Real, Vector, AllFields> {
    explicit Buffers(const Physics& chosen = {}) : physics(chosen) {}

    Physics physics;  // decides which of the buffers are used; the others stay empty

    // Calls visit(info, vector) for every buffer that the policy and the physics use.
    template <class Visitor>
    void for_each(Visitor&& visit)
    {
        for_each_field(AllFields{}, [&]<class F>() {
            if constexpr (std::is_same_v<F, field::Works>) {
                const auto visit_works = [&](const char* WorkInfo::*name, auto& buffers) {
                    for (std::size_t k = 0; k < works.size(); ++k) {
                        if (done_in(physics, works[k].work))
                            visit(FieldInfo{works[k].*name, "velocity unit^2", Role::state, works[k].description},
                                  buffers[k]);
                    }
                };
                visit_works(&WorkInfo::name, this->work);
                if (physics.previous_state == PreviousState::step_before)
                    visit_works(&WorkInfo::previous_name, this->previous_work);
            } else {
                if (F::template present<Policy>(physics)) visit(F::info(physics), F::of(*this));
            }
        });
    }

    void resize(std::size_t count)
    {
        for_each([count](const FieldInfo&, auto& buffer) { buffer.resize(count); });
    }

    [[nodiscard]] std::size_t count() const { return this->cell.size(); }
};

namespace detail {

template <class Found, class... More>
struct Distinct {
    using type = Found;
};
template <class... Found, class One, class... More>
struct Distinct<std::tuple<Found...>, One, More...>
    : Distinct<std::conditional_t<(std::is_same_v<Found, One> || ...), std::tuple<Found...>, std::tuple<Found..., One>>,
               More...> {
};
template <class Real, template <class> class Vector, class... F>
typename Distinct<std::tuple<>, Vector<typename F::template Element<Real>>...>::type spares_of(FieldList<F...>);

}  // namespace detail

// A spare of every type of buffer, as the target of sorting.
template <class Policy>
using SpareBuffers = decltype(detail::spares_of<typename Policy::Real, HostVector>(AllFields{}));

// Bytes of all buffers per particle.
template <class Policy>
std::size_t bytes_per_particle(const Physics& physics)
{
    std::size_t bytes = 0;
    Buffers<Policy> buffers(physics);
    buffers.for_each([&bytes](const FieldInfo&, auto& buffer) { bytes += sizeof(buffer[0]); });
    return bytes;
}

inline bool is_shown(const FieldInfo& info) { return info.role == Role::shown || info.role == Role::result; }

// Bytes per particle of the buffers that outputs are made of.
template <class Policy>
std::size_t shown_bytes_per_particle(const Physics& physics)
{
    std::size_t bytes = 0;
    Buffers<Policy> buffers(physics);
    buffers.for_each([&bytes](const FieldInfo& info, auto& buffer) {
        if (is_shown(info)) bytes += sizeof(buffer[0]);
    });
    return bytes;
}

// Calls copy(to, from, bytes), of two addresses, for every buffer for which wanted(info); those of `to` are resized to
// `from`, the others remain. Both use the same of these buffers.
template <class Policy, template <class> class To, template <class> class From, class Wanted, class Copy>
void copy_buffers(Buffers<Policy, To>& to, const Buffers<Policy, From>& from, const Wanted& wanted, const Copy& copy)
{
    std::vector<const void*> sources;
    const_cast<Buffers<Policy, From>&>(from).for_each([&](const FieldInfo& info, auto& buffer) {
        if (wanted(info)) sources.push_back(buffer.data());
    });
    std::size_t k = 0;
    to.for_each([&](const FieldInfo& info, auto& buffer) {
        if (!wanted(info)) return;
        buffer.resize(from.count());
        copy(buffer.data(), sources.at(k++), from.count() * sizeof(*buffer.data()));
    });
}

// The same for `count` particles, from an index in each; nothing is resized.
template <class Policy, template <class> class To, template <class> class From, class Wanted, class Copy>
void copy_particles(Buffers<Policy, To>& to, std::size_t first_to, const Buffers<Policy, From>& from,
                    std::size_t first_from, std::size_t count, const Wanted& wanted, const Copy& copy)
{
    std::vector<const void*> sources;
    const_cast<Buffers<Policy, From>&>(from).for_each([&](const FieldInfo& info, auto& buffer) {
        if (wanted(info)) sources.push_back(buffer.data() + first_from);
    });
    std::size_t k = 0;
    to.for_each([&](const FieldInfo& info, auto& buffer) {
        if (wanted(info)) copy(buffer.data() + first_to, sources.at(k++), count * sizeof(*buffer.data()));
    });
}

// Calls act(buffer) for one of the buffers, by its index among those that the policy and the physics use.
template <class Buffers, class Act>
void visit_field(Buffers& buffers, std::size_t field, const Act& act)
{
    std::size_t k = 0;
    buffers.for_each([&](const FieldInfo& /*info*/, auto& buffer) {
        if (k++ == field) act(buffer);
    });
}

// The particles at some indices, in their order.
template <class Policy, class Wanted>
Buffers<Policy> selected(const Buffers<Policy>& from, const std::vector<std::uint32_t>& places, const Wanted& wanted)
{
    std::vector<const void*> sources;
    const_cast<Buffers<Policy>&>(from).for_each([&](const FieldInfo& info, auto& buffer) {
        if (wanted(info)) sources.push_back(&buffer);
    });
    Buffers<Policy> some(from.physics);
    std::size_t k = 0;
    some.for_each([&](const FieldInfo& info, auto& buffer) {
        if (!wanted(info)) return;
        const auto& source = *static_cast<const std::remove_reference_t<decltype(buffer)>*>(sources.at(k++));
        buffer.reserve(places.size());
        for (const std::uint32_t i : places) buffer.push_back(source[i]);
    });
    return some;
}

inline bool is_any(const FieldInfo& /*info*/) { return true; }

}  // namespace halfulp
