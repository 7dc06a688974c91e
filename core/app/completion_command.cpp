// halfulp completion: scripts for shells that complete commands, options, cases and files, made from the options that
// the program has.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"

namespace halfulp {

namespace {

// What is completed after an option or as an argument.
enum class Wanted { nothing, cases, folders, files, commands, shells };

constexpr const char* shells = "bash zsh fish";

Wanted wanted_by(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    if (type.starts_with("CASE")) return Wanted::cases;
    if (type == "RUN" || type == "FOLDER") return Wanted::folders;
    if (type.starts_with("FILE")) return Wanted::files;
    if (type == "COMMAND") return Wanted::commands;
    if (type == "SHELL") return Wanted::shells;
    return Wanted::nothing;
}

struct Flag {
    std::vector<std::string> words;  // "-o", "--output"
    std::string description;
    bool has_value = false;
    Wanted value = Wanted::nothing;
};

struct Command {
    std::string name;
    std::string description;
    std::vector<Flag> flags;
    Wanted argument = Wanted::nothing;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<Command> commands_of(const CLI::App& app)
{
    std::vector<Command> commands;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
        Command& command = commands.emplace_back(Command{one->get_name(), first_line(one->get_description()), {}, {}});
        for (const CLI::Option* option : one->get_options()) {
            if (option->get_positional()) {
                command.argument = wanted_by(*option);
                continue;
            }
            Flag& flag = command.flags.emplace_back();
            for (const std::string& word : option->get_snames()) flag.words.push_back("-" + word);
            for (const std::string& word : option->get_lnames()) flag.words.push_back("--" + word);
            flag.description = first_line(option->get_description());
            flag.has_value = option->get_items_expected_max() > 0;
            flag.value = wanted_by(*option);
        }
    }
    return commands;
}

std::string names_of(const std::vector<Command>& commands)
{
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.name);
    return fmt::format("{}", fmt::join(names, " "));
}

std::string in_bash(Wanted wanted, const std::string& names)
{
    const auto words = [](const std::string& list) {
        return fmt::format("mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$cur\")", list);
    };
    switch (wanted) {
    case Wanted::nothing: return "COMPREPLY=()";
    case Wanted::cases:
        return "mapfile -t COMPREPLY < <(compgen -W \"$(\"${COMP_WORDS[0]}\" list --names 2>/dev/null)\" -- \"$cur\"; "
               "compgen -f -- \"$cur\")";
    case Wanted::folders: return "mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")";
    case Wanted::files: return "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")";
    case Wanted::commands: return words(names);
    case Wanted::shells: return words(shells);
    }
    return {};
}

std::string bash(const std::vector<Command>& commands)
{
    const std::string names = names_of(commands);
    std::string text =
        "# bash completion of halfulp: source it, or put it into ~/.local/share/bash-completion/completions/halfulp\n"
        "_halfulp()\n{\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
        "    compopt -o filenames 2>/dev/null\n"
        "    if ((COMP_CWORD == 1)); then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"" +
        names +
        " --help --version\" -- \"$cur\")\n"
        "        return\n    fi\n    case $command in\n";
    for (const Command& command : commands) {
        text += fmt::format("    {})\n        case $before in\n", command.name);
        std::vector<std::string> words;
        for (const Flag& flag : command.flags) {
            words.insert(words.end(), flag.words.begin(), flag.words.end());
            if (flag.has_value)
                text += fmt::format("        {}) {}; return ;;\n", fmt::join(flag.words, " | "),
                                    in_bash(flag.value, names));
        }
        text += fmt::format(
            "        esac\n        if [[ $cur == -* ]]; then\n            mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$cur\")\n"
            "        else\n            {}\n        fi\n        ;;\n",
            fmt::join(words, " "), in_bash(command.argument, names));
    }
    return text + "    esac\n}\ncomplete -F _halfulp halfulp\n";
}

// Within single quotes of zsh and fish; zsh's own brackets and colons are escaped by the caller.
std::string in_quotes(const std::string& text)
{
    std::string all;
    for (const char letter : text) {
        if (letter == '\'') all += "'\\''";
        else all += letter;
    }
    return all;
}

std::string in_zsh(const std::string& text)
{
    std::string all;
    for (const char letter : in_quotes(text)) {
        if (letter == '[' || letter == ']' || letter == ':') all += '\\';
        all += letter;
    }
    return all;
}

