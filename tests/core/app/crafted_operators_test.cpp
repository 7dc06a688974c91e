// halfulp operators of outputs with right checksums whose numbers no run wrote: refused with one sentence, or computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
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
        return sentence_about(copy);
    }
    // The sentence that refuses a run, or none.
    [[nodiscard]] std::string sentence_about(const std::filesystem::path& of) const
    {
        CLI::App app;
        CommandContext context;
        add_operators_command(app, context);
        std::vector<std::string> words{"operators",        of.string(), "--field", "pressure",    "--output", "0", "-o",
                                       results().string(), "--backend", "cpu",     "--overwrite", "--csv"};
        std::ranges::reverse(words);
        try {
            app.parse(words);
            return {};
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::bad_input);
            return error.what();
        }
    }
    [[nodiscard]] std::filesystem::path results() const { return folder_ / "results"; }

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
    for (const double offset : {Limits::quiet_NaN(), Limits::infinity(), -1e30, 1e9, -2.0}) {
        EXPECT_NE(sentence("offset", H5T_NATIVE_DOUBLE, 1, offset).find("of a run that broke down"), std::string::npos)
            << offset;
    }
    EXPECT_EQ(sentence("offset", H5T_NATIVE_DOUBLE, 1, 0.25), "");
}

TEST_F(CraftedOperators, OfAUnitThatIsNone)
{
    run_of("inviscid-tank-2d", {"time.end=0.001", "output.figures=false"});
    const std::string units[] = {"Pa\n1,2", "\x1b[31m", std::string(5000, 'm')};
    for (const std::string& unit : units) {
        edit_output(folder_ / "run", [&](hid_t file) {
            const Hdf5Id dataset(H5Dopen2(file, "pressure", H5P_DEFAULT), H5Dclose);
            hdf5_check(H5Adelete(dataset, "unit"));
            write_attribute(dataset, "unit", unit);
        });
        // The second time over what it wrote the first time.
        for (int time = 0; time < 2; ++time) EXPECT_EQ(sentence_about(folder_ / "run"), "");
        std::ifstream table(results() / "outputs/000000.csv");
        std::string heading;
        std::string row;
        std::getline(table, heading);
        std::getline(table, row);
        EXPECT_EQ(heading.find('\x1b'), std::string::npos);
        EXPECT_EQ(std::ranges::count(heading, ','), std::ranges::count(row, ','));
    }
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
