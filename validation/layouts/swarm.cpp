#include "validation/layouts/swarm.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "validation/layouts/particle.hpp"
#include "validation/seconds.hpp"

namespace halfulp::layouts {

namespace {

template <class Act>
double median_time(int rounds, Act act)
{
    std::vector<double> times;
    for (int k = 0; k < rounds; ++k) {
        const double begun = seconds_now();
        act();
        times.push_back(seconds_now() - begun);
    }
    return upper_median(std::move(times));
}

// All layouts have size, load, move (x += v) and store (after an iteration; improved: the best place has changed).
template <bool selective>
class Structures {
public:
    explicit Structures(std::size_t count) : all_(count) {}
    [[nodiscard]] Particle load(std::size_t i) const { return all_[i]; }
    void move(std::size_t i)
    {
        if constexpr (selective) {
            for (int c = 0; c < dimensions; ++c) all_[i].x[c] += all_[i].v[c];
        } else {
            Particle p = all_[i];
            for (int c = 0; c < dimensions; ++c) p.x[c] += p.v[c];
            // The whole particle, as a kernel that writes its copy back; the compiler must not leave out what is equal.
            for (int c = 0; c < dimensions; ++c) written(all_[i].x[c], p.x[c]);
            for (int c = 0; c < dimensions; ++c) written(all_[i].v[c], p.v[c]);
            for (int c = 0; c < dimensions; ++c) written(all_[i].best[c], p.best[c]);
            written(all_[i].best_cost, p.best_cost);
        }
    }
    void store(std::size_t i, const Particle& p, bool improved)
    {
        if (!selective || improved) {
            all_[i] = p;
            return;
        }
        std::copy_n(p.x, dimensions, all_[i].x);
        std::copy_n(p.v, dimensions, all_[i].v);
    }

private:
    static void written(float& to, float value) { *static_cast<volatile float*>(&to) = value; }
    std::vector<Particle> all_;
};

template <int width>
class Arrays {
public:
    explicit Arrays(std::size_t count) : x_(count), v_(count), best_(count), best_cost_(count) {}
    [[nodiscard]] Particle load(std::size_t i) const
    {
        Particle p;
        std::copy_n(x_[i].c, dimensions, p.x);
        std::copy_n(v_[i].c, dimensions, p.v);
        std::copy_n(best_[i].c, dimensions, p.best);
        p.best_cost = best_cost_[i];
        return p;
    }
    void move(std::size_t i)
    {
        for (int c = 0; c < width; ++c) x_[i].c[c] += v_[i].c[c];
    }
    void store(std::size_t i, const Particle& p, bool improved)
    {
        std::copy_n(p.x, dimensions, x_[i].c);
        std::copy_n(p.v, dimensions, v_[i].c);
        if (!improved) return;
        std::copy_n(p.best, dimensions, best_[i].c);
        best_cost_[i] = p.best_cost;
    }

private:
    struct alignas(width == 4 ? 16 : 4) Element {
        float c[width]{};
    };
    std::vector<Element> x_;
    std::vector<Element> v_;
    std::vector<Element> best_;
    std::vector<float> best_cost_;
};

template <class Layout>
Timed time_layout(std::size_t count, int threads, int rounds)
{
    Layout swarm(count);
    for (std::size_t i = 0; i < count; ++i) swarm.store(i, particle_at_start(i), true);
    float common[dimensions];
    const auto find_common = [&] {
        float least = std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < count; ++i) {
            const Particle p = swarm.load(i);
            if (!(p.best_cost < least)) continue;
            least = p.best_cost;
            std::copy_n(p.best, dimensions, common);
        }
    };
    std::uint64_t iteration = 0;
    const auto iterate = [&] {
        ++iteration;
#pragma omp parallel for num_threads(threads) schedule(static)
        for (std::size_t i = 0; i < count; ++i) {
            Particle p = swarm.load(i);
            fly(p, iteration * count + i, common);
            const float cost = cost_of(p.x);
            const bool improved = cost < p.best_cost;
            if (improved) {
                std::copy_n(p.x, dimensions, p.best);
                p.best_cost = cost;
            }
            swarm.store(i, p, improved);
        }
    };
    Timed timed;
    timed.update = median_time(rounds, [&] {
#pragma omp parallel for num_threads(threads) schedule(static)
        for (std::size_t i = 0; i < count; ++i) swarm.move(i);
    });
    find_common();
    timed.iteration = median_time(std::max(3, rounds / 10), iterate);
    timed.bits = 0xcbf29ce484222325U;
    for (std::size_t i = 0; i < count; ++i)
        for (const float c : swarm.load(i).x) timed.bits = mixed(timed.bits, c);
    return timed;
}

template <int chunk, int together>
Timed time_wide(std::size_t count, int components, int threads, int rounds)
{
    const std::size_t numbers = count * static_cast<std::size_t>(components);
    std::vector<float> x(numbers);
    std::vector<float> v(numbers);
    const auto at = [&](std::size_t particle, int component) -> std::size_t {
        const auto c = static_cast<std::size_t>(component);
        if constexpr (chunk == 0) return particle * static_cast<std::size_t>(components) + c;
        else return (c / chunk * count + particle) * chunk + c % chunk;
    };
    constexpr int step = chunk == 0 ? 1 : chunk;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
        for (int c = 0; c < components; ++c) {
            const std::uint64_t number = i * static_cast<std::uint64_t>(components) + static_cast<std::uint64_t>(c);
            x[at(i, c)] = wide_position(number);
            v[at(i, c)] = wide_velocity(number);
        }
    }
    Timed timed;
    float* const to = x.data();
    const float* const from = v.data();
    timed.update = median_time(rounds, [&] {
#pragma omp parallel for num_threads(threads) schedule(static)
        for (std::size_t i = 0; i < count; i += together) {
            for (int c = 0; c < components; c += step) {
                for (std::size_t k = i; k < i + together; ++k) {
                    const std::size_t first = at(k, c);
                    for (int d = 0; d < step; ++d)
                        to[first + static_cast<std::size_t>(d)] += from[first + static_cast<std::size_t>(d)];
                }
            }
        }
    });
    timed.bits = 0xcbf29ce484222325U;
    for (std::size_t i = 0; i < count; ++i)
        for (int c = 0; c < components; ++c) timed.bits = mixed(timed.bits, x[at(i, c)]);
    return timed;
}

}  // namespace

