#include "core/output/earlier_run.hpp"

#include <string_view>
#include <system_error>

#include "core/error.hpp"
#include "core/output/run_content.hpp"

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

// Whether a file is an output or a list of vertices left by an earlier program, complete or partial.
bool is_left_over(const fs::path& file)
{
    fs::path name = file.filename();
    const bool begun = name.extension() == ".new";
    if (begun) name = name.stem();
    std::string stem = name.stem().string();
    const bool vertices = stem.starts_with("vertices-");
    if (vertices) stem.erase(0, std::string_view("vertices-").size());
    if (name.extension() != ".h5" || stem.empty() || stem.find_first_not_of("0123456789") != stem.npos) return false;
    return begun || is_sealed(file, vertices ? "vertices" : "output");
}

}  // namespace

EarlierRun::EarlierRun(const fs::path& folder) : folder_(folder)
{
    std::error_code error;
    any_ = fs::exists(folder / "run.h5", error);
    if (!any_) return;
    try {
        listed_ = files_of(folder, read_run_content(folder / "run.h5"));
    } catch (const Error&) {  // damaged, with unknown content
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
        if (!kept.contains(entry.path()) && is_left_over(entry.path())) fs::remove(entry.path(), error);
    }
}

void EarlierRun::remove_pictures() const
{
    if (!any_) return;
    std::error_code error;
    for (const char* name : {"run.xdmf", "breakdown.vtk"}) fs::remove(folder_ / name, error);
    const fs::path figures = folder_ / "figures";
    for (const char* name : {"particles.png", "ledger.png", "front.png"}) fs::remove(figures / name, error);
    for (const fs::directory_entry& entry : fs::directory_iterator(figures, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("probe-") && name.ends_with(".png")) fs::remove(entry.path(), error);
    }
}

}  // namespace halfulp
