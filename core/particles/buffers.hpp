// The memory of all fields of a run's particles (core/particles/fields.hpp), as a structure of arrays.
#pragma once

#include <tuple>

#include "core/particles/any_buffer.hpp"
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

    // The same buffers without their types; valid as long as this is.
    [[nodiscard]] AnyBuffers used()
    {
        AnyBuffers all;
        for_each([&](const FieldInfo& info, auto& buffer) { all.push_back(AnyBuffer(info, buffer)); });
        return all;
    }
    // Their memory, as it is now.
    [[nodiscard]] ReadBuffers contents() const
    {
        ReadBuffers all;
        for (const AnyBuffer& buffer : const_cast<Buffers&>(*this).used())
            all.push_back({buffer.info, buffer.element, count(), buffer.data()});
        return all;
    }

    void resize(std::size_t count)
    {
        for (const AnyBuffer& buffer : used()) buffer.resize(count);
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
    return bytes_of(Buffers<Policy>(physics).used(), is_any);
}

// Bytes per particle of the buffers that outputs are made of.
template <class Policy>
std::size_t shown_bytes_per_particle(const Physics& physics)
{
    return bytes_of(Buffers<Policy>(physics).used(), is_shown);
}

}  // namespace halfulp
