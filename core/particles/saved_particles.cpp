#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "core/particles/restored_particles.hpp"

namespace halfulp {

void refuse_to_save(const char* precision) { throw input_error("the precision \"{}\" has no checkpoints.", precision); }

namespace detail {

std::vector<SavedBuffer> saved_buffers(const ReadBuffers& buffers, const FetchBytes& fetch)
{
    std::vector<SavedBuffer> saved;
    for (const ReadBuffer& buffer : buffers) {
        if (buffer.info.role == Role::result) continue;
        saved.push_back({buffer.info.name, buffer.count * buffer.element,
                         [fetch, data = buffer.data](std::uint64_t first, std::uint64_t count) {
                             return fetch(data + first, count);
                         }});
    }
    return saved;
}

void refuse_other_particles(const SavedParticles& saved)
{
    throw input_error("{} holds other particles than its case has: it was changed or is damaged; run the case anew.",
                      saved.file);
}

void refuse_saved_particle(const SavedParticles& saved, std::int32_t id, const std::string& what)
{
    throw input_error("{}: particle {} {}: it was changed or is damaged; run the case anew.", saved.file, id, what);
}

PlacesOfIds::PlacesOfIds(const Problem& problem) : count_(problem.particles.size())
{
    if (!problem.particles.are_stored()) return;
    bool dense = true;
    sorted_.resize(count_);
    for (std::size_t k = 0; k < count_; ++k) {
        const std::int32_t id = id_of(problem.particles[k], k);
        dense = dense && id == static_cast<std::int32_t>(k);
        sorted_[k] = {id, static_cast<std::uint32_t>(k)};
    }
    if (dense) sorted_.clear();
    else std::ranges::sort(sorted_);
}

std::optional<std::size_t> PlacesOfIds::operator()(std::int32_t id) const
{
    if (sorted_.empty()) {
        if (id < 0 || static_cast<std::size_t>(id) >= count_) return {};
        return static_cast<std::size_t>(id);
    }
    const auto found = std::ranges::lower_bound(sorted_, id, {}, &std::pair<std::int32_t, std::uint32_t>::first);
    if (found == sorted_.end() || found->first != id) return {};
    return found->second;
}

std::vector<std::uint32_t> places_at_start(const SavedParticles& saved, const SavedBuffer& cells,
                                           const Problem& problem)
{
    const PlacesOfIds place_of(problem);
    std::vector<std::uint32_t> places;
    places.reserve(problem.particles.size());
    std::vector<bool> seen(problem.particles.size());
    in_pieces(cells, sizeof(Four<std::int32_t>), [&](std::uint64_t /*first*/, std::span<const std::byte> piece) {
        for (std::size_t at = 0; at < piece.size(); at += sizeof(Four<std::int32_t>)) {
            Four<std::int32_t> cell;
            std::memcpy(&cell, piece.data() + at, sizeof cell);
            const std::optional<std::size_t> place = place_of(cell.w);
            if (!place || seen[*place]) refuse_other_particles(saved);
            seen[*place] = true;
            places.push_back(static_cast<std::uint32_t>(*place));
        }
    });
    return places;
}

std::size_t least_of_parts(std::size_t count, const std::function<std::size_t(std::size_t, std::size_t)>& find)
{
    constexpr std::size_t parts = 256;
    std::size_t least = count;
#pragma omp parallel for schedule(dynamic, 1) reduction(min : least)
    for (std::size_t k = 0; k < parts; ++k) least = std::min(least, find(count * k / parts, count * (k + 1) / parts));
    return least;
}

}  // namespace detail

}  // namespace halfulp
