#include "core/setup/case_overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/setup/spelling.hpp"
#include "core/setup/toml_guard.hpp"

namespace halfulp {

namespace {

// One override, as given and in its parts.
struct Override {
    std::string place;  // "--set dotted.key=value", for errors and as the source of its nodes
    std::vector<std::string_view> path;
    std::string_view value;
};

bool is_bare_key(std::string_view key)
{
    return !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
                               std::string_view::npos;
}

Override split(const std::string& given)
{
    Override o{.place = name_of_override(given), .path = {}, .value = {}};
    const std::string_view text = given;
    const std::size_t equals = text.find('=');
    const std::string_view key = trimmed(text.substr(0, equals));
    std::string_view remaining = key;
    for (bool last = false; !last;) {
        const std::size_t dot = remaining.find('.');
        last = dot == std::string_view::npos;
        o.path.push_back(remaining.substr(0, dot));
        if (!last) remaining.remove_prefix(dot + 1);
    }
    if (equals == std::string_view::npos || !std::all_of(o.path.begin(), o.path.end(), is_bare_key)) {
        throw input_error("{}: this is no override; write dotted.key=value, as in resolution.spacing=0.01.", o.place);
    }
    if (const auto fault = fault_of(key)) throw input_error("{}: {}.", o.place, fault->what);
    o.value = trimmed(text.substr(equals + 1));
    if (o.value.empty()) throw input_error("{}: the value is missing; write it after the =.", o.place);
    return o;
}

// Whether a value is a list of bare words such as [position, velocity], which is also what a shell makes of
// ["position", "velocity"].
bool is_list_of_bare_words(std::string_view value)
{
    const auto in_words = [](unsigned char letter) {
        return std::isalpha(letter) != 0 || std::strchr("-_, ", letter) != nullptr;
    };
    return value.size() > 2 && value.front() == '[' && value.back() == ']' &&
           std::all_of(value.begin() + 1, value.end() - 1, in_words);
}

// The value under the key "value" of a table whose source is the override.
toml::table parse_value(const Override& o)
{
    // Quotation marks and brackets indicate TOML; anything else is a bare word.
    const std::string begin = "value = ";
    const auto refuse = [&](std::string_view why, std::size_t line, std::size_t column) {
        if (std::string_view("[{\"'").find(o.value.front()) == std::string_view::npos) return;
        if (is_list_of_bare_words(o.value)) {
            throw input_error(
                "{}: names in a list need quotation marks, and the whole single ones against the shell: --set "
                "'{}=[\"NAME\", ...]'.",
                o.place, fmt::join(o.path, "."));
        }
        throw input_error("{}: the value is not valid TOML: {} ({}its character {}).", o.place, why,
                          line > 1 ? fmt::format("in its line {}, ", line) : "",
                          line > 1 ? column : column - std::min(column - 1, begin.size()));
    };
    const std::string line = fmt::format("{}{}", begin, o.value);
    try {
        if (const auto fault = fault_of(line)) {
            refuse(fault->what, fault->line, fault->column);
        } else if (toml::table parsed = toml::parse(line, o.place); parsed.size() == 1) {
            return parsed;
        }
    } catch (const toml::parse_error& error) {
        refuse(error.description(), error.source().begin.line, error.source().begin.column);
    }
    // A JSON-like string literal of TOML: the quotation mark and the backslash need escaping.
    std::string quoted = "\"";
    for (const char letter : o.value) {
        if (letter == '"' || letter == '\\') quoted += '\\';
        quoted += letter;
    }
    quoted = fmt::format("{}{}\"", begin, quoted);
    try {
        if (const auto fault = fault_of(quoted)) throw input_error("{}: {}.", o.place, fault->what);
        return toml::parse(quoted, o.place);
    } catch (const toml::parse_error& error) {
        throw input_error("{}: the value is not valid TOML: {}.", o.place, error.description());
    }
}

// The array index denoted by a component of a key.
std::size_t element(const toml::array& array, std::string_view component, std::string_view array_path,
                    const Override& o)
{
    std::size_t index = 0;
    const auto [end, failure] = std::from_chars(component.data(), component.data() + component.size(), index);
    if (failure == std::errc() && end == component.data() + component.size()) {
        if (index < array.size()) return index;
        throw input_error("{}: {} has no element {}, as it has {}; they are counted from 0.", o.place, array_path,
                          component, array.size());
    }
    std::vector<std::string_view> names;
    for (index = 0; index < array.size(); ++index) {
        const toml::table* const table = array[index].as_table();
        const toml::node* const name = table ? table->get("name") : nullptr;
        if (name == nullptr || !name->is_string()) continue;
        names.emplace_back(name->as_string()->get());
        if (names.back() == component) return index;
    }
    throw input_error("{}: {} has no element named \"{}\"; {}.", o.place, array_path, component,
                      names.empty() ? fmt::format("it has {}, counted from 0", array.size())
                                    : fmt::format("there is {}", enumerate_names(names)));
}

// A moved node keeps its source; a copied one loses it.
void put(toml::table& table, std::string_view key, toml::node&& value, const toml::source_region& source)
{
    std::move(value).visit([&](auto&& concrete) {
        table.erase(key);
        table.insert(toml::key(key, source), std::forward<decltype(concrete)>(concrete));
    });
}

void put(toml::array& array, std::size_t index, toml::node&& value)
{
    std::move(value).visit([&](auto&& concrete) {
        const auto position = array.cbegin() + static_cast<std::ptrdiff_t>(index);
        array.insert(array.erase(position), std::forward<decltype(concrete)>(concrete));
    });
}

void apply(toml::table& root, const Override& o)
{
    toml::table parsed = parse_value(o);
    toml::node& value = *parsed.get("value");
    const toml::source_region source = value.source();

    toml::node* node = &root;
    std::string path;  // of `node`
    for (std::size_t i = 0; i < o.path.size(); ++i) {
        const std::string_view component = o.path[i];
        const bool last = i + 1 == o.path.size();
        if (toml::table* const table = node->as_table()) {
            if (last) {
                put(*table, component, std::move(value), source);  // NOLINT(bugprone-use-after-move): the last round
            } else if (table->get(component) == nullptr) {
                // Not in the file: whether it is allowed is decided by the reader.
                toml::table blank = toml::parse("value = {}", o.place);
                put(*table, component, std::move(*blank.get("value")), source);
            }
            node = table->get(component);
        } else if (toml::array* const array = node->as_array()) {
            const std::size_t index = element(*array, component, path, o);
            if (last) put(*array, index, std::move(value));
            node = array->get(index);
        } else {
            throw input_error("{}: {} is a value and has no {} inside.", o.place, path, component);
        }
        path += (path.empty() ? "" : ".") + std::string(component);
    }
}

}  // namespace

std::string name_of_override(const std::string& given) { return "--set " + one_line(shortened(given)); }

void apply_overrides(toml::table& root, const std::vector<std::string>& overrides)
{
    for (const std::string& given : overrides) apply(root, split(given));
}

}  // namespace halfulp
