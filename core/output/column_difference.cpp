#include "core/output/column_difference.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#include "core/output/ulp_distance.hpp"
#include "core/results/column_number.hpp"

namespace halfulp {
namespace {

// One value of each column against the other.
struct ValueDifference {
    bool equal = true;
    std::uint64_t ulps = 0;
    double absolute = 0;
};

template <class T>
ValueDifference compare_floats(T a, T b)
{
    ValueDifference pair;
    pair.equal = std::memcmp(&a, &b, sizeof(T)) == 0;
    if (pair.equal) return pair;
    pair.ulps = ulp_distance(a, b);
    pair.absolute = std::abs(static_cast<double>(a) - static_cast<double>(b));
    return pair;
}

ValueDifference compare_integers(std::int64_t a, std::int64_t b)
{
    return {a == b, 0, std::abs(static_cast<double>(a - b))};
}

// To at least a value; a NaN persists.
void raise(double& largest, double value)
{
    if (!(value <= largest) && !std::isnan(largest)) largest = value;
}

// Cells wrap around like those of the simulation.
std::int64_t relative(std::int32_t cell, std::int32_t origin)
{
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(cell) - static_cast<std::uint32_t>(origin));
}

ValueDifference compare_at(const Column& a, const Column& b, std::size_t index, std::int32_t origin_a,
                           std::int32_t origin_b)
{
    if (a.type != b.type) return compare_floats(number_at(a, index), number_at(b, index));
    return with_number_type(a.type, [&]<class T>(T) {
        const T x = number_at<T>(a, index);
        const T y = number_at<T>(b, index);
        if constexpr (std::is_floating_point_v<T>) return compare_floats(x, y);
        else if constexpr (std::is_signed_v<T>) return compare_integers(relative(x, origin_a), relative(y, origin_b));
        else return compare_integers(x, y);
    });
}

// A value for the report: in full precision, a cell relative to the origin.
std::string text_at(const Column& column, std::size_t index, std::int32_t origin)
{
    return column.type == ColumnType::int32
               ? fmt::format("{}", relative(number_at<std::int32_t>(column, index), origin))
               : text_at(column, index);
}

}  // namespace

ColumnDifference column_difference(const Column& a, const Column& b, std::uint64_t count, const CellIndices& origin_a,
                                   const CellIndices& origin_b)
{
    ColumnDifference result;
    result.name = a.name;
    result.unit = a.unit;
    result.in_ulps = a.type == b.type && (a.type == ColumnType::float32 || a.type == ColumnType::float64);
    const bool same_bits = a.type == b.type && origin_a == origin_b;
    if (same_bits && a.data == b.data) return result;
    const auto components = static_cast<std::size_t>(a.components);
    for (std::size_t particle = 0; particle < count; ++particle) {
        bool differs = false;
        for (std::size_t c = 0; c < components; ++c) {
            const std::size_t axis = c < 3 ? c : 2;
            const std::size_t index = particle * components + c;
            const ValueDifference pair = compare_at(a, b, index, origin_a[axis], origin_b[axis]);
            if (pair.equal) continue;
            differs = true;
            if (pair.ulps > result.largest_ulps) result.largest_ulps = pair.ulps;
            raise(result.largest, pair.absolute);
            if (result.first) continue;
            result.first = particle;
            result.first_component = static_cast<int>(c);
            result.first_a = text_at(a, index, origin_a[axis]);
            result.first_b = text_at(b, index, origin_b[axis]);
            result.first_ulps = pair.ulps;
        }
        if (differs) ++result.particles;
    }
    return result;
}

ColumnDifference position_difference(const PlaceColumns& a, const PlaceColumns& b, std::uint64_t count,
                                     double cell_side)
{
    ColumnDifference result;
    result.name = "position";
    result.unit = "m";
    const auto components = static_cast<std::size_t>(a.offset.components);
    const double of_offsets = a.offset.unit == "m" ? 1 : cell_side;
    for (std::size_t particle = 0; particle < count; ++particle) {
        double farthest = 0;
        for (std::size_t c = 0; c < components; ++c) {
            const auto cell = [&](const PlaceColumns& of) {
                const std::size_t index = particle * static_cast<std::size_t>(of.cell.components) + c;
                return relative(number_at<std::int32_t>(of.cell, index), of.origin[c]);
            };
            const std::size_t index = particle * components + c;
            const double apart = static_cast<double>(cell(a) - cell(b)) * cell_side +
                                 (number_at(a.offset, index) - number_at(b.offset, index)) * of_offsets;
            raise(farthest, std::abs(apart));
        }
        if (farthest == 0) continue;
        ++result.particles;
        raise(result.largest, farthest);
    }
    return result;
}

}  // namespace halfulp
