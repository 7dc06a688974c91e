// halfulp operators of outputs with right checksums whose numbers no run wrote: refused with one sentence, or computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/app/run.hpp"
#include "tests/core/backends/cases.hpp"
#include "tests/core/output/crafted_run.hpp"

namespace halfulp::test {
namespace {

class CraftedOperators : public ::testing::Test {
protected:
    CraftedOperators()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-crafted-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~CraftedOperators() override { std::filesystem::remove_all(folder_); }

    void run_of(const std::string& name, const std::vector<std::string>& overrides)
    {
        RunOptions options;
        options.folder = folder_ / "run";
        options.quiet = true;
        options.backend = {.kind = BackendKind::cpu, .cpu = {.threads = 1, .lanes = 0}, .cuda = {}};
        run(problem_of(name, overrides), options);
    }
    // With another number in the first row of a column of its first output; the sentence that refuses it, or none.
    template <class Number>
    [[nodiscard]] std::string sentence(const char* column, hid_t type, std::size_t component, Number number) const
    {
        const std::filesystem::path copy = folder_ / "copy";
        std::filesystem::remove_all(copy);
        std::filesystem::copy(folder_ / "run", copy, std::filesystem::copy_options::recursive);
        edit_output(copy, [&](hid_t file) {
            const Hdf5Id dataset(H5Dopen2(file, column, H5P_DEFAULT), H5Dclose);
            const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
            std::vector<Number> numbers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
            hdf5_check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
            numbers.at(component) = number;
            hdf5_check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
        });
        CLI::App app;
        CommandContext context;
        add_operators_command(app, context);
        std::vector<std::string> words{"operators", copy.string(), "--field",    "pressure",
                                       "--output",  "0",           "-o",         (folder_ / "results").string(),
                                       "--backend", "cpu",         "--overwrite"};
        std::ranges::reverse(words);
        try {
            app.parse(words);
            return {};
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::bad_input);
            return error.what();
        }
    }

    std::filesystem::path folder_;
};

TEST_F(CraftedOperators, OfCellsThatNoParticleHas)
{
    run_of("inviscid-tank-2d", {"time.end=0.001", "output.figures=false"});
    using Limits = std::numeric_limits<std::int32_t>;
    for (const std::int32_t cell : {Limits::max(), Limits::min(), 2'000'000'000}) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
            EXPECT_NE(sentence("cell", H5T_NATIVE_INT32, axis, cell).find("of a run that broke down"),
                      std::string::npos)
                << cell << " along " << axis;
        }
    }
    EXPECT_EQ(sentence("cell", H5T_NATIVE_INT32, 0, 1'000'000'000), "");  // far from all others
}

TEST_F(CraftedOperators, OfOffsetsThatNoParticleHas)
{
    run_of("inviscid-tank-2d", {"time.end=0.001", "output.figures=false"});
    using Limits = std::numeric_limits<double>;
    for (const double offset : {Limits::quiet_NaN(), Limits::infinity(), -1e30}) {
        EXPECT_NE(sentence("offset", H5T_NATIVE_DOUBLE, 1, offset).find("of a run that broke down"), std::string::npos)
            << offset;
    }
    EXPECT_EQ(sentence("offset", H5T_NATIVE_DOUBLE, 1, 0.25), "");
}

TEST_F(CraftedOperators, OutsideOfThePeriod)
{
    run_of("taylor-green-2d", {"time.end=0.0001", "output.figures=false"});
    for (const std::int32_t cell : {1'000'000, -1'000'000}) {
        EXPECT_NE(sentence("cell", H5T_NATIVE_INT32, 0, cell).find("out of the period"), std::string::npos) << cell;
    }
    EXPECT_EQ(sentence("cell", H5T_NATIVE_INT32, 0, 1), "");
}

}  // namespace
}  // namespace halfulp::test
