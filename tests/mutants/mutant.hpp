// The switch of the mutation test and what replaces an operator, a sign, a number or a name in the copy of kernels/ and
// precision/ that scripts/mutate makes: each does what the source says unless its number is the one chosen, in
// HALFULP_MUTANT. With HALFULP_REACHED=FILE none is, and the numbers of those that were evaluated are written to FILE.
//
// A binary operator becomes two of the same precedence with a marker between them, a * Times<7>() * b, so that no
// expression has to be parsed.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#define HALFULP_MUTATED constexpr inline __attribute__((always_inline))

namespace halfulp::mutation {

struct Switch {
    unsigned char watched[HALFULP_MUTANTS] = {};
    unsigned char reached[HALFULP_MUTANTS] = {};
    int chosen = -1;
    const char* file = std::getenv("HALFULP_REACHED");

    Switch()
    {
        if (const char* number = std::getenv("HALFULP_MUTANT")) chosen = std::atoi(number);
        if (chosen >= 0) watched[chosen] = 1;
        if (file != nullptr) std::memset(watched, 1, sizeof watched);
    }
    ~Switch()
    {
        std::FILE* out = file != nullptr ? std::fopen(file, "w") : nullptr;
        if (out == nullptr) return;
        for (int k = 0; k < HALFULP_MUTANTS; ++k)
            if (reached[k] != 0) std::fprintf(out, "%d\n", k);
        std::fclose(out);
    }
    [[gnu::noinline, gnu::cold]] bool look(int k)
    {
        reached[k] = 1;
        watched[k] = k == chosen ? 1 : 0;
        return k == chosen;
    }
};
inline Switch the_switch;

// Whether mutant k is chosen; never while the compiler evaluates.
HALFULP_MUTATED bool mutant(int k)
{
    if (std::is_constant_evaluated()) return false;
    return __builtin_expect(the_switch.watched[k], 0) != 0 && the_switch.look(k);
}

// Marker<k> stands behind the operator's left side; MarkerLeft holds that side.
#define HALFULP_MUTATED_OPERATOR(Marker, op, changed)                            \
    template <int k>                                                             \
    struct Marker {                                                              \
    };                                                                           \
    template <int k, class A>                                                    \
    struct Marker##Left {                                                        \
        A a;                                                                     \
    };                                                                           \
    template <int k, class A>                                                    \
    HALFULP_MUTATED Marker##Left<k, A> operator op(const A& a, Marker<k>)        \
    {                                                                            \
        return {a};                                                              \
    }                                                                            \
    template <int k, class A, class B>                                           \
    HALFULP_MUTATED auto operator op(const Marker##Left<k, A>& left, const B& b) \
    {                                                                            \
        const A& a = left.a;                                                     \
        return mutant(k) ? static_cast<decltype(a op b)>(changed) : a op b;      \
    }
// Vectors are only subtracted.
template <class A, class B>
HALFULP_MUTATED auto reversed(const A& a, const B& b)
{
    if constexpr (requires { a + b; }) return a + b;
    else return b - a;
}
HALFULP_MUTATED_OPERATOR(Plus, +, a - b)
HALFULP_MUTATED_OPERATOR(Minus, -, reversed(a, b))
HALFULP_MUTATED_OPERATOR(Times, *, a / b)
HALFULP_MUTATED_OPERATOR(Over, /, a* b)
HALFULP_MUTATED_OPERATOR(Modulo, %, a / b)
HALFULP_MUTATED_OPERATOR(Less, <, a <= b)
HALFULP_MUTATED_OPERATOR(AtMost, <=, a < b)
HALFULP_MUTATED_OPERATOR(More, >, a >= b)
HALFULP_MUTATED_OPERATOR(AtLeast, >=, a > b)
HALFULP_MUTATED_OPERATOR(OneLess, <, a + 1 < b)  // a loop that ends early
HALFULP_MUTATED_OPERATOR(Equal, ==, a != b)
HALFULP_MUTATED_OPERATOR(Unequal, !=, a == b)
HALFULP_MUTATED_OPERATOR(BitAnd, &, a | b)
HALFULP_MUTATED_OPERATOR(BitOr, |, a& b)
HALFULP_MUTATED_OPERATOR(ShiftLeft, <<, a >> b)
HALFULP_MUTATED_OPERATOR(ShiftRight, >>, a << b)

// a += AddAssign<k>() += b.
#define HALFULP_MUTATED_ASSIGNMENT(Marker, op, changed) \
    template <int k>                                    \
    struct Marker {                                     \
        template <class B>                              \
        HALFULP_MUTATED B operator op(const B& b) const \
        {                                               \
            return mutant(k) ? B(changed) : b;          \
        }                                               \
    };
HALFULP_MUTATED_ASSIGNMENT(AddAssign, +=, -b)
HALFULP_MUTATED_ASSIGNMENT(SubtractAssign, -=, -b)
HALFULP_MUTATED_ASSIGNMENT(MultiplyAssign, *=, b / (b * b))

// Negative<k>() ->* x for -x.
template <int k>
struct Negative {
    template <class A>
    HALFULP_MUTATED auto operator->*(const A& a) const
    {
        return mutant(k) ? static_cast<decltype(-a)>(a) : -a;
    }
};

// Count<k>(1) ->* n for ++n, with -1 for --n: mutated, n stays.
template <int k>
struct Count {
    int by;
    template <class A>
    HALFULP_MUTATED A& operator->*(A& n) const
    {
        if (mutant(k)) return n;
        return by > 0 ? ++n : --n;
    }
};

// A number: a hundredth more, of whole ones the next at least.
template <int k, class A>
HALFULP_MUTATED A number(A value)
{
    if constexpr (std::is_floating_point_v<A>) return mutant(k) ? (value == A(0) ? A(1) : value * A(1.01)) : value;
    else return mutant(k) ? A(value + 1 + value / 100) : value;
}
// Another element.
template <int k>
HALFULP_MUTATED int element(int i)
{
    return mutant(k) ? (i == 0 ? 1 : i - 1) : i;
}
template <int k>
HALFULP_MUTATED bool truth(bool value)
{
    return mutant(k) != value;
}

}  // namespace halfulp::mutation

// Functions of the same arguments: the larger for the smaller, a b - c for fma(a, b, c).
#define HALFULP_LARGER(k) \
    [](const auto& x, const auto& y) { return halfulp::mutation::mutant(k) ? smaller(x, y) : larger(x, y); }
#define HALFULP_SMALLER(k) \
    [](const auto& x, const auto& y) { return halfulp::mutation::mutant(k) ? larger(x, y) : smaller(x, y); }
#define HALFULP_FMA(k)                                                      \
    [](const auto& x, const auto& y, const auto& z) {                       \
        return halfulp::mutation::mutant(k) ? fma(x, y, -z) : fma(x, y, z); \
    }
