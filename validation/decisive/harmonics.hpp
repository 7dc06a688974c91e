// The mean and the harmonics of a signal in a window of time, and its spectrum.
#pragma once

#include <complex>
#include <vector>

#include "validation/decisive/oscillation.hpp"

namespace halfulp {

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
