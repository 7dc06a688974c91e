// case_as_toml: an archive for case_fields that writes every value in force, with its meaning beside it.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/setup/case_fields.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

// The shortest decimal that reads back as the same double, always a TOML float.
std::string toml_text(double x)
{
    std::string text = fmt::format("{}", x);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}
std::string toml_text(std::int32_t x) { return fmt::format("{}", x); }
std::string toml_text(bool x) { return x ? "true" : "false"; }

std::string toml_text(std::string_view text)
{
    std::string quoted = "\"";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') {
            quoted += '\\';
            quoted += letter;
        } else if (code < 0x20 || code == 0x7f) {
            quoted += fmt::format("\\u{:04x}", code);
        } else {
            quoted += letter;
        }
    }
    return quoted + '"';
}

std::string toml_text(const Field& field)
{
    if (const auto* const expression = std::get_if<Expression>(&field)) {
        return toml_text(std::string_view(expression->text()));
    }
    return toml_text(std::get<double>(field));
}

class CaseWriter {
public:
    [[nodiscard]] std::string result() const { return own_ + tables_; }

    void text(const Key& key, const std::string& value) { line(key, toml_text(std::string_view(value))); }
    void one_of(const Key& key, const std::string& value, std::initializer_list<std::string_view>) { text(key, value); }
    void boolean(const Key& key, bool value) { line(key, toml_text(value)); }
    void integer(const Key& key, int value, const Range&) { line(key, toml_text(value)); }
    void real(const Key& key, double value, const Range&) { line(key, toml_text(value)); }
    void real(const Key& key, const std::optional<double>& value, const Range&)
    {
        if (value) line(key, toml_text(*value));
    }
    template <class T>
    void vector(const Key& key, const std::array<T, 3>& value, int dimensions, const Range&)
    {
        line(key, sequence(value, static_cast<std::size_t>(dimensions)));
    }
    void field(const Key& key, const std::optional<Field>& value, int)
    {
        if (value) line(key, toml_text(*value));
    }
    void field(const Key& key, const std::array<Field, 3>& value, int dimensions)
    {
        line(key, sequence(value, static_cast<std::size_t>(dimensions)));
    }
    void points(const Key& key, const std::vector<std::array<double, 2>>& value, std::size_t)
    {
        std::string list = "[";
        for (const auto& point : value) list += (list.size() > 1 ? ", " : "") + sequence(point, 2);
        line(key, list + "]");
    }
    void texts(const Key& key, const std::vector<std::string>& value)
    {
        std::string list = "[";
        for (const auto& text : value) list += (list.size() > 1 ? ", " : "") + toml_text(std::string_view(text));
        line(key, list + "]");
    }

    template <class Fields>
    void table(const Key& key, Fields fields)
    {
        inside("[", key, "]", fields);
    }
    template <class T, class Fields>
    void table(const Key& key, std::optional<T>& value, Fields fields)
    {
        if (value) table(key, [&] { fields(*value); });
    }
    template <class T, class Fields>
    void list(const Key& key, std::vector<T>& values, Fields fields)
    {
        for (T& value : values) inside("[[", key, "]]", [&] { fields(value); });
    }

    // Corners fit on one line, and a table of its own would swallow the keys of the shape that follow it.
    template <class Form, class Fields>
    void form(const Key& key, const Form& value, Form own, Fields fields)
    {
        if (value != own) return;
        inline_ = "{";
        fields();
        const std::string corners = inline_ + " }";
        inline_.clear();
        line(key, corners);
    }
    template <class Form>
    void form(const Key& key, const Form& value, Form own, const std::vector<std::array<double, 2>>& corners,
              std::size_t least)
    {
        if (value == own) points(key, corners, least);
    }

private:
    template <class Numbers>
    static std::string sequence(const Numbers& numbers, std::size_t length)
    {
        std::string list = "[";
        for (std::size_t i = 0; i < length; ++i) list += (i > 0 ? ", " : "") + toml_text(numbers[i]);
        return list + "]";
    }

    void line(const Key& key, const std::string& value)
    {
        if (!key.applies) return;
        if (!inline_.empty()) {
            inline_ += fmt::format("{} {} = {}", inline_.size() > 1 ? "," : "", key.name, value);
            return;
        }
        // Comments line up in a column of their own unless the value is too long for it.
        own_ += fmt::format("{:<40}  # {}\n", fmt::format("{} = {}", key.name, value), key.meaning);
    }

    // A table's own keys come before the tables in it, which would take over those that follow them.
    template <class Fields>
    void inside(std::string_view open, const Key& key, std::string_view close, Fields fields)
    {
        const std::string outer = std::exchange(prefix_, prefix_ + std::string(key.name));
        std::string before = std::exchange(tables_, {});
        std::string outer_keys =
            std::exchange(own_, fmt::format("\n{}{}{}  # {}\n", open, prefix_, close, key.meaning));
        prefix_ += '.';
        fields();
        // Appended: copies of what stands before would take a time quadratic in the number of tables.
        before.append(own_).append(tables_);
        tables_ = std::move(before);
        own_ = std::move(outer_keys);
        prefix_ = outer;
    }

    std::string own_;     // keys of the table that is being written
    std::string tables_;  // tables that follow them
    std::string prefix_;  // of the table that is being written
    std::string inline_;  // the inline table being written; empty outside of one
};

}  // namespace

std::string case_as_toml(const Case& c)
{
    CaseWriter writer;
    Case values = c;  // the description requires non-const members
    case_fields(writer, values);
    return writer.result();
}

}  // namespace halfulp
