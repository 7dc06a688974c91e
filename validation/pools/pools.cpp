// halfulp validate pools: figure 5 of Bilotta, Zago and Herault 2018 made sharper. A fish pass whose flow crosses
// many cells, at the origin and 10^9 cells away; and copies of one dam break in a row across 10^8 m in one run.
// Positions relative to a cell give the same bits everywhere; coordinates do not.
#include "validation/pools/pools.hpp"

#include "core/setup/policy_table.hpp"
#include "validation/arithmetic.hpp"

namespace halfulp {

namespace {

constexpr const char* case_name = "inviscid-tank-2d";

// All copies in one run, or a single tank in a run of its own.
struct Row {
    std::string precision;
    std::vector<double> distances;  // m, of its copies
    std::vector<Cells> places;
    Record record;

    [[nodiscard]] bool together() const { return places.size() > 1; }
};

// What is measured of a tank.
struct Tank {
    double front = 0;    // m, largest x of the fluid
    double centre = 0;   // m, x of its centre of mass
    double kinetic = 0;  // J/m
};

Tank measure(const CopyRecord& copy, const Case& c)
{
    Tank tank{.front = -std::numeric_limits<double>::infinity()};
    for (const FluidParticle& p : copy.fluid) {
        tank.front = std::max(tank.front, p.x);
        tank.centre += p.x / static_cast<double>(copy.fluid.size());
        tank.kinetic += c.fluid.density * c.resolution.spacing * c.resolution.spacing * (p.u * p.u + p.v * p.v) / 2;
    }
    return tank;
}

// Largest minus smallest of a value of all tanks at an output.
double spread(const RecordedOutput& output, const Case& c, double Tank::*value)
{
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -smallest;
    for (const CopyRecord& copy : output.copies) {
        const double one = measure(copy, c).*value;
        if (!std::isfinite(one)) return std::numeric_limits<double>::infinity();
        smallest = std::min(smallest, one);
        largest = std::max(largest, one);
    }
    return largest - smallest;
}

std::size_t outputs_equal_in_all_copies(const Record& record)
{
    std::size_t equal = 0;
    for (std::size_t k = 0; k < record.regular(); ++k) {
        const auto& copies = record.outputs[k].copies;
        equal += std::ranges::all_of(copies, [](const CopyRecord& one) { return one.differing == 0; }) ? 1 : 0;
    }
    return equal;
}

void write_copies(const StudyOptions& options, const std::vector<Row>& rows, const Case& c, double side)
{
    Table table(options.folder, "pools-tanks",
                "precision,run,copy,distance[m],time[s],ending,differing[1],moved[1],front[m],centre[m],kinetic[J/m]");
    Table particles(options.folder, "pools-copies", "precision,run,distance[m],time[s],ending,x[m],y[m],speed[m/s]");
    for (const Row& row : rows) {
        const char* const run = row.together() ? "together" : "alone";
        for (std::size_t n = 0; n < row.record.outputs.size(); ++n) {
            const char* const ending = row.record.ending_at(n);
            const RecordedOutput& output = row.record.outputs[n];
            for (std::size_t k = 0; k < output.copies.size(); ++k) {
                const CopyRecord& copy = output.copies[k];
                const std::string distance = fmt::format("{:.9g}", row.places[k][0] * side);
                const Tank tank = measure(copy, c);
                table.row(row.precision, run, k, distance, output.time, ending, copy.differing, copy.moved_along_both(),
                          tank.front, tank.centre, tank.kinetic);
                if (n + 1 < row.record.outputs.size()) continue;
                for (const FluidParticle& p : copy.fluid)
                    particles.row(row.precision, run, distance, fmt::format("{:.4g}", output.time), ending,
                                  fmt::format("{:.5g}", p.x), fmt::format("{:.5g}", p.y),
                                  fmt::format("{:.4g}", std::hypot(p.u, p.v)));
            }
        }
    }
}

void write_findings(Page& page, const std::vector<Row>& rows)
{
    for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
        if (!rows[k].together()) continue;
        const Record& together = rows[k].record;
        const std::size_t as_alone = outputs_with_the_same_bits(together, rows[k + 1].record);
        if (as_alone < together.outputs.size())
            page.paragraph(
                "{}: even the tank at {:g} m, which the others do not touch, has the bits of a tank alone at {} of {} outputs "
                "only: all copies find their neighbours anew together, when a particle of any of them asks for it, and that "
                "decides which cells particles count to and in which order forces are added up.",
                rows[k].precision, rows[k].distances.front(), as_alone, together.outputs.size());
    }
    std::vector<std::string> still;
    double error = 0;
    for (const Row& row : rows) {
        const RecordedOutput& last = row.record.outputs.back();
        if (row.precision != "naive" || row.together() || last.copies[0].moved[0] != 0) continue;
        still.push_back(fmt::format("{:g} m", row.distances.front()));
        error = std::max(error, std::abs(last.energy_error));
    }
    if (!still.empty())
        page.paragraph(
            "naive: of the fluid of the tanks at {} nothing has moved along x at the end. Their energy error is at most "
            "{:.1e}: an energy balance that closes does not tell that a flow stands still.",
            fmt::join(still, ", "), error);
}

void write_tanks_of_naive(Page& page, const std::vector<Row>& rows, const Case& c, double side)
{
    page.table(
        {"distance [m]", "ulp of a coordinate there [m]", "fluid moved along both axes",
         "difference to the tank at 0 [m]", "front [m]", "kinetic energy [J/m]", "energy error", "what happened"},
        "naive, each tank in a run of its own: at its last moment");
    const Record* nearest = nullptr;
    for (const Row& row : rows) {
        if (row.precision != "naive" || row.together()) continue;
        const Record& record = row.record;
        if (nearest == nullptr) nearest = &record;
        const double distance = row.places[0][0] * side;
        const std::size_t last = record.regular() - 1;
        const RecordedOutput& output = record.outputs.back();
        const CopyRecord& copy = output.copies[0];
        const Tank tank = measure(copy, c);
        const bool comparable = record.ending == Record::Ending::completed && last < nearest->regular();
        page.row("{:.3g} | {:.2g} | {} of {} | {} | {:.4g} | {:.4g} | {:.2e} | {}", distance,
                 ulp_of(static_cast<float>(std::max(distance, c.shapes[1].to[0]))), copy.moved_along_both(),
                 copy.fluid.size(),
                 comparable ? fmt::format("{:.2g}", largest_difference(copy, nearest->outputs[last].copies[0])) : "–",
                 tank.front, tank.kinetic, output.energy_error, record.ending_in_words());
    }
}

void write_row_of_tanks(Page& page, const PoolsArguments& arguments)
{
    using List = std::vector<double>;
    const auto distances = arguments.choose<List>({0, 1e2, 1e4, 1e6, 1e8}, {0, 1e2, 1e4, 1e6, 1e8},
                                                  {0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8});  // m
    const double end = arguments.choose(0.5, 1.0, 2.0);
    const auto case_of = [&](const std::string& precision) {
        return case_with(case_name, {fmt::format("time.end={}", end), "output.interval=0.05",
                                     fmt::format("numerics.precision={}", precision)});
    };
    const Case c = case_of("robust");
    const double side = cell_side(c);

    std::vector<Row> rows;
    std::vector<Job> jobs;
    const auto add = [&](const std::string& precision, const List& where) {
        std::vector<Cells> places;
        for (const double distance : where)
            places.push_back({static_cast<std::int32_t>(std::llround(distance / side)), 0, 0});
        rows.push_back({precision, where, places, {}});
        jobs.push_back(job_of(case_of(precision), places));
    };
    for (const char* precision : {"double", "robust", "gpusph", "dualsphysics", "naive"}) {
        if (find_policy(precision) == nullptr) continue;
        add(precision, distances);
        add(precision, {distances.front()});
    }
    const std::size_t compared = rows.size();  // in pairs: together and alone
    for (std::size_t k = 1; k < distances.size(); ++k) add("naive", {distances[k]});

    page.heading("A row of tanks");
    page.paragraph(
        "{} copies of {} in one run of {} s, whole cells of {:.4g} m apart, at {:g} m along x, so that coordinates of very "
        "different resolution occur. The copies do not touch. Compared bit by bit: cell from the copy's place, offset, "
        "velocity, density and their residuals of every particle, walls included.",
        distances.size(), case_name, end, side, fmt::join(distances, ", "));
    page.table({"precision", "outputs with the same bits in all copies", "outputs with the bits of one tank alone",
                "spread of the front [m]", "spread of the kinetic energy [J/m]", "of [J/m]", "what happened"},
               "all copies in one run; front and kinetic energy at the last output, their largest less their smallest "
               "over the copies, and the kinetic energy of the first");
    Study("pools", arguments).run(jobs, [&](std::size_t k, const Result& result) {
        rows[k].record = result.as<Record>();
        if (k % 2 == 0 || k >= compared) return;
        const Record& together = rows[k - 1].record;
        const RecordedOutput& last = together.outputs[together.regular() - 1];
        std::string ending = together.ending_in_words();
        if (together.ending == Record::Ending::broke)
            ending += fmt::format(" (the copy at {:.3g} m)", distances[together.broken_copy]);
        page.row("{} | {} of {} | {} of {} | {:.3g} | {:.3g} | {:.4g} | {}", rows[k].precision,
                 outputs_equal_in_all_copies(together), together.regular(),
                 outputs_with_the_same_bits(together, rows[k].record), together.regular(),
                 spread(last, c, &Tank::front), spread(last, c, &Tank::kinetic), measure(last.copies[0], c).kinetic,
                 ending);
    });
    write_tanks_of_naive(page, rows, c, side);
    write_copies(arguments, rows, c, side);
    write_findings(page, rows);

    for (std::size_t k = 0; k + 1 < compared; k += 2) {
        const auto& [precision, where, places, record] = rows[k];
        const std::size_t outputs = record.outputs.size();
        const std::size_t equal = outputs_equal_in_all_copies(record);
        const std::size_t as_alone = outputs_with_the_same_bits(record, rows[k + 1].record);
        if (precision == "robust" || precision == "double" || precision == "gpusph") {
            page.verdict(record.ending == Record::Ending::completed && equal == outputs && as_alone == outputs,
                         "{}: all {} copies have the same bits, those of one tank alone, at all {} outputs "
                         "({} and {} of them)",
                         precision, places.size(), outputs, equal, as_alone);
        } else if (precision == "naive") {
            // At the start the coordinates are rounded already.
            page.verdict(equal == 0, "naive: the copies differ at every output, so the comparison can tell");
        }
    }
    page.draw(
        arguments.folder / "pools-copies.csv", "pools",
        "The tanks, coloured by speed: above, the copies of one run in robust; below, naive, each tank in a run of "
        "its own, at its last moment.");
}

ExitCode run_experiment(const PoolsArguments& arguments)
{
    Page page(arguments.folder, "pools", "A fish pass and a row of tanks, here and far away");
    write_fish_pass(page, arguments);
    write_row_of_tanks(page, arguments);
    return page.close();
}

const bool registered = register_study<PoolsArguments>(
    "pools", "A fish pass at the origin and 10^9 cells away, and copies of a dam break across 10^8 m: the same bits?",
    run_experiment, [](CLI::App& command, PoolsArguments& arguments) {
        add(command, "--spacing", arguments.spacing,
            "Particle spacing of the fish pass, m (default: 0.025; --quick: 0.05)", CLI::PositiveNumber);
    });

}  // namespace

Job job_of(const Case& c, const std::vector<Cells>& places)
{
    std::vector<std::string> parameters;
    for (const Cells& place : places) parameters.push_back(fmt::format("place={},{},{}", place[0], place[1], place[2]));
    return {job_key("pools", c, parameters), [c, places] { return follow(c, places); }};
}

}  // namespace halfulp
