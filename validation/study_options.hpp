// The options that every experiment has.
#pragma once

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace halfulp {

// How much of an experiment is carried out: quick, a minute or less in all; full, everything there is, up to hours.
enum class Scale { quick, usual, full };

struct StudyOptions {
    std::filesystem::path folder;  // for tables, figures, the report and the cache
    Scale scale = Scale::usual;
    bool fresh = false;  // leave what was measured before alone
    int threads = 0;     // measurements at a time; 0: OMP_NUM_THREADS or as many as the machine offers

    // What belongs to the scale, e.g. a list of spacings.
    template <class T>
    [[nodiscard]] T choose(T quick, T usual, T full) const
    {
        return scale == Scale::quick ? quick : scale == Scale::full ? full : usual;
    }
};

// Adds --quick, --full, -o/--output, --fresh and --threads. options must outlive the command. Unless the user says
// otherwise the folder is out/validate-NAME, of the command's name.
void add_study_options(CLI::App& command, StudyOptions& options);

}  // namespace halfulp
