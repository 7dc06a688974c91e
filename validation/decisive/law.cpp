#include "validation/decisive/law.hpp"

namespace halfulp {

std::optional<Coordinates> plain_coordinates(const std::string& precision)
{
    if (precision == "naive") return Coordinates::global;
    if (precision == "gpusph") return Coordinates::of_a_cell;
    return std::nullopt;
}

std::vector<double> error_by_law(const RoundingLoss& loss, const Flow& flow, const std::vector<double>& amplitudes)
{
    const auto middle = [&](std::size_t window) { return 0.5 * (flow.windows[window][0] + flow.windows[window][1]); };
    // Between two windows, and before the first, the amplitude falls exponentially, and the share is inversely
    // proportional to its square.
    const double damping = std::log(amplitudes[0] / amplitudes[1]) / (middle(1) - middle(0));
    const double start = amplitudes[0] * std::exp(damping * middle(0));
    double time = 0;
    double amplitude = start;
    double lost = 0;
    std::vector<double> all;
    for (std::size_t window = 0; window < amplitudes.size(); ++window) {
        const double slower = start * start / (amplitude * amplitudes[window]);
        lost += (loss.amplitude(middle(window)) - loss.amplitude(time)) * slower;
        time = middle(window);
        amplitude = amplitudes[window];
        all.push_back(std::min(std::hypot(lost, loss.phase(time)), 1.0));
    }
    return all;
}

}  // namespace halfulp
