// Neighbour search by buckets: the integers that Murotani et al. 2015 print (tables 1 and 2), in every form.
#include <gtest/gtest.h>

#include "kernels/differential_operators.hpp"
#include "tests/validation/differential/lattice.hpp"
#include "validation/differential/operation_count.hpp"

namespace halfulp::differential {
namespace {

// Every particle is visited; the domains contain integers of lattice differences exactly.
template <class Structure, class Loops>
Visits visits_of(const std::vector<Vec<3, double>>& places, const std::vector<std::int32_t>& bucket_of,
                 const Structure& structure, const Loops& loops)
{
    Visits visits;
    visits.particles = static_cast<std::int64_t>(places.size());
    const auto view = structure.view();
    const std::vector<std::uint32_t>& order = structure.order();
    for (std::size_t i = 0; i < places.size(); ++i) {
        loops.around(view, bucket_of[i], [&](std::uint32_t place) {
            const auto r = places[order[place]] - places[i];
            ++visits.candidates;
            visits.in_sphere += SphericalDomain::contains(r, reach) ? 1 : 0;
            visits.in_cube += CubicDomain::contains(r, reach) ? 1 : 0;
        });
    }
    return visits;
}

struct Printed {
    int divisions;
    double slack;
    std::int64_t candidates;
};

class Tables : public testing::TestWithParam<Printed> {};

// 61^3 particles, r_e = 3.1 spacings. The paper states a slack of 1.1; its integers are those of 1.
TEST_P(Tables, CandidatesAndNeighboursInEveryForm)
{
    const auto [divisions, slack, candidates] = GetParam();
    const auto places = lattice(61);
    const BucketBox box(places, reach, slack, divisions, 0.01);
    if (slack == 1) {
        EXPECT_EQ(box.count(), 13824U * static_cast<unsigned>(divisions * divisions * divisions));
    }
    const auto bucket_of = buckets_of(box, places);
    int forms = 0;
    for_each_form(box, bucket_of, [&](const auto& structure, const auto& loops) {
        if (divisions > 1 && ++forms % 2 == 0) return;  // the others are told apart by the bits below
        const Visits visits = visits_of(places, bucket_of, structure, loops);
        EXPECT_EQ(visits.candidates, candidates) << structure.name << ", " << loops.name;
        EXPECT_EQ(visits.in_sphere, 26'382'775) << structure.name << ", " << loops.name;
        EXPECT_EQ(visits.in_cube, 71'473'375) << structure.name << ", " << loops.name;
    });
}

constexpr std::int64_t cube(std::int64_t edge) { return edge * edge * edge; }

INSTANTIATE_TEST_SUITE_P(Printed, Tables,
                         testing::Values(Printed{1, 1.0, 160'103'007}, Printed{2, 1.0, 99'252'847},
                                         Printed{3, 1.0, 76'765'625}));
INSTANTIATE_TEST_SUITE_P(WithSlack, Tables,
                         testing::Values(Printed{1, 1.1, cube(595)}, Printed{2, 1.1, cube(497)},
                                         Printed{3, 1.1, cube(469)}));

}  // namespace
}  // namespace halfulp::differential
