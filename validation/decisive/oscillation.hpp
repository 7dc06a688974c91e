// A damped oscillation fitted to samples: offset, amplitude, phase, frequency and damping of a mode of a flow.
#pragma once

#include <array>
#include <vector>

namespace halfulp {

// y = offset + e^(-damping tau) (cosine cos(frequency tau) + sine sin(frequency tau)), tau = t - middle.
struct Oscillation {
    double middle = 0;  // s; of the samples
    double offset = 0;
    double cosine = 0;
    double sine = 0;
    double frequency = 0;  // rad/s
    double damping = 0;    // 1/s
    double rest = 0;       // root mean square of what is left

    [[nodiscard]] double amplitude() const;
    [[nodiscard]] double at(double time) const;
};

// A sample: time and value.
using Sample = std::array<double, 2>;

// By least squares (Gauss-Newton from no damping and the given frequency), from at least six samples over a period or
// more. Where the samples do not oscillate near that frequency, it remains as given.
Oscillation fit_oscillation(const std::vector<Sample>& samples, double frequency);

// The distance of two oscillations over the amplitude of the second, both at its middle: of amplitude and phase
// together; of the amplitude alone; of the phase, rad; and of the offsets.
struct OscillationError {
    double together = 0;
    double amplitude = 0;
    double phase = 0;
    double offset = 0;
};
OscillationError error_of(const Oscillation& one, const Oscillation& reference);

}  // namespace halfulp
