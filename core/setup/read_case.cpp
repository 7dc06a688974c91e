#include "core/setup/read_case.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstddef>
#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "core/setup/case_checks.hpp"
#include "core/setup/case_fields.hpp"
#include "core/setup/case_overrides.hpp"
#include "core/setup/case_reader.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

namespace {

constexpr double standard_gravity = 9.81;  // m/s^2

std::string read_text(const std::filesystem::path& path)
{
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) {
        throw input_error(fmt::format("{}: this is a folder; give the path of a case file.", path.string()));
    }
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) {
        throw input_error(
            fmt::format("{}: the case file cannot be read; check that it exists and may be read.", path.string()));
    }
    return text;
}

toml::table parse(const std::string& text, const std::filesystem::path& path)
{
    try {
        return toml::parse(text, path.string());
    } catch (const toml::parse_error& error) {
        throw input_error(
            fmt::format("{}: this is not valid TOML: {}.", place_text(error.source(), path), error.description()));
    }
}

}  // namespace

Case read_case(const std::filesystem::path& path, const std::vector<std::string>& overrides)
{
    return read_case_text(read_text(path), path, overrides);
}

Case read_case_text(const std::string& text, const std::filesystem::path& path,
                    const std::vector<std::string>& overrides)
{
    Case c;
    c.name = path.stem().string();
    c.path = path;
    c.text = text;
    c.overrides = overrides;

    toml::table root = parse(c.text, path);
    apply_overrides(root, overrides);

    KeyPlaces places(path);
    CaseReader(root, places).read(c);

    if (c.title.empty()) c.title = c.name;
    if (!places.given("gravity")) c.gravity[static_cast<std::size_t>(c.dimensions) - 1] = -standard_gravity;
    if (!places.given("numerics.skin")) c.numerics.skin = skin_for_periods(c);
    check_case(c, places);
    return c;
}

}  // namespace halfulp
