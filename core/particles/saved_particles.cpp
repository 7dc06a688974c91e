#include <algorithm>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/particles/restored_particles.hpp"

namespace halfulp {

void refuse_to_save(const char* precision)
{
    throw input_error(fmt::format("the precision \"{}\" has no checkpoints.", precision));
}

namespace detail {

void refuse_saved_buffer(const SavedParticles& saved, const char* name, std::size_t has, std::size_t wanted)
{
    throw input_error(
        fmt::format("{} holds {} bytes of the buffer \"{}\" instead of {}: it belongs to another case or version; run "
                    "the case anew.",
                    saved.file, has, name, wanted));
}

void refuse_unknown_buffers(const SavedParticles& saved)
{
    throw input_error(fmt::format("{} holds buffers that this version does not know; run the case anew.", saved.file));
}

void refuse_other_particles(const SavedParticles& saved)
{
    throw input_error(fmt::format(
        "{} holds other particles than its case has: it was changed or is damaged; run the case anew.", saved.file));
}

void refuse_saved_particle(const SavedParticles& saved, std::int32_t id, const std::string& what)
{
    throw input_error(
        fmt::format("{}: particle {} {}: it was changed or is damaged; run the case anew.", saved.file, id, what));
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
