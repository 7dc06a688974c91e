// halfulp validate decisive: flows in which single precision is visibly wrong after many steps, the precisions that
// this happens to, and those that it does not.
#include <complex>
#include <numbers>

#include "validation/decisive/law.hpp"
#include "validation/decisive/oscillation.hpp"

namespace halfulp {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Of a run in a window of time, against the reference.
struct Measured {
    double error = nan;  // of an oscillation amplitude and phase together; of a steady signal its root mean square
    Oscillation fitted{};
    OscillationError parts{};  // with harmonics: of the first of the first signal, the offset that of the second signal
    std::array<Harmonics, 2> harmonics{};
};

std::vector<Sample> samples_in(const Recorded& run, const std::array<double, 2>& window, std::size_t signal = 0)
{
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < run.times.size(); ++i) {
        if (run.times[i] >= window[0] && run.times[i] <= window[1])
            samples.push_back({run.times[i], run.signals[i].at(signal)});
    }
    return samples;
}

double interpolated(const Recorded& run, double time)
{
    const auto after = std::ranges::lower_bound(run.times, time);
    if (after == run.times.begin()) return run.signals.front().front();
    if (after == run.times.end()) return run.signals.back().front();
    const auto i = static_cast<std::size_t>(after - run.times.begin());
    const double share = (time - run.times[i - 1]) / (run.times[i] - run.times[i - 1]);
    return run.signals[i - 1].front() + share * (run.signals[i].front() - run.signals[i - 1].front());
}

double root_mean_square(const std::vector<Sample>& samples, const std::function<double(double)>& reference)
{
    double square = 0;
    for (const auto& [time, value] : samples) square += (value - reference(time)) * (value - reference(time));
    return std::sqrt(square / static_cast<double>(samples.size()));
}

std::array<Harmonics, 2> harmonics_of(const Flow& flow, const Recorded& run, const std::array<double, 2>& window)
{
    return {fit_harmonics(samples_in(run, window, 0), flow.frequency, flow.harmonics),
            fit_harmonics(samples_in(run, window, 1), flow.frequency, flow.harmonics)};
}

// The mean of the second signal is told apart: of a force on a body, its weight in water.
Measured measure_harmonics(const std::array<Harmonics, 2>& run, const std::array<Harmonics, 2>& reference)
{
    const double scale = std::hypot(fluctuation(reference[0]), fluctuation(reference[1]));
    const std::complex<double> ratio = run[0].lines.front() / reference[0].lines.front();
    Measured measured;
    measured.harmonics = run;
    measured.error = std::hypot(distance(run[0], reference[0]), distance(run[1], reference[1])) / scale;
    measured.parts = {.together = measured.error,
                      .amplitude = std::abs(ratio) - 1,
                      .phase = std::arg(ratio),
                      .offset = (run[1].mean - reference[1].mean) / scale};
    return measured;
}

Measured measure(const Flow& flow, const Recorded& run, const Recorded& reference, const std::array<double, 2>& window)
{
    constexpr std::size_t enough = 8;
    const std::vector<Sample> samples = samples_in(run, window);
    const std::vector<Sample> expected = samples_in(reference, window);
    Measured measured;
    if (samples.size() < enough || expected.size() < enough || run.times.back() < window[1] * (1 - 1e-6))
        return measured;
    if (flow.harmonics > 0) {
        measured = measure_harmonics(harmonics_of(flow, run, window), harmonics_of(flow, reference, window));
    } else if (flow.frequency > 0) {
        measured.fitted = fit_oscillation(samples, flow.frequency);
        measured.parts = error_of(measured.fitted, fit_oscillation(expected, flow.frequency));
        measured.error = measured.parts.together;
    } else {
        measured.error =
            root_mean_square(samples, [&](double time) { return interpolated(reference, time); }) / flow.scale;
    }
    return measured;
}

// The exponent of the growth of the error with time, by least squares in logarithms.
double growth(const Flow& flow, const std::vector<Measured>& in_windows)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t w = 0; w < in_windows.size(); ++w) {
        const double error = in_windows[w].error;
        if (!(error > 0)) continue;
        const double log_time = std::log(0.5 * (flow.windows[w][0] + flow.windows[w][1]));
        const double log_error = std::log(error);
        n += 1;
        x += log_time;
        y += log_error;
        xx += log_time * log_time;
        xy += log_time * log_error;
    }
    const double spread = n * xx - x * x;
    return n > 2 && spread > 0 ? (n * xy - x * y) / spread : nan;
}

