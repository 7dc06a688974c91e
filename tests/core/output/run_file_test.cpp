#include "core/output/run_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "tests/core/output/sample_run.hpp"

namespace halfulp::test {
namespace {

void expect_equal(const Snapshot& a, const Snapshot& b)
{
    EXPECT_EQ(a.count, b.count);
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.hash, b.hash);
    ASSERT_EQ(a.columns.size(), b.columns.size());
    for (std::size_t i = 0; i < a.columns.size(); ++i) {
        const Column& x = a.columns[i];
        const Column& y = b.columns[i];
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.unit, y.unit);
        EXPECT_EQ(x.description, y.description);
        EXPECT_EQ(x.type, y.type);
        EXPECT_EQ(x.components, y.components);
        EXPECT_EQ(x.state, y.state);
        EXPECT_EQ(x.data, y.data) << x.name;
    }
}

// Alters a finished file through HDF5 itself.
class Edit {
public:
    explicit Edit(const fs::path& path) : file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}
    ~Edit() { H5Fclose(file); }
    Edit(const Edit&) = delete;
    Edit& operator=(const Edit&) = delete;
    const hid_t file;
};

// Runs Python with numpy as np and the run's file open as f; true if h5py is not there or if the code holds.
bool python_agrees(const fs::path& file, const std::string& code)
{
    const std::string python = python_with("h5py");
    if (python.empty()) return true;
    const std::string command =
        python + " -c \"import h5py, sys, numpy as np\nf = h5py.File(sys.argv[1], 'r')\n" + code + "\" ";
    return std::system((command + file.string()).c_str()) == 0;
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
        for (std::uint64_t output = 0; output < 3; ++output) writer.write_output(make_snapshot(100 + output, output));
        writer.write_output(make_snapshot(0, 3));
        writer.write_ledger({rows.begin() + 1, rows.end()});
        writer.write_ledger({});
        writer.annotate({{"wall", "2 s"}, {"end", "finished"}});
    }
    const RunReader reader(folder / "run");
    EXPECT_EQ(reader.case_given(), given);
    EXPECT_EQ(reader.case_completed(), "completed");
    EXPECT_EQ(reader.dimensions(), 2);
    EXPECT_EQ(reader.provenance(),
              (Provenance{{"commit", "abc"}, {"empty", ""}, {"wall", "2 s"}, {"end", "finished"}}));
    const std::vector<OutputInfo> outputs = reader.outputs();
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
    EXPECT_TRUE(contains(text, "run.h5:/outputs/000000/position</DataItem></Geometry>"));
    EXPECT_TRUE(contains(text, R"(NumberType="UChar" Precision="1" Dimensions="12">run.h5:/outputs/000001/kind)"));
    EXPECT_TRUE(contains(text, R"(<Time Value="0.1"/>)"));
    EXPECT_TRUE(contains(text, "run.h5:/vertices/12</DataItem></Topology>"));
    EXPECT_TRUE(text.ends_with("</Xdmf>\n"));
}

