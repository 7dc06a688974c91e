#include "core/setup/expression.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <optional>
#include <system_error>

#include "core/error.hpp"
#include "precision/elementary.hpp"

namespace halfulp {

namespace {

constexpr int deepest_nesting = 100;  // of parentheses, functions and signs: the parser calls itself for each
constexpr double largest_exponent = 100;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_letter(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'); }

double whole_power(double base, int exponent)
{
    double power = 1;
    for (int k = std::abs(exponent); k > 0; --k) power *= base;
    return exponent < 0 ? 1 / power : power;
}

}  // namespace

// Recursive descent: a sum of products of powers.
class ExpressionParser {
public:
    ExpressionParser(Expression& expression, int dimensions)
        : text_(expression.text_), steps_(expression.steps_), dimensions_(static_cast<std::size_t>(dimensions))
    {
    }

    void parse()
    {
        sum();
        if (here_ < text_.size()) fail("an operator or the end");
    }

private:
    using Action = Expression::Action;

    void sum()
    {
        product();
        for (;;) {
            if (take('+')) {
                product();
                steps_.push_back({Action::add});
            } else if (take('-')) {
                product();
                steps_.push_back({Action::subtract});
            } else {
                return;
            }
        }
    }

    void product()
    {
        factor();
        for (;;) {
            if (take('*')) {
                factor();
                steps_.push_back({Action::multiply});
            } else if (take('/')) {
                factor();
                steps_.push_back({Action::divide});
            } else {
                return;
            }
        }
    }

    void factor()
    {
        if (++nesting_ > deepest_nesting)
            fail(fmt::format("no more than {} parentheses or signs deep", deepest_nesting));
        if (take('-')) {
            factor();
            steps_.push_back({Action::negate});
        } else {
            operand();
            if (take('^')) steps_.push_back({Action::power, exponent()});
            if (peek() == '^') fail("an operator other than a second ^ (write parentheses)");
        }
        --nesting_;
    }

    void operand()
    {
        const char next = peek();
        if (is_digit(next) || next == '.') {
            steps_.push_back({Action::number, number()});
        } else if (is_letter(next)) {
            name();
        } else if (take('(')) {
            enclosed();
        } else {
            fail(operands());
        }
    }

    // The rest after an opening parenthesis.
    void enclosed()
    {
        sum();
        if (!take(')')) fail("an operator or )");
    }

    void name()
    {
        const std::size_t start = here_;
        std::size_t end = start;
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '_')) ++end;
        const std::string_view word = std::string_view(text_).substr(start, end - start);
        if (word == "pi") {
            here_ = end;
            steps_.push_back({Action::number, std::numbers::pi});
        } else if (const auto coordinate = std::string_view("xyz").substr(0, dimensions_).find(word);
                   word.size() == 1 && coordinate != std::string_view::npos) {
            here_ = end;
            steps_.push_back({Action::coordinate, static_cast<double>(coordinate)});
        } else if (const auto function = function_named(word)) {
            here_ = end;
            if (!take('(')) fail(fmt::format("( after {}", word));
            enclosed();
            steps_.push_back({*function});
        } else {
            fail(operands(), word.size());
        }
    }

    static std::optional<Action> function_named(std::string_view word)
    {
        if (word == "sin") return Action::sine;
        if (word == "cos") return Action::cosine;
        if (word == "exp") return Action::exponential;
        if (word == "sqrt") return Action::square_root;
        if (word == "sinh") return Action::hyperbolic_sine;
        if (word == "cosh") return Action::hyperbolic_cosine;
        if (word == "tanh") return Action::hyperbolic_tangent;
        if (word == "abs") return Action::absolute;
        return std::nullopt;
    }

    double number()
    {
        double value = 0;
        const auto [end, failure] = std::from_chars(text_.data() + here_, text_.data() + text_.size(), value);
        if (failure == std::errc::result_out_of_range) fail("a number within the range of double precision");
        if (failure != std::errc()) fail("a number");
        here_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }

