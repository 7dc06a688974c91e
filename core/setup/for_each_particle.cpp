#include "core/setup/for_each_particle.hpp"

#include <algorithm>
#include <exception>

#include "core/parallel_failure.hpp"

namespace halfulp {

void for_each_block(std::size_t count, std::size_t block, bool worth,
                    const std::function<void(std::size_t begin, std::size_t end)>& act)
{
    if (worth) {
        ParallelFailure failure;
#pragma omp parallel for schedule(dynamic)
        for (std::size_t first = 0; first < count; first += block)
            failure.guard([&] { act(first, std::min(count, first + block)); });
        try {
            return failure.rethrow();
        } catch (const std::exception&) {  // anew, in order
        }
    }
    act(0, count);
}

}  // namespace halfulp
