// Expressions of a position.
#include <limits>
#include <string>

#include "core/setup/expression.hpp"
#include "feeding.hpp"

namespace halfulp::fuzzing {

void feed_expression(Bytes input)
{
    const int dimensions = !input.empty() && input.front() % 2 == 1 ? 3 : 2;
    const std::string text = text_of(input.empty() ? input : input.subspan(1));
    try {
        const Expression expression(text, dimensions);
        constexpr double largest = std::numeric_limits<double>::max();
        constexpr double least = std::numeric_limits<double>::denorm_min();
        for (const double x : {0.0, 0.3, -1e5, largest, least})
            for (const double y : {1.5, -largest}) static_cast<void>(expression.at({x, y, x - y}));
    } catch (const ExpressionError& error) {
        check_sentence(input_error(error.what() + std::string(".")).what());  // it is a clause
    }
}

}  // namespace halfulp::fuzzing
