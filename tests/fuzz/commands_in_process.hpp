// Commands of the program, carried out in this process, and the runs that they are given.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/app/commands.hpp"
#include "feeding.hpp"
#include "small_run.hpp"

namespace halfulp::fuzzing {

// The small run with an end after a few steps.
const Problem& short_problem();

// A run that has ended, another one of the same case with the first output alone, and one that was cut off after three
// steps, which has a checkpoint. Written once.
struct Runs {
    Folder folder;
    std::filesystem::path whole = folder.path() / "whole";
    std::filesystem::path other = folder.path() / "other";
    std::filesystem::path cut = folder.path() / "cut";

    Runs();
};
const Runs& runs();

void copy_run(const std::filesystem::path& run, const std::filesystem::path& copy);

// A command, as it is typed without the name of the program. It may be carried out again and again.
class Command {
public:
    Command(void (*add)(CLI::App& app, CommandContext& context), std::vector<std::string> words);
    // True if it succeeded. also: an exit code with which it may refuse. What it prints must be fit to be shown.
    bool carry_out(ExitCode also = ExitCode::bad_input);
    // With which it last ended.
    [[nodiscard]] ExitCode code() const { return context_.code; }

private:
    std::shared_ptr<CLI::App> app_;
    CommandContext context_;
    std::vector<std::string> words_;  // backwards, as the library takes them
};

// The words with those that have a command compute with one thread and lane.
std::vector<std::string> on_one_thread(std::vector<std::string> words);

}  // namespace halfulp::fuzzing
