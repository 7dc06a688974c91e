#include "core/particles/saved_particles.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace halfulp {

void refuse_to_save(const char* precision)
{
    throw input_error(fmt::format("the precision \"{}\" has no checkpoints.", precision));
}

void refuse_saved_buffer(const char* name, std::size_t has, std::size_t wanted)
{
    throw input_error(
        fmt::format("the checkpoint holds {} bytes of the buffer \"{}\" instead of {}: it belongs to another case or "
                    "version; run the case anew.",
                    has, name, wanted));
}

void refuse_unknown_buffers()
{
    throw input_error("the checkpoint holds buffers that this version does not know; run the case anew.");
}

}  // namespace halfulp
