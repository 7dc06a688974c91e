#include "core/output/snapshot.hpp"

#include <fmt/format.h>

namespace halfulp {

std::string StateHash::text() const { return fmt::format("{:016x}{:016x}", words[0], words[1]); }

}  // namespace halfulp