    double exponent()
    {
        const bool negative = take('-');
        const std::string wanted =
            fmt::format("a whole number up to {} (^ takes no other exponent; sqrt is a function)", largest_exponent);
        const std::size_t start = (peek(), here_);
        if (!is_digit(peek())) fail(wanted);
        const double value = number();
        if (value != std::floor(value) || value > largest_exponent) {
            const std::size_t length = here_ - start;
            here_ = start;
            fail(wanted, length);
        }
        return negative ? -value : value;
    }

    // The next character that is no space, or 0 at the end.
    char peek()
    {
        while (here_ < text_.size() && (text_[here_] == ' ' || text_[here_] == '\t')) ++here_;
        return here_ < text_.size() ? text_[here_] : '\0';
    }

    bool take(char wanted)
    {
        if (peek() != wanted) return false;
        ++here_;
        return true;
    }

    [[nodiscard]] std::string operands() const
    {
        return fmt::format(
            "a number, {}, pi, -, ( or one of the functions sin, cos, exp, sqrt, sinh, cosh, tanh and abs",
            dimensions_ == 2 ? "x, y" : "x, y, z");
    }

    [[noreturn]] void fail(const std::string& expected, std::size_t length = 1)
    {
        peek();
        if (here_ == text_.size()) throw ExpressionError(fmt::format("it ends where {} must stand", expected));
        // A letter beyond ASCII has several bytes, which must not be separated.
        while (here_ + length < text_.size() && (static_cast<unsigned char>(text_[here_ + length]) & 0xc0U) == 0x80U)
            ++length;
        throw ExpressionError(fmt::format("at character {} is \"{}\", where {} must stand", here_ + 1,
                                          shortened(text_.substr(here_, length)), expected));
    }

    const std::string& text_;
    std::vector<Expression::Step>& steps_;
    std::size_t dimensions_;
    std::size_t here_ = 0;  // index of the next character
    int nesting_ = 0;
};

Expression::Expression(std::string_view text, int dimensions) : text_(text)
{
    ExpressionParser(*this, dimensions).parse();
}

double Expression::at(const std::array<double, 3>& position) const
{
    std::vector<double> stack;
    stack.reserve(steps_.size());
    const auto unary = [&](auto operation) { stack.back() = operation(stack.back()); };
    const auto binary = [&](auto operation) {
        const double right = stack.back();
        stack.pop_back();
        stack.back() = operation(stack.back(), right);
    };
    for (const Step& step : steps_) {
        switch (step.action) {
        case Action::number: stack.push_back(step.number); break;
        case Action::coordinate: stack.push_back(position[static_cast<std::size_t>(step.number)]); break;
        case Action::add: binary(std::plus<>()); break;
        case Action::subtract: binary(std::minus<>()); break;
        case Action::multiply: binary(std::multiplies<>()); break;
        case Action::divide: binary(std::divides<>()); break;
        case Action::negate: unary(std::negate<>()); break;
        case Action::power: unary([&](double base) { return whole_power(base, static_cast<int>(step.number)); }); break;
        case Action::sine: unary(sine); break;
        case Action::cosine: unary(cosine); break;
        case Action::exponential: unary([](double x) { return exponential(x); }); break;
        case Action::square_root: unary([](double x) { return square_root(x); }); break;
        case Action::hyperbolic_sine: unary(hyperbolic_sine); break;
        case Action::hyperbolic_cosine: unary(hyperbolic_cosine); break;
        case Action::hyperbolic_tangent: unary(hyperbolic_tangent); break;
        case Action::absolute: unary([](double x) { return std::abs(x); }); break;
        }
    }
    return stack.back();
}

double value_at(const Field& field, const std::array<double, 3>& position)
{
    const auto* const expression = std::get_if<Expression>(&field);
    return expression != nullptr ? expression->at(position) : std::get<double>(field);
}

}  // namespace halfulp
