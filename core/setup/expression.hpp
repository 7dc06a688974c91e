// Arithmetic expressions of a position, for fields of a case: initial velocities and pressures.
//
// Their values become the particles' state, so they are evaluated in double, in the order written, with the elementary
// functions of precision/elementary.hpp: equal expressions give equal bits on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace halfulp {

// The error in an expression, as a clause that names the place and what is allowed there.
class ExpressionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// + - * / from left to right, ^ with a whole number from -100 to 100 (repeated multiplication; it binds closer than a
// sign before it), unary minus, parentheses, decimal numbers, pi, x, y and in three dimensions z, and sin, cos, exp,
// sqrt, sinh, cosh, tanh, abs.
class Expression {
public:
    // Throws an ExpressionError.
    Expression(std::string_view text, int dimensions);

    // The value at a position in m; infinite or NaN where the expression is undefined.
    [[nodiscard]] double at(const std::array<double, 3>& position) const;
    [[nodiscard]] const std::string& text() const { return text_; }

    friend bool operator==(const Expression& a, const Expression& b) { return a.text_ == b.text_; }

private:
    friend class ExpressionParser;

    enum class Action : std::uint8_t {
        number,
        coordinate,
        add,
        subtract,
        multiply,
        divide,
        negate,
        power,
        sine,
        cosine,
        exponential,
        square_root,
        hyperbolic_sine,
        hyperbolic_cosine,
        hyperbolic_tangent,
        absolute,
    };
    struct Step {
        Action action;
        double number = 0;  // the number, the index of a coordinate, or the exponent of a power
    };

    std::string text_;
    std::vector<Step> steps_;  // postfix
};

// A value at every position: constant, or an expression.
using Field = std::variant<double, Expression>;

double value_at(const Field& field, const std::array<double, 3>& position);

}  // namespace halfulp
