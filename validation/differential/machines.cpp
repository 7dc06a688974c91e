#include "validation/differential/machines.hpp"

#include <cmath>

#include <omp.h>

#include "core/app/machine.hpp"
#include "precision/simd.hpp"
#include "validation/seconds.hpp"

namespace halfulp::differential {

namespace {

// Operations a second of one kind of number.
template <class T, int width>
double peak()
{
    constexpr int chains = 10;  // latency times throughput of two units, with some to spare
    constexpr int rounds = 4'000'000;
    double fastest = 0;
    for (int k = 0; k < 3; ++k) {
        double kept = 0;
        const double begun = seconds_now();
#pragma omp parallel reduction(+ : kept)
        {
            Simd<T, width> value[chains];
            for (int c = 0; c < chains; ++c) value[c] = Simd<T, width>(T(1) + T(c) / T(16));
            const Simd<T, width> factor(T(0.999999));
            const Simd<T, width> added(T(1e-6));
            for (int r = 0; r < rounds; ++r) {
                for (int c = 0; c < chains; ++c) value[c] = fma(value[c], factor, added);
            }
            for (int c = 0; c < chains; ++c) kept += static_cast<double>(value[c][0]);
        }
        const double operations = 2.0 * width * chains * rounds * omp_get_max_threads();
        const double seconds = seconds_now() - begun;
        if (std::isfinite(kept)) fastest = std::fmax(fastest, operations / seconds);
    }
    return fastest;
}

}  // namespace

template <class T>
Applied<T> apply_on_host(Search& search, const Setting& setting, const std::vector<Four<T>>& particles, double seconds)
{
    return search.with(setting.form, setting.domain, 1, [&](const auto& structure, const auto& loops) {
        return with_domain(setting.domain, [&]<class Domain>() {
            return with_operator(setting.which, [&]<class Operator>() {
                const auto ordered = in_order_of(structure, particles);
                const auto constants = operator_constants<Domain, T>(search.reach());
                Applied<T> applied;
                std::vector<Four<T>> by_place;
                applied.seconds = fastest_time(
                    seconds, [&] { apply_operator<Operator, Domain>(structure, loops, ordered, constants, by_place); },
                    2);
                applied.results = by_particle(structure, by_place);
                return applied;
            });
        });
    });
}
template Applied<float> apply_on_host(Search&, const Setting&, const std::vector<Four<float>>&, double);
template Applied<double> apply_on_host(Search&, const Setting&, const std::vector<Four<double>>&, double);

template <class T>
Visits count_on_host(Search& search, Form form, const std::vector<Four<T>>& particles)
{
    return search.with(form, Domain::cube, 1, [&](const auto& structure, const auto& loops) {
        const auto ordered = in_order_of(structure, particles);
        const auto view = structure.view();
        std::int64_t candidates = 0;
        std::int64_t in_sphere = 0;
        std::int64_t in_cube = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : candidates, in_sphere, in_cube)
        for (std::size_t k = 0; k < ordered.size(); ++k) {
            const VisitsOfOne one = visits_at(view, loops, ordered.data(), structure.keys()[k],
                                              static_cast<std::uint32_t>(k), static_cast<T>(search.reach()));
            candidates += one.candidates;
            in_sphere += one.in_sphere;
            in_cube += one.in_cube;
        }
        return Visits{candidates, in_sphere, in_cube, static_cast<std::int64_t>(ordered.size())};
    });
}
template Visits count_on_host(Search&, Form, const std::vector<Four<float>>&);
template Visits count_on_host(Search&, Form, const std::vector<Four<double>>&);

Peak peak_of_host()
{
    const Machine machine = this_machine();
    return {machine.processor + ", " + std::to_string(omp_get_max_threads()) + " threads", peak<float, 8>(),
            peak<double, 4>()};
}

}  // namespace halfulp::differential
