// libFuzzer's entry into the feed of this target.
#include <cstddef>
#include <cstdint>

#include "feeds.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    halfulp::fuzzing::HALFULP_FEED({data, size});
    return 0;
}
