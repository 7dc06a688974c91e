// The C++ interface on the program's own parts.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/app/build_info.hpp"
#include "core/app/live_simulation.hpp"
#include "core/app/machine_options.hpp"
#include "core/app/out_of_memory.hpp"
#include "core/library/halfulp.hpp"
#include "core/results/column_number.hpp"
#include "core/results/ledger_row.hpp"
#include "core/setup/program_place.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp::api {

namespace {

namespace fs = std::filesystem;

// The program is installed with the library, and the cases are found beside it.
void find_program()
{
    static std::once_flag once;
    std::call_once(once, [] {
        Dl_info library;
        if (dladdr(reinterpret_cast<const void*>(&version), &library) == 0 || library.dli_fname == nullptr) return;
        std::error_code failure;
        const fs::path file = fs::canonical(library.dli_fname, failure);
        if (!failure) set_program_place((file.parent_path() / HALFULP_PROGRAM_FROM_LIBRARY).lexically_normal());
    });
}

// Calls work() and converts what it throws into the exceptions of the interface.
template <class Work>
auto translated(const Work& work)
{
    try {
        find_program();
        return work();
    } catch (const halfulp::Error& error) {
        throw Error(static_cast<int>(error.code()), error.what());
    } catch (const std::bad_alloc&) {
        throw Error(static_cast<int>(ExitCode::unsupported), out_of_memory());
    } catch (const std::filesystem::filesystem_error& error) {
        throw Error(static_cast<int>(ExitCode::output), fmt::format("writing failed: {}", error.what()));
    }
}

// The HDF5 library is not made for several threads at a time.
std::mutex& files()
{
    static std::mutex one;
    return one;
}

BackendOptions backend_options(const Options& options)
{
    MachineOptions machine;
    machine.backend = options.backend;
    machine.device = options.device;
    machine.threads = options.threads;
    machine.lanes = options.lanes;
    machine.neighbours = options.neighbours;
    return machine.run_options().backend;
}

void append(ColumnType type, const std::byte* from, std::size_t count, std::vector<double>& to)
{
    with_number_type(type, [&](auto value) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(&value, from + i * sizeof value, sizeof value);
            to.push_back(static_cast<double>(value));
        }
    });
}

// The values of all particles, a piece at a time.
std::vector<double> values_of(const ColumnSource& source, std::uint64_t particles)
{
    constexpr std::uint64_t piece = 1 << 16;
    const auto components = static_cast<std::size_t>(source.column.components);
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(particles) * components);
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(piece, particles)) *
                                 bytes_a_particle(source.column));
    for (std::uint64_t first = 0; first < particles; first += piece) {
        const std::uint64_t count = std::min(piece, particles - first);
        source.read(first, count, bytes.data());
        append(source.column.type, bytes.data(), static_cast<std::size_t>(count) * components, values);
    }
    return values;
}

[[noreturn]] void refuse_column(const std::string& name, const std::vector<std::string>& known)
{
    throw Error(static_cast<int>(ExitCode::bad_input),
                fmt::format("There is no column \"{}\"; the columns are {}.", name, fmt::join(known, ", ")));
}

// What a case or a simulation holds, unless it was moved from.
template <class Pointer>
auto& held(const Pointer& pointer)
{
    if (pointer) return *pointer;
    throw Error(static_cast<int>(ExitCode::bad_input),
                "This object was moved from and holds nothing; use the one it was moved to.");
}

}  // namespace

struct Case::Content {
    halfulp::Case completed;
};

struct Simulation::Content {
    std::unique_ptr<LiveSimulation> live;
};

Error::~Error() = default;

std::string version() { return build::version; }

std::vector<std::string> shipped_cases()
{
    return translated([] {
        std::vector<std::string> names;
        for (const fs::path& path : known_cases()) names.push_back(path.stem().string());
        return names;
    });
}

Case::Case(const std::string& name_or_path)
    : content_(
          translated([&] { return std::make_shared<const Content>(Content{read_case(find_case(name_or_path), {})}); }))
{
}

Case Case::from_text(const std::string& text, const std::string& path)
{
    return translated([&] { return Case(std::make_shared<const Content>(Content{read_case_text(text, path)})); });
}

void Case::set(const std::vector<std::string>& values)
{
    content_ = translated([&] {
        const halfulp::Case& present = held(content_).completed;
        std::vector<std::string> all = present.overrides;
        all.insert(all.end(), values.begin(), values.end());
        return std::make_shared<const Content>(Content{read_case_text(present.text, present.path, all)});
    });
}

std::string Case::name() const { return held(content_).completed.name; }
std::string Case::title() const { return held(content_).completed.title; }
int Case::dimensions() const { return held(content_).completed.dimensions; }
double Case::end() const { return held(content_).completed.time.end; }
std::string Case::toml() const { return case_as_toml(held(content_).completed); }

const std::vector<double>& Table::operator[](const std::string& name) const
{
    std::vector<std::string> known;
    for (const Column& column : columns) {
        if (column.name == name) return column.values;
        known.push_back(column.name);
    }
    refuse_column(name, known);
}

