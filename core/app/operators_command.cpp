// halfulp operators
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/app/number_options.hpp"
#include "core/app/resume_point.hpp"
#include "core/backends/make_backend.hpp"
#include "core/evolution/scheme.hpp"
#include "core/output/operators_file.hpp"
#include "core/output/run_file.hpp"
#include "core/results/column_number.hpp"
#include "core/setup/policy_table.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

namespace {

struct Arguments {
    std::string run;
    std::string field;
    std::string output = "all";
    std::string folder;
    std::string backend = "auto";
    int threads = 0;
    bool csv = false;
    bool overwrite = false;
};

std::vector<OutputInfo> chosen_outputs(const RunReader& run, const std::string& chosen)
{
    const std::vector<OutputInfo>& all = run.outputs();
    if (all.empty()) throw input_error("{} has no outputs yet.", shown(run.folder()));
    if (chosen == "all") return all;
    if (chosen == "last") return {all.back()};
    for (const OutputInfo& one : all) {
        const std::size_t zeros = std::min(one.name.find_first_not_of('0'), one.name.size() - 1);
        if (one.name == chosen || one.name.substr(zeros) == chosen) return {one};
    }
    throw input_error("--output {}: {} has the outputs {} to {}; allowed are one of these, last and all.", chosen,
                      shown(run.folder()), all.front().name, all.back().name);
}

// The field in a snapshot: a column of one component, or a component of one, as NAME_x.
struct AnalysedField {
    const Column* column = nullptr;
    std::size_t component = 0;

    [[nodiscard]] double at(std::size_t row) const
    {
        return number_at(*column, row * static_cast<std::size_t>(column->components) + component);
    }
};

AnalysedField field_of(const Snapshot& snapshot, const std::filesystem::path& run, const OutputInfo& output,
                       const std::string& name)
{
    std::vector<std::string> fields;
    for (const Column& column : snapshot.columns) {
        if (column.name == id_column || column.name == "cell" || column.name == "kind") continue;
        for (int c = 0; c < column.components; ++c) {
            fields.push_back(column.components == 1 ? column.name : fmt::format("{}_{}", column.name, "xyz"[c]));
            if (fields.back() == name) return {&column, static_cast<std::size_t>(c)};
        }
    }
    throw input_error("--field {}: output {} of {} has no such field; {}.", name, output.name, shown(run),
                      fields.empty() ? "the case chose columns without any in output.columns"
                                     : fmt::format("give one of {}", fmt::join(fields, ", ")));
}

const Column& required(const Snapshot& snapshot, const OutputInfo& output, const char* name, const char* why)
{
    if (const Column* const column = find_column(snapshot, name)) return *column;
    throw input_error("output {} has no column \"{}\", {}; the case chose others in output.columns.", output.name, name,
                      why);
}

// A problem with the units of a run, into which the run's outputs are put and which computes nothing but these
// operators.
class Analysis {
public:
    Analysis(const RunReader& run, const BackendOptions& options) : options_(options), run_(run.folder())
    {
        Case c = case_of(run);
        const PolicyInfo* const policy = find_policy(c.numerics.precision);
        // The operators are the same for all policies of a number type; these have them in every program.
        const bool in_float = policy == nullptr || policy->digits <= std::numeric_limits<float>::digits;
        has_offsets_ = policy != nullptr && policy->relative_to_cell && policy->cell_is_one;
        c.numerics.precision = in_float ? "robust" : "double";
        problem_ = prepare(c);
        problem_.physics = {};
        problem_.motions.clear();
        problem_.mirror_images.clear();
        problem_.probes.clear();
    }

