// Small runs for the tests of this folder: three columns of state and one of position, full of awkward numbers.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/output/run_file.hpp"

namespace halfulp::test {

namespace fs = std::filesystem;

// A folder of its own for each test, gone afterwards.
class Folder {
public:
    Folder()
    {
        std::string pattern = (fs::temp_directory_path() / "halfulp-output-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }

private:
    fs::path path_;
};

template <class T>
Column make_column(const std::string& name, const std::string& unit, ColumnType type, int components, bool state,
                   const std::vector<T>& values)
{
    Column column{name, unit, "a column named " + name, type, components, state, {}};
    column.data.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(column.data.data(), values.data(), column.data.size());
    return column;
}

inline Snapshot make_snapshot(std::uint64_t count, std::uint64_t output, const std::array<std::int32_t, 3>& origin = {})
{
    std::vector<double> position(3 * count);
    std::vector<float> velocity(3 * count);
    std::vector<float> density(count);
    std::vector<std::uint8_t> kind(count);
    std::vector<std::int32_t> cell(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            position[3 * i + c] = std::sin(static_cast<double>(3 * i + c + output));
            velocity[3 * i + c] = std::cos(static_cast<float>(3 * i + c + 7 * output));
            // Cells wrap around.
            cell[3 * i + c] = static_cast<std::int32_t>(static_cast<std::uint32_t>(origin[c]) +
                                                        static_cast<std::uint32_t>(i * (c + 1)) - 5u);
        }
        density[i] = std::ldexp(1.0f, -static_cast<int>(i % 150));
        kind[i] = static_cast<std::uint8_t>(i % 2);
    }
    if (count > 3) {
        velocity[0] = -0.0f;
        velocity[1] = std::numeric_limits<float>::infinity();
        velocity[2] = std::numeric_limits<float>::quiet_NaN();
        velocity[3] = std::numeric_limits<float>::denorm_min();
    }
    Snapshot snapshot;
    snapshot.count = count;
    snapshot.step = 100 * output;
    snapshot.time = 0.1 * static_cast<double>(output);
    snapshot.hash.words = {0x0123456789abcdefu + output, 0xfedcba9876543210u};
    // Not in alphabetical order: the order is part of what is kept.
    snapshot.columns = {make_column("position", "m", ColumnType::float64, 3, false, position),
                        make_column("velocity", "m/s", ColumnType::float32, 3, true, velocity),
                        make_column("density_deviation", "1", ColumnType::float32, 1, true, density),
                        make_column("kind", "1", ColumnType::uint8, 1, false, kind),
                        make_column("cell", "1", ColumnType::int32, 3, true, cell)};
    return snapshot;
}

// The same with gaps between ids: 3, 8, 13, ...
inline Snapshot with_ids(Snapshot snapshot)
{
    std::vector<std::uint32_t> ids(snapshot.count);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::uint32_t>(5 * i + 3);
    snapshot.columns.insert(snapshot.columns.begin(), make_column(id_column, "1", ColumnType::uint32, 1, false, ids));
    return snapshot;
}

inline LedgerRow make_row(int i)
{
    LedgerRow row;
    row.step = i;
    row.time = i / 3.0;
    row.total = 1e-300 * i;
    row.residual = -std::exp(-static_cast<double>(i) / 100);
    return row;
}

inline void write(RunWriter& writer, const Snapshot& snapshot) { writer.write_output(source_of(snapshot)); }

inline void write_run(const fs::path& folder, std::vector<Snapshot> snapshots, const std::string& origin = "0 0 0")
{
    RunWriter writer(folder, false, 2, "", "", {{"origin.cells", origin}});
    for (const Snapshot& snapshot : snapshots) write(writer, snapshot);
}

// A python3 that has the modules, the distribution's before others; empty if there is none.
inline std::string python_with(const std::string& modules)
{
    for (const std::string python : {"/usr/bin/python3", "python3"})
        if (std::system((python + " -c 'import " + modules + "' > /dev/null 2>&1").c_str()) == 0) return python;
    return {};
}

inline std::string text_of(const fs::path& path)
{
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The sentence and the exit code of the Error that an action throws.
template <class Action>
std::string sentence_of(ExitCode expected, const Action& action)
{
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), expected);
        return error.what();
    }
    ADD_FAILURE() << "no Error was thrown";
    return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline void expect_equal(const Snapshot& a, const Snapshot& b)
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

// Runs Python with numpy as np and the run's file open as f; true if h5py is not there or if the code holds.
inline bool python_agrees(const fs::path& file, const std::string& code)
{
    const std::string python = python_with("h5py");
    if (python.empty()) return true;
    const std::string command =
        python + " -c \"import h5py, sys, numpy as np\nf = h5py.File(sys.argv[1], 'r')\n" + code + "\" ";
    return std::system((command + file.string()).c_str()) == 0;
}

}  // namespace halfulp::test
