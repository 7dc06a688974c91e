// Differential operators have the bits of the host on a device, in every form of the search; and it visits as many
// candidates.
#include <cstring>

#include <gtest/gtest.h>

#include "tests/validation/differential/lattice.hpp"
#include "validation/device/device.hpp"
#include "validation/differential/machines.hpp"

namespace halfulp::differential {
namespace {

template <class T>
void expect_bits_of_the_host(double disorder)
{
    const auto places = lattice(20, disorder);
    std::vector<Four<T>> particles;
    for (const auto& x : places)
        particles.push_back({static_cast<T>(x[0]), static_cast<T>(x[1]), static_cast<T>(x[2]),
                             static_cast<T>(std::sin(0.3 * x[0]) + 0.1 * x[1] * x[2])});
    for (int divisions = 1; divisions <= most_divisions; ++divisions) {
        Search search(places, reach, 1, divisions, disorder + 0.01);
        for (const Form form : all_forms) {
            for (const Domain domain : all_domains) {
                for (const Operator which :
                     {Operator::gradient, Operator::laplacian, Operator::lsmps, Operator::compensated_lsmps}) {
                    const Setting setting{form, which, domain};
                    const auto host = apply_on_host(search, setting, particles, 0).results;
                    const auto device = apply_on_device(search, setting, particles, 0).results;
                    ASSERT_EQ(host.size(), device.size());
                    EXPECT_EQ(std::memcmp(host.data(), device.data(), host.size() * sizeof(Four<T>)), 0)
                        << search.name_of(form) << ", operator " << static_cast<int>(which) << ", domain "
                        << static_cast<int>(domain) << ", divisions " << divisions;
                }
            }
            const Visits host = count_on_host(search, form, particles);
            const Visits device = count_on_device(search, form, particles);
            EXPECT_EQ(host.candidates, device.candidates) << search.name_of(form);
            EXPECT_EQ(host.in_sphere, device.in_sphere) << search.name_of(form);
            EXPECT_EQ(host.in_cube, device.in_cube) << search.name_of(form);
        }
    }
}

TEST(DifferentialOnDevice, HasTheBitsOfTheHost)
{
    if (const std::string why = use_device(0); !why.empty()) GTEST_SKIP() << why;
    expect_bits_of_the_host<float>(0.2);
    expect_bits_of_the_host<double>(0);
}

}  // namespace
}  // namespace halfulp::differential
