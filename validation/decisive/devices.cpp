#include "validation/decisive/devices.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "core/backends/cuda/cuda_backend.hpp"

namespace halfulp {

namespace {

constexpr int runs_on_a_device = 2;

struct Devices {
    std::mutex mutex;
    std::condition_variable left;
    std::vector<int> runs;  // on each device that has had one
};

Devices& devices()
{
    static Devices all;
    return all;
}

}  // namespace

DeviceLease::DeviceLease(const Problem& problem)
{
    int usable = 0;
    while (why_no_cuda(problem, {.device = usable}).empty()) ++usable;
    if (usable == 0) return;
    Devices& all = devices();
    std::unique_lock lock(all.mutex);
    all.runs.resize(std::max(all.runs.size(), static_cast<std::size_t>(usable)));
    const auto emptiest = [&] { return std::min_element(all.runs.begin(), all.runs.begin() + usable); };
    all.left.wait(lock, [&] { return *emptiest() < runs_on_a_device; });
    device_ = static_cast<int>(emptiest() - all.runs.begin());
    ++all.runs[static_cast<std::size_t>(device_)];
}

DeviceLease::~DeviceLease()
{
    if (device_ < 0) return;
    Devices& all = devices();
    const std::scoped_lock lock(all.mutex);
    --all.runs[static_cast<std::size_t>(device_)];
    all.left.notify_all();
}

}  // namespace halfulp
