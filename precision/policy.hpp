// Precision policies: compile-time bundles of the parts in this folder. A pass over particles is instantiated once a
// policy.
#pragma once

#include "precision/compensated.hpp"
#include "precision/fixed_point.hpp"
#include "precision/sums.hpp"

namespace halfulp {

// Single precision with everything that makes it robust: cell + offset positions, centred density, Horner evaluation,
// KBN neighbour sums, a compensated state, units in which a cell is 1.
struct RobustPolicy {
    static constexpr const char* name = "robust";
    static constexpr const char* description =
        "float; cell + offset, centred density, Horner, KBN sums, compensated state, scaled units";
    using Real = float;
    template <class T>
    using Sum = KbnSum<T>;
    using Update = CompensatedUpdate;
    using Pairs = RobustPolicy;  // whose pair loops serve this policy
};

// The same with plain neighbour sums: what KBN buys, and what it costs.
struct RobustPlainSumsPolicy : RobustPolicy {
    static constexpr const char* name = "robust-plain-sums";
    static constexpr const char* description = "as robust, but with plain neighbour sums";
    template <class T>
    using Sum = PlainSum<T>;
    using Pairs = RobustPlainSumsPolicy;
};

// The same with a state in fixed point, and neighbours in an order that depends on where particles are and not on where
// they come from: a run without dissipation can be run backwards to the very bits of its start.
struct ReversiblePolicy : RobustPolicy {
    static constexpr const char* name = "reversible";
    static constexpr const char* description = "as robust, but with a fixed-point state that can be run backwards";
    using Update = FixedPointUpdate;
    using Pairs = RobustPolicy;
};

// The reference: the same positions, density and units in double, where plain sums and updates suffice.
struct DoublePolicy {
    static constexpr const char* name = "double";
    static constexpr const char* description =
        "double; cell + offset, centred density, Horner, plain sums, plain state, scaled units";
    using Real = double;
    template <class T>
    using Sum = PlainSum<T>;
    using Update = PlainUpdate;
    using Pairs = DoublePolicy;
};

// Applies a macro of one argument to every policy that has pair loops of its own, or to every policy that there is, for
// explicit instantiations.
#define HALFULP_FOR_EACH_PAIR_POLICY(apply) apply(RobustPolicy) apply(RobustPlainSumsPolicy) apply(DoublePolicy)
#define HALFULP_FOR_EACH_POLICY(apply) HALFULP_FOR_EACH_PAIR_POLICY(apply) apply(ReversiblePolicy)

}  // namespace halfulp
