#include "validation/decisive/flow_parts.hpp"

namespace halfulp::decisive {

const std::vector<std::string> parts_switched_off{"robust/update=plain",    "robust/density=absolute",
                                                  "robust/pressure=powers", "robust/kernels=powers",
                                                  "robust/sums=plain",      "robust/position=global"};
const std::vector<std::string> parts_with_every_term{"robust/update=plain", "robust/pressure=powers"};

std::vector<Arm> arms_of(Scale scale, const std::vector<std::string>& more)
{
    std::vector<Arm> arms{{.name = "double", .precision = "double"},
                          {.name = "double, half the step", .precision = "double", .step = 0.5},
                          {.name = "double, start off by an ulp", .precision = "double", .ulp_seed = 1},
                          {.name = "robust", .precision = "robust"},
                          {.name = "robust, 10^6 cells away", .precision = "robust", .cells = 1'000'000}};
    // Whose pair loops lack what the default walls and viscosities need.
    if (more == parts_switched_off) arms.push_back({.name = "double, other units", .precision = "double/units=si"});
    for (const char* precision : {"gpusph", "dualsphysics", "naive"})
        arms.push_back({.name = precision, .precision = precision});
    arms.push_back({.name = "naive, 1,000 cells away", .precision = "naive", .cells = 1000});
    if (scale == Scale::quick) return arms;
    for (const std::string& precision : more) arms.push_back({.name = precision, .precision = precision});
    return arms;
}

std::vector<std::array<double, 2>> windows_of(double end, double length)
{
    constexpr int count = 8;
    std::vector<std::array<double, 2>> windows;
    for (int k = 0; k < count; ++k) {
        const double begin = (end - length) * k / (count - 1);
        windows.push_back({begin, begin + length});
    }
    return windows;
}

}  // namespace halfulp::decisive
