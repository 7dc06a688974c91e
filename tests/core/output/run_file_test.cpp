#include "core/output/run_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <omp.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <fstream>

#include "core/results/column_number.hpp"
#include "tests/core/output/sample_run.hpp"

namespace halfulp::test {
namespace {

// One byte of a file, another one.
void alter(const fs::path& path, std::uint64_t at, int change)
{
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ change));
}

TEST(RunFile, ReadsBackWhatWasWritten)
{
    const Folder folder;
    const std::string given = "title = \"Wasser, 20 \u00b0C\"\n" + std::string(100'000, '#');
    std::vector<LedgerRow> rows;
    for (int i = 0; i < 2500; ++i) rows.push_back(make_row(i));  // more than two chunks
    {
        RunWriter writer(folder / "run", false, 2, given, "completed",
                         {{"commit", "abc"}, {"empty", ""}, {"wall", "1 s"}});
        writer.write_ledger({rows.begin(), rows.begin() + 1});
        for (std::uint64_t output = 0; output < 3; ++output) write(writer, make_snapshot(100 + output, output));
        write(writer, make_snapshot(0, 3));
        writer.write_ledger({rows.begin() + 1, rows.end()});
        writer.write_ledger({});
        writer.annotate({{"wall", "2 s"}, {"end", "finished"}});
    }
    const RunReader reader(folder / "run");
    EXPECT_EQ(reader.content().case_given, given);
    EXPECT_EQ(reader.content().case_completed, "completed");
    EXPECT_EQ(reader.content().dimensions, 2);
    EXPECT_EQ(reader.provenance(),
              (Provenance{{"commit", "abc"}, {"empty", ""}, {"wall", "2 s"}, {"end", "finished"}}));
    const std::vector<OutputInfo>& outputs = reader.outputs();
    ASSERT_EQ(outputs.size(), 4u);
    for (std::uint64_t output = 0; output < 3; ++output)
        expect_equal(reader.output(outputs[output]), make_snapshot(100 + output, output));
    expect_equal(reader.output(outputs[3]), make_snapshot(0, 3));
    EXPECT_EQ(reader.output(outputs[0], RunReader::Columns::state).columns.size(), 3u);
    const std::vector<LedgerRow> read = reader.ledger();
    ASSERT_EQ(read.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const LedgerColumn& column : ledger_columns) ASSERT_EQ(read[i].*column.member, rows[i].*column.member);
    EXPECT_TRUE(python_agrees(folder / "run" / "run.h5", R"(
g = f['outputs/000001']
assert list(g) == ['position', 'velocity', 'density_deviation', 'kind', 'cell']
assert g['velocity'].shape == (101, 3) and g['velocity'].dtype == np.float32 and g['velocity'].attrs['unit'] == 'm/s'
assert g['kind'].dtype == np.uint8 and g.attrs['step'] == 100 and f.attrs['format'] == 'halfulp run'
assert f['ledger/time'].shape == (2500,) and f['provenance'].attrs['end'] == 'finished'
)"));
}

TEST(RunFile, LedgerTextReadsBackTheSameNumbers)
{
    const Folder folder;
    {
        RunWriter writer(folder / "run", false, 2, "", "", {});
        for (int i = 0; i < 10; ++i) writer.write_ledger({make_row(i)});
    }
    std::istringstream table(text_of(folder / "run" / "ledger.csv"));
    std::string line;
    std::getline(table, line);
    EXPECT_TRUE(line.starts_with("step[1],time[s],time_step[s],kinetic[J/m]")) << line;
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(std::getline(table, line));
        std::istringstream cells(line);
        for (const LedgerColumn& column : ledger_columns) {
            std::string cell;
            std::getline(cells, cell, ',');
            EXPECT_EQ(std::strtod(cell.c_str(), nullptr), make_row(i).*column.member);
        }
    }
    EXPECT_FALSE(std::getline(table, line));
}

TEST(RunFile, XdmfNamesEveryOutput)
{
    const Folder folder;
    write_run(folder / "run", {make_snapshot(10, 0), make_snapshot(12, 1)});
    const std::string text = text_of(folder / "run" / "run.xdmf");
    EXPECT_TRUE(contains(text, "outputs/000000.h5:/position</DataItem></Geometry>"));
    EXPECT_TRUE(contains(text, R"(NumberType="UChar" Precision="1" Dimensions="12">outputs/000001.h5:/kind)"));
    EXPECT_TRUE(contains(text, R"(<Time Value="0.1"/>)"));
    EXPECT_TRUE(contains(text, "outputs/vertices-12.h5:/vertices</DataItem></Topology>"));
    EXPECT_TRUE(text.ends_with("</Xdmf>\n"));
    EXPECT_TRUE(python_agrees(folder / "run" / "outputs" / "vertices-12.h5",
                              "assert list(f['vertices'][()]) == list(range(12))"));
}

// While the writer lives, and so after a crash too, everything up to the last output is on disk.
TEST(RunFile, IsReadableWhileWritten)
{
    const Folder folder;
    RunWriter writer(folder / "run", false, 2, "", "", {});
    for (std::uint64_t output = 0; output < 100; ++output) {
        writer.write_ledger({make_row(static_cast<int>(output))});
        write(writer, make_snapshot(5, output));
        if (output % 20 != 0) continue;
        writer.sync();
        const RunReader reader(folder / "run");
        ASSERT_EQ(reader.outputs().size(), output + 1);
        expect_equal(reader.output(reader.outputs().back()), make_snapshot(5, output));
        EXPECT_EQ(reader.ledger().size(), output + 1);
    }
    writer.sync();
    EXPECT_TRUE(python_agrees(folder / "run" / "run.h5", "assert len(f['outputs']) == 100"));
}

// The lists grow with the outputs: written anew with each, they would cost the square of their number.
TEST(RunFile, ManyOutputsRewriteTheirListsRarely)
{
    const Folder folder;
    constexpr std::uint64_t outputs = 400;
    std::uint64_t rewritten = 0;
    {
        RunWriter writer(folder / "run", false, 2, "", "", {});
        std::string before;
        for (std::uint64_t output = 0; output < outputs; ++output) {
            write(writer, make_snapshot(5, output));
            std::string now = text_of(folder / "run" / "run.h5");
            rewritten += now == before ? 0 : 1;
            before = std::move(now);
        }
    }
    EXPECT_GE(rewritten, 100U) << "the first ones at once";
    EXPECT_LT(rewritten, outputs / 2);
    const RunReader reader(folder / "run");
    EXPECT_EQ(reader.outputs().size(), outputs) << "the writer's end lists the rest";
    std::size_t grids = 0;
    const std::string text = text_of(folder / "run" / "run.xdmf");
    for (std::size_t at = text.find("<Time "); at != text.npos; at = text.find("<Time ", at + 1)) ++grids;
    EXPECT_EQ(grids, outputs);
}

// Bytes that this process has written so far.
std::uint64_t bytes_written()
{
    std::ifstream file("/proc/self/io");
    std::string key;
    std::uint64_t number = 0;
    while (file >> key >> number) {
        if (key == "wchar:") return number;
    }
    return 0;
}

// What the writer itself adds to its outputs does not grow with their number.
TEST(RunFile, LastOutputsCostWhatTheFirstOnesDid)
{
    if (bytes_written() == 0) GTEST_SKIP() << "the system does not count";
    const Folder folder;
    constexpr std::uint64_t some = 250;
    constexpr std::uint64_t outputs = 1000;
    RunWriter writer(folder / "run", false, 2, "", "", {});
    std::vector<std::uint64_t> written;
    for (std::uint64_t output = 0; output < outputs; ++output) {
        written.push_back(bytes_written());
        write(writer, make_snapshot(5, output));
    }
    const std::uint64_t first = written[some] - written.front();
    const std::uint64_t last = bytes_written() - written[outputs - some];
    EXPECT_LT(last, 2 * first);
}

TEST(RunFile, ExistingRunIsKeptUnlessOverwritten)
{
    const Folder folder;
    write_run(folder / "run", {make_snapshot(10, 0), make_snapshot(10, 1)});
    const std::string sentence =
        sentence_of(ExitCode::output, [&] { RunWriter(folder / "run", false, 2, "", "", {}); });
    EXPECT_TRUE(contains(sentence, "run.h5 exists already")) << sentence;
    EXPECT_TRUE(contains(sentence, "--overwrite")) << sentence;
    EXPECT_EQ(RunReader(folder / "run").outputs().size(), 2u);
    std::ofstream(folder / "run" / "outputs" / "mine.h5") << "x";
    {
        RunWriter writer(folder / "run", true, 2, "", "", {});
        EXPECT_FALSE(fs::exists(folder / "run" / "run.xdmf"));
        EXPECT_FALSE(fs::exists(folder / "run" / "outputs" / "000000.h5"));
        EXPECT_TRUE(fs::exists(folder / "run" / "outputs" / "mine.h5")) << "what is not of a run stays";
        write(writer, make_snapshot(20, 0));
    }
    EXPECT_EQ(RunReader(folder / "run").outputs().size(), 1u);
    EXPECT_FALSE(fs::exists(folder / "run" / "run.h5.new"));
    EXPECT_FALSE(fs::exists(folder / "run" / "ledger.csv.new"));
}

// The new run cannot begin since a folder lies where its table should: the old run stays.
TEST(RunFile, OldRunOutlivesANewOneThatCannotBegin)
{
    const Folder folder;
    write_run(folder / "run", {make_snapshot(10, 0)});
    fs::create_directory(folder / "run" / "ledger.csv.new");
    std::ofstream(folder / "run" / "ledger.csv.new" / "something") << "x";
    const std::string sentence = sentence_of(ExitCode::output, [&] { RunWriter(folder / "run", true, 2, "", "", {}); });
    EXPECT_TRUE(contains(sentence, "ledger.csv.new is no file of a run of halfulp")) << sentence;
    EXPECT_EQ(RunReader(folder / "run").outputs().size(), 1u);
    EXPECT_TRUE(fs::exists(folder / "run" / "run.xdmf"));
}

TEST(RunFile, UnwritableFolder)
{
    const Folder folder;
    std::ofstream(folder / "file") << "x";
    std::string sentence = sentence_of(ExitCode::output, [&] { RunWriter(folder / "file", false, 2, "", "", {}); });
    EXPECT_TRUE(contains(sentence, "file: ")) << sentence;
    sentence = sentence_of(ExitCode::output, [&] { RunWriter(folder / "file" / "run", false, 2, "", "", {}); });
    EXPECT_TRUE(contains(sentence, "cannot create the folder") && contains(sentence, "Not a directory")) << sentence;
    if (geteuid() == 0) return;  // root may write anywhere
    fs::create_directory(folder / "sealed");
    fs::permissions(folder / "sealed", fs::perms::owner_read | fs::perms::owner_exec);
    sentence = sentence_of(ExitCode::output, [&] { RunWriter(folder / "sealed", false, 2, "", "", {}); });
    EXPECT_TRUE(contains(sentence, "Permission denied")) << sentence;
}

TEST(RunFile, ForeignFilesAreRefused)
{
    const Folder folder;
    const auto refusal = [](const fs::path& path) {
        return sentence_of(ExitCode::bad_input, [&] { RunReader{path}; });
    };
    EXPECT_TRUE(contains(refusal(folder / "nowhere"), "there is no run at "));
    fs::create_directory(folder / "empty");
    EXPECT_TRUE(contains(refusal(folder / "empty"), "holds no run"));
    std::ofstream(folder / "text.h5") << "some text";
    EXPECT_TRUE(contains(refusal(folder / "text.h5"), "is no file of a run")) << refusal(folder / "text.h5");
    std::ofstream(folder / "nothing.h5") << "";
    EXPECT_TRUE(contains(refusal(folder / "nothing.h5"), "is no file of a run"));
    H5Fclose(H5Fcreate((folder / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    EXPECT_TRUE(contains(refusal(folder / "foreign.h5"), "has no seal of halfulp")) << refusal(folder / "foreign.h5");

    write_run(folder / "run", {make_snapshot(5, 0)});
    EXPECT_TRUE(contains(refusal(folder / "run" / "outputs" / "000000.h5"), R"(of kind "output", not "run")"));
    const std::string head = text_of(folder / "run" / "run.h5");
    const auto version = head.find("format 3");
    ASSERT_LT(version, 100U);
    alter(folder / "run" / "run.h5", version + 7, '3' ^ '2');
    EXPECT_TRUE(contains(refusal(folder / "run"), "version 2 of the run format; this program reads version 3: look"))
        << refusal(folder / "run");
}

// Whatever bit is wrong in whichever file, and wherever it is cut off: that file is refused, and no other.
TEST(RunFile, DamagedFilesAreRefusedAndTheOthersRead)
{
    const Folder folder;
    write_run(folder / "run", {make_snapshot(40, 0), make_snapshot(40, 1), make_snapshot(40, 2)});
    const fs::path run = folder / "run" / "run.h5";
    const fs::path output = folder / "run" / "outputs" / "000001.h5";
    const auto refusal = [&](const fs::path& damaged) {
        return sentence_of(ExitCode::bad_input, [&] {
            const RunReader reader(folder / "run");
            if (damaged == run) return;
            expect_equal(reader.output(reader.outputs()[0]), make_snapshot(40, 0));
            expect_equal(reader.output(reader.outputs()[2]), make_snapshot(40, 2));
            static_cast<void>(reader.output(reader.outputs()[1]));
        });
    };
    for (const fs::path& file : {run, output}) {
        const auto size = fs::file_size(file);
        for (std::uint64_t at = 0; at < size; at += at < seal_size ? 1 : 977) {
            alter(file, at, 1 << at % 8);
            const std::string sentence = refusal(file);
            EXPECT_TRUE(contains(sentence, file.string())) << at << ": " << sentence;
            alter(file, at, 1 << at % 8);
        }
        const std::string whole = text_of(file);
        for (const double part : {0.0, 0.001, 0.2, 0.9, 0.9999}) {
            std::ofstream(file, std::ios::binary) << whole;
            fs::resize_file(file, static_cast<std::uint64_t>(part * static_cast<double>(size)));
            EXPECT_TRUE(contains(refusal(file), file.string())) << refusal(file);
        }
        EXPECT_TRUE(contains(refusal(file), "the file is cut short, it has ")) << refusal(file);
        std::ofstream(file, std::ios::binary) << whole << "x";
        EXPECT_TRUE(contains(refusal(file), "something was added to it")) << refusal(file);
        std::ofstream(file, std::ios::binary) << whole;
    }
    // An output of another run is whole, but not this one's.
    write_run(folder / "other", {make_snapshot(40, 5)});
    fs::copy_file(folder / "other" / "outputs" / "000000.h5", output, fs::copy_options::overwrite_existing);
    EXPECT_TRUE(contains(refusal(output), "another run wrote it")) << refusal(output);
    fs::remove(output);
    EXPECT_TRUE(contains(refusal(output), "000001.h5: No such file or directory")) << refusal(output);
}

// A process of its own, which has none of the threads that OpenMP keeps for this one: with one it waits for none.
pid_t fork_alone()
{
    const pid_t child = fork();
    if (child == 0) omp_set_num_threads(1);
    return child;
}

// In a process of its own, whose files may not grow past a limit: the writer refuses in a sentence, time after time,
// and what was written before is whole.
TEST(RunFile, FullDiskKeepsWhatWasWritten)
{
    const auto growing = [](int output) {
        return make_snapshot(500 * static_cast<std::uint64_t>(output + 1), static_cast<std::uint64_t>(output));
    };
    for (const rlim_t limit : {150'000, 234'567, 1'000'000}) {
        const Folder folder;
        const pid_t child = fork_alone();
        if (child == 0) {
            const rlimit bound{limit, limit};
            setrlimit(RLIMIT_FSIZE, &bound);
            int written = 0;
            int code = 101;
            std::string sentence;
            try {
                RunWriter writer(folder / "run", false, 2, "", "", {});
                try {
                    for (;; ++written) write(writer, growing(written));
                } catch (const Error& error) {
                    sentence = error.what();
                }
                const bool clear = contains(sentence, ".h5: File too large") && contains(sentence, "needs ");
                try {
                    write(writer, growing(written));
                } catch (const Error&) {
                    code = clear ? written : 102;
                }
            } catch (...) {
                code = 103;
            }
            _exit(code);
        }
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFEXITED(status));
        const int written = WEXITSTATUS(status);
        ASSERT_LT(written, 100);
        const RunReader reader(folder / "run");
        ASSERT_EQ(reader.outputs().size(), static_cast<std::size_t>(written));
        const std::vector<OutputInfo>& outputs = reader.outputs();
        for (std::size_t i = 0; i < outputs.size(); ++i)
            expect_equal(reader.output(outputs[i]), growing(static_cast<int>(i)));
        EXPECT_TRUE(python_agrees(folder / "run" / "run.h5", "[g[c][()] for g in f['outputs'].values() for c in g]"));
    }
}

// A process killed in the middle of its work leaves every output but the last in its file, whole.
TEST(RunFile, KilledProcessLeavesAReadableFile)
{
    for (int delay = 5; delay <= 45; delay += 10) {
        const Folder folder;
        const pid_t child = fork_alone();
        if (child == 0) {
            RunWriter writer(folder / "run", false, 2, "", "", {});
            for (std::uint64_t output = 0;; ++output) {
                writer.write_ledger({make_row(static_cast<int>(output))});
                write(writer, make_snapshot(50, output));
            }
        }
        while (!fs::exists(folder / "run" / "run.xdmf")) usleep(1000);
        usleep(static_cast<useconds_t>(delay * 1000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        const RunReader reader(folder / "run");
        const std::vector<OutputInfo>& outputs = reader.outputs();
        ASSERT_FALSE(outputs.empty());
        for (std::size_t i = 0; i < outputs.size(); ++i) expect_equal(reader.output(outputs[i]), make_snapshot(50, i));
        EXPECT_EQ(reader.ledger().size(), outputs.size());
        EXPECT_TRUE(python_agrees(folder / "run" / "run.h5", "[g[c][()] for g in f['outputs'].values() for c in g]"));
    }
}

}  // namespace
}  // namespace halfulp::test
