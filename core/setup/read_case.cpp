#include "core/setup/read_case.hpp"

#include <toml++/toml.h>

#include <cstddef>
#include <cstdint>

#include "core/error.hpp"
#include "core/setup/case_checks.hpp"
#include "core/setup/case_overrides.hpp"
#include "core/setup/case_reader.hpp"
#include "core/setup/input_file.hpp"
#include "core/setup/presets.hpp"
#include "core/setup/toml_guard.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

namespace {

constexpr double standard_gravity = 9.81;                // m/s^2
constexpr std::uint64_t largest_case_file = 16U << 20U;  // shipped cases have a few thousand

toml::table parse(const std::string& text, const std::filesystem::path& path)
{
    if (const auto fault = fault_of(text)) {
        throw input_error("{}:{}:{}: {}.", path.string(), fault->line, fault->column, fault->what);
    }
    try {
        return toml::parse(text, path.string());
    } catch (const toml::parse_error& error) {
        const std::string_view what = error.description();
        const bool broken =
            what.find("inline table") != std::string_view::npos && what.find("\\n") != std::string_view::npos;
        // Letters that are no true, false, inf or nan.
        const bool bare_word = what.find("parsing boolean") != std::string_view::npos ||
                               what.find("could not determine value type") != std::string_view::npos;
        throw input_error("{}:{}: this is not valid TOML: {}{}.", place_text(error.source(), path),
                          error.source().begin.column, what,
                          broken      ? "; a table in braces must be on one line"
                          : bare_word ? "; a text needs quotation marks, as in kind = \"fluid\""
                                      : "");
    }
}

}  // namespace

Case read_case(const std::filesystem::path& path, const std::vector<std::string>& overrides)
{
    return read_case_text(read_input_file(path, path.string(), "case file", largest_case_file, Reads::once), path,
                          overrides);
}

Case read_case_text(const std::string& text, const std::filesystem::path& path,
                    const std::vector<std::string>& overrides)
{
    Case c;
    c.name = path.stem().string();
    if (c.name == "." || c.name == "..") {
        throw input_error("{}: a case has the name of its file without .toml, and this one would have none; rename it.",
                          path.string());
    }
    c.path = path;
    c.text = text;
    c.overrides = overrides;

    toml::table root = parse(c.text, path);
    apply_overrides(root, overrides);
    add_preset(root);

    KeyPlaces places(path);
    CaseReader(root, places).read(c);

    if (c.title.empty()) c.title = printable(c.name);
    if (!places.given("gravity")) c.gravity[static_cast<std::size_t>(c.dimensions) - 1] = -standard_gravity;
    // Artificial viscosity is a numerical device, whose boundary layer would be as thick as the resolution makes it:
    // walls slip. With a physical viscosity resolved by the lattice they do not.
    const bool physical = c.fluid.laminar_viscosity != LaminarViscosity::none;
    if (!places.given("numerics.wall_slip")) {
        const bool slips = c.fluid.artificial_viscosity > 0 && !physical;
        c.numerics.wall_slip = slips ? WallSlip::free_slip : WallSlip::no_slip;
    }
    if (!places.given("numerics.skin")) c.numerics.skin = skin_for_periods(c);
    check_case(c, places);
    c.places = places.all();
    return c;
}

}  // namespace halfulp
