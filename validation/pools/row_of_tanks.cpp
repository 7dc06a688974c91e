// The row of tanks of `halfulp validate pools`.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/setup/policy_table.hpp"
#include "core/setup/read_case.hpp"
#include "core/setup/units.hpp"
#include "validation/arithmetic.hpp"
#include "validation/experiment.hpp"
#include "validation/pools/parts.hpp"

namespace halfulp {

namespace {

constexpr const char* case_name = "inviscid-tank-2d";

struct Row {
    std::string precision;
    std::vector<Cells> places;
    bool together;  // or a single tank in a run of its own
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
template <class Value>
double spread(const RecordedOutput& output, const Case& c, Value value)
{
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -smallest;
    for (const CopyRecord& copy : output.copies) {
        const double one = value(measure(copy, c));
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

void write_copies(const StudyOptions& options, const std::vector<Row>& rows, const std::vector<Record>& records,
                  const Case& c, double side)
{
    Table table(options.folder, "pools-tanks",
                "precision,run,copy,distance[m],time[s],ending,differing[1],moved[1],front[m],centre[m],kinetic[J/m]");
    Table particles(options.folder, "pools-copies", "precision,run,distance[m],time[s],ending,x[m],y[m],speed[m/s]");
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Record& record = records[k];
        const char* const run = rows[k].together ? "together" : "alone";
        for (std::size_t n = 0; n < record.outputs.size(); ++n) {
            const bool irregular = n >= record.regular();
            const char* const ending = !irregular ? "" : record.ending == Record::Ending::frozen ? "frozen" : "broke";
            const RecordedOutput& output = record.outputs[n];
            for (std::size_t copy = 0; copy < output.copies.size(); ++copy) {
                const double distance = rows[k].places[copy][0] * side;
                const Tank tank = measure(output.copies[copy], c);
                table.row(rows[k].precision, run, copy, fmt::format("{:.9g}", distance), output.time, ending,
                          output.copies[copy].differing, moved(output.copies[copy]), tank.front, tank.centre,
                          tank.kinetic);
                if (n + 1 < record.outputs.size()) continue;
                for (const FluidParticle& p : output.copies[copy].fluid)
                    particles.row(rows[k].precision, run, fmt::format("{:.9g}", distance),
                                  fmt::format("{:.4g}", output.time), ending, fmt::format("{:.5g}", p.x),
                                  fmt::format("{:.5g}", p.y), fmt::format("{:.4g}", std::hypot(p.u, p.v)));
            }
        }
    }
}

void write_findings(Page& page, const std::vector<Row>& rows, const std::vector<Record>& records,
                    const std::vector<double>& distances)
{
    for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
        if (!rows[k].together) continue;
        const Record& together = records[k];
        const std::size_t as_alone = outputs_with_the_same_bits(together, records[k + 1]);
        if (as_alone < together.outputs.size())
            page.paragraph(
                "{}: even the tank at {:g} m, which the others do not touch, has the bits of a tank alone at {} of {} outputs "
                "only: all copies find their neighbours anew together, when a particle of any of them asks for it, and that "
                "decides which cells particles count to and in which order forces are added up.",
                rows[k].precision, distances.front(), as_alone, together.outputs.size());
    }
    std::vector<std::string> still;
    double error = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows[k].precision != "naive" || rows[k].together) continue;
        const RecordedOutput& last = records[k].outputs.back();
        if (last.copies[0].moved[0] != 0) continue;
        const auto place = std::ranges::find_if(rows, [](const Row& row) { return row.together; })->places;
        const auto copy = std::ranges::find(place, rows[k].places[0]) - place.begin();
        still.push_back(fmt::format("{:g} m", distances[static_cast<std::size_t>(copy)]));
        error = std::max(error, std::abs(last.energy_error));
    }
    if (!still.empty())
        page.paragraph(
            "naive: of the fluid of the tanks at {} nothing has moved along x at the end. Their energy error is at most "
            "{:.1e}: an energy balance that closes does not tell that a flow stands still.",
            fmt::join(still, ", "), error);
}

}  // namespace

