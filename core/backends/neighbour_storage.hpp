#pragma once

namespace halfulp {

// Whether neighbour lists are kept between rebuilds (fast) or neighbours are searched for in every pass (little
// memory). Automatic keeps lists if the free memory allows. Changes no bit of the result.
enum class NeighbourStorage { automatic, stored, none };

}  // namespace halfulp
