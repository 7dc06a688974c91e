// An option of an experiment beside those that all have.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace halfulp {

// Its default is told unless it is zero or empty, which stand for what belongs to the scale.
template <class T>
CLI::Option* add(CLI::App& command, const std::string& name, T& value, const std::string& description,
                 const CLI::Validator& check = CLI::Validator(""))
{
    CLI::Option* const option = command.add_option(name, value, description)->check(check);
    return value == T{} ? option : option->capture_default_str();
}

}  // namespace halfulp
