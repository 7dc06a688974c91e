// Hint that features missing from the program are in halfulp-lab.
#pragma once

namespace halfulp {

inline constexpr const char* how_to_build_laboratory =
    "built in the source folder by: cmake --build --preset release --target halfulp-lab";

}  // namespace halfulp
