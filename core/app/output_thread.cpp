#include "core/app/output_thread.hpp"

#include "core/error.hpp"
#include "core/setup/host_memory.hpp"
#include "core/setup/host_threads.hpp"

namespace halfulp {

void use_threads(int threads)
{
    try {
        if (host_memory().limit > 0) make_threads(threads);
    } catch (const Error&) {
        threads = 1;
    }
    omp_set_num_threads(threads);
}

}  // namespace halfulp
