// halfulp info
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/case_options.hpp"
#include "core/app/commands.hpp"
#include "core/app/describe_ranks.hpp"
#include "core/app/floating_point.hpp"
#include "core/app/highlight.hpp"
#include "core/app/json.hpp"
#include "core/app/number_options.hpp"
#include "core/app/picture.hpp"
#include "core/app/set_up.hpp"
#include "core/app/summary.hpp"
#include "core/app/summary_json.hpp"
#include "core/laboratory.hpp"
#include "core/output/run_file.hpp"
#include "core/output/verify.hpp"
#include "core/setup/case_warnings.hpp"
#include "core/setup/policy_table.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

bool is_run(const std::filesystem::path& path)
{
    std::error_code error;
    return path.extension() == ".h5" || std::filesystem::exists(path / "run.h5", error);
}

void show_case(const CaseOptions& source, bool json, bool values, const std::optional<std::filesystem::path>& picture,
               const std::optional<CudaOptions>& device, int ranks)
{
    const Case c = source.read();
    const Problem problem = set_up(c);
    check_floating_point_of_threads();  // the threads that have set up the case
    std::optional<ModelOfRanks> model;
    if (ranks != 0) model = model_of_ranks(problem, ranks);
    if (json) {
        JsonObject object = case_as_json(problem, case_warnings(problem));
        if (values) object.add("values", lines_of(case_as_toml(c)));
        if (model) object.add("ranks", ranks_as_json(*model));
        fmt::print("{}\n", object.text());
    } else {
        if (values) fmt::print("# {} (every value in force)\n{}\n", one_line(c.path.string()), case_as_toml(c));
        fmt::print("{}: {}\n{}", one_line(c.name), one_line(c.title),
                   highlighted(printable(describe_problem(problem, case_warnings(problem))), stdout));
    }
    if (!json && !values) fmt::print("  every value       halfulp info {} --case\n", one_line(source.name_or_path));
    if (device) fmt::print("{}", describe_device(problem, *device));
    if (model && !json) fmt::print("{}", describe_ranks(*model, problem.particles.size()));
    if (!picture) return;
    draw_picture(problem, *picture);
    fmt::print("  picture           {}\n", picture->string());
}

// The precision policies of this program by their parts; for those that differ from a bundle, only the differences.
void show_precisions()
{
    std::size_t width = 0;
    for (const PolicyInfo& p : policies()) width = std::max(width, p.name.size());
    fmt::print("{:<{}}  {:<7} {:<14} {:<9} {:<9} {:<9} {:<13} {:<12} {:<9} {}\n", "precision", width, "number",
               "position", "density", "pressure", "kernels", "sums", "update", "distance", "units");
    for (const PolicyInfo& p : policies()) {
        fmt::print("{:<{}}  {:<7} {:<14} {:<9} {:<9} {:<9} {:<13} {:<12} {:<9} {}{}\n", p.name, width, p.number,
                   p.position, p.density, p.pressure, p.kernels, p.sums, p.update, p.distance, p.units,
                   p.every_physics ? "" : " *");
    }
    if (const std::size_t more = policies_of_laboratory_alone(); more > 0) {
        fmt::print("\nhalfulp-lab has {} more for precision studies; it is {}\n", more, how_to_build_laboratory);
        return;
    }
    fmt::print(
        "\n* has pressure, artificial viscosity and body forces only, with mass-weighted neighbours: for precision studies. More "
        "combinations: cmake -DHALFULP_EXTRA_POLICIES=\"robust/sums=double/update=plain;...\"\n");
}

// Prints a sentence for every damage; returns the exit code.
ExitCode show_verification(const std::filesystem::path& path, bool json)
{
    const Verification verification = verify_run(path);
    if (json) {
        fmt::print("{}\n", JsonObject()
                               .add("run", path.string())
                               .add("verified", verification.damages.empty())
                               .add("intact", verification.whole)
                               .add("damages", verification.damages)
                               .text());
    }
    for (const std::string& damage : verification.damages)
        complain(highlighted("halfulp: " + one_line(damage), stderr));
    if (!verification.damages.empty()) return ExitCode::bad_input;
    if (!json) fmt::print("{}", highlighted(fmt::format("verified: {}\n", one_line(verification.whole)), stdout));
    return ExitCode::success;
}

