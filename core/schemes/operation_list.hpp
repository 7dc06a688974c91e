// All operations by name, in one list: the elements of schemes and all that a back end knows of them (core/operations).
#pragma once

#include <cstdint>
#include <type_traits>

namespace halfulp {

template <class... Operation>
struct OperationList {
    static constexpr int count = sizeof...(Operation);
};

// core/operations/operations.hpp includes the file of each.
using Operations =
    OperationList<struct Kick, struct Drift, struct MoveWalls, struct RefreshNeighbours, struct RefreshMovedNeighbours,
                  struct RenewNeighbours, struct RebuildNeighbours, struct FindXsphVelocity, struct ShiftParticles,
                  struct BookTransport, struct FilterDensity, struct SetFilteredDensity, struct ExtrapolateWalls,
                  struct MirrorWalls, struct AddContactPressure, struct SetWalls, struct FindDensityGradient,
                  struct FindDensityRate, struct UpdateDensity, struct FindForces, struct FindRates,
                  struct BookWallPressure, struct KeepState, struct SwapWorks, struct SwapState, struct Accelerate,
                  struct RestorePosition, struct RestoreVelocity, struct RestoreDensity, struct ScaleDensityRate,
                  struct AveragePressure, struct BookDiffusion, struct BookIntegratorError, struct FindResidual,
                  struct RequireConvergence, struct FindGradient, struct FindLaplacian, struct FindVorticity,
                  struct FindDivergence, struct FindCondition, struct UpdateDensityAndDrift, struct AcceleratedDrift,
                  struct Advance>;

inline constexpr int operation_count = Operations::count;

// The index of an operation in the list.
enum class OperationKind : std::uint8_t {};

namespace detail {

template <class Operation, class... Listed>
constexpr int place_in(OperationList<Listed...> /*list*/)
{
    static_assert((std::is_same_v<Operation, Listed> || ...), "an operation that Operations does not list");
    int place = 0;
    int found = 0;
    ((std::is_same_v<Operation, Listed> ? static_cast<void>(found = place) : static_cast<void>(0), ++place), ...);
    return found;
}

}  // namespace detail

template <class Operation>
inline constexpr OperationKind kind_of = OperationKind(detail::place_in<Operation>(Operations{}));

// Throws an Error: the operation is not compiled for the precision.
[[noreturn]] void refuse_operation(OperationKind kind, const char* precision);

// Whether the energy change by an operation is added to the works: only in the last iteration of a loop, and only for
// particles that this device owns.
enum class Booking : std::uint8_t { booked, unbooked };

// An operation in a scheme.
struct Operation {
    OperationKind kind;
    double fraction = 1;  // of the step
    Booking booking = Booking::booked;
};

}  // namespace halfulp