Timed time_swarm(Structure structure, std::size_t particles, int threads, int rounds)
{
    switch (structure) {
    case Structure::structures: return time_layout<Structures<false>>(particles, threads, rounds);
    case Structure::selective_structures: return time_layout<Structures<true>>(particles, threads, rounds);
    case Structure::arrays: return time_layout<Arrays<3>>(particles, threads, rounds);
    case Structure::padded_arrays: return time_layout<Arrays<4>>(particles, threads, rounds);
    }
    __builtin_unreachable();
}

Timed time_wide_update(int chunk, int together, std::size_t particles, int components, int threads, int rounds)
{
    const auto with = [&]<int c>() {
        return together == 1 ? time_wide<c, 1>(particles, components, threads, rounds)
                             : time_wide<c, 16>(particles, components, threads, rounds);
    };
    if (together == 1 || together == 16) {
        switch (chunk) {
        case 0: return with.operator()<0>();
        case 1: return with.operator()<1>();
        case 2: return with.operator()<2>();
        case 4: return with.operator()<4>();
        case 8: return with.operator()<8>();
        case 16: return with.operator()<16>();
        default: break;
        }
    }
    throw input_error(
        "wide arrays are compiled in chunks of 0, 1, 2, 4, 8 and 16, and for 1 or 16 particles together.");
}

}  // namespace halfulp::layouts
