// Differential operators on a CUDA device: a thread a particle in blocks of 128, as in the paper.
#include "validation/device/timing.cuh"
#include "validation/differential/machines.hpp"

namespace halfulp::differential {

namespace {

using cuda::blocks_for;
using cuda::check;
using cuda::DeviceVector;

constexpr int threads = 128;

template <class Operator, class Domain, class T, class View, class Loops>
__global__ void __launch_bounds__(threads)
    apply_kernel(View view, const __grid_constant__ Loops loops, const Four<T>* particles, const std::int32_t* keys,
                 std::uint32_t count, OperatorConstants<T> constants, Four<T>* results)
{
    const auto k = static_cast<std::uint32_t>(cuda::thread_index());
    if (k >= count) return;
    results[k] = operator_at<Operator, Domain>(view, loops, particles, keys[k], k, constants);
}

template <class T, class View, class Loops>
__global__ void __launch_bounds__(threads)
    count_kernel(View view, const __grid_constant__ Loops loops, const Four<T>* particles, const std::int32_t* keys,
                 std::uint32_t count, T reach, VisitsOfOne* visits)
{
    const auto k = static_cast<std::uint32_t>(cuda::thread_index());
    if (k >= count) return;
    visits[k] = visits_at(view, loops, particles, keys[k], k, reach);
}

// A structure's arrays on the device.
template <class Structure>
struct OnDevice;
template <>
struct OnDevice<LinkedList> {
    Uploaded<std::int32_t> first;
    Uploaded<std::int32_t> next;

    explicit OnDevice(const LinkedList& list) : first(list.first()), next(list.next()) {}
    LinkedList::View view() const { return {first.data(), next.data()}; }
};
template <>
struct OnDevice<ForwardStar> {
    Uploaded<std::uint32_t> first;

    explicit OnDevice(const ForwardStar& star) : first(star.first()) {}
    ForwardStar::View view() const { return {first.data()}; }
};
template <>
struct OnDevice<OccupiedCells> {
    Uploaded<IndexRange> ranges;
    int rows;

    explicit OnDevice(const OccupiedCells& cells) : ranges(cells.ranges()), rows(cells.rows()) {}
    OccupiedCells::View view() const { return {ranges.data(), rows}; }
};
template <>
struct OnDevice<StoredLists> {
    Uploaded<std::uint64_t> first;
    Uploaded<std::uint32_t> length;
    Uploaded<std::uint32_t> neighbours;
    int width;

    explicit OnDevice(const StoredLists& lists)
        : first(lists.first()), length(lists.length()), neighbours(lists.neighbours()), width(lists.width())
    {
    }
    StoredLists::View view() const { return {first.data(), length.data(), neighbours.data(), width}; }
};

}  // namespace

template <class T>
Applied<T> apply_on_device(Search& search, const Setting& setting, const std::vector<Four<T>>& particles,
                           double seconds)
{
    return search.with(setting.form, setting.domain, cuda::warp, [&](const auto& structure, const auto& loops) {
        return with_domain(setting.domain, [&]<class Domain>() {
            return with_operator(setting.which, [&]<class Operator>() {
                using Structure = std::remove_cvref_t<decltype(structure)>;
                using Loops = std::remove_cvref_t<decltype(loops)>;
                const OnDevice<Structure> there(structure);
                const Uploaded<Four<T>> ordered(in_order_of(structure, particles));
                const Uploaded<std::int32_t> keys(structure.keys());
                DeviceVector<Four<T>> results(particles.size());
                const auto constants = operator_constants<Domain, T>(search.reach());
                const auto kernel = apply_kernel<Operator, Domain, T, typename Structure::View, Loops>;
                const auto launch = [&] {
                    kernel<<<blocks_for(particles.size(), threads), threads>>>(
                        there.view(), loops, ordered.data(), keys.data(), static_cast<std::uint32_t>(particles.size()),
                        constants, results.data());
                };
                Applied<T> applied;
                applied.seconds = fastest_of(seconds, launch);
                applied.results = by_particle(structure, downloaded(results));
                cudaFuncAttributes attributes{};
                check(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel");
                applied.registers = attributes.numRegs;
                int blocks = 0;
                check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0),
                      "asking for the occupancy");
                applied.occupancy =
                    static_cast<double>(blocks * threads) / device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
                return applied;
            });
        });
    });
}
template Applied<float> apply_on_device(Search&, const Setting&, const std::vector<Four<float>>&, double);
template Applied<double> apply_on_device(Search&, const Setting&, const std::vector<Four<double>>&, double);

template <class T>
Visits count_on_device(Search& search, Form form, const std::vector<Four<T>>& particles)
{
    return search.with(form, Domain::cube, cuda::warp, [&](const auto& structure, const auto& loops) {
        using Structure = std::remove_cvref_t<decltype(structure)>;
        const OnDevice<Structure> there(structure);
        const Uploaded<Four<T>> ordered(in_order_of(structure, particles));
        const Uploaded<std::int32_t> keys(structure.keys());
        DeviceVector<VisitsOfOne> visits(particles.size());
        seconds_of([&] {
            count_kernel<<<blocks_for(particles.size(), threads), threads>>>(
                there.view(), loops, ordered.data(), keys.data(), static_cast<std::uint32_t>(particles.size()),
                static_cast<T>(search.reach()), visits.data());
        });
        Visits all;
        for (const VisitsOfOne& one : downloaded(visits)) {
            all.candidates += one.candidates;
            all.in_sphere += one.in_sphere;
            all.in_cube += one.in_cube;
            ++all.particles;
        }
        return all;
    });
}
template Visits count_on_device(Search&, Form, const std::vector<Four<float>>&);
template Visits count_on_device(Search&, Form, const std::vector<Four<double>>&);

Peak peak_of_device(int device)
{
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "asking for the device");
    Peak peak;
    const double hertz = 1e3 * device_attribute(cudaDevAttrClockRate);
    peak.of = std::string(properties.name) + ", " + std::to_string(properties.multiProcessorCount) + " x " +
              std::to_string(static_cast<int>(hertz * 1e-6)) + " MHz";
    const int minor = properties.minor;
    // Units of a multiprocessor for each number type.
    const int in_float = properties.major == 9 ? 128 : properties.major == 8 && minor == 0 ? 64 : 0;
    const int in_double = properties.major == 9 ? 64 : properties.major == 8 && minor == 0 ? 32 : 0;
    peak.in_float = 2.0 * hertz * properties.multiProcessorCount * in_float;
    peak.in_double = 2.0 * hertz * properties.multiProcessorCount * in_double;
    return peak;
}

}  // namespace halfulp::differential
