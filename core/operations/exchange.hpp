// Halo exchange of a run on several ranks, derived from the descriptors of the operations. Of the components that an
// operation over pairs (or at mirror nodes) writes, it exchanges those that any operation of the physics reads, from
// neighbours or in an update. Particle updates are repeated on the halo, so their results are not exchanged; nor are
// components that only bookings read, since each rank books the works of its own particles.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/operations/operations.hpp"

namespace halfulp {

namespace detail {

inline constexpr int field_count = []<class... F>(FieldList<F...>) { return int(sizeof...(F)); }(AllFields{});

// Components of every field, in the order of AllFields.
using ComponentTable = std::array<unsigned, field_count>;

template <class List, class... F>
constexpr ComponentTable components_of(FieldList<F...> /*all*/)
{
    return {components_in<F, List>...};
}

struct Traffic {
    ComponentTable read{};     // of neighbours or in an update
    ComponentTable written{};  // by an operation over pairs or at images
    ComponentTable of_fluid_alone{};
};

template <class Operation>
constexpr Traffic traffic_of()
{
    Traffic traffic;
    const auto add = []<class List>(ComponentTable& to, List) {
        const ComponentTable more = components_of<List>(AllFields{});
        for (std::size_t k = 0; k < to.size(); ++k) to[k] |= more[k];
    };
    if constexpr (requires { typename Operation::NeighbourReads; }) {
        add(traffic.read, typename Operation::NeighbourReads{});
        add(traffic.written, typename Operation::Writes{});
        if constexpr (requires { typename Operation::ReadOfFluidAlone; })
            add(traffic.of_fluid_alone, typename Operation::ReadOfFluidAlone{});
    } else if constexpr (requires { typename Operation::Reads; }) {
        add(traffic.read, typename Operation::Reads{});
    }
    return traffic;
}

template <class... Listed>
constexpr auto traffic_of_all(OperationList<Listed...> /*list*/)
{
    return std::array{traffic_of<Listed>()...};
}

template <class... Listed>
std::vector<bool> needed_of_all(OperationList<Listed...> /*list*/, const Physics& physics)
{
    return {Listed::needed(physics)...};
}

template <class Element, int D>
constexpr std::size_t bytes_of(unsigned components)
{
    if constexpr (requires(Element e) { e.w; }) {
        const std::size_t one = sizeof(Element{}.w);
        return ((components & vector) != 0 ? D * one : 0) + ((components & scalar) != 0 ? one : 0);
    } else {
        return components != 0 ? sizeof(Element) : 0;
    }
}

}  // namespace detail

// The bytes of a field's element that are exchanged.
struct ExchangedBytes {
    const char* field;
    std::size_t offset;
    std::size_t bytes;
    bool of_fluid_alone;
};

// What a rank sends of its particles after an operation: the components that the operation writes and that any
// operation of the physics reads from neighbours or in updates, whatever the order of operations.
template <class Policy, int D>
std::vector<ExchangedBytes> exchanged_after(OperationKind kind, const Physics& physics)
{
    constexpr auto traffic = detail::traffic_of_all(Operations{});
    const std::vector<bool> needed = detail::needed_of_all(Operations{}, physics);
    std::vector<ExchangedBytes> all;
    std::size_t field = 0;
    for_each_field(AllFields{}, [&]<class F>() {
        const std::size_t index = field++;
        unsigned read = 0;
        for (std::size_t k = 0; k < needed.size(); ++k) read |= needed[k] ? traffic[k].read[index] : 0U;
        const unsigned parts = traffic[static_cast<std::size_t>(kind)].written[index] & read;
        const unsigned of_fluid = traffic[static_cast<std::size_t>(kind)].of_fluid_alone[index];
        if constexpr (!std::is_same_v<F, field::Works>) {
            if (parts == 0 || !F::template present<Policy>(physics)) return;
            using Element = typename F::template Element<typename Policy::Real>;
            const char* const name = F::info(physics).name;
            if constexpr (requires(Element e) { e.w; }) {
                const auto add = [&](unsigned part, std::size_t offset) {
                    if ((parts & part) == 0) return;
                    all.push_back({name, offset, detail::bytes_of<Element, D>(part), (of_fluid & part) != 0});
                };
                add(vector, 0);
                add(scalar, offsetof(Element, w));
            } else {
                all.push_back({name, 0, sizeof(Element), of_fluid != 0});
            }
        }
    });
    return all;
}

// Bytes sent per step for each particle of the halo, and those sent in addition for each fluid particle.
struct BytesOfStep {
    std::size_t of_all = 0;
    std::size_t of_fluid_alone = 0;
};

// The bytes of a step that carries out each of the given operations.
template <class Policy, int D>
BytesOfStep bytes_of_step(const std::vector<Operation>& step, const Physics& physics)
{
    BytesOfStep bytes;
    for (const Operation& operation : step) {
        for (const ExchangedBytes& one : exchanged_after<Policy, D>(operation.kind, physics))
            (one.of_fluid_alone ? bytes.of_fluid_alone : bytes.of_all) += one.bytes;
    }
    return bytes;
}

}  // namespace halfulp