// What the law has for an arm in each window; nothing where it does not apply.
std::vector<double> law_of(const Flow& flow, const Arm& arm, const std::vector<Measured>& reference)
{
    const auto coordinates = plain_coordinates(arm.precision);
    // A flow that is kept in motion does not lose it.
    if (!coordinates || flow.frequency == 0 || flow.harmonics > 0) return {};
    std::vector<double> amplitudes;
    for (const Measured& m : reference) amplitudes.push_back(m.fitted.amplitude());
    return error_by_law(rounding_loss(problem_on_lattice(flow, arm), *coordinates), flow, amplitudes);
}

// The force on a body: means, harmonics, and what they leave, of each run in the last window; the spectrum of the last
// half of each run.
void report_force(Page& page, Table& spectrum, const Flow& flow, const std::vector<Recorded>& runs,
                  const std::vector<Measured>& last)
{
    std::vector<std::string> header{"precision", "mean x", "mean y"};
    for (const char* axis : {"x", "y"}) {
        for (int k = 1; k <= flow.harmonics; ++k) header.push_back(fmt::format("{}, harmonic {}", axis, k));
        header.push_back(fmt::format("{}, rest", axis));
    }
    page.table(header, "means and amplitudes in N/m; the rest is the root mean square of all that is no harmonic");
    for (std::size_t a = 0; a < runs.size(); ++a) {
        const auto& [along, upwards] = last[a].harmonics;
        if (along.lines.empty()) continue;  // it did not come so far
        std::vector<std::string> cells{flow.arms[a].name, fmt::format("{:.5g}", along.mean),
                                       fmt::format("{:.8g}", upwards.mean)};
        for (const Harmonics* of : {&along, &upwards}) {
            for (const std::complex<double>& line : of->lines) cells.push_back(fmt::format("{:.5g}", std::abs(line)));
            cells.push_back(fmt::format("{:.3g}", of->rest));
        }
        page.row(cells);
        constexpr int finer = 8;  // frequencies a harmonic
        const std::array<double, 2> half{0.5 * flow.windows.back()[1], flow.windows.back()[1]};
        std::array<std::vector<Sample>, 2> of_half{samples_in(runs[a], half, 0), samples_in(runs[a], half, 1)};
        // The means, of which the window would leave something at other frequencies, are in the table above.
        for (std::vector<Sample>& samples : of_half) {
            const double mean = fit_harmonics(samples, flow.frequency, 0).mean;
            for (Sample& sample : samples) sample[1] -= mean;
        }
        for (int j = 0; j <= (flow.harmonics + 3) * finer; ++j) {
            const double frequency = flow.frequency * j / finer;
            spectrum.row(flow.name, flow.arms[a].name, frequency / (2 * std::numbers::pi),
                         spectral_amplitude(of_half[0], frequency), spectral_amplitude(of_half[1], frequency));
        }
    }
    page.paragraph(
        "Space error: double's mean force upwards is {:+.2f} % off the weight of the water displaced, {:.5g} N/m.",
        100 * (last.front().harmonics[1].mean / flow.exact_mean - 1), flow.exact_mean);
}

std::string short_number(double value) { return std::isnan(value) ? "" : fmt::format("{:.2g}", value); }

struct Tables {
    Table windows;
    Table series;
    Table spectrum;
};

