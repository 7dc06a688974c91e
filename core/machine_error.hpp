// A failure of the machine with its cause and its remedy.
#pragma once

#include <string>

#include "core/error.hpp"

namespace halfulp {

// The remedy is that outside of a run: a run that it ends can be resumed.
class MachineError : public Error {
public:
    MachineError(const std::string& cause, const std::string& remedy)
        : Error(ExitCode::unsupported, cause + "; " + remedy), cause_(one_line(cause))
    {
    }
    [[nodiscard]] const std::string& cause() const { return cause_; }

private:
    std::string cause_;
};

}  // namespace halfulp
