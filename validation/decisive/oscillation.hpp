// Fits to the samples of a signal: a damped oscillation, such as a mode of a flow, or mean and harmonics in a window of
// time; and its spectrum.
#pragma once

#include <array>
#include <complex>
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

// y = mean + Re(sum over k of lines[k-1] e^(i k frequency t)), t the time itself, not from the middle of the samples.
struct Harmonics {
    double mean = 0;
    std::vector<std::complex<double>> lines;
    double rest = 0;  // root mean square of what is left
};

// By least squares, from more samples than 2 count + 1, over a period or more.
Harmonics fit_harmonics(const std::vector<Sample>& samples, double frequency, int count);

// The root mean square of a difference of two signals, of their means and lines; and of the lines of one alone.
double distance(const Harmonics& one, const Harmonics& other);
double fluctuation(const Harmonics& of);

// The amplitude of an oscillation of that angular frequency in samples at increasing times, through Hann's window: that
// of a line if it lies there and no other within 4 pi over the duration.
double spectral_amplitude(const std::vector<Sample>& samples, double frequency);

}  // namespace halfulp