// Everything of one flow on the page. Returns the errors of the arms in the last window.
std::vector<double> report(Page& page, Tables& tables, const Flow& flow, const std::vector<Recorded>& runs)
{
    const bool oscillates = flow.frequency > 0;
    const bool damped = oscillates && flow.harmonics == 0;
    const auto half_step = static_cast<std::size_t>(
        std::ranges::find_if(flow.arms, [](const Arm& arm) { return arm.step < 1; }) - flow.arms.begin());
    const bool has_half_step = half_step < flow.arms.size();
    const std::size_t last = flow.windows.size() - 1;
    std::vector<std::vector<Measured>> all;
    double work = 0;
    std::vector<std::vector<double>> laws;
    for (std::size_t a = 0; a < runs.size(); ++a) {
        std::vector<Measured> in_windows;
        for (const auto& window : flow.windows) in_windows.push_back(measure(flow, runs[a], runs.front(), window));
        all.push_back(in_windows);
        laws.push_back(law_of(flow, flow.arms[a], all.front()));
        for (std::size_t w = 0; w < in_windows.size(); ++w) {
            const Measured& m = in_windows[w];
            tables.windows.row(flow.name, flow.arms[a].name, flow.windows[w][0], flow.windows[w][1], m.error,
                               m.parts.amplitude, m.parts.phase, m.fitted.damping, m.parts.offset, m.fitted.frequency,
                               m.fitted.amplitude(), laws[a].empty() ? nan : laws[a][w]);
        }
        work += runs[a].particles * static_cast<double>(runs[a].steps);
        for (std::size_t i = 0; i < runs[a].times.size(); ++i)
            tables.series.row(flow.name, flow.arms[a].name, runs[a].times[i], runs[a].signals[i]);
    }

    // The last in which double with half the step is known: it may break down, or be followed for a part of the time.
    std::size_t with_half_step = last;
    while (has_half_step && with_half_step > 0 && std::isnan(all[half_step][with_half_step].error)) --with_half_step;

    page.heading(flow.title);
    page.paragraph(flow.text);
    page.paragraph("{} particles, {} steps, {:.2g} particle steps in all.", runs.front().particles, runs.front().steps,
                   work);
    const auto& end = flow.windows[last];
    std::vector<std::string> header{"precision", "error, first window", "half-way", "last window",
                                    "grows as time to the"};
    if (oscillates) {
        for (const char* more : {"amplitude", "phase [rad]"}) header.emplace_back(more);
        if (damped) header.emplace_back("damping [1/s]");
        header.emplace_back(damped ? "offset" : "mean");
        if (damped) header.emplace_back("by the law");
    }
    const auto& end_with_half_step = flow.windows[with_half_step];
    header.push_back(with_half_step == last ? "over the integrator's"
                                            : fmt::format("over the integrator's, at {:.4g} to {:.4g} s",
                                                          end_with_half_step[0], end_with_half_step[1]));
    page.table(
        header,
        "errors against double, over {}; the last columns in the window from {:.4g} to {:.4g} s; the integrator's own "
        "error is that of double with half the step",
        damped       ? "the amplitude that double has then"
        : oscillates ? "the root mean square of double's harmonics"
                     : "the scale of the flow",
        end[0], end[1]);
    std::vector<double> errors;
    for (std::size_t a = 0; a < runs.size(); ++a) {
        const std::vector<Measured>& m = all[a];
        const Measured& final = m[last];
        std::vector<std::string> cells{flow.arms[a].name + (runs[a].broke ? " (broke down)" : ""),
                                       short_number(m.front().error), short_number(m[last / 2].error),
                                       short_number(final.error), a == 0 ? "" : short_number(growth(flow, m))};
        if (oscillates) {
            const bool known = !std::isnan(final.error);
            cells.push_back(known ? fmt::format("{:+.2e}", final.parts.amplitude) : "");
            cells.push_back(known ? fmt::format("{:+.2e}", final.parts.phase) : "");
            if (damped)
                cells.push_back(known ? fmt::format("{:+.2e}", final.fitted.damping - all[0][last].fitted.damping)
                                      : "");
            cells.push_back(known ? fmt::format("{:+.2e}", final.parts.offset) : "");
            if (damped) cells.push_back(laws[a].empty() ? "" : short_number(laws[a].back()));
        }
        const bool compared = has_half_step && a != 0 && a != half_step;
        cells.push_back(compared ? short_number(m[with_half_step].error / all[half_step][with_half_step].error) : "");
        page.row(cells);
        errors.push_back(final.error);
    }
    const Measured& reference = all[0][last];
    if (flow.harmonics > 0) {
        std::vector<Measured> in_last;
        for (const std::vector<Measured>& of_arm : all) in_last.push_back(of_arm[last]);
        report_force(page, tables.spectrum, flow, runs, in_last);
    } else if (oscillates) {
        const Oscillation& first = all[0].front().fitted;
        page.paragraph(
            "Space error: double's frequency is {:+.2f} % off linear theory's {:.4f} rad/s, its amplitude falls from {:.4g} to "
            "{:.4g} mm between the first and the last window, and its signal differs from the fit by {:.2g} of the amplitude.",
            100 * (reference.fitted.frequency / flow.frequency - 1), flow.frequency, 1000 * first.amplitude(),
            1000 * reference.fitted.amplitude(), reference.fitted.rest / reference.fitted.amplitude());
    } else if (flow.exact) {
        page.paragraph("Space error: double is {:.2g} of the scale off the exact answer in the last window.",
                       root_mean_square(samples_in(runs[0], end), flow.exact) / flow.scale);
    }
    return errors;
}

struct Arguments : StudyOptions {
    std::vector<std::string> flows;
    std::vector<std::string> arms;
    bool devices = false;
};

// Only the named ones of each flow, and its reference. Throws an Error for a name that no flow has.
void keep_arms(std::vector<Flow>& flows, const std::vector<std::string>& names)
{
    if (names.empty()) return;
    std::vector<Arm> known;
    for (const Flow& flow : flows) {
        for (const Arm& arm : flow.arms)
            if (std::ranges::find(known, arm.name, &Arm::name) == known.end()) known.push_back(arm);
    }
    static_cast<void>(cases_named(known, names, "--arm"));
    for (Flow& flow : flows) {
        std::vector<Arm> kept{flow.arms.front()};
        for (std::size_t a = 1; a < flow.arms.size(); ++a)
            if (std::ranges::find(names, flow.arms[a].name) != names.end()) kept.push_back(flow.arms[a]);
        flow.arms = kept;
    }
}

