#include "validation/budget/flow.hpp"

namespace halfulp {

namespace {

using Numbers = std::vector<double>;

// Roundings of a term: the difference, its square, the root, q, the kernel, two equations of state, the products.
constexpr double allowed_term_error = 32;

double quantile_of(const FlowMoment& moment, std::size_t sum, double share)
{
    Numbers values;
    for (const ParticleBudget& particle : moment.particles) values.push_back(particle.condition.at(sum));
    std::ranges::sort(values);
    return values.at(static_cast<std::size_t>(share * static_cast<double>(values.size() - 1)));
}

std::string percent(double share) { return share >= 0.995 ? "100" : fmt::format("{:.2g}", 100 * share); }

// Largest difference in u of the sizes of the terms. With viscosity the forces of a pass had another velocity than the
// state after the kick, and nothing is compared.
double term_error(const Problem& problem, const std::vector<HeldParticle>& particles,
                  const std::vector<Conditions>& conditions)
{
    if (problem.physics.artificial_viscosity || problem.physics.laminar_viscosity != LaminarViscosity::none) return 0;
    constexpr double u = 0x1p-24;
    double largest = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (particles[i].kind != Kind::fluid) continue;
        for (std::size_t k = 0; k < 3; ++k)
            raise(largest, std::abs(static_cast<double>(particles[i].rate[k]) - conditions[i].value[k]) /
                               (u * conditions[i].scale));
    }
    return largest;
}

ParticleBudget budget_of(const Problem& problem, const HeldParticle& particle, const Conditions& sums, double step)
{
    // Over the components that change.
    const auto bits = [&](Holding holding) {
        Tally tally;
        for (const Loss& loss : losses_of(problem, particle, holding, step)) tally.add(loss);
        return tally.changes > 0 ? tally.mean_bits() : 0;
    };
    return {.position = particle.position,
            .condition = {sums.forces.condition(), sums.acceleration.condition(), sums.density_rate.condition()},
            .neighbours = static_cast<double>(sums.neighbours),
            .bits = {bits(coordinate_at_origin), bits(velocity_held), bits(density_absolute)}};
}

}  // namespace

void at_moments(const Case& c, const std::function<void(int, const Problem&, const Simulation&)>& look)
{
    const Problem problem = prepare(c);
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    breaks_down([&] {
        for (int moment = 0; moment < budget_moments; ++moment) {
            const double time = c.time.end * (moment + 1) / budget_moments;
            while (simulation.time() < time) simulation.step();
            look(moment, problem, simulation);
        }
    });
}

FlowBudget examine_flow(const Case& c, const std::vector<double>& cfls)
{
    FlowBudget flow;
    at_moments(c, [&](int, const Problem& problem, const Simulation& simulation) {
        const auto particles = held_particles(problem, simulation.backend());
        const auto conditions = conditions_of(problem, particles);
        FlowMoment& now = flow.emplace_back();
        now.time = simulation.time();
        now.term_error = term_error(problem, particles, conditions);
        const double own_step = simulation.next_step() / problem.units.time();
        for (std::size_t i = 0; i < particles.size(); ++i)
            if (particles[i].kind == Kind::fluid)
                now.particles.push_back(budget_of(problem, particles[i], conditions[i], own_step));
        for (int holding = 0; holding < holding_count; ++holding) {
            for (const double cfl : cfls) {
                // The fixed step of a CFL number on c0, in units of time of the state.
                const double step = cfl * smoothing_length(c) / c.fluid.sound_speed / problem.units.time();
                Tally& tally = now.losses.emplace_back();
                for (const HeldParticle& p : particles) {
                    if (p.kind != Kind::fluid) continue;
                    for (const Loss& loss : losses_of(problem, p, static_cast<Holding>(holding), step)) tally.add(loss);
                }
            }
        }
        for (const Quantity quantity : {Quantity::position, Quantity::velocity, Quantity::density})
            now.residuals[static_cast<std::size_t>(quantity)] = residuals_of(problem, particles, quantity);
    });
    return flow;
}

std::filesystem::path report_conditions(Page& page, const FlowBudget& flow)
{
    page.heading("Cancellation in the sums over neighbours");
    page.table({"time [s]", "sum", "median", "9 in 10 below", "99 in 100 below", "largest"},
               "condition numbers sum|a|/|sum a| of the particles of the fluid; vectors by their lengths");
    Table table(page.folder(), "budget", "time[s],sum,median[1],p90[1],p99[1],largest[1]");
    Table particles(page.folder(), "budget-particles",
                    "time[s],x[m],y[m],z[m],forces[1],acceleration[1],density_rate[1],neighbours,"
                    "position_bits,velocity_bits,density_bits");
    double worst = 0;
    for (const FlowMoment& moment : flow) {
        worst = std::max(worst, moment.term_error);
        constexpr std::array sums{"forces", "acceleration, with gravity", "density rate"};
        for (std::size_t k = 0; k < sums.size(); ++k) {
            Numbers q;
            for (const double share : {0.5, 0.9, 0.99, 1.0}) q.push_back(quantile_of(moment, k, share));
            page.row("{:.3g} | {} | {:.3g} | {:.3g} | {:.3g} | {:.3g}", moment.time, sums[k], q[0], q[1], q[2], q[3]);
            table.row(moment.time, sums[k], q);
        }
        for (const ParticleBudget& p : moment.particles)
            particles.row(moment.time, p.position, p.condition, p.neighbours, p.bits);
    }
    if (flow.size() == budget_moments) {
        page.paragraph(
            "At the last moment half of the particles lose more than {:.1f} bits of the 24 to cancellation in the forces and "
            "{:.1f} in the density rate: terms with an error of u make that much larger an error of the sum, however it "
            "is added up. The method of summation decides about the rest only, the error of adding up.",
            std::log2(quantile_of(flow.back(), 0, 0.5)), std::log2(quantile_of(flow.back(), 2, 0.5)));
    }
    page.verdict(worst <= allowed_term_error,
                 "the sums looked at are those of the run: its accelerations differ from double's by at most "
                 "{:.2f} u of the sum of its terms' sizes; allowed: {}",
                 worst, allowed_term_error);
    return table.complete();
}