void show_run(const std::filesystem::path& path, bool with_case, bool json)
{
    const RunReader reader(path);
    if (json) {
        JsonObject object = run_as_json(path, reader);
        if (with_case) object.add("case", lines_of(reader.content().case_completed));
        fmt::print("{}\n", object.text());
        return;
    }
    fmt::print("run {}\n", one_line(path.string()));
    // How it went comes first, where it comes from last.
    const auto is_result = [](std::string_view key) {
        constexpr std::array<std::string_view, 5> results{"backend", "end_state", "precision", "through_walls",
                                                          "wall_seconds"};
        return std::find(results.begin(), results.end(), key) != results.end();
    };
    const auto print_provenance = [&](bool results) {
        for (const auto& [key, value] : reader.provenance())
            if (key != "warnings" && is_result(key) == results)
                fmt::print("  {:<18}{}\n", one_line(key), one_line(value));
    };
    print_provenance(true);
    for (const std::string& warning : lines_of(reader.entry("warnings")))
        fmt::print("  {:<18}{}\n", "warning", one_line(warning));
    const auto rows = reader.ledger();
    if (!rows.empty()) {
        const LedgerRow& last = rows.back();
        const auto& told = reader.provenance();
        const bool available = std::any_of(told.begin(), told.end(), [](const auto& entry) {
            return entry.first == "available_energy" && entry.second != "0";
        });
        const std::string share = last.relative_residual == 0  // of nothing, as a rule
                                      ? ""
                                      : fmt::format(" = {:+.2e} of the {}", last.relative_residual,
                                                    available ? "available energy" : "total at the start");
        fmt::print("  ledger            {} rows to step {:.0f}, t = {:.6g} s; residual {:+.3e} J{}{}\n", rows.size(),
                   last.step, last.time, last.residual, reader.content().dimensions == 2 ? "/m" : "", share);
    }
    for (const ProbeSeries& probe : reader.probes()) {
        const std::size_t samples = probe.values.empty() ? 0 : probe.values.front().size();
        fmt::print("  probe             {}; {} samples\n", one_line(describe_probe(probe)), samples);
    }
    fmt::print("\n  output        step        time [s]  hash of the state\n");
    for (const auto& output : reader.outputs())
        fmt::print("  {}  {:>10}  {:>14.8g}  {}\n", output.name, output.step, output.time, output.hash);
    fmt::print("\n  provenance\n");
    print_provenance(false);
    if (with_case) fmt::print("\n{}", printable(reader.content().case_completed));
}

}  // namespace

void add_info_command(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        CaseOptions source;
        bool with_case = false;
        bool with_picture = false;
        bool verify = false;
        bool json = false;
        std::filesystem::path picture;
        bool precisions = false;
        std::string backend = "auto";
        CudaOptions cuda;
        int ranks = 0;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("info", "Show what a case will do, or what a run has done");
    command
        ->add_option("what", arguments->source.name_or_path, "A case (name or TOML file) or a run (folder or .h5 file)")
        ->type_name("CASE|RUN");
    arguments->source.add_overrides(*command);
    command->add_flag("--case", arguments->with_case, "Also the case with every value in force, as a TOML file");
    command->add_flag("--verify", arguments->verify,
                      "Of a run: verify the checksums of all files; exit code 1 if anything is damaged");
    command->add_flag("--json", arguments->json, "All of that as one JSON object on standard output");
    auto* with_picture = command->add_flag("--picture", arguments->with_picture,
                                           "Of a case: draw all particles at the start (needs Python and matplotlib)");
    command->add_option("-o,--output", arguments->picture, "The picture's file (default: out/CASE-picture.png)")
        ->type_name("FILE.png")
        ->needs(with_picture);
    command
        ->add_option(
            "--backend", arguments->backend,
            "Of a case: cuda shows how it would run on a CUDA device: neighbour lists, bytes per particle, the largest number of particles")
        ->type_name("NAME");
    const CLI::Option* const device =
        command->add_option("--device", arguments->cuda.device, "Which CUDA device, from 0, with --backend cuda")
            ->type_name("N")
            ->transform(whole_number(0));
    command
        ->add_option("--ranks", arguments->ranks,
                     "Of a case: the particles, memory and messages of a run on N ranks (docs/ranks.md)")
        ->type_name("N")
        ->transform(whole_number<int>());
    command->add_flag("--precisions", arguments->precisions,
                      "List the precision policies of this program and their parts (instead of a case or run)");
    command->callback([arguments, command, device, &context] {
        context.code = ExitCode::success;
        if (arguments->precisions) {
            show_precisions();
            return;
        }
        if (arguments->source.name_or_path.empty()) {
            if (const std::string why = case_among(arguments->source.overrides); !why.empty()) throw input_error(why);
            throw input_error("info needs the name of a case or run, or --precisions; halfulp info --help tells more");
        }
        if (is_run(arguments->source.name_or_path)) {
            if (arguments->with_picture) {
                throw input_error("{} is a run, whose pictures are in its folder figures; --picture draws a case.",
                                  arguments->source.name_or_path);
            }
            for (const char* const option : {"--ranks", "--set", "--backend", "--device"}) {
                if (command->count(option) == 0) continue;
                throw input_error("{} is a run, of which info shows the results; {} is for a case.",
                                  arguments->source.name_or_path, option);
            }
            if (arguments->verify) context.code = show_verification(arguments->source.name_or_path, arguments->json);
            else show_run(arguments->source.name_or_path, arguments->with_case, arguments->json);
        } else if (arguments->verify && is_or_was_run(arguments->source.name_or_path)) {
            context.code = show_verification(arguments->source.name_or_path, arguments->json);
        } else if (arguments->verify) {
            throw input_error("{} is no run: --verify looks at the checksums of a run.",
                              arguments->source.name_or_path);
        } else {
            std::optional<std::filesystem::path> picture;
            if (arguments->with_picture) {
                picture = arguments->picture;
                if (picture->empty()) {
                    const std::string name = std::filesystem::path(arguments->source.name_or_path).stem().string();
                    picture = std::filesystem::path("out") / (name + "-picture.png");
                }
                refuse_picture(*picture);
            }
            const bool cuda = backend_kind_from(arguments->backend) == BackendKind::cuda;
            if (device->count() > 0 && !cuda)
                throw input_error("--device needs --backend cuda; add that or omit --device");
            if (arguments->json && (cuda || picture)) {
                throw input_error(
                    "--json covers only the case and ranks; request the picture or a device in another command");
            }
            show_case(arguments->source, arguments->json, arguments->with_case, picture,
                      cuda ? std::optional(arguments->cuda) : std::nullopt, arguments->ranks);
        }
    });
}

}  // namespace halfulp