std::string zsh_action(Wanted wanted, const std::string& names)
{
    switch (wanted) {
    case Wanted::nothing: return " ";
    case Wanted::cases: return "_halfulp_cases";
    case Wanted::folders: return "_files -/";
    case Wanted::files: return "_files";
    case Wanted::commands: return "(" + names + ")";
    case Wanted::shells: return fmt::format("({})", shells);
    }
    return {};
}

std::string zsh(const std::vector<Command>& commands)
{
    const std::string names = names_of(commands);
    std::string text =
        "#compdef halfulp\n# zsh completion of halfulp: save it as _halfulp in a folder of $fpath\n\n"
        "_halfulp_cases() {\n    compadd -- ${(f)\"$(halfulp list --names 2>/dev/null)\"}\n    _files -g '*.toml'\n}\n\n"
        "_halfulp() {\n    if ((CURRENT == 2)); then\n        local -a commands=(\n";
    for (const Command& command : commands)
        text += fmt::format("            '{}:{}'\n", command.name, in_zsh(command.description));
    text +=
        "        )\n        _describe command commands\n        return\n    fi\n    local command=${words[2]}\n"
        "    words=(\"halfulp $command\" ${words[3,-1]})\n    ((CURRENT -= 1))\n    case $command in\n";
    for (const Command& command : commands) {
        text += fmt::format("    {}) _arguments -S", command.name);
        for (const Flag& flag : command.flags) {
            for (const std::string& word : flag.words) {
                text += fmt::format(" \\\n        '*{}[{}]{}'", word, in_zsh(flag.description),
                                    flag.has_value ? fmt::format(":value:{}", zsh_action(flag.value, names)) : "");
            }
        }
        text += fmt::format(" \\\n        '*:argument:{}' ;;\n", zsh_action(command.argument, names));
    }
    return text + "    esac\n}\n\n_halfulp \"$@\"\n";
}

std::string fish_arguments(Wanted wanted, const std::string& names)
{
    switch (wanted) {
    case Wanted::nothing: return " -f";
    case Wanted::cases: return " -a '(halfulp list --names 2>/dev/null)'";
    case Wanted::folders: return " -f -a '(__fish_complete_directories)'";
    case Wanted::files: return "";
    case Wanted::commands: return " -f -a '" + names + "'";
    case Wanted::shells: return fmt::format(" -f -a '{}'", shells);
    }
    return {};
}

std::string fish(const std::vector<Command>& commands)
{
    const std::string names = names_of(commands);
    std::string text = "# fish completion of halfulp: save it as ~/.config/fish/completions/halfulp.fish\n";
    for (const Command& command : commands) {
        text += fmt::format("complete -c halfulp -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name,
                            in_quotes(command.description));
    }
    for (const Command& command : commands) {
        const std::string prefix = fmt::format("complete -c halfulp -n '__fish_seen_subcommand_from {}'", command.name);
        text += prefix + fish_arguments(command.argument, names) + '\n';
        for (const Flag& flag : command.flags) {
            text += prefix;
            for (const std::string& word : flag.words)
                text += word.starts_with("--") ? " -l " + word.substr(2) : " -s " + word.substr(1);
            if (flag.has_value) text += " -r" + fish_arguments(flag.value, names);
            text += fmt::format(" -d '{}'\n", in_quotes(flag.description));
        }
    }
    return text;
}

}  // namespace

void add_completion_command(CLI::App& app, CommandContext& context)
{
    auto shell = std::make_shared<std::string>();
    CLI::App* command =
        app.add_subcommand("completion", "Print the completion script of a shell: commands, options and cases");
    command->add_option("shell", *shell, "bash, zsh or fish")->required()->type_name("SHELL");
    command->footer("Now: source <(halfulp completion bash). Permanently: the first lines of each say where it goes.");
    command->callback([&app, shell, &context] {
        const std::vector<Command> commands = commands_of(app);
        std::function<std::string(const std::vector<Command>&)> script;
        if (*shell == "bash") script = bash;
        if (*shell == "zsh") script = zsh;
        if (*shell == "fish") script = fish;
        if (!script) throw input_error("completion {}: allowed are bash, zsh and fish", one_line(*shell));
        fmt::print("{}", script(commands));
        context.code = ExitCode::success;
    });
}

}  // namespace halfulp
