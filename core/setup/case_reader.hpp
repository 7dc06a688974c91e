// Reading of a case's fields from a TOML table, with errors that name the place, the value found and what is allowed.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/setup/case_fields.hpp"

namespace halfulp {

// "cases/tank.toml:12", or "--set key=value" for a value from an override. A node without a place has the file's.
std::string place_text(const toml::source_region& source, const std::filesystem::path& file);

// The places where the keys of a case were given, by dotted path.
class KeyPlaces {
public:
    explicit KeyPlaces(std::filesystem::path file) : file_(std::move(file)) {}

    void record(const std::string& path, const toml::source_region& source)
    {
        places_[path] = place_text(source, file_);
    }
    [[nodiscard]] bool given(const std::string& path) const { return places_.contains(path); }
    // The place of the key or, if it was not given, of the table around it or of the file.
    [[nodiscard]] std::string of(const std::string& path) const;
    // An error that begins with the place of a key.
    template <class... Values>
    [[nodiscard]] Error fault(const std::string& path, fmt::format_string<Values...> text, Values&&... values) const
    {
        return input_error("{}: {}", of(path), fmt::format(text, std::forward<Values>(values)...));
    }
    [[nodiscard]] const std::map<std::string, std::string>& all() const { return places_; }
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
    std::filesystem::path file_;
    std::map<std::string, std::string> places_;
};

// An archive for case_fields. Every table is traversed twice: first to collect its keys, so that a misspelt key is
// reported as such and not as a missing one, then to read.
class CaseReader {
public:
    CaseReader(const toml::table& root, KeyPlaces& places) : root_(root), places_(places) {}

    void read(Case& c)
    {
        walk(root_, [&] { case_fields(*this, c); });
    }

    void text(const Key& key, std::string& value);
    void one_of(const Key& key, std::string& value, std::initializer_list<std::string_view> allowed);
    void boolean(const Key& key, bool& value);
    void integer(const Key& key, int& value, const Range& range);
    void real(const Key& key, double& value, const Range& range);
    void real(const Key& key, std::optional<double>& value, const Range& range);
    void vector(const Key& key, std::array<double, 3>& value, int dimensions, const Range& range);
    void vector(const Key& key, std::array<std::int32_t, 3>& value, int dimensions, const Range& range);
    void field(const Key& key, std::optional<Field>& value, int dimensions);
    void field(const Key& key, std::array<Field, 3>& value, int dimensions);
    void points(const Key& key, std::vector<std::array<double, 2>>& value, std::size_t least);
    void texts(const Key& key, std::vector<std::string>& value);

    template <class Fields>
    void table(const Key& key, Fields fields)
    {
        if (learn(key)) return;
        const toml::table* const t = subtable(key);
        static const toml::table empty;  // an absent table may still lack required keys
        inside(key.name, t ? *t : empty, fields);
    }

    template <class T, class Fields>
    void table(const Key& key, std::optional<T>& value, Fields fields)
    {
        if (learn(key)) return;
        if (const toml::table* const t = subtable(key)) {
            value.emplace();
            inside(key.name, *t, [&] { fields(*value); });
        }
    }

    // One of the forms of a shape: a table with fields, or a list of points.
    template <class Form, class Fields>
    requires std::is_invocable_v<Fields>
    void form(const Key& key, Form& value, Form own, Fields fields)
    {
        if (!take_form(key)) return;
        value = own;
        const toml::table* const t = subtable(key);
        inside(key.name, *t, fields);
    }
    template <class Form>
    void form(const Key& key, Form& value, Form own, std::vector<std::array<double, 2>>& corners, std::size_t least)
    {
        if (!take_form(key)) return;
        value = own;
        points(key, corners, least);
    }

    template <class T, class Fields>
    void list(const Key& key, std::vector<T>& values, Fields fields)
    {
        if (learn(key)) return;
        const toml::array* const tables = array_of_tables(key);
        if (!tables) return;
        values.clear();
        for (std::size_t i = 0; i < tables->size(); ++i) {
            const toml::table& t = *tables->get(i)->as_table();
            const std::string name = t["name"].value_or(std::string());
            inside(std::string(key.name) + "." + (addressable(name) ? name : std::to_string(i)), t,
                   [&, this] { walk_element(values, fields); });
        }
    }

    // Whether a name can stand for its table in a dotted path.
    static bool addressable(std::string_view name);

private:
    // Traverses one table: collects its keys, looks for unknown ones, reads.
    void walk(const toml::table& t, const std::function<void()>& fields);
    void inside(std::string_view name, const toml::table& t, const std::function<void()>& fields);

    template <class T, class Fields>
    void walk_element(std::vector<T>& values, Fields fields)
    {
        // Both traversals of `inside` come here: the first only collects the keys.
        if (learning_) {
            T scratch;
            fields(scratch);
            return;
        }
        fields(values.emplace_back());
    }

    bool learn(const Key& key);      // in the collecting traversal: notes the key and returns true
    bool take_form(const Key& key);  // whether this is the form that the shape has
    const toml::node* find(const Key& key);
    const toml::node* take(const Key& key);  // in the reading traversal, what `find` finds
    const toml::table* subtable(const Key& key);
    const toml::array* array_of_tables(const Key& key);
    double number(const toml::node& node, const std::string& path, const Range& range);
    int whole_number(const toml::node& node, const std::string& path, const Range& range);
    Field number_or_expression(const toml::node& node, const std::string& path, int dimensions);
    // Of an array with an element for each dimension.
    template <class Value, class Read>
    void components(const Key& key, std::array<Value, 3>& value, int dimensions, std::string_view elements,
                    const Read& read);
    const toml::array& array_of(const toml::node& node, const std::string& path, std::size_t length,
                                std::string_view elements = "numbers", bool of_dimensions = true);
    void look_for_unknown_keys() const;
    void look_for_missing_form() const;
    [[nodiscard]] std::string path_of(std::string_view name) const;
    [[nodiscard]] std::string at(const toml::node& node) const { return place_text(node.source(), places_.file()); }

    const toml::table& root_;
    KeyPlaces& places_;
    const toml::table* table_ = nullptr;  // the one being traversed
    std::string prefix_;                  // its dotted path with a dot at the end; empty for the file
    bool learning_ = false;
    std::vector<std::string_view> known_;        // keys of the table, in the order of the description
    std::vector<std::string_view> forms_known_;  // the keys of which exactly one must be given
    std::vector<std::string_view> forms_given_;
};

}  // namespace halfulp
