#include <utility>

#include "core/particles/report.hpp"

namespace halfulp {

namespace {

void write_rows(const ShownParticles& from, WriteRow write, std::size_t width, std::uint64_t first, std::uint64_t count,
                std::byte* to)
{
#pragma omp parallel for schedule(static)
    for (std::uint64_t k = 0; k < count; ++k) write(from.particles.get(), from.place[first + k], to + k * width);
}

}  // namespace

ColumnSource column_source(Column column, const std::shared_ptr<const ShownParticles>& from, WriteRow write)
{
    const std::size_t width = bytes_a_particle(column);
    return {std::move(column), [from, write, width](std::uint64_t first, std::uint64_t count, std::byte* to) {
                write_rows(*from, write, width, first, count, to);
            }};
}

std::function<void(std::uint64_t, std::uint64_t, double*)> place_source(
    const std::shared_ptr<const ShownParticles>& from, WriteRow write)
{
    return [from, write](std::uint64_t first, std::uint64_t count, double* to) {
        write_rows(*from, write, 3 * sizeof(double), first, count, reinterpret_cast<std::byte*>(to));
    };
}

}  // namespace halfulp
