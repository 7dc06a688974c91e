#pragma once

namespace halfulp {

// Are neighbours kept from one rebuild to the next (fast) or searched for in every pass (little memory)? Automatic
// keeps them where the free memory allows. Changes no bit of the result.
enum class NeighbourStorage { automatic, stored, none };

}  // namespace halfulp
