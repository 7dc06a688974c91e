// Where the laboratory is: what the program lacks, halfulp-lab has.
#pragma once

namespace halfulp {

inline constexpr const char* how_to_build_laboratory =
    "built in the source folder by: cmake --build --preset release --target halfulp-lab";

}  // namespace halfulp
