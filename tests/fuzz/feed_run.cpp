// The files of a run, edited through the HDF5 library as the input says and sealed again: what looks at them is the
// reading of halfulp, not the library, which no seal of a crafted file keeps from anything.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/app/resume_point.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/output/compare.hpp"
#include "core/output/verify.hpp"
#include "feeding.hpp"
#include "small_run.hpp"
#include "tests/core/output/crafted_run.hpp"

namespace halfulp::fuzzing {

namespace {

// Takes numbers from the input; zeros when it ends.
class Source {
public:
    explicit Source(Bytes input) : left_(input) {}
    [[nodiscard]] bool ended() const { return left_.empty(); }
    template <class Number>
    Number take()
    {
        Number number{};
        const std::size_t some = std::min(sizeof number, left_.size());
        std::memcpy(&number, left_.data(), some);
        left_ = left_.subspan(some);
        return number;
    }
    template <class T, std::size_t count>
    const T& choose(const std::array<T, count>& all)
    {
        return all[take<std::uint8_t>() % count];
    }
    std::string text()
    {
        const std::size_t wanted = take<std::uint8_t>();
        const std::size_t length = std::min(wanted, left_.size());
        std::string some(reinterpret_cast<const char*>(left_.data()), length);
        left_ = left_.subspan(length);
        return some;
    }

private:
    Bytes left_;
};

constexpr std::array paths_of_run{
    "ledger/step",    "ledger/total",   "index/step",  "index/time",    "index/count",
    "index/hash",     "index/checksum", "index/bytes", "probes/p/time", "probes/p/pressure_all",
    "case/completed", "outputs",        "provenance",  "inputs",        "probes/p",
    "ledger"};
constexpr std::array paths_of_output{"velocity",          "cell", "kind", "position", "offset", "id",
                                     "density_deviation", "more"};
constexpr std::array attributes{"columns",   "unit",      "state",    "whole_state",  "dimensions",
                                "end_state", "case_path", "file.stl", "filter_width", "origin.cells"};

void put(hid_t file, const char* path, Source& source)
{
    const std::array types{H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_U32LE,
                           H5T_STD_U8LE,   H5T_STD_U64LE,  H5T_C_S1,      H5T_IEEE_F32BE};
    const hid_t type = source.choose(types);
    std::vector<hsize_t> extent(source.take<std::uint8_t>() % 4);
    for (hsize_t& length : extent) {
        length = source.take<std::uint8_t>() % 32;
        if (length == 31) length = source.take<std::uint64_t>();
    }
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const std::uint8_t how = source.take<std::uint8_t>() % 4;
    if (how == 1 && !extent.empty()) {
        const std::vector<hsize_t> chunk(extent.size(), 1);
        H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
        H5Pset_deflate(creation, 1);
    }
    if (how == 2) H5Pset_external(creation, "/dev/zero", 0, H5F_UNLIMITED);
    test::put_dataset(file, path, type, extent, creation, source.take<std::uint8_t>() % 2);
    H5Pclose(creation);
}

void overwrite(hid_t file, const char* path, Source& source)
{
    const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    if (dataset < 0) return;
    const hid_t space = H5Dget_space(dataset);
    const hid_t type = H5Dget_type(dataset);
    const auto count = static_cast<std::size_t>(std::clamp<hssize_t>(H5Sget_simple_extent_npoints(space), 0, 1000));
    if (H5Tget_class(type) != H5T_STRING) {
        std::vector<std::uint64_t> numbers(4 * count);
        for (std::uint64_t& number : numbers) number = source.take<std::uint64_t>();
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(dataset);
}

void set_attribute(hid_t file, const char* path, Source& source)
{
    const hid_t object =
        source.take<std::uint8_t>() % 2 == 0 ? H5Oopen(file, path, H5P_DEFAULT) : H5Oopen(file, "/", H5P_DEFAULT);
    if (object < 0) return;
    const char* const name = source.choose(attributes);
    if (H5Aexists(object, name) > 0) H5Adelete(object, name);
    switch (source.take<std::uint8_t>() % 3) {
    case 0: write_attribute(object, name, source.text()); break;
    case 1: write_attribute(object, name, source.take<std::uint64_t>()); break;
    default: write_attribute(object, name, source.take<double>());
    }
    H5Oclose(object);
}

void edit(hid_t file, const char* path, Source& source)
try {
    switch (source.take<std::uint8_t>() % 6) {
    case 0: put(file, path, source); break;
    case 1: overwrite(file, path, source); break;
    case 2: set_attribute(file, path, source); break;
    case 3: H5Ldelete(file, path, H5P_DEFAULT); break;
    case 4:
        H5Ldelete(file, path, H5P_DEFAULT);
        H5Lcreate_external("/dev/zero", "/", file, path, H5P_DEFAULT, H5P_DEFAULT);
        break;
    default: H5Ldelete(file, path, H5P_DEFAULT); H5Lcreate_soft("/ledger", file, path, H5P_DEFAULT, H5P_DEFAULT);
    }
} catch (const Hdf5Failure&) {  // an edit that the library does not make
}

// Written once: the run, with an output and a checkpoint.
const std::filesystem::path& whole_run()
{
    static const Folder folder;
    static const std::filesystem::path path = [] {
        const Problem& problem = small_problem();
        Simulation simulation(problem, small_backend());
        RunWriter writer(folder.path() / "run", true, 2, small_case, case_as_toml(problem.source),
                         {{"end_state", "running"}, {"case_path", "small.toml"}, {"origin.cells", "0 0 0"}},
                         ProbeRecorder(problem).series(), problem.source.output);
        writer.write_ledger({simulation.ledger_row()});
        writer.write_output(simulation.snapshot_source());
        for (int step = 0; step < 3; ++step) simulation.step();
        writer.sync();
        write_checkpoint(folder.path() / "run", {.number = 1,
                                                 .problem = fingerprint_of(problem),
                                                 .length = writer.length(),
                                                 .wall_seconds = 1,
                                                 .simulation = simulation.state()});
        return folder.path() / "run";
    }();
    return path;
}

void resume(const std::filesystem::path& run)
{
    const RunReader reader(run);
    static_cast<void>(reader.ledger());
    static_cast<void>(reader.inputs());
    std::vector<std::string> warnings;
    const std::optional<ResumePoint> from = read_resume_point(reader, warnings);
    if (!from) return;
    const Problem problem = prepare(read_case_text(reader.content().case_completed, "small.toml"));
    if (fingerprint_of(problem) != from->checkpoint.problem) return;
    Simulation simulation(problem, make_cpu_backend(problem, {.threads = 1, .lanes = 1}), from->checkpoint.simulation);
    from->check(simulation, problem);
    RunWriter(run, from->kept, problem.source.output).write_output(simulation.snapshot_source());
}

}  // namespace

void feed_run(Bytes input)
{
    static const Folder folder;
    const std::filesystem::path run = folder.path() / "run";
    std::filesystem::remove_all(run);
    std::filesystem::copy(whole_run(), run, std::filesystem::copy_options::recursive);
    Source source(input);
    const SilentHdf5 silent;
    while (!source.ended()) {
        if (source.take<std::uint8_t>() % 2 == 0) {
            test::edit_run(run, [&](hid_t file) { edit(file, source.choose(paths_of_run), source); });
        } else if (!accepted([&] {
                       test::edit_output(run, [&](hid_t file) { edit(file, source.choose(paths_of_output), source); });
                   })) {
            break;  // of a run that cannot be read any more
        }
    }
    accepted([&] { compare_runs(whole_run(), run); });
    accepted([&] { compare_runs(run, run); });
    for (const std::string& damage : verify_run(run).damages) check_sentence(damage);
    accepted([&] { resume(run); });
}

}  // namespace halfulp::fuzzing
