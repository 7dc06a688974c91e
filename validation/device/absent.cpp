// A build without CUDA.
#include "validation/device/device.hpp"

namespace halfulp {

std::string use_device(int /*device*/) { return "this build has no CUDA"; }

OccupiedDevice::OccupiedDevice(double /*left_free*/) {}
OccupiedDevice::~OccupiedDevice() = default;

}  // namespace halfulp
