#include "core/output/file_limit.hpp"

#include <csignal>

namespace halfulp {

void turn_file_limit_into_an_error()
{
    struct sigaction action {};
    if (sigaction(SIGXFSZ, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace halfulp
