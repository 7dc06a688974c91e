#include "core/output/case_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace halfulp {
namespace {

std::string without_comment(const std::string& line)
{
    std::string text = line.substr(0, line.find("  # "));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

// Dotted keys and their values, in order. An element of an array of tables is addressed by its name, which is its first
// key, or else by its number, as in --set.
std::vector<std::pair<std::string, std::string>> values_of(const std::string& toml)
{
    std::vector<std::pair<std::string, std::string>> values;
    std::map<std::string, int> elements;
    std::string table;
    std::string array;  // whose element begins
    std::istringstream lines(toml);
    for (std::string line; std::getline(lines, line);) {
        line = without_comment(line);
        if (line.starts_with("[[")) {
            array = line.substr(2, line.find(']') - 2);
            table = fmt::format("{}.{}.", array, elements[array]++);
        } else if (line.starts_with('[')) {
            table = line.substr(1, line.find(']') - 1) + ".";
        } else if (const std::size_t equals = line.find(" = "); equals != std::string::npos) {
            const std::string key = line.substr(0, line.find_last_not_of(' ', equals) + 1);
            const std::string value = line.substr(equals + 3);
            if (!array.empty() && key == "name" && value.size() > 2)
                table = fmt::format("{}.{}.", array, value.substr(1, value.size() - 2));
            values.emplace_back(table + key, value);
            array.clear();
        }
    }
    return values;
}

}  // namespace

std::string case_difference(const std::string& a, const std::string& b)
{
    constexpr std::size_t most = 5;
    const auto values_a = values_of(a);
    const auto values_b = values_of(b);
    std::vector<std::string> found;
    const auto value_in = [](const auto& values, const std::string& key) {
        const auto at = std::find_if(values.begin(), values.end(), [&](const auto& one) { return one.first == key; });
        return at == values.end() ? std::string("none") : at->second;
    };
    const auto look_at = [&](const std::string& key) {
        const std::string in_a = value_in(values_a, key);
        const std::string in_b = value_in(values_b, key);
        if (in_a != in_b) found.push_back(fmt::format("{} = {} in A, {} in B", key, in_a, in_b));
    };
    for (const auto& [key, value] : values_a) look_at(key);
    for (const auto& [key, value] : values_b) {
        if (value_in(values_a, key) == "none") look_at(key);
    }
    if (found.empty()) return {};
    const std::size_t more = found.size() - std::min(found.size(), most);
    found.resize(found.size() - more);
    return fmt::format("the cases differ: {}{}\n", fmt::join(found, "; "),
                       more > 0 ? fmt::format("; and {} more", more) : std::string());
}

}  // namespace halfulp
