// A build without CUDA.
#include "core/error.hpp"
#include "validation/layouts/swarm.hpp"

namespace halfulp::layouts {

namespace {

constexpr const char* why = "this build has no CUDA";

}  // namespace

Timed time_swarm_on_device(Structure /*structure*/, std::size_t /*particles*/, int /*rounds*/)
{
    throw input_error(why);
}
Timed time_wide_update_on_device(int /*chunk*/, std::size_t /*particles*/, int /*dimensions*/, int /*rounds*/)
{
    throw input_error(why);
}

}  // namespace halfulp::layouts
