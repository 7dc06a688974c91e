// Loops over the buffers of particles, each by a thread: making a large one takes as long as filling it, as its memory
// is not there until it is written to.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/particles/buffers.hpp"
#include "core/setup/for_each_particle.hpp"

namespace halfulp {

// Calls act(index of the field, buffer) for each buffer; count: of particles, which decides whether threads are worth
// it.
template <class Buffers, class Act>
void for_each_field_by_threads(Buffers& buffers, std::size_t count, const Act& act)
{
    std::vector<std::function<void()>> all;
    buffers.for_each([&](const FieldInfo& /*info*/, auto& buffer) {
        all.emplace_back([&act, &buffer, field = all.size()] { act(field, buffer); });
    });
    for_each_in_blocks(all.size(), 1, count >= worth_threads, [&](std::size_t k) { all[k](); });
}

// Of each field, whether it is wanted.
template <class Buffers, class Wanted>
std::vector<bool> wanted_fields(Buffers& buffers, const Wanted& wanted)
{
    std::vector<bool> fields;
    buffers.for_each([&](const FieldInfo& info, auto& /*buffer*/) { fields.push_back(wanted(info)); });
    return fields;
}

}  // namespace halfulp
