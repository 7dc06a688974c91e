// The C++ interface of the library halfulp: cases, and simulations that a program steps (docs/cxx.md). It needs the
// standard library alone, C++17. All arithmetic is compiled into the library, so that no compiler option of the program
// that uses it changes a bit of the results. A simulation belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#define HALFULP_API __attribute__((visibility("default")))

namespace halfulp::api {

// Every error of the library: a message of one sentence, and the exit code with which the program halfulp ends for the
// same cause.
// 1: the case or another input is wrong; 3: the simulation broke down; 4: writing failed; 5: this machine cannot run
// it.
class HALFULP_API Error : public std::runtime_error {
public:
    Error(int exit_code, const std::string& sentence) : std::runtime_error(sentence), exit_code_(exit_code) {}
    ~Error() override;
    [[nodiscard]] int exit_code() const noexcept { return exit_code_; }

private:
    int exit_code_;
};

// The version of the library, such as "0.1.0".
HALFULP_API std::string version();
// The names of the cases that come with halfulp.
HALFULP_API std::vector<std::string> shipped_cases();

// A case, completed and checked. A copy shares nothing that can change.
class HALFULP_API Case {
public:
    // The name of a shipped case, or the path of a case file (docs/cases.md).
    explicit Case(const std::string& name_or_path);
    // The text of a case file; files that it names are relative to the folder of `path`, whose stem is the case's name.
    static Case from_text(const std::string& text, const std::string& path = "case.toml");

    // Values of keys as `halfulp run --set` takes them, each "KEY=VALUE", checked together; if one is refused the case
    // stays as it was.
    void set(const std::vector<std::string>& values);
    // The same for a single key.
    void set(const std::string& key, const std::string& value) { set({key + "=" + value}); }

    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::string title() const;
    [[nodiscard]] int dimensions() const;
    [[nodiscard]] double end() const;        // time.end, s
    [[nodiscard]] std::string toml() const;  // every value in force

private:
    friend class Simulation;
    struct Content;
    explicit Case(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

    std::shared_ptr<const Content> content_;
};

// Columns of equal numbers of rows.
struct Column {
    std::string name;
    std::string unit;            // "1" without one
    int components = 1;          // 3 of vectors
    std::vector<double> values;  // row by row; narrower types lose nothing in double
};

struct HALFULP_API Table {
    std::vector<Column> columns;

    // The values of a column. Throws an Error that lists the columns there are.
    [[nodiscard]] const std::vector<double>& operator[](const std::string& name) const;
    [[nodiscard]] std::size_t rows() const;
};

// All particles at one time, in ascending id, with the columns of outputs (docs/output.md): position, velocity,
// pressure, kind (0 fluid, 1 wall) and others.
struct Snapshot : Table {
    double time = 0;  // s
    std::uint64_t step = 0;
    std::string state_hash;
};

// Where and how to compute. None of these options changes a bit of the result.
struct Options {
    std::string backend = "auto";  // cpu, cuda, or a device where there is one and neither threads nor lanes are given
    int threads = 0;               // of the CPU; 0: OMP_NUM_THREADS or all there are, fewer for few particles
    std::string lanes = "auto";    // SIMD lanes of the CPU: 1 or the precision's usual number
    std::optional<int> device;     // of CUDA, from 0; not the CPU in its place
    std::string neighbours = "auto";  // stored, compact, masks, none
};

// A simulation in this process, with the bits that `halfulp run` gives the same case. Writes nothing by itself.
class HALFULP_API Simulation {
public:
    explicit Simulation(const Case& c, const Options& options = {});
    // Continues, to the bit, from the last checkpoint of an interrupted run or from what `checkpoint` has written.
    static Simulation resume(const std::string& folder, const Options& options = {});
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    void step(std::uint64_t count = 1);
    // Steps until the time (s), by default the case's end, is reached or passed: no step is shortened. `go_on` is asked
    // after every step and ends the run with false. Returns whether the time was reached.
    bool run(double until = std::numeric_limits<double>::infinity(),
             const std::function<bool(const Simulation&)>& go_on = {});

    [[nodiscard]] double time() const;       // s
    [[nodiscard]] double next_step() const;  // length of the coming step, s
    [[nodiscard]] std::uint64_t steps() const;
    [[nodiscard]] std::uint64_t fluid_particles() const;
    [[nodiscard]] std::uint64_t wall_particles() const;
    [[nodiscard]] std::string backend() const;     // such as "cpu, 2 threads, 8 lanes"
    [[nodiscard]] std::string state_hash() const;  // equal for states that are equal to the bit
    [[nodiscard]] std::vector<std::string> warnings() const;

    // The present state's row of the energy ledger (docs/output.md): kinetic, potential, residual...
    [[nodiscard]] std::map<std::string, double> ledger_row() const;
    // The rows that ledger.csv of a run would have so far.
    [[nodiscard]] Table ledger() const;
    // What the case's probes have measured so far, by name.
    [[nodiscard]] std::map<std::string, Table> probes() const;
    // All columns of outputs or, if names are given, these columns only.
    [[nodiscard]] Snapshot snapshot(const std::vector<std::string>& columns = {}) const;
    // Writes the present state as an interrupted run, which `resume` and `halfulp resume` can continue.
    void checkpoint(const std::string& folder, bool overwrite = false) const;

private:
    struct Content;
    explicit Simulation(std::unique_ptr<Content> content);

    std::unique_ptr<Content> content_;
};

}  // namespace halfulp::api
