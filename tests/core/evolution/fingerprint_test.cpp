// The fingerprint of a problem, by which a checkpoint is known to belong to it: every particle counts, also those of
// pieces that threads absorb apart, and the number of threads does not.
#include <omp.h>

#include <utility>

#include "core/evolution/checkpoint.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

TEST(Fingerprint, OfManyParticles)
{
    Problem problem = problem_from(R"(
        dimensions = 2
        resolution.spacing = 0.001
        fluid.sound_speed = 10
        time.end = 1
        output.interval = 1
        [[shapes]]
        name = "water"
        kind = "fluid"
        box = { from = [0, 0], to = [2.12, 2.12] }
        velocity = ["y", 0]
    )");
    const std::size_t count = problem.particles.size();
    ASSERT_GT(count, std::size_t{1} << 22U);  // of the first piece
    const StateHash hash = fingerprint_of(problem);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    EXPECT_EQ(fingerprint_of(problem), hash);
    omp_set_num_threads(threads);
    std::vector<InitialParticle>& all = problem.particles.stored();
    EXPECT_EQ(fingerprint_of(problem), hash);
    for (const std::size_t changed : {std::size_t{0}, count - 1}) {
        const float before = std::exchange(all[changed].velocity[1], 1e-20F);
        EXPECT_NE(fingerprint_of(problem), hash) << changed;
        all[changed].velocity[1] = before;
    }
    std::swap(all[count - 1].velocity, all[count - 5000].velocity);
    EXPECT_NE(fingerprint_of(problem), hash) << "exchanged";
}

}  // namespace
}  // namespace halfulp::test
