#include "validation/study_options.hpp"

#include <CLI/CLI.hpp>

namespace halfulp {

void add_study_options(CLI::App& command, StudyOptions& options)
{
    options.folder = "out/validate-" + command.get_name();
    command.add_option("-o,--output", options.folder, "Folder for tables, figures, the report and the cache")
        ->type_name("FOLDER")
        ->capture_default_str();
    CLI::Option* quick = command.add_flag_callback(
        "--quick", [&options] { options.scale = Scale::quick; }, "Few and coarse measurements (seconds to a minute)");
    command
        .add_flag_callback(
            "--full", [&options] { options.scale = Scale::full; }, "More and finer measurements than usual (long)")
        ->excludes(quick);
    command.add_flag("--fresh", options.fresh,
                     "Measure anew what is in the cache already; without it a stopped study goes on where it was");
    command
        .add_option("--threads", options.threads,
                    "Measurements at a time (default: OMP_NUM_THREADS or all the machine offers); changes no result")
        ->check(CLI::Range(0, 4096))
        ->type_name("N");
}

}  // namespace halfulp
