#include "core/error.hpp"
#include "validation/device/timing.cuh"
#include "validation/layouts/particle.hpp"
#include "validation/layouts/swarm.hpp"

namespace halfulp::layouts {

namespace {

using cuda::blocks_for;
using cuda::DeviceVector;

constexpr int threads = 256;

// All layouts have load, move (x += v) and store (after an iteration; improved: the best place has changed).
template <bool selective>
struct Structures {
    Particle* all;

    __device__ Particle load(std::size_t i) const { return all[i]; }
    __device__ void move(std::size_t i) const
    {
        if constexpr (selective) {
            for (int c = 0; c < dimensions; ++c) all[i].x[c] += all[i].v[c];
        } else {
            Particle p = all[i];
            for (int c = 0; c < dimensions; ++c) p.x[c] += p.v[c];
            write(i, p);
        }
    }
    __device__ void store(std::size_t i, const Particle& p, [[maybe_unused]] bool improved) const
    {
        if constexpr (selective) {
            if (!improved) {
                for (int c = 0; c < dimensions; ++c) all[i].x[c] = p.x[c];
                for (int c = 0; c < dimensions; ++c) all[i].v[c] = p.v[c];
                return;
            }
        }
        write(i, p);
    }

private:
    // The whole particle; the compiler must not leave out what is equal.
    __device__ void write(std::size_t i, const Particle& p) const
    {
        auto* const to = reinterpret_cast<volatile float*>(all + i);
        for (int c = 0; c < dimensions; ++c) {
            to[c] = p.x[c];
            to[dimensions + c] = p.v[c];
            to[2 * dimensions + c] = p.best[c];
        }
        to[3 * dimensions] = p.best_cost;
    }
};

template <int width>
struct alignas(width % 4 == 0   ? 16
               : width % 2 == 0 ? 8
                                : 4) Element {
    float c[width];
};

template <int width>
struct Arrays {
    Element<width>* x;
    Element<width>* v;
    Element<width>* best;
    float* best_cost;