std::size_t Table::rows() const
{
    return columns.empty() ? 0 : columns.front().values.size() / static_cast<std::size_t>(columns.front().components);
}

Simulation::Simulation(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation::Simulation(const Case& c, const Options& options)
    : content_(translated([&] {
          return std::make_unique<Content>(
              Content{std::make_unique<LiveSimulation>(held(c.content_).completed, backend_options(options))});
      }))
{
}

Simulation Simulation::resume(const std::string& folder, const Options& options)
{
    return translated([&] {
        const std::lock_guard<std::mutex> alone(files());
        return Simulation(std::make_unique<Content>(Content{LiveSimulation::resume(folder, backend_options(options))}));
    });
}

void Simulation::step(std::uint64_t count)
{
    translated([&] {
        for (std::uint64_t i = 0; i < count; ++i) held(content_).live->advance(0, [] { return false; });
    });
}

bool Simulation::run(double until, const std::function<bool(const Simulation&)>& go_on)
{
    if (std::isnan(until) || (std::isinf(until) && until < 0)) {
        throw Error(
            static_cast<int>(ExitCode::bad_input),
            fmt::format("run(until): until is {}, but must be a time in s, or infinity for the case's end.", until));
    }
    const double end = std::isinf(until) ? held(content_).live->problem().source.time.end : until;
    if (time() < end) {
        // What it throws is not of this library, whose own exceptions are translated.
        std::exception_ptr thrown;
        const auto stops = [&] {
            try {
                return go_on && !go_on(*this);
            } catch (...) {
                thrown = std::current_exception();
                return true;
            }
        };
        bool stopped = false;
        translated([&] { held(content_).live->advance(end, [&] { return stopped = stops(); }); });
        if (!stopped) stops();  // not asked after the step that reached the time
        if (thrown) std::rethrow_exception(thrown);
    }
    return time() >= end;
}

double Simulation::time() const
{
    return translated([&] { return held(content_).live->simulation().time(); });
}
double Simulation::next_step() const
{
    return translated([&] { return held(content_).live->simulation().next_step(); });
}
std::uint64_t Simulation::steps() const
{
    return translated([&] { return held(content_).live->simulation().steps(); });
}
std::uint64_t Simulation::fluid_particles() const { return held(content_).live->problem().fluid; }
std::uint64_t Simulation::wall_particles() const { return held(content_).live->problem().wall; }
std::string Simulation::backend() const
{
    return translated([&] { return held(content_).live->simulation().backend().description(); });
}
std::vector<std::string> Simulation::warnings() const
{
    return translated([&] { return held(content_).live->warnings(); });
}

std::string Simulation::state_hash() const
{
    return translated([&] { return held(content_).live->checked().snapshot_source().hash.text(); });
}

std::map<std::string, double> Simulation::ledger_row() const
{
    return translated([&] {
        const LedgerRow row = held(content_).live->checked().ledger_row();
        std::map<std::string, double> values;
        for (const LedgerColumn& column : ledger_columns) values[std::string(column.name)] = row.*column.member;
        return values;
    });
}

Table Simulation::ledger() const
{
    return translated([&] {
        const LiveSimulation& live = *held(content_).live;
        Table table;
        for (const LedgerColumn& column : ledger_columns) {
            const std::string_view unit = ledger_unit(column, live.problem().source.dimensions);
            Column one{std::string(column.name), std::string(unit), 1, {}};
            for (const LedgerRow& row : live.rows()) one.values.push_back(row.*column.member);
            table.columns.push_back(std::move(one));
        }
        return table;
    });
}

std::map<std::string, Table> Simulation::probes() const
{
    return translated([&] {
        std::map<std::string, Table> all;
        for (const ProbeSeries& probe : held(content_).live->probes()) {
            Table& table = all[probe.name];
            for (std::size_t c = 0; c < probe.columns.size(); ++c)
                table.columns.push_back({probe.columns[c].name, probe.columns[c].unit, 1, probe.values[c]});
        }
        return all;
    });
}

Snapshot Simulation::snapshot(const std::vector<std::string>& columns) const
{
    return translated([&] {
        const SnapshotSource source = held(content_).live->checked().snapshot_source();
        std::vector<std::string> known;
        for (const ColumnSource& one : source.columns) known.push_back(one.column.name);
        Snapshot taken;
        taken.time = source.time;
        taken.step = source.step;
        taken.state_hash = source.hash.text();
        for (const std::string& name : columns.empty() ? known : columns) {
            const auto found = std::find(known.begin(), known.end(), name);
            if (found == known.end()) refuse_column(name, known);
            const ColumnSource& one = source.columns[static_cast<std::size_t>(found - known.begin())];
            taken.columns.push_back({name, one.column.unit, one.column.components, values_of(one, source.count)});
        }
        return taken;
    });
}

void Simulation::checkpoint(const std::string& folder, bool overwrite) const
{
    translated([&] {
        const std::lock_guard<std::mutex> alone(files());
        held(content_).live->write(folder, overwrite, "a program that uses the library halfulp");
    });
}

}  // namespace halfulp::api
