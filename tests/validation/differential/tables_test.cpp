// Neighbour search by buckets: the integers that Murotani et al. 2015 print (tables 1 and 2), in every form.
#include <gtest/gtest.h>

#include "kernels/differential_operators.hpp"
#include "tests/validation/differential/lattice.hpp"
#include "validation/differential/operation_count.hpp"
#include "validation/differential/search.hpp"

namespace halfulp::differential {
namespace {

// Every particle is visited; the domains contain integers of lattice differences exactly.
template <class Structure, class Loops>
Visits visits_of(const std::vector<Four<float>>& particles, const Structure& structure, const Loops& loops)
{
    Visits visits;
    visits.particles = static_cast<std::int64_t>(particles.size());
    const auto ordered = in_order_of(structure, particles);
    for (std::size_t k = 0; k < ordered.size(); ++k) {
        const VisitsOfOne one = visits_at(structure.view(), loops, ordered.data(), structure.keys()[k],
                                          static_cast<std::uint32_t>(k), static_cast<float>(reach));
        visits.candidates += one.candidates;
        visits.in_sphere += one.in_sphere;
        visits.in_cube += one.in_cube;
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
    std::vector<Four<float>> particles;
    for (const auto& x : places)
        particles.push_back({static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2]), 0});
    Search search(places, reach, slack, divisions, 0.01);
    int forms = 0;
    for (const Form form : all_forms) {
        if (form == Form::stored_lists) continue;         // no candidates
        if (divisions > 1 && ++forms % 2 == 0) continue;  // the others are told apart by their bits
        search.with(form, Domain::sphere, 1, [&](const auto& structure, const auto& loops) {
            const Visits visits = visits_of(particles, structure, loops);
            EXPECT_EQ(visits.candidates, candidates) << search.name_of(form);
            EXPECT_EQ(visits.in_sphere, 26'382'775) << search.name_of(form);
            EXPECT_EQ(visits.in_cube, 71'473'375) << search.name_of(form);
        });
    }
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