// While the writer lives, and so after a crash too, everything written is in the file.
TEST(RunFile, IsReadableWhileWritten)
{
    const Folder folder;
    RunWriter writer(folder / "run", false, 2, "", "", {});
    for (std::uint64_t output = 0; output < 200; ++output) {
        writer.write_output(make_snapshot(5, output));
        writer.write_ledger({make_row(static_cast<int>(output))});
        if (output % 40 != 0) continue;
        const fs::path copy = folder / "copy.h5";
        fs::copy_file(folder / "run" / "run.h5", copy, fs::copy_options::overwrite_existing);
        const RunReader reader(copy);
        ASSERT_EQ(reader.outputs().size(), output + 1);
        expect_equal(reader.output(reader.outputs().back()), make_snapshot(5, output));
        EXPECT_EQ(reader.ledger().size(), output + 1);
    }
    EXPECT_TRUE(python_agrees(folder / "run" / "run.h5", "assert len(f['outputs']) == 200"));
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
    {
        RunWriter writer(folder / "run", true, 2, "", "", {});
        EXPECT_FALSE(fs::exists(folder / "run" / "run.xdmf"));
        writer.write_output(make_snapshot(20, 0));
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
    EXPECT_TRUE(contains(sentence, "ledger.csv.new: Is a directory")) << sentence;
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
    EXPECT_TRUE(contains(refusal(folder / "text.h5"), "it is not an HDF5 file")) << refusal(folder / "text.h5");
    H5Fclose(H5Fcreate((folder / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    EXPECT_TRUE(contains(refusal(folder / "foreign.h5"), "not a run of halfulp"));

    write_run(folder / "run", {});
    {
        const Edit edit(folder / "run" / "run.h5");
        const hid_t version = H5Aopen(edit.file, "format_version", H5P_DEFAULT);
        const std::uint64_t later = 7;
        H5Awrite(version, H5T_NATIVE_UINT64, &later);
        H5Aclose(version);
    }
    EXPECT_TRUE(contains(refusal(folder / "run"), "version 7 of the run format")) << refusal(folder / "run");
}

TEST(RunFile, TruncatedFileIsRefused)
{
    const Folder folder;
    write_run(folder / "run", {make_snapshot(1000, 0)});
    const fs::path file = folder / "run" / "run.h5";
    fs::resize_file(file, fs::file_size(file) / 2);
    const std::string sentence = sentence_of(ExitCode::bad_input, [&] { RunReader{file}; });
    EXPECT_TRUE(contains(sentence, "run.h5: the file is cut short")) << sentence;
}

TEST(RunFile, InterruptedOutputIsIgnored)
{
    const Folder folder;
    write_run(folder / "run", {make_snapshot(10, 0), make_snapshot(10, 1), make_snapshot(10, 2)});
    {
        const Edit edit(folder / "run" / "run.h5");
        const hid_t group = H5Gopen2(edit.file, "outputs/000001", H5P_DEFAULT);
        H5Adelete(group, "complete");
        H5Gclose(group);
        H5Gclose(H5Gcreate2(edit.file, "outputs/000003", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    const RunReader reader(folder / "run");
    ASSERT_EQ(reader.outputs().size(), 2u);
    EXPECT_EQ(reader.outputs()[1].name, "000002");
}

TEST(RunFile, ShortestLedgerColumnCounts)
{
    const Folder folder;
    {
        RunWriter writer(folder / "run", false, 2, "", "", {});
        writer.write_ledger({make_row(0), make_row(1), make_row(2)});
    }
    {
        const Edit edit(folder / "run" / "run.h5");
        const hid_t column = H5Dopen2(edit.file, "ledger/total", H5P_DEFAULT);
        const hsize_t two = 2;
        H5Dset_extent(column, &two);
        H5Dclose(column);
    }
    EXPECT_EQ(RunReader(folder / "run").ledger().size(), 2u);
}

// In a process of its own, whose files may not grow past a limit: the writer refuses in a sentence, time after time,
// and what was written before is whole.
TEST(RunFile, FullDiskKeepsWhatWasWritten)
{
    for (const rlim_t limit : {150'000, 300'000, 1'000'000, 2'345'678}) {
        const Folder folder;
        const pid_t child = fork();
        if (child == 0) {
            const rlimit bound{limit, limit};
            setrlimit(RLIMIT_FSIZE, &bound);
            int written = 0;
            std::string sentence;
            try {
                RunWriter writer(folder / "run", false, 2, "", "", {});
                try {
                    for (;; ++written) writer.write_output(make_snapshot(2000, static_cast<std::uint64_t>(written)));
                } catch (const Error& error) {
                    sentence = error.what();
                }
                const bool clear = contains(sentence, "run.h5: File too large") && contains(sentence, "needs ");
                try {
                    writer.write_output(make_snapshot(2000, 0));
                    _exit(101);
                } catch (const Error&) {
                    _exit(clear ? written : 102);
                }
            } catch (...) {
                _exit(103);
            }
        }
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFEXITED(status));
        const int written = WEXITSTATUS(status);
        ASSERT_LT(written, 100);
        const RunReader reader(folder / "run");
        ASSERT_EQ(reader.outputs().size(), static_cast<std::size_t>(written));
        const std::vector<OutputInfo> outputs = reader.outputs();
        for (std::size_t i = 0; i < outputs.size(); ++i)
            expect_equal(reader.output(outputs[i]), make_snapshot(2000, i));
        EXPECT_TRUE(python_agrees(folder / "run" / "run.h5", "[g[c][()] for g in f['outputs'].values() for c in g]"));
    }
}

// A process killed in the middle of its work leaves every output but the last in its file, whole.
TEST(RunFile, KilledProcessLeavesAReadableFile)
{
    for (int delay = 5; delay <= 45; delay += 10) {
        const Folder folder;
        const pid_t child = fork();
        if (child == 0) {
            RunWriter writer(folder / "run", false, 2, "", "", {});
            for (std::uint64_t output = 0;; ++output) {
                writer.write_output(make_snapshot(50, output));
                writer.write_ledger({make_row(static_cast<int>(output))});
            }
        }
        while (!fs::exists(folder / "run" / "run.xdmf")) usleep(1000);
        usleep(static_cast<useconds_t>(delay * 1000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        const RunReader reader(folder / "run");
        const std::vector<OutputInfo> outputs = reader.outputs();
        ASSERT_FALSE(outputs.empty());
        for (std::size_t i = 0; i < outputs.size(); ++i) expect_equal(reader.output(outputs[i]), make_snapshot(50, i));
        EXPECT_GE(reader.ledger().size() + 1, outputs.size());
        EXPECT_TRUE(python_agrees(folder / "run" / "run.h5", "[g[c][()] for g in f['outputs'].values() for c in g]"));
    }
}

TEST(RunFile, ColumnOfTheWrongSizeIsAMistake)
{
    const Folder folder;
    RunWriter writer(folder / "run", false, 2, "", "", {});
    Snapshot snapshot = make_snapshot(10, 0);
    snapshot.columns[1].data.pop_back();
    EXPECT_THROW(writer.write_output(snapshot), std::logic_error);
}

}  // namespace
}  // namespace halfulp::test
