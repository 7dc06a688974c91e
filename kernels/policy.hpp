// Precision policies: compile-time bundles of independently exchangeable parts. A pass over particles is instantiated
// per policy.
//
// A policy has
//   Real       the number type of state and pairs: float, double or Quad
//   Position   CellOffset, GlobalCoordinate, DoubleFloatCoordinate, GlobalDouble         (precision/position.hpp)
//   Density    CentredStorage, RelativeStorage, AbsoluteStorage                          (kernels/density.hpp)
//   Pressure   CentredEvaluation, RatioEvaluation                                        (kernels/state_equation.hpp)
//   Kernels    FactoredKernels, ExpandedKernels<HornerEvaluation or PowersEvaluation> (kernels/expanded_smoothing.hpp)
//   Sum        PlainSum, KahanSum, KbnSum, DoubleFloatSum, DoubleSum                     (precision/sums.hpp)
//   Update     PlainUpdate, CompensatedUpdate, FixedPointUpdate          (precision/compensated.hpp, fixed_point.hpp)
//   Distance   PlainDistance, ScaledDistance                                             (kernels/distance.hpp)
//   Units      ScaledUnits, SiUnits                                                      (precision/position.hpp)
//   Pairs      the policy whose pair loops serve this one: itself, or one that does not differ for them
// Each part is a type with a name. The bundles below have names of their own; a variant with some parts exchanged is
// called BUNDLE/PART=NAME, "robust/sums=plain" say, and is listed in cmake/HalfulpPolicies.cmake, from which
// kernels/policies.hpp is generated.
#pragma once

#include "kernels/distance.hpp"
#include "kernels/expanded_smoothing.hpp"
#include "kernels/state_equation.hpp"
#include "precision/compensated.hpp"
#include "precision/fixed_point.hpp"
#include "precision/position.hpp"
#include "precision/sums.hpp"

namespace halfulp {

// Single precision with all measures for accuracy: cell + offset positions, centred density, Horner evaluation, KBN
// neighbour sums, a compensated state, units in which a cell is 1.
struct RobustPolicy {
    static constexpr const char* name = "robust";
    static constexpr bool every_physics =
        true;  // pair loops for all of Physics, not only for what the laboratory needs
    using Real = float;
    using Position = CellOffset;
    using Density = CentredStorage;
    using Pressure = CentredEvaluation;
    using Kernels = FactoredKernels;
    template <class T>
    using Sum = KbnSum<T>;
    using Update = CompensatedUpdate;
    using Distance = PlainDistance;
    using Units = ScaledUnits;
    using Pairs = RobustPolicy;
};

// Robust with a state in fixed point, and a neighbour order that depends on present particle positions only: a run
// without dissipation can be reversed to the exact bits of its start.
struct ReversiblePolicy : RobustPolicy {
    static constexpr const char* name = "reversible";
    using Update = FixedPointUpdate;
    using Pairs = RobustPolicy;
};

// Plain single precision: coordinates, densities and formulas as in the textbook, in SI units.
struct NaivePolicy {
    static constexpr const char* name = "naive";
    static constexpr bool every_physics = true;
    using Real = float;
    using Position = GlobalCoordinate;
    using Density = AbsoluteStorage;
    using Pressure = RatioEvaluation;
    using Kernels = ExpandedKernels<PowersEvaluation>;
    template <class T>
    using Sum = PlainSum<T>;
    using Update = PlainUpdate;
    using Distance = PlainDistance;
    using Units = SiUnits;
    using Pairs = NaivePolicy;
};

// The choices of DualSPHysics: coordinates in double, converted to float positions relative to the cell for the pairs;
// absolute density in float (Domínguez et al. 2022, Comput. Part. Mech. 9, 867).
struct DualSphysicsPolicy : NaivePolicy {
    static constexpr const char* name = "dualsphysics";
    using Position = GlobalDouble;
    using Kernels = FactoredKernels;
    using Pairs = DualSphysicsPolicy;
};

// The choices of GPUSPH: float positions relative to the cell, centred density, the equation of state by powers of 1 +
// s (Hérault, Bilotta and Dalrymple 2014; Bilotta et al. 2018).
struct GpuSphPolicy : NaivePolicy {
    static constexpr const char* name = "gpusph";
    using Position = CellOffset;
    using Density = CentredStorage;
    using Kernels = FactoredKernels;
    using Pairs = GpuSphPolicy;
};

// The reference: the same positions, density and units as robust in double, where plain sums and updates suffice.
struct DoublePolicy {
    static constexpr const char* name = "double";
    static constexpr bool every_physics = true;
    using Real = double;
    using Position = CellOffset;
    using Density = CentredStorage;
    using Pressure = CentredEvaluation;
    using Kernels = FactoredKernels;
    template <class T>
    using Sum = PlainSum<T>;
    using Update = PlainUpdate;
    using Distance = PlainDistance;
    using Units = ScaledUnits;
    using Pairs = DoublePolicy;
};

// The reference for evaluations: 113 bits, on the host, one lane, slow. Real is in kernels/quad_policy.hpp.
struct QuadPolicy;

}  // namespace halfulp