void report_losses(Page& page, const FlowBudget& flow, const std::vector<double>& cfls)
{
    // Over all moments.
    const auto tally_at = [&](int holding, std::size_t cfl) {
        Tally sum;
        for (const FlowMoment& moment : flow) {
            const Tally& one = moment.losses[static_cast<std::size_t>(holding) * cfls.size() + cfl];
            sum.changes += one.changes;
            sum.lost += one.lost;
            sum.bits += one.bits;
        }
        return sum;
    };
    page.heading("Changes of a step that plain float would lose");
    std::vector<std::string> header{"what is held"};
    for (const double cfl : cfls) header.push_back(fmt::format("CFL {}", cfl));
    page.table(header,
               "share of changes below half an ulp, which change nothing; in brackets the bits of a change "
               "that are below the last bit kept, of 24, on average; all moments");
    Table table(page.folder(), "budget-losses", "held,cfl[1],share[1],bits[1],changes[1]");
    for (int holding = 0; holding < holding_count; ++holding) {
        std::vector<std::string> row{holding_names[static_cast<std::size_t>(holding)]};
        for (std::size_t k = 0; k < cfls.size(); ++k) {
            const Tally one = tally_at(holding, k);
            row.push_back(fmt::format("{} % ({:.1f})", percent(one.share()), one.mean_bits()));
            table.row(row[0], cfls[k], one.share(), one.mean_bits(), one.changes);
        }
        page.row(row);
    }
    bool less = true;
    for (std::size_t k = 0; k < cfls.size(); ++k) {
        const auto bits = [&](int holding) { return tally_at(holding, k).mean_bits(); };
        for (const Holding other : {coordinate_at_origin, coordinate_4000, coordinate_million})
            less = less && bits(offset_in_cell) <= bits(other);
        for (const Holding other : {density_relative, density_absolute})
            less = less && bits(density_centred) <= bits(other);
    }
    page.verdict(less,
                 "an offset in a cell loses fewer bits than a coordinate anywhere and a centred density fewer than "
                 "the others, at every CFL number");
    const auto small = [&](Holding holding) { return tally_at(holding, cfls.size() - 1); };
    const auto kept = [&](Holding holding) { return 24 - small(holding).mean_bits(); };
    page.paragraph(
        "At CFL {} a plain update of an offset in a cell loses {} % of its changes whole and that of a velocity {} %: few, "
        "but of the 24 bits of an average change only {:.1f} and {:.1f} are kept. With cells the changes are not lost, "
        "they are rounded; that is what the residuals are for. Of the changes of a coordinate 10^6 cells away {} % are lost "
        "whole already at CFL {}, 4,000 cells away {} %. Of a change of the density rho/rho0 - 1 keeps {:.1f} bits, rho "
        "{:.1f}.",
        cfls.back(), percent(small(offset_in_cell).share()), percent(small(velocity_held).share()),
        kept(offset_in_cell), kept(velocity_held), percent(tally_at(coordinate_million, 0).share()), cfls.front(),
        percent(tally_at(coordinate_4000, 0).share()), kept(density_centred), kept(density_absolute));
}

void report_residuals(Page& page, const FlowBudget& flow)
{
    page.heading("What the compensated state carries");
    page.table(
        {"time [s]", "of", "mean", "largest", "root mean square"},
        "residuals over half an ulp of their numbers; root mean square in cell sides, of the unit of velocity, 1");
    Table table(page.folder(), "budget-residuals", "time[s],of,bin[1],share[1]");
    constexpr std::array names{"position", "velocity", "density"};
    double largest = 0;
    for (const FlowMoment& moment : flow) {
        for (std::size_t k = 0; k < names.size(); ++k) {
            const Residuals& r = moment.residuals[k];
            page.row("{:.3g} | {} | {:.3f} | {:.3f} | {:.2g}", moment.time, names[k], r.mean, r.largest,
                     r.root_mean_square);
            largest = std::max(largest, r.largest);
            for (std::size_t bin = 0; bin < Residuals::bins; ++bin)
                table.row(moment.time, names[k],
                          (static_cast<double>(bin) + 0.5) / static_cast<double>(Residuals::bins), r.histogram[bin]);
        }
    }
    page.verdict(largest <= 1, "no residual exceeds half an ulp of its number: the largest has {} of it", largest);
}

}  // namespace halfulp
