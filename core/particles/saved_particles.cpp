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

}  // namespace detail

}  // namespace halfulp
