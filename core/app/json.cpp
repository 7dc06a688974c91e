#include "core/app/json.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/output/posix_file.hpp"

namespace halfulp {

namespace {

std::string json_text(std::string_view text)
{
    std::string all = "\"";
    for (const char letter : one_line(text)) {
        if (letter == '"' || letter == '\\') all += '\\';
        all += letter;
    }
    return all + '"';
}

}  // namespace

JsonObject& JsonObject::add_json(std::string_view key, std::string_view value)
{
    entries_ += fmt::format("{}{}: {}", entries_.empty() ? "" : ", ", json_text(key), value);
    return *this;
}

JsonObject& JsonObject::add(std::string_view key, std::string_view text) { return add_json(key, json_text(text)); }

JsonObject& JsonObject::add(std::string_view key, double number)
{
    return add_json(key, std::isfinite(number) ? fmt::format("{}", number) : "null");
}

JsonObject& JsonObject::add(std::string_view key, bool truth) { return add_json(key, truth ? "true" : "false"); }

JsonObject& JsonObject::add(std::string_view key, const std::vector<std::string>& texts)
{
    std::vector<std::string> values;
    for (const std::string& text : texts) values.push_back(json_text(text));
    return add_json(key, fmt::format("[{}]", fmt::join(values, ", ")));
}

JsonObject& JsonObject::add(std::string_view key, const std::vector<JsonObject>& objects)
{
    std::vector<std::string> values;
    for (const JsonObject& object : objects) values.push_back(object.text());
    return add_json(key, fmt::format("[{}]", fmt::join(values, ", ")));
}

JsonObject& JsonObject::add(std::string_view key, const std::map<std::string, std::string>& texts)
{
    JsonObject object;
    for (const auto& [name, text] : texts) object.add(name, text);
    return add(key, object);
}

std::vector<std::string> lines_of(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end != 0) lines.emplace_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return lines;
}

JsonOutput::JsonOutput(bool wanted) : wanted_(wanted)
{
    if (!wanted) return;
    std::fflush(stdout);
    standard_output_ = dup(STDOUT_FILENO);
    if (standard_output_ < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw output_error("--json: standard output cannot be set aside: {}.", words_of(errno));
}

JsonOutput::~JsonOutput() { restore(); }

void JsonOutput::restore()
{
    if (standard_output_ < 0) return;
    std::fflush(stdout);
    dup2(standard_output_, STDOUT_FILENO);
    close(std::exchange(standard_output_, -1));
}

void JsonOutput::write(const JsonObject& object)
{
    restore();
    if (wanted_) fmt::print("{}\n", object.text());
}

}  // namespace halfulp
