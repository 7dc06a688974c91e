#include "core/app/picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "core/app/draw.hpp"
#include "core/error.hpp"
#include "core/setup/units.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp {

namespace {

// A temporary folder for the particles, removed with the object.
class Scratch {
public:
    Scratch()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-picture-XXXXXX").string();
        if (mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
    }
    ~Scratch()
    {
        std::error_code ignored;
        if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    [[nodiscard]] std::filesystem::path file() const { return folder_ / "particles"; }

private:
    std::filesystem::path folder_;
};

// Whether picture.py has written a file, which it says in the manner of each format, or nothing is in it.
bool is_own_picture(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || text.empty()) return file.is_open();
    for (const std::string_view mark :
         {std::string_view("Software\0halfulp info", 21), std::string_view("/Creator (halfulp info)"),
          std::string_view("<dc:title>halfulp info</dc:title>")}) {
        if (text.find(mark) != std::string::npos) return true;
    }
    return false;
}

// A line break in a title or name would begin a line of its own, which could name another picture. Lines "key value", a
// line "data", then seven doubles per particle in the order of the shapes: position (m), velocity (m/s), pressure (Pa).
void write_particles(const Problem& problem, const std::filesystem::path& picture, const std::filesystem::path& path)
{
    const Case& c = problem.source;
    if (one_line(picture.string()) != picture.string())
        throw input_error("-o {}: the name of a picture must be printable; give another.", picture.string());
    std::ofstream file(path, std::ios::binary);
    file << fmt::format("picture {}\ntitle {}\ndimensions {}\nspacing {}\nsupport {}\ngravity {} {} {}\n",
                        picture.string(), one_line(c.title), c.dimensions, c.resolution.spacing, support_radius(c),
                        c.gravity[0], c.gravity[1], c.gravity[2]);
    for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        if (!c.shapes[i].kind) continue;
        const char* kind = c.shapes[i].kind == Kind::fluid ? "fluid" : c.shapes[i].is_hollow() ? "hollow" : "wall";
        file << fmt::format("shape {} {} {}\n", problem.of_shape[i], kind, c.shapes[i].name);
    }
    for (const Probe& probe : c.probes) {
        if (probe.measures == Probe::Measure::force) continue;  // on whole walls
        const bool of_plane = probe.measures == Probe::Measure::flow;
        file << fmt::format("probe {} {}{} {}\n",
                            of_plane                                  ? "plane"
                            : probe.measures == Probe::Measure::level ? "gauge"
                                                                      : "point",
                            fmt::join(probe.at, " "), of_plane ? fmt::format(" {}", fmt::join(probe.normal, " ")) : "",
                            probe.name);
    }
    file << "data\n";
    const StateEquation equation = problem.physics.state_equation;
    const double stiffness = stiffness_of(equation, c.fluid.sound_speed * c.fluid.sound_speed);
    for (const InitialParticle& p : problem.particles) {
        std::array<double, 7> row{};
        for (std::size_t k = 0; k < static_cast<std::size_t>(c.dimensions); ++k) {
            const double cell = static_cast<double>(p.cell[k]) - static_cast<double>(c.origin.cells[k]);
            row[k] = (cell + static_cast<double>(p.offset[k])) * problem.units.length;
            // The first cell of a period begins before zero and holds the end of the period.
            if (c.period[k] > 0 && row[k] < 0) row[k] += c.period[k];
            row[3 + k] = static_cast<double>(p.velocity[k]) * problem.units.velocity;
        }
        const CentredDensity<double> density{static_cast<double>(p.density)};
        row[6] = problem.units.density * pressure_over_reference_density(equation, density, stiffness);
        file.write(reinterpret_cast<const char*>(row.data()), sizeof row);
    }
    file.close();
    if (!file) {
        throw output_error("cannot write {}; check that there is space for temporary files.", path.string());
    }
}

}  // namespace

void refuse_picture(const std::filesystem::path& file)
{
    const auto refuse = [&](bool wrong, const char* why) {
        if (wrong) throw input_error("-o {}: {}; give another name.", file.string(), why);
    };
    const std::string ending = file.extension().string();
    refuse(ending != ".png" && ending != ".pdf" && ending != ".svg",
           "the name of a picture must end in .png, .pdf or .svg");
    // The script puts its number and ".new" behind the name until the picture is whole.
    constexpr std::size_t longest = 240;
    refuse(file.filename().string().size() > longest, "the name of a picture may have 240 bytes at most");
    std::error_code failed;
    const auto status = std::filesystem::symlink_status(file, failed);
    if (!std::filesystem::exists(status)) return;
    refuse(std::filesystem::is_symlink(status), "a link of that name is there, and stays with what it leads to");
    refuse(std::filesystem::is_directory(status), "a folder of that name is there");
    refuse(!std::filesystem::is_regular_file(status), "what has that name is no file");
    refuse(!is_own_picture(file), "a file of that name is there that halfulp has not drawn, and stays");
}

void draw_picture(const Problem& problem, const std::filesystem::path& picture)
{
    const auto script = shipped_script("picture.py", "core/output/picture.py");
    if (script.empty()) throw output_error("cannot draw the picture: picture.py is not installed with this program.");
    if (picture.has_parent_path()) {
        std::error_code failed;
        std::filesystem::create_directories(picture.parent_path(), failed);
        if (failed) {
            throw output_error("cannot make the folder {}: {}.", picture.parent_path().string(), failed.message());
        }
    }
    const Scratch scratch;
    write_particles(problem, picture, scratch.file());
    const std::optional<int> status = run_python(script, scratch.file());
    // 127: python3 not found; 3: a module is missing.
    if (status == 127) throw output_error("cannot draw the picture: {}.", why_no_python());
    if (status == 3) {
        throw output_error(
            "cannot draw the picture: there is no matplotlib or no numpy for python3; install the packages "
            "python3-matplotlib and python3-numpy.");
    }
    if (status != 0) throw output_error("cannot draw {}: picture.py says why above.", picture.string());
}

}  // namespace halfulp