// Of a run, over that of others of its flow.
double cost_of(const Arm& arm) { return (arm.precision.starts_with("double") ? 1.6 : 1) * arm.part / arm.step; }

ExitCode run_experiment(const Arguments& arguments)
{
    std::vector<Flow> all = decisive_flows(arguments.scale);
    keep_arms(all, arguments.arms);
    const std::vector<const Flow*> flows = cases_named(all, arguments.flows, "--flow");
    Measurements<std::pair<const Flow*, std::size_t>, Recorded> measurements;  // of a flow an arm
    for (const Flow* flow : flows) {
        for (std::size_t a = 0; a < flow->arms.size(); ++a) {
            const Arm& arm = flow->arms[a];
            measurements.add(
                {flow, a},
                job_key("decisive", case_of(*flow, arm),
                        {fmt::format("ulp_seed={}", arm.ulp_seed), fmt::format("displaced={}", arm.displaced),
                         fmt::format("flow={}", flow->name)}),
                [flow, arm, devices = arguments.devices] { return follow(*flow, arm, devices); }, cost_of(arm));
        }
    }

    Page page(arguments.folder, "decisive", "Where single precision is visibly wrong");
    page.paragraph(
        "Many small steps, as in long runs of slow flows: each run is compared with double's of the same discretisation. "
        "Controls: double with half the step (the integrator's own error), from a start that is off by an ulp of single "
        "precision (what cannot be predicted), and in SI units. gpusph and dualsphysics are single precision with the choices "
        "of these codes, not the codes.");
    Tables tables{
        .windows = {arguments.folder, "decisive",
                    "flow,arm,begin[s],end[s],error[1],amplitude[1],phase[rad],damping[1/s],offset[1],"
                    "frequency[rad/s],fitted_amplitude,law[1]"},
        .series = {arguments.folder, "decisive-series", "flow,arm,time[s],signal,second_signal"},
        .spectrum = {arguments.folder, "decisive-spectrum", "flow,arm,frequency[Hz],first_amplitude,second_amplitude"}};
    std::vector<Recorded> runs;
    Study("decisive", arguments).run(measurements, [&](const auto& of, const Recorded& run) {
        runs.push_back(run);
        const auto& [flow, a] = of;
        if (a + 1 < flow->arms.size()) return;
        const std::vector<double> errors = report(page, tables, *flow, runs);
        const auto place = [&](std::string_view arm) {
            return static_cast<std::size_t>(std::ranges::find(flow->arms, arm, &Arm::name) - flow->arms.begin());
        };
        const auto error = [&](std::string_view arm) { return place(arm) == errors.size() ? nan : errors[place(arm)]; };
        const double robust = error("robust");
        const bool has_robust = place("robust") < runs.size();  // a rung of the ladder has not
        if (const std::size_t away = place("robust, 10^6 cells away"); has_robust && away < runs.size()) {
            page.verdict(have_same_bits(runs[place("robust")], runs[away]),
                         "{}: robust has the same bits 10^6 cells away", flow->name);
        }
        if (has_robust) {
            // In a flow that magnifies an ulp of its start, single runs do not tell precisions apart.
            page.verdict(robust < 0.01 || robust < 10 * error("double, start off by an ulp"),
                         "{}: robust is within 1 % of double, or within 10 times what an ulp of the start changes",
                         flow->name);
        }
        if (flow->frequency > 0 && flow->harmonics == 0 && arguments.scale == Scale::quick && arguments.arms.empty()) {
            page.verdict(error("naive") > 10 * robust && error("naive, 1,000 cells away") > 10 * robust,
                         "{}: naive is more than 10 times as far from double, here and 1,000 cells away", flow->name);
        }
        runs.clear();
    });
    tables.series.complete();
    tables.spectrum.complete();
    page.draw(tables.windows.complete(), "decisive", "Error against double in windows of time.");
    return page.close();
}

const bool registered = register_study<Arguments>(
    "decisive",
    "Flows in which single precision is visibly wrong: small waves, starting flows and rest over many steps",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        command
            .add_option("--flow", arguments.flows,
                        fmt::format("Only these flows; of the usual scale: {}", names_of(decisive_flows(Scale::usual))))
            ->expected(1)
            ->take_all();
        command
            .add_option("--arm", arguments.arms,
                        "Only these runs of each flow, beside double's: as its table calls them, such as \"robust\" or "
                        "\"naive, 1,000 cells away\"")
            ->expected(1)
            ->take_all();
        command.add_flag("--devices", arguments.devices,
                         "Every run on a CUDA device that can run it, two on each; changes no bit, and pays from some "
                         "10,000 particles on. Without it only flows of 10^6 particles");
    });

}  // namespace

}  // namespace halfulp