    __device__ Particle load(std::size_t i) const
    {
        Particle p;
        const Element<width> place = x[i];
        const Element<width> velocity = v[i];
        const Element<width> known = best[i];
        for (int c = 0; c < dimensions; ++c) {
            p.x[c] = place.c[c];
            p.v[c] = velocity.c[c];
            p.best[c] = known.c[c];
        }
        p.best_cost = best_cost[i];
        return p;
    }
    __device__ void move(std::size_t i) const
    {
        Element<width> place = x[i];
        const Element<width> velocity = v[i];
        for (int c = 0; c < width; ++c) place.c[c] += velocity.c[c];
        x[i] = place;
    }
    __device__ void store(std::size_t i, const Particle& p, bool improved) const
    {
        x[i] = element(p.x);
        v[i] = element(p.v);
        if (!improved) return;
        best[i] = element(p.best);
        best_cost[i] = p.best_cost;
    }

private:
    __device__ static Element<width> element(const float (&from)[dimensions])
    {
        Element<width> to{};
        for (int c = 0; c < dimensions; ++c) to.c[c] = from[c];
        return to;
    }
};

template <class Layout>
__global__ void move_all(const Layout swarm, std::size_t count)
{
    const std::size_t i = cuda::thread_index();
    if (i < count) swarm.move(i);
}

struct Common {
    float best[dimensions];
};
template <class Layout>
__global__ void iterate_all(const Layout swarm, std::size_t count, std::uint64_t iteration, const Common common)
{
    const std::size_t i = cuda::thread_index();
    if (i >= count) return;
    Particle p = swarm.load(i);
    fly(p, iteration * count + i, common.best);
    const float cost = cost_of(p.x);
    const bool improved = cost < p.best_cost;
    if (improved) {
        for (int c = 0; c < dimensions; ++c) p.best[c] = p.x[c];
        p.best_cost = cost;
    }
    swarm.store(i, p, improved);
}

template <class Layout>
__global__ void store_all(const Layout swarm, std::size_t count, const Particle* from)
{
    const std::size_t i = cuda::thread_index();
    if (i < count) swarm.store(i, from[i], true);
}
template <class Layout>
__global__ void load_all(const Layout swarm, std::size_t count, Particle* to)
{
    const std::size_t i = cuda::thread_index();
    if (i < count) to[i] = swarm.load(i);
}

template <class Layout>
Timed time_layout(const Layout& swarm, std::size_t count, int rounds)
{
    std::vector<Particle> start(count);
    for (std::size_t i = 0; i < count; ++i) start[i] = particle_at_start(i);
    Common common{};
    float least = std::numeric_limits<float>::infinity();
    for (const Particle& p : start) {
        if (!(p.best_cost < least)) continue;
        least = p.best_cost;
        std::copy_n(p.best, dimensions, common.best);
    }
    const unsigned blocks = blocks_for(count, threads);
    Uploaded<Particle> there(start);
    Timed timed;
    store_all<<<blocks, threads>>>(swarm, count, there.data());
    timed.update = median_of(rounds, [&] { move_all<<<blocks, threads>>>(swarm, count); });
    std::uint64_t iteration = 0;
    timed.iteration = median_of(std::max(3, rounds / 10),
                                [&] { iterate_all<<<blocks, threads>>>(swarm, count, ++iteration, common); });
    load_all<<<blocks, threads>>>(swarm, count, there.memory.data());
    timed.bits = 0xcbf29ce484222325U;
    for (const Particle& p : downloaded(there.memory))
        for (const float c : p.x) timed.bits = mixed(timed.bits, c);
    return timed;
}

template <int width>
Timed time_arrays(std::size_t count, int rounds)
{
    DeviceVector<Element<width>> x(count);
    DeviceVector<Element<width>> v(count);
    DeviceVector<Element<width>> best(count);
    DeviceVector<float> cost(count);
    return time_layout(Arrays<width>{x.data(), v.data(), best.data(), cost.data()}, count, rounds);
}

// chunk: components of a particle that lie together; 0: all of them.
template <int chunk>
__global__ void move_wide(Element<chunk == 0 ? 1 : chunk>* x, const Element<chunk == 0 ? 1 : chunk>* v,
                          std::size_t count, int components)
{
    constexpr int width = chunk == 0 ? 1 : chunk;
    const std::size_t i = cuda::thread_index();
    if (i >= count) return;
    for (int c = 0; c < components / width; ++c) {
        const auto k = static_cast<std::size_t>(c);
        const std::size_t at = chunk == 0 ? i * static_cast<std::size_t>(components) + k : k * count + i;
        Element<width> place = x[at];
        const Element<width> velocity = v[at];
        for (int d = 0; d < width; ++d) place.c[d] += velocity.c[d];
        x[at] = place;
    }
}

template <int chunk>
Timed time_wide(std::size_t count, int components, int rounds)
{
    constexpr int width = chunk == 0 ? 1 : chunk;
    const std::size_t numbers = count * static_cast<std::size_t>(components);
    const auto at = [&](std::size_t particle, int component) -> std::size_t {
        const auto c = static_cast<std::size_t>(component);
        if (chunk == 0) return particle * static_cast<std::size_t>(components) + c;
        return (c / width * count + particle) * width + c % width;
    };
    std::vector<float> x(numbers);
    std::vector<float> v(numbers);
    for (std::size_t i = 0; i < count; ++i) {
        for (int c = 0; c < components; ++c) {
            const std::uint64_t number = i * static_cast<std::uint64_t>(components) + static_cast<std::uint64_t>(c);
            x[at(i, c)] = wide_position(number);
            v[at(i, c)] = wide_velocity(number);
        }
    }
    Uploaded<float> position(x);
    const Uploaded<float> velocity(v);
    Timed timed;
    timed.update = median_of(rounds, [&] {
        move_wide<chunk><<<blocks_for(count, threads), threads>>>(
            reinterpret_cast<Element<width>*>(position.memory.data()),
            reinterpret_cast<const Element<width>*>(velocity.data()), count, components);
    });
    x = downloaded(position.memory);
    timed.bits = 0xcbf29ce484222325U;
    for (std::size_t i = 0; i < count; ++i)
        for (int c = 0; c < components; ++c) timed.bits = mixed(timed.bits, x[at(i, c)]);
    return timed;
}

}  // namespace

Timed time_swarm_on_device(Structure structure, std::size_t particles, int rounds)
{
    const auto in_structures = [&]<bool selective>() {
        DeviceVector<Particle> all(particles);
        return time_layout(Structures<selective>{all.data()}, particles, rounds);
    };
    switch (structure) {
    case Structure::structures: return in_structures.template operator()<false>();
    case Structure::selective_structures: return in_structures.template operator()<true>();
    case Structure::arrays: return time_arrays<3>(particles, rounds);
    case Structure::padded_arrays: return time_arrays<4>(particles, rounds);
    }
    __builtin_unreachable();
}

Timed time_wide_update_on_device(int chunk, std::size_t particles, int components, int rounds)
{
    switch (chunk) {
    case 0: return time_wide<0>(particles, components, rounds);
    case 1: return time_wide<1>(particles, components, rounds);
    case 2: return time_wide<2>(particles, components, rounds);
    case 4: return time_wide<4>(particles, components, rounds);
    case 8: return time_wide<8>(particles, components, rounds);
    case 16: return time_wide<16>(particles, components, rounds);
    default: throw input_error("wide arrays are compiled in chunks of 0, 1, 2, 4, 8 and 16.");
    }
}

}  // namespace halfulp::layouts
