// Runs on disk that no program wrote: names that lead out of the folder, devices, pipes, absurd numbers.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/output/run_content.hpp"
#include "core/output/run_file.hpp"
#include "tests/core/output/sample_run.hpp"

namespace halfulp::test {
namespace {

// A crafted run.h5, with a seal that is right.
TEST(CraftedRun, NamesInItStayInItsFolder)
{
    for (const bool absolute : {true, false}) {
        const Folder folder;
        std::filesystem::create_directories(folder / "run" / "outputs");
        const std::filesystem::path victim = folder / "precious.stl";
        std::ofstream(victim) << "solid";
        RunContent content;
        content.inputs["mesh.stl"] = {absolute ? victim.string() : "../../precious.stl", {}};
        write_run_content(folder / "run" / "run.h5", content);
        const std::string sentence = sentence_of(ExitCode::bad_input, [&] { RunReader(folder / "run"); });
        EXPECT_TRUE(contains(sentence, "leads out of the run's folder")) << sentence;
        RunWriter(folder / "run", true, 2, "", "", {});
        EXPECT_TRUE(std::filesystem::exists(victim));
    }
}

TEST(CraftedRun, DevicesAndPipesAreNoFilesOfARun)
{
    const Folder folder;
    std::filesystem::create_directories(folder / "inputs");
    std::filesystem::create_symlink("/dev/zero", folder / "inputs" / "zero");
    ASSERT_EQ(mkfifo((folder / "inputs" / "pipe").c_str(), 0600), 0);
    for (const char* name : {"zero", "pipe"}) {
        const std::string sentence =
            sentence_of(ExitCode::bad_input, [&] { check_input(folder / "", {.file = name, .checksum = {}}); });
        EXPECT_TRUE(contains(sentence, "is no file but a device, a pipe or a folder")) << sentence;
        EXPECT_TRUE(
            contains(sentence_of(ExitCode::bad_input, [&] { RunReader(folder / "inputs" / name); }), "no file"));
    }
}

TEST(CraftedRun, OfTwoDimensionsOrThree)
{
    const Folder folder;
    std::filesystem::create_directories(folder / "run" / "outputs");
    RunContent content;
    content.dimensions = 7;
    write_run_content(folder / "run" / "run.h5", content);
    EXPECT_TRUE(contains(sentence_of(ExitCode::bad_input, [&] { RunReader(folder / "run"); }), "neither 2 nor 3"));
}

}  // namespace
}  // namespace halfulp::test
