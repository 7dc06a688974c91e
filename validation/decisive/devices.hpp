// The CUDA devices of a machine, shared by the runs of a study.
#pragma once

#include "core/setup/problem.hpp"

namespace halfulp {

// A place on a device, waited for and held. Two runs share a device: while the host looks at one, the other's steps go
// on.
class DeviceLease {
public:
    explicit DeviceLease(const Problem& problem);
    ~DeviceLease();
    DeviceLease(const DeviceLease&) = delete;
    DeviceLease& operator=(const DeviceLease&) = delete;
    DeviceLease(DeviceLease&&) = delete;
    DeviceLease& operator=(DeviceLease&&) = delete;

    // -1: no device can run the problem.
    [[nodiscard]] int device() const { return device_; }

private:
    int device_ = -1;
};

}  // namespace halfulp
