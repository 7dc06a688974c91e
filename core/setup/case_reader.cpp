#include "core/setup/case_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/setup/field_words.hpp"
#include "core/setup/presets.hpp"
#include "core/setup/read_case.hpp"
#include "core/setup/spelling.hpp"

namespace halfulp {

namespace {

std::string describe(const toml::node& node)
{
    if (const auto* s = node.as_string()) return fmt::format("\"{}\"", shortened(s->get()));
    if (const auto* i = node.as_integer()) return fmt::format("{}", i->get());
    if (const auto* f = node.as_floating_point()) {
        std::string text = fmt::format("{}", f->get());
        // 2.0 where an integer is required must not appear as 2.
        return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
    }
    if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
    if (const auto* a = node.as_array()) return fmt::format("an array of {}", a->size());
    if (node.is_table()) return "a table";
    return "a date or time";
}

// Of the key that is meant by one unknown in a table ("time.", or ""): of that name in one of the tables of a case with
// default values, or by the field's words; empty if there is none.
std::string path_meant_by(std::string_view key, std::string_view own_table)
{
    const toml::table tables = toml::parse(case_as_toml(Case{}));
    for (const auto& [name, node] : tables) {
        if (const toml::table* const table = node.as_table(); table != nullptr && table->contains(key))
            return fmt::format("{}.{}", name.str(), key);
    }
    return std::string(key_meant_by(key, own_table));
}

std::string describe(const Range& r)
{
    constexpr double long_number = 1e10;  // written with an exponent from here on
    const auto end = [](double x) { return std::abs(x) < long_number ? fmt::format("{}", x) : fmt::format("{:g}", x); };
    const std::string low = fmt::format("{} {}", r.low_included ? "at least" : "greater than", end(r.low));
    const std::string high = fmt::format("{} {}", r.high_included ? "at most" : "less than", end(r.high));
    if (!std::isfinite(r.low)) return high;
    if (!std::isfinite(r.high)) return low;
    // As integers if they are: 1e9 and more would otherwise be written with an exponent.
    if (r.low_included && r.high_included && std::floor(r.low) == r.low && std::floor(r.high) == r.high &&
        r.high < long_number) {
        return fmt::format("from {:.0f} to {:.0f}", r.low, r.high);
    }
    if (r.low_included && r.high_included) return fmt::format("from {} to {}", end(r.low), end(r.high));
    return low + " and " + high;
}

Error must_be(const std::string& place, const std::string& path, const toml::node& found, std::string_view allowed)
{
    return input_error("{}: {} is {}, but must be {}.", place, path, describe(found), allowed);
}

Error must_be_list(const std::string& place, const std::string& path, const toml::node& found, std::string_view allowed)
{
    // An override makes a table for an element of a list that the case does not give: "gravity.0=0", "probes.P1.at=[1,
    // 0]".
    const bool is_of_an_element = found.is_table() && place.starts_with(fmt::format("--set {}.", path));
    if (!is_of_an_element) return must_be(place, path, found, allowed);
    return input_error(
        "{}: {} is not given, so that no element of it can be set alone; set all of it to {}, as in --set '{}=[VALUE, "
        "...]'.",
        place, path, allowed, path);
}

}  // namespace

std::string place_text(const toml::source_region& source, const std::filesystem::path& file)
{
    const std::string name = source.path ? *source.path : file.string();
    if (name.starts_with("--set ") || is_of_a_preset(source) || source.begin.line == 0) return name;
    return fmt::format("{}:{}", name, source.begin.line);
}

namespace {

std::string place_among(const std::map<std::string, std::string>& places, std::string path,
                        const std::filesystem::path& file)
{
    for (;;) {
        if (const auto found = places.find(path); found != places.end()) return found->second;
        const std::size_t dot = path.rfind('.');
        if (dot == std::string::npos) return file.string();
        path.resize(dot);
    }
}

}  // namespace

std::string KeyPlaces::of(const std::string& path) const { return place_among(places_, path, file_); }

std::string place_of(const Case& c, std::string key) { return place_among(c.places, std::move(key), c.path); }

bool CaseReader::addressable(std::string_view name)
{
    if (name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0) return false;
    return std::all_of(name.begin(), name.end(), [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
    });
}

void CaseReader::walk(const toml::table& t, const std::function<void()>& fields)
{
    const toml::table* const outer_table = std::exchange(table_, &t);
    const bool outer_learning = std::exchange(learning_, true);
    const auto outer_known = std::exchange(known_, {});
    const auto outer_forms_known = std::exchange(forms_known_, {});
    const auto outer_forms_given = std::exchange(forms_given_, {});

    fields();
    look_for_unknown_keys();
    learning_ = false;
    fields();
    look_for_missing_form();

    table_ = outer_table;
    learning_ = outer_learning;
    known_ = outer_known;
    forms_known_ = outer_forms_known;
    forms_given_ = outer_forms_given;
}

void CaseReader::inside(std::string_view name, const toml::table& t, const std::function<void()>& fields)
{
    const std::string path = path_of(name);
    if (t.source().begin.line != 0) places_.record(path, t.source());
    const std::string outer = std::exchange(prefix_, path + ".");
    walk(t, fields);
    prefix_ = outer;
}

std::string CaseReader::path_of(std::string_view name) const { return prefix_ + std::string(name); }

bool CaseReader::learn(const Key& key)
{
    if (learning_) known_.push_back(key.name);
    return learning_;
}

const toml::node* CaseReader::take(const Key& key) { return learn(key) ? nullptr : find(key); }

bool CaseReader::take_form(const Key& key)
{
    if (learn(key)) {
        forms_known_.push_back(key.name);
        return false;
    }
    if (find(key) == nullptr) return false;
    forms_given_.push_back(key.name);
    return true;
}

void CaseReader::look_for_unknown_keys() const
{
    for (const auto& [name, node] : *table_) {
        if (std::find(known_.begin(), known_.end(), name.str()) != known_.end()) continue;
        const bool in_a_shape_or_probe = std::count(prefix_.begin(), prefix_.end(), '.') > 1;
        const std::string meant = in_a_shape_or_probe ? std::string() : path_meant_by(name.str(), prefix_);
        const std::string_view nearest = nearest_name(name.str(), known_);
        const std::string remedy =
            !meant.empty() ? fmt::format("did you mean {}?", meant)
            : nearest.empty()
                ? fmt::format("{} takes {}.", prefix_.empty() ? "a case" : prefix_.substr(0, prefix_.size() - 1),
                              enumerate_names(known_))
                : fmt::format("did you mean \"{}\"?", nearest);
        throw input_error("{}: unknown key \"{}\"; {}", place_text(name.source(), places_.file()),
                          path_of(shortened(name.str())), remedy);
    }
}

void CaseReader::look_for_missing_form() const
{
    if (forms_known_.empty() || forms_given_.size() == 1) return;
    const std::string owner = prefix_.substr(0, prefix_.size() - 1);
    throw input_error("{}: {} has {}, but must have exactly one of {}.", places_.of(owner), owner,
                      forms_given_.empty() ? "no form" : enumerate_names(forms_given_),
                      enumerate_names(forms_known_, "or"));
}

const toml::node* CaseReader::find(const Key& key)
{
    const std::string path = path_of(key.name);
    const toml::node* const node = table_->get(key.name);
    if (node == nullptr) {
        if (!key.required) return nullptr;
        throw input_error("{}: {} is missing; give it ({}).", places_.of(path), path, key.meaning);
    }
    if (!key.applies) {
        if (is_of_a_preset(node->source())) return nullptr;
        throw input_error("{}: {} belongs only to {}; remove it, or change that.", at(*node), path, key.applies_to);
    }
    places_.record(path, node->source());
    return node;
}

const toml::table* CaseReader::subtable(const Key& key)
{
    const toml::node* const node = find(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) throw must_be(at(*node), path_of(key.name), *node, fmt::format("a table ({})", key.meaning));
    return node->as_table();
}

const toml::array* CaseReader::array_of_tables(const Key& key)
{
    const toml::node* const node = find(key);
    if (node == nullptr) return nullptr;
    const std::string path = path_of(key.name);
    const std::string wanted = fmt::format("headed [[{}]] ({})", path, key.meaning);
    if (!node->is_array()) throw must_be_list(at(*node), path, *node, "tables, each " + wanted);
    const toml::array* const array = node->as_array();
    for (std::size_t i = 0; i < array->size(); ++i) {
        const toml::node& element = *array->get(i);
        if (!element.is_table())
            throw must_be(at(element), fmt::format("{}.{}", path, i), element, "a table " + wanted);
    }
    return array;
}

const toml::array& CaseReader::array_of(const toml::node& node, const std::string& path, std::size_t length,
                                        std::string_view elements, bool of_dimensions)
{
    const std::string wanted = fmt::format("an array of {} {}", length, elements);
    if (!node.is_array()) throw must_be_list(at(node), path, node, wanted);
    const std::size_t found = node.as_array()->size();
    if (found != length) {
        const bool of_others = of_dimensions && (found == 2 || found == 3);
        throw must_be(at(node), path, node, of_others ? fmt::format("{} (dimensions = {})", wanted, length) : wanted);
    }
    return *node.as_array();
}

double CaseReader::number(const toml::node& node, const std::string& path, const Range& range)
{
    if (!node.is_number()) throw must_be(at(node), path, node, "a number");
    // Not value<double>(), which is empty for integers without an equal double.
    const auto* const whole = node.as_integer();
    const double x = whole != nullptr ? static_cast<double>(whole->get()) : node.as_floating_point()->get();
    if (!std::isfinite(x)) throw must_be(at(node), path, node, "a finite number");
    if (!range.holds(x)) throw must_be(at(node), path, node, describe(range));
    return x;
}

int CaseReader::whole_number(const toml::node& node, const std::string& path, const Range& range)
{
    if (!node.is_integer()) throw must_be(at(node), path, node, "an integer");
    return static_cast<int>(number(node, path, range));
}

Field CaseReader::number_or_expression(const toml::node& node, const std::string& path, int dimensions)
{
    if (node.is_number()) return number(node, path, any_number);
    if (!node.is_string()) throw must_be(at(node), path, node, "a number or an expression in quotation marks");
    try {
        return Expression(node.as_string()->get(), dimensions);
    } catch (const ExpressionError& error) {
        throw input_error("{}: {} is {}, but {}.", at(node), path, describe(node), error.what());
    }
}

void CaseReader::text(const Key& key, std::string& value)
{
    const toml::node* const node = take(key);
    if (node == nullptr) return;
    if (!node->is_string()) throw must_be(at(*node), path_of(key.name), *node, "a text in quotation marks");
    value = node->as_string()->get();
}

void CaseReader::one_of(const Key& key, std::string& value, std::initializer_list<std::string_view> allowed)
{
    const toml::node* const node = take(key);
    if (node == nullptr) return;
    std::vector<std::string> quoted;
    for (const std::string_view name : allowed) quoted.push_back(fmt::format("\"{}\"", name));
    const std::string wanted = enumerate_names({quoted.begin(), quoted.end()}, "or");
    if (!node->is_string()) throw must_be(at(*node), path_of(key.name), *node, wanted);
    const std::string& given = node->as_string()->get();
    if (std::find(allowed.begin(), allowed.end(), given) == allowed.end()) {
        std::string_view meant = value_meant_by(given, key.name);
        if (meant.empty()) meant = nearest_name(given, allowed);
        if (meant.empty()) throw must_be(at(*node), path_of(key.name), *node, wanted);
        throw input_error("{}: {} is {}, but must be {}; did you mean \"{}\"?", at(*node), path_of(key.name),
                          describe(*node), wanted, meant);
    }
    value = given;
}

void CaseReader::boolean(const Key& key, bool& value)
{
    const toml::node* const node = take(key);
    if (node == nullptr) return;
    if (!node->is_boolean()) throw must_be(at(*node), path_of(key.name), *node, "true or false");
    value = node->as_boolean()->get();
}

void CaseReader::integer(const Key& key, int& value, const Range& range)
{
    if (const toml::node* const node = take(key)) value = whole_number(*node, path_of(key.name), range);
}

void CaseReader::real(const Key& key, double& value, const Range& range)
{
    if (const toml::node* const node = take(key)) value = number(*node, path_of(key.name), range);
}

void CaseReader::real(const Key& key, std::optional<double>& value, const Range& range)
{
    if (const toml::node* const node = take(key)) value = number(*node, path_of(key.name), range);
}

template <class Value, class Read>
void CaseReader::components(const Key& key, std::array<Value, 3>& value, int dimensions, std::string_view elements,
                            const Read& read)
{
    const toml::node* const node = take(key);
    if (node == nullptr) return;
    const std::string path = path_of(key.name);
    const toml::array& given = array_of(*node, path, static_cast<std::size_t>(dimensions), elements);
    for (std::size_t i = 0; i < given.size(); ++i) value[i] = read(given[i], fmt::format("{}.{}", path, i));
}

void CaseReader::vector(const Key& key, std::array<double, 3>& value, int dimensions, const Range& range)
{
    components(key, value, dimensions, "numbers",
               [&](const toml::node& node, const std::string& path) { return number(node, path, range); });
}

void CaseReader::vector(const Key& key, std::array<std::int32_t, 3>& value, int dimensions, const Range& range)
{
    components(key, value, dimensions, "numbers",
               [&](const toml::node& node, const std::string& path) { return whole_number(node, path, range); });
}

void CaseReader::field(const Key& key, std::optional<Field>& value, int dimensions)
{
    if (const toml::node* const node = take(key)) value = number_or_expression(*node, path_of(key.name), dimensions);
}

void CaseReader::field(const Key& key, std::array<Field, 3>& value, int dimensions)
{
    components(key, value, dimensions, "numbers or expressions", [&](const toml::node& node, const std::string& path) {
        return number_or_expression(node, path, dimensions);
    });
}

void CaseReader::texts(const Key& key, std::vector<std::string>& value)
{
    const toml::node* const node = take(key);
    if (node == nullptr) return;
    const std::string path = path_of(key.name);
    if (!node->is_array()) throw must_be_list(at(*node), path, *node, "an array of texts in quotation marks");
    value.clear();
    for (const toml::node& text : *node->as_array()) {
        const std::string element = fmt::format("{}.{}", path, value.size());
        if (!text.is_string()) throw must_be(at(text), element, text, "a text in quotation marks");
        value.push_back(text.as_string()->get());
    }
}

void CaseReader::points(const Key& key, std::vector<std::array<double, 2>>& value, std::size_t least)
{
    const toml::node* const node = take(key);
    if (node == nullptr) return;
    const std::string path = path_of(key.name);
    if (!node->is_array() || node->as_array()->size() < least) {
        throw must_be_list(at(*node), path, *node, fmt::format("an array of at least {} pairs [x, y]", least));
    }
    value.clear();
    for (const toml::node& pair : *node->as_array()) {
        const std::string element = fmt::format("{}.{}", path, value.size());
        const toml::array& numbers = array_of(pair, element, 2, "numbers", false);
        value.push_back(
            {number(numbers[0], element + ".0", any_number), number(numbers[1], element + ".1", any_number)});
    }
}

}  // namespace halfulp
