// A number that counts the operations done with it: what an expression costs, taken from the code itself.
#pragma once

#include "kernels/vector.hpp"
#include "validation/differential/operation_count.hpp"

namespace halfulp::differential {

// Divisions and square roots apart: the model of Murotani et al. has none of them.
struct Counts : OperationCount {
    std::int64_t divisions = 0;
    std::int64_t roots = 0;
};

struct Counted {
    double value = 0;
    static inline thread_local Counts counts;

    Counted() = default;
    explicit Counted(double value) : value(value) {}

    friend Counted operator+(Counted a, Counted b) { return ++counts.adds, Counted(a.value + b.value); }
    friend Counted operator-(Counted a, Counted b) { return ++counts.adds, Counted(a.value - b.value); }
    friend Counted operator*(Counted a, Counted b) { return ++counts.multiplies, Counted(a.value * b.value); }
    friend Counted operator/(Counted a, Counted b) { return ++counts.divisions, Counted(a.value / b.value); }
    // A sign is no operation, nor is a comparison.
    friend Counted operator-(Counted a) { return Counted(-a.value); }
    friend bool operator<(Counted a, Counted b) { return a.value < b.value; }
    friend bool operator>(Counted a, Counted b) { return a.value > b.value; }
};

inline Counted fma(Counted a, Counted b, Counted c)
{
    return ++Counted::counts.fused, Counted(a.value * b.value + c.value);
}
inline Counted square_root(Counted a) { return ++Counted::counts.roots, Counted(__builtin_sqrt(a.value)); }
inline Counted magnitude(Counted a) { return Counted(halfulp::magnitude(a.value)); }
inline Counted larger(Counted a, Counted b) { return b > a ? b : a; }
inline Counted smaller(Counted a, Counted b) { return b < a ? b : a; }
inline Counted select(bool condition, Counted a, Counted b) { return condition ? a : b; }

// Of what `use` does.
template <class Use>
Counts counts_of(const Use& use)
{
    Counted::counts = {};
    use();
    return Counted::counts;
}

}  // namespace halfulp::differential
