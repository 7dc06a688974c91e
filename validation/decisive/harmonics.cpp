#include "validation/decisive/harmonics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

namespace halfulp {

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
