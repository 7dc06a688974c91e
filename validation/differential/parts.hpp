// Differential operators with the arithmetic of a policy, part after part in the place of quadruple precision: what
// each part adds to the error is its share. Two parts are lost when the start is stored, the others when an operator is
// evaluated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace halfulp::differential {

inline constexpr std::array share_names{
    "positions as stored", "values as stored", "differences", "weight", "products", "sums", "solution"};
inline constexpr std::size_t share_count = share_names.size();
inline constexpr std::size_t stored_shares = 2;

enum class PositionPart { cell_offset, global, global_double, double_float };
enum class ValuePart { centred, absolute };
enum class SumPart { plain, kahan, kbn, double_float, in_double };
enum class SolvePart { adjugate, adjugate_exact };
enum class WeightPart { factored, expanded };

struct PartsPolicy {
    std::string name;
    bool in_double = false;
    PositionPart position = PositionPart::cell_offset;
    ValuePart value = ValuePart::centred;
    SumPart sums = SumPart::kbn;
    SolvePart solve = SolvePart::adjugate_exact;
    WeightPart weight = WeightPart::factored;
    double scale = 1.5;  // r_s of LSMPS, spacings
};

// The derivatives that are compared.
enum class Quantity { mps_gradient, mps_laplacian, lsmps_gradient, second_gradient, second_laplacian };
inline constexpr std::array quantity_names{"MPS gradient", "MPS Laplacian", "LSMPS gradient",
                                           "LSMPS gradient, second order", "LSMPS Laplacian, second order"};
inline constexpr std::size_t quantity_count = quantity_names.size();

// A start that every policy begins with: a disordered lattice box in 3D, positions as cells and offsets of single
// precision, in cells of four spacings; a wave as the field, in double. Evaluated inside.
struct RoundingStart {
    int edge = 12;
    double disorder = 0.1;
    double reach = 3.1;
    double wave_number = 0.2;       // times the spacing
    std::int64_t displacement = 0;  // of all particles along every axis, cells
    double reference = 0;           // added to the field, whose amplitude is 1
};

// Root mean squares of errors inside, over that of the exact value of the same operator, in ulps: 2^-23 of it.
struct RoundingErrors {
    std::array<double, quantity_count> whole{};                            // against the exact start
    std::array<double, quantity_count> as_stored{};                        // against the start as the policy stores it
    std::array<std::array<double, share_count>, quantity_count> shares{};  // of each part
};
// with_shares: otherwise they are left at zero, which is faster.
RoundingErrors rounding_errors(const PartsPolicy& policy, const RoundingStart& start, bool with_shares);

// The median over particles of sum |terms| over |sum of terms|, which bounds what better sums can gain: of the sums of
// the MPS gradient's and Laplacian's, and of the right-hand side of first-order LSMPS, for the largest component.
std::array<double, 3> cancellation(const RoundingStart& start);

}  // namespace halfulp::differential
