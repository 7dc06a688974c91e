#include "core/output/earlier_run.hpp"

#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "core/error.hpp"
#include "core/output/block_file.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_content.hpp"
#include "core/output/run_folder.hpp"
#include "core/output/surroundings.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

std::set<fs::path> files_of(const fs::path& folder, const RunContent& content)
{
    std::set<fs::path> files;
    for (const OutputInfo& output : content.outputs) {
        files.insert(file_of(folder, output));
        files.insert(vertices_of(folder, output.count));
    }
    for (const auto& [name, input] : content.inputs) files.insert(copy_of(folder, input));
    for (const ProbeSeries& series : content.probes) files.insert(table_of(folder, series));
    return files;
}

// The kind of file that a run writes under a name in its folder `outputs`, complete or partial; empty for other names.
std::string output_kind(fs::path name)
{
    if (name.extension() == ".new") name = name.stem();
    std::string stem = name.stem().string();
    const bool vertices = stem.starts_with("vertices-");
    if (vertices) stem.erase(0, std::string_view("vertices-").size());
    const bool number = !stem.empty() && stem.find_first_not_of("0123456789") == stem.npos;
    if (name.extension() != ".h5" || !number || (!vertices && stem.size() < 6)) return {};
    return vertices ? "vertices" : "output";
}

// What a file of a run begins with, by its name without ".new".
std::string_view beginning_of_kind(const fs::path& name)
{
    if (name == "run.xdmf") return "<?xml version=\"1.0\"?>\n<Xdmf";
    if (name == "breakdown.vtk") return surroundings_heading;
    if (name == "checkpoint") return "halfulp checkpoint\n";
    if (name == "ledger.csv") return "step[1],";
    return name.extension() == ".csv" ? "time[s]," : "halfulp ";
}

// Whether a text file of a run begins as halfulp writes it.
bool begins_as_written(const fs::path& file)
{
    const std::string_view whole = beginning_of_kind(file.filename());
    return beginning_of(file, whole.size()) == whole;
}

// Whether a file with the name of a partial one was written by halfulp. It may have been cut off anywhere: before its
// first byte, or before its seal, for which room is left at the beginning.
bool is_partial(const fs::path& file) { return is_begun(file, beginning_of_kind(file.stem())); }

// Whether a file with the name of an output was written by halfulp.
bool is_of_outputs(const fs::path& file, const std::string& kind)
{
    return is_sealed(file, kind) || (file.extension() == ".new" && is_partial(file));
}

// Whether a file was drawn by figures.py, which notes that in the file.
bool is_figure(const fs::path& file)
{
    return beginning_of(file, 300).find("Software" + std::string(1, '\0') + "halfulp") != std::string::npos;
}

bool is_surroundings(const fs::path& file)
{
    return beginning_of(file, surroundings_heading.size()) == surroundings_heading;
}

}  // namespace

EarlierRun::EarlierRun(const fs::path& folder) : folder_(folder)
{
    const fs::path run = folder / "run.h5";
    std::error_code error;
    // Otherwise the files of this run would be mistaken for another program's.
    if (fs::is_regular_file(run, error) && ::access(run.c_str(), R_OK) != 0) {
        throw output_error("cannot read {}, so whether its run may be replaced is unknown: {}.", shown(run),
                           words_of(errno));
    }
    any_ = is_sealed(run, "run");
    if (!any_) return;
    try {
        const RunContent content = read_run_content(run, Tables::left);
        listed_ = files_of(folder, content);
        for (const std::string& leftover : content.leftovers) listed_.insert(folder / leftover);
        for (const auto& [name, input] : content.inputs) {
            try {
                listed_.insert(kept_copy(folder, input));  // its partial name, if it has not been given the other
            } catch (const Error&) {                       // it has changed
            }
        }
        known_ = true;
    } catch (const Error&) {  // damaged
    }
}

bool EarlierRun::owns(const fs::path& file) const
{
    const fs::path name = file.filename();
    if (name.extension() == ".new") return is_partial(file);
    if (name == "checkpoint.0" || name == "checkpoint.1") return holds_blocks(file);
    if (name == "breakdown.vtk") return is_surroundings(file);
    if (const std::string kind = output_kind(name); !kind.empty()) return is_of_outputs(file, kind);
    if (!any_) return false;
    const bool is_text = name == "run.xdmf" || name.extension() == ".csv";
    if (is_text && file.parent_path() != folder_ / "inputs" && !begins_as_written(file)) return false;
    return file.parent_path() == folder_ || !known_ || listed_.contains(file);
}

