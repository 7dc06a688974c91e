// The CUDA device that an experiment measures on.
#pragma once

#include <string>

namespace halfulp {

// Chooses a device for this thread. Why it cannot be used, e.g. "this machine has no CUDA device"; empty: it can.
std::string use_device(int device);

// Takes the chosen device's memory but for so many bytes, for its lifetime.
class OccupiedDevice {
public:
    explicit OccupiedDevice(double left_free);
    ~OccupiedDevice();
    OccupiedDevice(const OccupiedDevice&) = delete;
    OccupiedDevice& operator=(const OccupiedDevice&) = delete;

private:
    void* taken_ = nullptr;
};

}  // namespace halfulp
