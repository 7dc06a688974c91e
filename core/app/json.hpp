// Summaries as one JSON object on standard output, for other programs.
#pragma once

#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace halfulp {

// Entries in the order in which they are added. Texts are made printable on one line; numbers read back as the same
// double, and those that are not finite are null.
class JsonObject {
public:
    JsonObject& add(std::string_view key, std::string_view text);
    JsonObject& add(std::string_view key, const char* text) { return add(key, std::string_view(text)); }
    JsonObject& add(std::string_view key, double number);
    JsonObject& add(std::string_view key, bool truth);
    template <std::integral Number>
    JsonObject& add(std::string_view key, Number number)
    {
        return add_json(key, std::to_string(number));
    }
    JsonObject& add(std::string_view key, const JsonObject& object) { return add_json(key, object.text()); }
    JsonObject& add(std::string_view key, const std::vector<std::string>& texts);
    JsonObject& add(std::string_view key, const std::vector<JsonObject>& objects);
    JsonObject& add(std::string_view key, const std::map<std::string, std::string>& texts);
    JsonObject& add_null(std::string_view key) { return add_json(key, "null"); }
    // A value that is JSON already.
    JsonObject& add_json(std::string_view key, std::string_view value);

    [[nodiscard]] std::string text() const { return '{' + entries_ + '}'; }

private:
    std::string entries_;
};

// The lines of a text, without empty ones.
std::vector<std::string> lines_of(std::string_view text);

// As long as an object of this class exists, printed text goes to standard error, so that standard output gets the JSON
// object alone. Not wanted, it does nothing.
class JsonOutput {
public:
    explicit JsonOutput(bool wanted);
    ~JsonOutput();
    JsonOutput(const JsonOutput&) = delete;
    JsonOutput& operator=(const JsonOutput&) = delete;

    explicit operator bool() const { return wanted_; }
    // To standard output, which is itself again from then on.
    void write(const JsonObject& object);

private:
    void restore();

    bool wanted_;
    int standard_output_ = -1;  // as it was; -1: restored
};

}  // namespace halfulp