std::set<fs::path> EarlierRun::places_of(const RunContent& content) const
{
    std::error_code error;
    std::set<fs::path> files = files_of(folder_, content);
    files.insert(listed_.begin(), listed_.end());  // which are removed
    for (const char* name : {"run.h5", "ledger.csv", "run.xdmf", "breakdown.vtk"}) files.insert(folder_ / name);
    std::set<fs::path> partial{partial_name(folder_ / "checkpoint")};
    for (const fs::path& file : files) partial.insert(partial_name(file));
    files.merge(partial);
    files.insert({folder_ / "checkpoint.0", folder_ / "checkpoint.1"});
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "outputs", error)) {
        if (!output_kind(entry.path().filename()).empty()) files.insert(entry.path());
    }
    return files;
}

void EarlierRun::refuse_links(const RunContent& content) const
{
    std::error_code error;
    for (const char* name : {"outputs", "probes", "inputs"}) {
        if (fs::is_symlink(folder_ / name, error)) throw is_a_link(folder_ / name);
    }
    for (const fs::path& file : places_of(content)) {
        if (fs::is_symlink(file, error)) throw is_a_link(file);
    }
}

void EarlierRun::refuse_foreign(const RunContent& content, bool resumed) const
{
    std::error_code error;
    // Files whose beginning is not checked: partial copies of inputs, and checkpoints without any, as a machine may
    // leave them that has lost its power.
    const auto is_free = [&](const fs::path& file) {
        if (file.parent_path() == folder_ / "inputs") return file.extension() == ".new";
        const bool is_checkpoint = file.stem() == "checkpoint" && file.extension() != ".new";
        return resumed && is_checkpoint && beginning_of(file, 1).find_first_not_of('\0') == std::string::npos;
    };
    for (const fs::path& file : places_of(content)) {
        const fs::file_type type = fs::symlink_status(file, error).type();
        if (type == fs::file_type::none) {
            throw output_error("cannot look into the folder {}: {}; choose another one.", shown(file.parent_path()),
                               error.message());
        }
        if (type == fs::file_type::not_found) continue;
        if (type == fs::file_type::regular && (is_free(file) || owns(file))) continue;
        throw output_error(
            "{} is no file of a run of halfulp, but a run in this folder would replace it: move it away, or choose "
            "another folder.",
            shown(file));
    }
}

std::vector<std::string> EarlierRun::leftovers(const RunContent& content) const
{
    const std::set<fs::path> kept = files_of(folder_, content);
    std::vector<std::string> names;
    for (const fs::path& file : listed_) {
        // Those in `outputs` are known by their names and seals.
        if (file.parent_path() != folder_ / "outputs" && !kept.contains(file))
            names.push_back((file.parent_path().filename() / file.filename()).string());
    }
    return names;
}

void EarlierRun::remove_all_but(const RunContent& content) const
{
    const std::set<fs::path> kept = files_of(folder_, content);
    std::error_code error;
    const auto remove_partial = [&](const fs::path& file) {
        if (is_partial(partial_name(file))) fs::remove(partial_name(file), error);
    };
    for (const char* name : {"outputs", "probes", "inputs"}) {
        const std::optional<InnerFolder> inner = InnerFolder::existing(folder_, name);
        if (!inner) continue;  // what a link leads to is not the run's
        for (const fs::path& file : listed_) {
            if (file.parent_path() != folder_ / name) continue;
            if (!kept.contains(file)) fs::remove(inner->place_of(file), error);
            remove_partial(inner->place_of(file));
        }
        if (name != std::string_view("outputs")) continue;
        for (const fs::directory_entry& entry : fs::directory_iterator(inner->place_of("."), error)) {
            const fs::path file = inner->place_of(entry.path());
            const std::string kind = output_kind(file.filename());
            if (!kept.contains(folder_ / name / file.filename()) && !kind.empty() && is_of_outputs(file, kind))
                fs::remove(file, error);
        }
    }
    // Other partial files at the top are replaced by the run's own.
    remove_partial(folder_ / "breakdown.vtk");
    if (!content.provenance.contains("surroundings") && is_surroundings(folder_ / "breakdown.vtk"))
        fs::remove(folder_ / "breakdown.vtk", error);
}

void EarlierRun::remove_pictures() const
{
    if (!any_) return;
    std::error_code error;
    fs::remove(folder_ / "run.xdmf", error);
    if (fs::is_symlink(folder_ / "figures", error)) return;  // to figures of another run, perhaps
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "figures", error)) {
        if (!entry.is_symlink(error) && is_figure(entry.path())) fs::remove(entry.path(), error);
    }
}

}  // namespace halfulp