    // The field, its derivatives and those of the velocity, in the rows of the output.
    Snapshot of(const OutputInfo& output, const Snapshot& snapshot, const std::string& name)
    {
        const AnalysedField field = field_of(snapshot, run_, output, name);
        const bool moves = find_column(snapshot, "velocity") != nullptr;
        problem_.physics.analyses = {.vorticity = moves, .divergence = moves, .condition = true, .derivatives = true};
        set_particles(output, snapshot);
        set_field(field);
        if (moves) set_velocity(*find_column(snapshot, "velocity"));
        const Snapshot computed = analysed();
        return chosen_columns(snapshot, computed, name, *field.column);
    }

private:
    void set_particles(const OutputInfo& output, const Snapshot& snapshot)
    {
        const Column* const kinds = find_column(snapshot, "kind");
        const bool all_fluid = problem_.source.output.particles == Case::Output::Particles::fluid;
        if (kinds == nullptr && !all_fluid)
            required(snapshot, output, "kind", "by which fluid and walls are told apart");
        const Column* const cell = find_column(snapshot, "cell");
        const Column* const offset = find_column(snapshot, "offset");
        const bool exact = has_offsets_ && cell != nullptr && offset != nullptr;
        const Column* const position =
            exact ? nullptr : &required(snapshot, output, "position", "by which neighbours are found");
        problem_.particles.stored().assign(snapshot.count, {});
        problem_.given.assign(snapshot.count, {});
        problem_.fluid = problem_.wall = 0;
        for (std::size_t i = 0; i < snapshot.count; ++i) {
            InitialParticle& particle = problem_.particles.stored()[i];
            particle.id = static_cast<std::int32_t>(id_of(snapshot, i));
            const bool wall = kinds != nullptr && number_at<std::uint8_t>(*kinds, i) != 0;
            particle.kind = wall ? Kind::wall : Kind::fluid;
            ++(wall ? problem_.wall : problem_.fluid);
            for (std::size_t c = 0; c < 3; ++c) {
                if (exact) {
                    place(number_at<std::int32_t>(*cell, 3 * i + c), number_at(*offset, 3 * i + c), c, i);
                } else {
                    const double coordinate = number_at(*position, 3 * i + c) / problem_.units.length;
                    place(std::round(coordinate), coordinate - std::round(coordinate), c, i);
                }
            }
        }
    }
    // At a distance from the centre of a cell, in cell sides. A file may hold anything.
    void place(double cell, double offset, std::size_t axis, std::size_t i)
    {
        const std::int32_t period = problem_.period[axis];
        const double origin = problem_.source.origin.cells[axis];
        if (period > 0 && cell - origin >= period) cell -= period;
        if (period > 0 && cell < origin) cell += period;
        const bool inside = period <= 0 || (cell >= origin && cell - origin < period);
        // Between two rebuilds an offset leaves its cell by the skin, which is less than a cell.
        if (!inside || !(std::abs(cell) < 2e9) || !(std::abs(offset) < 2)) {
            throw input_error(
                "particle {} lies {:.3g} cells from the centre of cell {:.0f} along {}{}: the output is of a run that "
                "broke down; choose an earlier one with --output.",
                problem_.particles[i].id, offset, cell, "xyz"[axis], inside ? "" : ", out of the period");
        }
        problem_.given[i].offset[axis] = offset;
        problem_.particles.stored()[i].cell[axis] = static_cast<std::int32_t>(cell);
    }
    // Less the middle of its values in the fluid, so that differences of neighbours lose no digits.
    void set_field(const AnalysedField& field)
    {
        double least = std::numeric_limits<double>::infinity();
        double most = -least;
        for (std::size_t i = 0; i < problem_.particles.size(); ++i) {
            if (problem_.particles[i].kind == Kind::wall) continue;
            least = std::fmin(least, field.at(i));
            most = std::fmax(most, field.at(i));
        }
        const double middle = least <= most ? least + (most - least) / 2 : 0;
        for (std::size_t i = 0; i < problem_.given.size(); ++i) problem_.given[i].analysed = field.at(i) - middle;
    }
    void set_velocity(const Column& velocity)
    {
        for (std::size_t i = 0; i < problem_.given.size(); ++i) {
            for (std::size_t c = 0; c < 3; ++c)
                problem_.given[i].velocity[c] = number_at(velocity, 3 * i + c) / problem_.units.velocity;
        }
    }
    [[nodiscard]] Snapshot analysed() const
    {
        try {
            const auto backend = make_backend(problem_, options_).backend;
            for (const Operation& operation : operations_for_outputs(problem_.physics)) backend->execute(operation, 0);
            backend->complete();
            return backend->snapshot();
        } catch (const SimulationBroke& broke) {
            throw input_error("the output is of a run that broke down: {}; choose an earlier one with --output.",
                              broke.breakdown.what);
        }
    }
    static Snapshot chosen_columns(const Snapshot& given, const Snapshot& computed, const std::string& name,
                                   const Column& field)
    {
        Snapshot chosen;
        chosen.count = given.count;
        for (const char* kept : {id_column, "position", "kind"}) {
            if (const Column* const column = find_column(given, kept)) chosen.columns.push_back(*column);
        }
        if (find_column(chosen, field.name.c_str()) == nullptr) chosen.columns.push_back(field);
        for (const char* what : {"gradient", "laplacian", "divergence", "vorticity", "condition"}) {
            const Column* const column = find_column(computed, what);
            // The run's own is there already where it is the field.
            if (column == nullptr || find_column(chosen, what) != nullptr) continue;
            Column& derived = chosen.columns.emplace_back(*column);
            const std::string_view derivative = what;
            if (derivative != "gradient" && derivative != "laplacian") continue;
            derived.name = fmt::format("{}_{}", name, what);
            derived.unit = field.unit == "1" ? derived.unit
                                             : fmt::format("{}/{}", field.unit, derivative == "gradient" ? "m" : "m^2");
            derived.description = fmt::format("of {}, in the fluid", name);
        }
        for (Column& column : chosen.columns) column.state = false;
        return chosen;
    }

