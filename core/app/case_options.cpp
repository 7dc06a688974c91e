#include "core/app/case_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/setup/case_overrides.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

void CaseOptions::add_overrides(CLI::App& command)
{
    command
        .add_option(
            "--set", overrides,
            "Override values of the case: KEY=VALUE with a dotted key, e.g. --set resolution.spacing=0.03 time.end=1; may be given many times")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::string case_among(const std::vector<std::string>& overrides)
{
    for (const std::string& word : overrides) {
        if (word.find('=') != std::string::npos) continue;
        return fmt::format("--set {}: this is no KEY=VALUE; if it is the case, give it before --set",
                           one_line(shortened(word)));
    }
    return {};
}

Case CaseOptions::read() const { return read_case(find_case(name_or_path), overrides); }

Error as_given(const Error& error, const std::string& override, const std::string& given)
{
    std::string sentence = error.what();
    const std::string called = name_of_override(override);
    const std::string so = one_line(shortened(given));
    for (std::size_t at = 0; (at = sentence.find(called, at)) != std::string::npos;) {
        const std::size_t end = at + called.size();
        const bool whole = end == sentence.size() || sentence[end] == ':' || sentence[end] == ' ';  // no longer value
        if (whole) sentence.replace(at, called.size(), so);
        at += whole ? so.size() : called.size();
    }
    return {error.code(), sentence};
}

}  // namespace halfulp
