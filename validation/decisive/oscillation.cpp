#include "validation/decisive/oscillation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

namespace halfulp {

namespace {

// The linear part for a given frequency and damping; with_slopes: also the change of both that would fit better.
Eigen::VectorXd least_squares(const std::vector<Sample>& samples, Oscillation& o, bool with_slopes)
{
    const auto count = static_cast<Eigen::Index>(samples.size());
    Eigen::MatrixXd basis(count, with_slopes ? 5 : 3);
    Eigen::VectorXd values(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto& [time, value] = samples[static_cast<std::size_t>(i)];
        const double tau = time - o.middle;
        const double decay = std::exp(-o.damping * tau);
        const double c = decay * std::cos(o.frequency * tau);
        const double s = decay * std::sin(o.frequency * tau);
        basis(i, 0) = 1;
        basis(i, 1) = c;
        basis(i, 2) = s;
        if (with_slopes) {
            basis(i, 3) = tau * (o.sine * c - o.cosine * s);
            basis(i, 4) = -tau * (o.cosine * c + o.sine * s);
        }
        values(i) = value;
    }
    const Eigen::VectorXd found = basis.colPivHouseholderQr().solve(values);
    o.offset = found(0);
    o.cosine = found(1);
    o.sine = found(2);
    o.rest = std::sqrt((values - basis.leftCols(3) * found.head(3)).squaredNorm() / static_cast<double>(count));
    return found;
}

}  // namespace

double Oscillation::amplitude() const { return std::hypot(cosine, sine); }

double Oscillation::at(double time) const
{
    const double tau = time - middle;
    return offset + std::exp(-damping * tau) * (cosine * std::cos(frequency * tau) + sine * std::sin(frequency * tau));
}

Oscillation fit_oscillation(const std::vector<Sample>& samples, double frequency)
{
    Oscillation best;
    best.frequency = frequency;
    best.middle = 0.5 * (samples.front()[0] + samples.back()[0]);
    least_squares(samples, best, false);
    for (int round = 0; round < 50; ++round) {
        Oscillation next = best;
        const Eigen::VectorXd change = least_squares(samples, next, true);
        next = best;
        next.frequency += change(3);
        next.damping += change(4);
        if (!(std::abs(next.frequency - frequency) < 0.3 * frequency) || !(std::abs(next.damping) < frequency)) break;
        least_squares(samples, next, false);
        if (!(next.rest < best.rest)) break;
        best = next;
    }
    return best;
}

OscillationError error_of(const Oscillation& one, const Oscillation& reference)
{
    // As if its middle were the reference's.
    const double tau = reference.middle - one.middle;
    const auto phasor = [](const Oscillation& o) { return std::complex<double>(o.cosine, -o.sine); };
    const std::complex<double> here =
        phasor(one) * std::exp(std::complex<double>(-one.damping * tau, one.frequency * tau));
    const std::complex<double> there = phasor(reference);
    const double scale = std::abs(there);
    return {.together = std::abs(here - there) / scale,
            .amplitude = std::abs(here) / scale - 1,
            .phase = std::arg(here / there),
            .offset = (one.offset - reference.offset) / scale};
}

Harmonics fit_harmonics(const std::vector<Sample>& samples, double frequency, int count)
{
    const auto rows = static_cast<Eigen::Index>(samples.size());
    Eigen::MatrixXd basis(rows, 2 * count + 1);
    Eigen::VectorXd values(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const auto& [time, value] = samples[static_cast<std::size_t>(i)];
        values(i) = value;
        basis(i, 0) = 1;
        for (Eigen::Index k = 1; k <= count; ++k) {
            const double angle = static_cast<double>(k) * frequency * time;
            basis(i, 2 * k - 1) = std::cos(angle);
            basis(i, 2 * k) = std::sin(angle);
        }
    }
    const Eigen::VectorXd found = basis.colPivHouseholderQr().solve(values);
    Harmonics harmonics;
    harmonics.mean = found(0);
    for (Eigen::Index k = 1; k <= count; ++k) harmonics.lines.emplace_back(found(2 * k - 1), -found(2 * k));
    harmonics.rest = std::sqrt((values - basis * found).squaredNorm() / static_cast<double>(rows));
    return harmonics;
}

double distance(const Harmonics& one, const Harmonics& other)
{
    double square = (one.mean - other.mean) * (one.mean - other.mean);
    for (std::size_t k = 0; k < one.lines.size(); ++k) square += 0.5 * std::norm(one.lines[k] - other.lines.at(k));
    return std::sqrt(square);
}

double fluctuation(const Harmonics& of)
{
    double square = 0;
    for (const std::complex<double>& line : of.lines) square += 0.5 * std::norm(line);
    return std::sqrt(square);
}

double spectral_amplitude(const std::vector<Sample>& samples, double frequency)
{
    const double begin = samples.front()[0];
    const double duration = samples.back()[0] - begin;
    std::complex<double> sum = 0;
    double weights = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double before = samples[i == 0 ? 0 : i - 1][0];
        const double after = samples[std::min(i + 1, samples.size() - 1)][0];
        const double time = samples[i][0];
        const double window = 1 - std::cos(2 * std::numbers::pi * (time - begin) / duration);
        const double weight = 0.5 * (after - before) * window;
        sum += weight * samples[i][1] * std::exp(std::complex<double>(0, -frequency * time));
        weights += weight;
    }
    return (frequency == 0 ? 1 : 2) * std::abs(sum) / weights;
}

}  // namespace halfulp