    Problem problem_;
    BackendOptions options_;
    std::filesystem::path run_;
    bool has_offsets_;  // whether its cells and offsets are those of the problem
};

std::string folder_beside(const RunReader& run, const std::string& field)
{
    std::filesystem::path folder = run.folder().lexically_normal();
    if (folder.filename().empty()) folder = folder.parent_path();
    // The present folder and those above it have another name beside which to write.
    if (folder.filename() == "." || folder.filename() == "..") folder = std::filesystem::canonical(folder);
    return folder.string() + "-operators-" + field;
}

ExitCode analyse(const Arguments& arguments)
{
    const RunReader run(arguments.run, Tables::left);
    const std::vector<OutputInfo> outputs = chosen_outputs(run, arguments.output);
    BackendOptions options;
    options.kind = backend_kind_from(arguments.backend);
    if (options.kind == BackendKind::automatic && arguments.threads > 0) options.kind = BackendKind::cpu;
    options.cpu.threads = arguments.threads;
    const std::string folder = arguments.folder.empty() ? folder_beside(run, arguments.field) : arguments.folder;
    // A misspelled field is told before anything is written.
    field_of(run.output(outputs.front()), run.folder(), outputs.front(), arguments.field);
    // What stands there is told before anything is computed; a folder is made when there is something to put into it.
    std::optional<OperatorsWriter> writer;
    const auto begin = [&] { writer.emplace(folder, arguments.overwrite, run, outputs, arguments.csv); };
    std::error_code ignored;
    if (std::filesystem::exists(folder, ignored)) begin();
    Analysis analysis(run, options);
    std::vector<std::string> columns;
    for (const OutputInfo& output : outputs) {
        const Snapshot result = analysis.of(output, run.output(output), arguments.field);
        if (!writer) begin();
        writer->write(output, result);
        columns.clear();
        for (const Column& column : result.columns) columns.push_back(column.name);
    }
    writer->finish();
    fmt::print("{} output{} of {} written to {}: {}\n", outputs.size(), outputs.size() == 1 ? "" : "s",
               shown(run.folder()), shown(folder), fmt::join(columns, ", "));
    return ExitCode::success;
}

}  // namespace

void add_operators_command(CLI::App& app, CommandContext& context)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand(
        "operators",
        "Gradient, Laplacian, divergence and vorticity of a run's outputs, as columns in a folder of their own");
    command->add_option("run", arguments->run, "A run: its folder or its .h5 file")->required()->type_name("RUN");
    command
        ->add_option("--field", arguments->field,
                     "The column whose gradient and Laplacian to compute, such as pressure; of one with components, "
                     "velocity_x and so on")
        ->required()
        ->type_name("NAME");
    command->add_option("--output", arguments->output, "The number of an output, last, or all")
        ->type_name("N")
        ->capture_default_str();
    command
        ->add_option("-o,--folder", arguments->folder, "Where to write (default: RUN-operators-FIELD beside the run)")
        ->type_name("FOLDER");
    command->add_flag("--csv", arguments->csv, "A table of each output beside the HDF5 file");
    command->add_flag("--overwrite", arguments->overwrite, "Replace what this command wrote there before");
    command->add_option("--backend", arguments->backend, "auto, cpu or cuda; changes no bit of the result")
        ->type_name("NAME");
    command->add_option("--threads", arguments->threads, "Threads of the CPU; changes no bit of the result")
        ->type_name("N")
        ->transform(whole_number<int>());
    command->footer(
        "Derivatives are least-squares fits to the fluid within two smoothing lengths; walls have zeros. HDF5 files, "
        "operators.xdmf for ParaView and tables are described in docs/output.md.");
    command->callback([arguments, &context] { context.code = analyse(*arguments); });
}

}  // namespace halfulp