void write_row_of_tanks(Page& page, const PoolsArguments& arguments)
{
    const StudyOptions& options = arguments;
    using List = std::vector<double>;
    const auto distances = options.choose<List>({0, 1e2, 1e4, 1e6, 1e8}, {0, 1e2, 1e4, 1e6, 1e8},
                                                {0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8});  // m
    const double end = options.choose(0.5, 1.0, 2.0);
    const auto case_of = [&](const std::string& precision) {
        return case_with(case_name, {fmt::format("time.end={}", end), "output.interval=0.05",
                                     fmt::format("numerics.precision={}", precision)});
    };
    const double side = cell_side(case_of("robust"));
    std::vector<Cells> places;
    for (const double distance : distances)
        places.push_back({static_cast<std::int32_t>(std::llround(distance / side)), 0, 0});

    std::vector<Row> rows;
    std::vector<Job> jobs;
    const auto add = [&](const std::string& precision, const std::vector<Cells>& where, bool together) {
        rows.push_back({precision, where, together});
        jobs.push_back(job_of({case_of(precision), where}));
    };
    const std::vector<std::string> precisions = built({"double", "robust", "gpusph", "dualsphysics", "naive"});
    for (const std::string& precision : precisions) {
        add(precision, places, true);
        add(precision, {places.front()}, false);
    }
    for (std::size_t k = 1; k < places.size(); ++k) add("naive", {places[k]}, false);

    page.heading("A row of tanks");
    page.paragraph(
        "{} copies of {} in one run of {} s, whole cells of {:.4g} m apart, at {:g} m along x, so that coordinates of very "
        "different resolution occur. The copies do not touch. Compared bit by bit: cell from the copy's place, offset, "
        "velocity, density and their residuals of every particle, walls included.",
        places.size(), case_name, end, side, fmt::join(distances, ", "));
    page.table({"precision", "outputs with the same bits in all copies", "outputs with the bits of one tank alone",
                "spread of the front [m]", "spread of the kinetic energy [J/m]", "of [J/m]", "what happened"},
               "all copies in one run; front and kinetic energy at the last output, their largest less their smallest "
               "over the copies, and the kinetic energy of the first");
    std::vector<Record> records;
    const Case c = case_of("robust");
    Study("pools", options).run(jobs, [&](std::size_t k, const Results& result) {
        records.push_back(decode(result));
        // A run of all copies, and then that of a single tank of the same precision.
        if (k % 2 == 0 || k >= 2 * precisions.size()) return;
        const Record& together = records[k - 1];
        const Record& alone = records[k];
        const RecordedOutput& last = together.outputs[together.regular() - 1];
        std::string ending = ending_in_words(together);
        if (together.ending == Record::Ending::broke)
            ending += fmt::format(" (the copy at {:.3g} m)", distances[together.broken_copy]);
        page.row("{} | {} of {} | {} of {} | {:.3g} | {:.3g} | {:.4g} | {}", rows[k].precision,
                 outputs_equal_in_all_copies(together), together.regular(), outputs_with_the_same_bits(together, alone),
                 together.regular(), spread(last, c, [](const Tank& tank) { return tank.front; }),
                 spread(last, c, [](const Tank& tank) { return tank.kinetic; }), measure(last.copies[0], c).kinetic,
                 ending);
    });

    page.table(
        {"distance [m]", "ulp of a coordinate there [m]", "fluid moved along both axes",
         "difference to the tank at 0 [m]", "front [m]", "kinetic energy [J/m]", "energy error", "what happened"},
        "naive, each tank in a run of its own: at its last moment");
    std::vector<std::size_t> alone_in_naive;
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (rows[k].precision == "naive" && !rows[k].together) alone_in_naive.push_back(k);
    const Record& nearest = records[alone_in_naive.front()];
    for (const std::size_t k : alone_in_naive) {
        const Record& record = records[k];
        const double distance = rows[k].places[0][0] * side;
        const std::size_t last = record.regular() - 1;
        const RecordedOutput& output = record.outputs.back();
        const Tank tank = measure(output.copies[0], c);
        const bool comparable = record.ending == Record::Ending::completed && last < nearest.regular();
        page.row("{:.3g} | {:.2g} | {} of {} | {} | {:.4g} | {:.4g} | {:.2e} | {}", distance,
                 ulp_of(static_cast<float>(std::max(distance, c.shapes[1].to[0]))), moved(output.copies[0]),
                 output.copies[0].fluid.size(),
                 comparable
                     ? fmt::format("{:.2g}", largest_difference(output.copies[0], nearest.outputs[last].copies[0]))
                     : "–",
                 tank.front, tank.kinetic, output.energy_error, ending_in_words(record));
    }
    write_copies(options, rows, records, c, side);
    write_findings(page, rows, records, distances);

    for (std::size_t k = 0; k + 1 < 2 * precisions.size(); k += 2) {
        const std::string& precision = rows[k].precision;
        const std::size_t outputs = records[k].outputs.size();
        const std::size_t equal = outputs_equal_in_all_copies(records[k]);
        const std::size_t as_alone = outputs_with_the_same_bits(records[k], records[k + 1]);
        if (precision == "robust" || precision == "double" || precision == "gpusph") {
            page.verdict(records[k].ending == Record::Ending::completed && equal == outputs && as_alone == outputs,
                         "{}: all {} copies have the same bits, those of one tank alone, at all {} outputs "
                         "({} and {} of them)",
                         precision, places.size(), outputs, equal, as_alone);
        } else if (precision == "naive") {
            // At the start the coordinates are rounded already.
            page.verdict(equal == 0, "naive: the copies differ at every output, so the comparison can tell");
        }
    }
    page.draw(
        options.folder / "pools-copies.csv", "pools",
        "The tanks, coloured by speed: above, the copies of one run in robust; below, naive, each tank in a run of "
        "its own, at its last moment.");
}

}  // namespace halfulp
