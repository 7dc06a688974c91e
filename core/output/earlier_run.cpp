#include "core/output/earlier_run.hpp"

#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/output/block_file.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_content.hpp"
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

// Whether a file under such a name was written by halfulp: a partial one begins with room for its seal.
bool is_of_outputs(const fs::path& file, const std::string& kind)
{
    if (is_sealed(file, kind)) return true;
    const std::string beginning = beginning_of(file, 8);
    return file.extension() == ".new" &&
           (beginning.find_first_not_of('\0') == beginning.npos || beginning == "halfulp ");
}

// Those of figures.py say so.
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
    any_ = is_sealed(folder / "run.h5", "run");
    if (!any_) return;
    try {
        listed_ = files_of(folder, read_run_content(folder / "run.h5"));
        known_ = true;
    } catch (const Error&) {  // damaged
    }
}

bool EarlierRun::owns(const fs::path& file) const
{
    const fs::path name = file.filename();
    if (name == "checkpoint.0" || name == "checkpoint.1") return holds_blocks(file);
    if (name == "breakdown.vtk") return is_surroundings(file);
    if (const std::string kind = output_kind(name); !kind.empty()) return is_of_outputs(file, kind);
    if (!any_) return false;
    return file.parent_path() == folder_ || !known_ || listed_.contains(file);
}

void EarlierRun::refuse_foreign(const RunContent& content) const
{
    std::set<fs::path> files = files_of(folder_, content);
    for (const char* name : {"run.h5", "ledger.csv", "run.xdmf", "breakdown.vtk", "checkpoint.0", "checkpoint.1"})
        files.insert(folder_ / name);
    std::error_code error;
    const fs::path outputs = folder_ / "outputs";
    // A link is refused later, whatever it leads to.
    if (fs::is_symlink(outputs, error)) return;
    for (const fs::directory_entry& entry : fs::directory_iterator(outputs, error)) {
        if (entry.path().extension() == ".h5" && !output_kind(entry.path().filename()).empty())
            files.insert(entry.path());
    }
    for (const fs::path& file : files) {
        // A link is no content: it is replaced, not what it leads to.
        const fs::file_type type = fs::symlink_status(file, error).type();
        if (type == fs::file_type::not_found || type == fs::file_type::symlink || owns(file)) continue;
        throw output_error(fmt::format(
            "{} is no file of a run of halfulp, but a run in this folder would replace it: move it away, or "
            "choose another folder.",
            shown(file)));
    }
}

void EarlierRun::remove_all_but(const RunContent& content) const
{
    const std::set<fs::path> kept = files_of(folder_, content);
    std::error_code error;
    for (const fs::path& file : listed_) {
        if (!kept.contains(file)) fs::remove(file, error);
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "outputs", error)) {
        const std::string kind = output_kind(entry.path().filename());
        if (!kept.contains(entry.path()) && !kind.empty() && is_of_outputs(entry.path(), kind))
            fs::remove(entry.path(), error);
    }
}

void EarlierRun::remove_pictures() const
{
    if (!any_) return;
    std::error_code error;
    fs::remove(folder_ / "run.xdmf", error);
    if (is_surroundings(folder_ / "breakdown.vtk")) fs::remove(folder_ / "breakdown.vtk", error);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "figures", error)) {
        if (is_figure(entry.path())) fs::remove(entry.path(), error);
    }
}

}  // namespace halfulp
