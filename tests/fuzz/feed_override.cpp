// Overrides from the command line.
#include <string>
#include <vector>

#include "core/setup/read_case.hpp"
#include "feeding.hpp"
#include "tests/core/setup/least_case.hpp"

namespace halfulp::fuzzing {

namespace {

// With every kind of key: a value, a table, a list of tables by name and one by number.
const std::string given = least_case + R"([[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [0, 0], to = [1, 1] }
)";

}  // namespace

void feed_override(Bytes input)
{
    std::vector<std::string> overrides(1);
    for (const std::uint8_t letter : input) {
        if (letter == '\n') overrides.emplace_back();
        else overrides.back() += static_cast<char>(letter);
    }
    accepted([&] { read_case_text(given, "case.toml", overrides); });
}

}  // namespace halfulp::fuzzing
