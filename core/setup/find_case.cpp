#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "core/setup/program_place.hpp"
#include "core/setup/read_case.hpp"
#include "core/setup/spelling.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

// The folders searched for cases by name, in this order.
std::vector<fs::path> case_folders()
{
    std::vector<fs::path> folders{"cases"};
    if (const fs::path program = program_place(); !program.empty()) {
        const fs::path folder = program.parent_path();
        folders.push_back((folder / "../share/halfulp/cases").lexically_normal());
        folders.push_back((folder / "../../cases").lexically_normal());  // build/release in the source tree
    }
#ifdef HALFULP_SOURCE_CASES
    folders.emplace_back(HALFULP_SOURCE_CASES);
#endif
    return folders;
}

bool is_file(const fs::path& path)
{
    std::error_code failure;
    return fs::is_regular_file(path, failure);
}

// The case file beside a path that is not there whose name is nearest to it; empty if none is near.
fs::path file_meant_by(const fs::path& path)
{
    std::vector<std::string> names;
    std::error_code failure;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);
    const std::string_view nearest = nearest_name(path.stem().string(), {names.begin(), names.end()});
    return nearest.empty() ? fs::path() : path.parent_path() / (std::string(nearest) + ".toml");
}

// The first file of each name.
std::map<std::string, fs::path> cases_in(const std::vector<fs::path>& folders)
{
    std::map<std::string, fs::path> cases;
    for (const fs::path& folder : folders) {
        std::error_code failure;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
            if (entry.path().extension() == ".toml") cases.emplace(entry.path().stem().string(), entry.path());
        }
    }
    return cases;
}

}  // namespace

std::vector<fs::path> known_cases()
{
    std::vector<fs::path> paths;
    for (const auto& [name, path] : cases_in(case_folders())) paths.push_back(path);
    return paths;
}

fs::path find_case(const std::string& name_or_path)
{
    const fs::path given = name_or_path;
    std::error_code failure;
    // Anything readable as a file is accepted, a pipe too; a folder of the same name is not meant.
    if (fs::exists(given, failure) && !fs::is_directory(given, failure)) {
        if (given.extension() == ".h5") {
            throw input_error(
                "{}: this is a file of a run, but a case is needed; halfulp rerun RUN repeats a run, halfulp resume "
                "RUN continues it, halfulp info RUN describes it.",
                name_or_path);
        }
        return given;
    }
    if (failure && failure != std::errc::filename_too_long)
        throw input_error("{}: cannot be read: {}.", name_or_path, failure.message());

    if (fs::is_symlink(given, failure) && !fs::exists(given, failure)) {
        throw input_error("{}: this is a link to {}, which does not exist; give the path of a case file.", name_or_path,
                          fs::read_symlink(given, failure).string());
    }

    for (fs::path above = given.parent_path(); !above.empty() && above != above.parent_path();
         above = above.parent_path()) {
        if (fs::exists(above, failure) && !fs::is_directory(above, failure)) {
            throw input_error("{}: {} is a file and no folder; give the path of a case file.", name_or_path,
                              above.string());
        }
    }

    const std::vector<fs::path> folders = case_folders();
    const bool is_name = !name_or_path.empty() && !given.has_parent_path();
    if (is_name) {
        const std::string file = given.extension() == ".toml" ? name_or_path : name_or_path + ".toml";
        for (const fs::path& folder : folders) {
            if (is_file(folder / file)) return folder / file;
        }
    }

    if (fs::is_directory(given, failure)) {
        const bool of_a_run = fs::exists(given / "outputs", failure) || fs::exists(given / "checkpoint.0", failure);
        if (failure) {
            throw input_error("{}: this is a folder that cannot be read: {}.", name_or_path, failure.message());
        }
        if (of_a_run && fs::exists(given / "run.h5", failure)) {
            throw input_error(
                "{0}: this is a run, but a case is needed; halfulp rerun {0} repeats it, halfulp resume {0} continues "
                "it, halfulp info {0} describes it.",
                name_or_path);
        }
        if (fs::exists(given / "operators.xdmf", failure)) {
            throw input_error(
                "{}: this is what halfulp operators has written of a run, to be read by ParaView or as HDF5 files, but "
                "a case is needed; give the path of a case file.",
                name_or_path);
        }
        throw input_error("{}: this is a folder{}; give the path of a case file.", name_or_path,
                          of_a_run ? " of a run that has lost its run.h5" : "");
    }
    const std::map<std::string, fs::path> cases = cases_in(folders);
    std::vector<std::string_view> views;
    for (const auto& [name, path] : cases) views.push_back(name);
    std::vector<std::string> places;
    if (is_name) {
        for (const fs::path& folder : folders) {
            // The same folder may be reached by two paths.
            const std::string place = fs::weakly_canonical(folder, failure).string();
            if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
        }
    }
    const std::string searched =
        is_name ? " here or in " + enumerate_names({places.begin(), places.end()}, "or") : std::string();
    if (const fs::path meant = file_meant_by(given); !meant.empty()) {
        throw input_error("There is no case \"{}\"{}; did you mean {}?", name_or_path, searched, meant.string());
    }
    const std::string_view nearest = nearest_name(given.stem().string(), views);
    std::string remedy = "give the path of a case file";
    if (is_name && given.extension() != ".toml" && !views.empty())
        remedy = "the names there are: " + enumerate_names(views);
    else if (!is_name && !views.empty()) remedy += ", or a name, of which `halfulp list` gives all";
    throw input_error("There is no case \"{}\"{}; {}{}.", name_or_path, searched,
                      nearest.empty() ? std::string() : fmt::format("the nearest name is \"{}\"; ", nearest), remedy);
}

}  // namespace halfulp
