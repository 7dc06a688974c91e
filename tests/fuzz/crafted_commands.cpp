#include "crafted_commands.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <system_error>

#include "commands_in_process.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/output/verify.hpp"
#include "feeding.hpp"
#include "source.hpp"
#include "tests/core/output/crafted_run.hpp"

namespace halfulp::fuzzing {

namespace {

constexpr std::array paths_of_run{
    "ledger/step",    "ledger/total",   "index/step",  "index/time",    "index/count",
    "index/hash",     "index/checksum", "index/bytes", "probes/p/time", "probes/p/pressure_all",
    "case/completed", "outputs",        "provenance",  "inputs",        "probes/p",
    "ledger"};
constexpr std::array paths_of_output{"velocity",          "cell", "kind", "position", "offset", "id",
                                     "density_deviation", "more"};
constexpr std::array attributes{"columns",   "unit",     "state",        "whole_state",  "dimensions", "end_state",
                                "case_path", "file.stl", "filter_width", "origin.cells", "leftovers"};

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
    const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const std::uint8_t how = source.take<std::uint8_t>() % 4;
    if (how == 1 && !extent.empty()) {
        const std::vector<hsize_t> chunk(extent.size(), 1);
        H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
        H5Pset_deflate(creation, 1);
    }
    if (how == 2) H5Pset_external(creation, "/dev/zero", 0, H5F_UNLIMITED);
    test::put_dataset(file, path, type, extent, creation, source.take<std::uint8_t>() % 2);
}

// One to four numbers among those of a dataset.
void overwrite(hid_t file, const char* path, Source& source)
{
    const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    if (dataset < 0) return;
    const hid_t space = H5Dget_space(dataset);
    const hid_t type = H5Dget_type(dataset);
    const std::size_t size = H5Tget_size(type);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (H5Tget_class(type) != H5T_STRING && count > 0 && count <= 1000 && size <= sizeof(std::uint64_t)) {
        std::vector<std::uint8_t> numbers(static_cast<std::size_t>(count) * size);
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        for (int left = source.take<std::uint8_t>() % 4; left >= 0; --left) {
            const std::size_t at = source.take<std::uint8_t>() % static_cast<std::size_t>(count);
            const auto number = source.take<std::uint64_t>();
            std::memcpy(numbers.data() + at * size, &number, size);
        }
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(dataset);
}

void set_attribute(hid_t file, const char* path, Source& source)
{
    const bool of_path = source.take<std::uint8_t>() % 2 == 0;
    const Hdf5Id object(H5Oopen(file, of_path ? path : "/", H5P_DEFAULT), H5Oclose);
    const char* const name = source.choose(attributes);
    if (H5Aexists(object, name) > 0) H5Adelete(object, name);
    switch (source.take<std::uint8_t>() % 3) {
    case 0: test::write_attribute(object, name, source.text()); break;
    case 1: test::write_attribute(object, name, source.take<std::uint64_t>()); break;
    default: test::write_attribute(object, name, source.take<double>());
    }
}

// lead_out: links that are to lead to another file
void edit(hid_t file, const char* path, Source& source, std::vector<const char*>& lead_out)
try {
    switch (source.take<std::uint8_t>() % 6) {
    case 0: put(file, path, source); break;
    case 1: overwrite(file, path, source); break;
    case 2: set_attribute(file, path, source); break;
    case 3: H5Ldelete(file, path, H5P_DEFAULT); break;
    case 4: lead_out.push_back(path); break;
    default: H5Ldelete(file, path, H5P_DEFAULT); H5Lcreate_soft("/ledger", file, path, H5P_DEFAULT, H5P_DEFAULT);
    }
} catch (const Hdf5Failure&) {  // an edit that the library does not make
}

// So many that most inputs have none left, and few enough that no input is slow.
constexpr int most_edits = 10;

template <class Paths>
void edit_all(hid_t file, const Paths& paths, Source& source)
{
    std::vector<const char*> lead_out;
    for (int k = 0; k < most_edits && !source.ended(); ++k) edit(file, source.choose(paths), source, lead_out);
    // Last: an empty file to which a link leads is taken for a new one by the library, if it may write.
    for (const char* path : lead_out) {
        H5Ldelete(file, path, H5P_DEFAULT);
        H5Lcreate_external("/dev/zero", "/", file, path, H5P_DEFAULT, H5P_DEFAULT);
    }
}

// Lists the first output of a run as it now is.
void list_output(hid_t file, const Seal& seal)
{
    const auto set = [&](const char* name, std::vector<std::uint64_t> first) {
        const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
        const hid_t space = H5Dget_space(dataset);
        std::vector<std::uint64_t> numbers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
        H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        std::ranges::copy(first, numbers.begin());
        H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        H5Sclose(space);
        H5Dclose(dataset);
    };
    set("index/checksum", {seal.checksum.words[0], seal.checksum.words[1]});
    set("index/bytes", {seal.bytes});
}

// The library gives no memory back to the system that it will need again: taking it anew costs a sixth of the time.
// What the sanitizers look for in the program is not in there.
void keep_memory_of_library()
{
    static const bool kept = H5set_free_list_limits(-1, -1, -1, -1, -1, -1) >= 0;
    if (!kept) fault("the library takes no limits");
}

// Where the crafted run and what a command makes of it lie.
const Folder& place()
{
    static const Folder folder;
    return folder;
}

// Where the crafted run lies that is only read.
const Folder& place_to_read()
{
    static const Folder folder;
    return folder;
}

// What a command leaves: files under these names, and nothing open in the library.
void require_nothing_but(const Folder& place, const std::set<std::string>& names)
{
    if (H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_FILE | H5F_OBJ_DATASET | H5F_OBJ_GROUP | H5F_OBJ_ATTR) != 0)
        fault("a command left a file or what is in it open");
    for (const auto& entry : std::filesystem::directory_iterator(place.path())) {
        const std::string name = entry.path().filename();
        if (!names.contains(name)) fault("a command wrote " + name);
    }
}

// The copy of the whole run that is only read. Its files are those of the run itself: an edited one is a new file, in
// whose place the run's own comes again.
void restore_run_to_read(const std::filesystem::path& copy)
{
    static std::set<std::filesystem::path> names;
    if (names.empty()) {
        copy_run(runs().whole, copy);
        for (const auto& entry : std::filesystem::recursive_directory_iterator(copy)) names.insert(entry.path());
    }
    for (const char* name : {"run.h5", "outputs/000000.h5"}) {
        const std::filesystem::path file = runs().whole / name;
        std::error_code failure;
        if (std::filesystem::equivalent(file, copy / name, failure)) continue;
        std::filesystem::remove(copy / name);
        std::filesystem::create_hard_link(file, copy / name);
    }
    std::set<std::filesystem::path> has;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(copy)) has.insert(entry.path());
    if (has != names) fault("a command that reads a run has changed which files it has");
}

// Edits a run.
void craft(Source& source, const std::filesystem::path& crafted)
{
    const SilentHdf5 silent;
    Source of_output = source.part(source.take<std::uint8_t>());
    std::optional<Seal> output;
    if (!of_output.ended()) {
        output = test::edit_sealed(crafted / "outputs/000000.h5", "output",
                                   [&](hid_t file) { edit_all(file, paths_of_output, of_output); });
    }
    if (output || !source.ended()) {
        test::edit_run(crafted, [&](hid_t file) {
            if (output) list_output(file, *output);
            edit_all(file, paths_of_run, source);
        });
    }
}

// Begins a run in the place of another, and writes its first output. That may have files that it does not list.
void replace(const std::filesystem::path& crafted)
{
    static const Simulation simulation(short_problem(), make_cpu_backend(short_problem(), {.threads = 1, .lanes = 1}));
    const Case& c = short_problem().source;
    const bool replaced = accepted(
        [&] {
            (void)RunWriter::hold(crafted, true);
            RunWriter writer(RunFolder(crafted), true, c.dimensions, c.text, case_as_toml(c),
                             {{"end_state", "complete"}}, ProbeRecorder(short_problem()).series(), c.output);
            writer.write_ledger({simulation.ledger_row()});
            writer.write_output(simulation.snapshot_source());
        },
        ExitCode::output);
    if (!replaced) return;
    for (const std::string& damage : verify_run(crafted).damages) fault("a replaced run is damaged: " + damage);
}

}  // namespace

void read_crafted(Bytes input)
{
    keep_memory_of_library();
    const std::filesystem::path crafted = place_to_read().path() / "run";
    Source source(input);
    const std::uint8_t command = source.take<std::uint8_t>() % 3;
    restore_run_to_read(crafted);
    craft(source, crafted);
    switch (command) {
    case 0: {
        static Command info(add_info_command, {"info", "--case", crafted});
        info.carry_out();
        break;
    }
    case 1: {
        static Command verify(add_info_command, {"info", "--verify", crafted});
        verify.carry_out();
        break;
    }
    default: static Command compare(add_compare_command, {"compare", crafted, runs().other}); compare.carry_out();
    }
    require_nothing_but(place_to_read(), {"run"});
}

void go_on_with_crafted(Bytes input)
{
    keep_memory_of_library();
    const std::filesystem::path crafted = place().path() / "run";
    const std::filesystem::path again = place().path() / "again";
    Source source(input);
    const std::uint8_t command = source.take<std::uint8_t>() % 3;
    copy_run(command == 0 ? runs().cut : runs().whole, crafted);
    craft(source, crafted);
    switch (command) {
    case 0: {
        static Command resume(add_resume_command, on_one_thread({"resume", crafted}));
        if (!resume.carry_out()) break;
        for (const std::string& damage : verify_run(crafted).damages) fault("a resumed run is damaged: " + damage);
        break;
    }
    case 1: {
        static Command rerun(add_rerun_command, on_one_thread({"rerun", crafted, "--overwrite", "-o", again}));
        rerun.carry_out();
        break;
    }
    default: replace(crafted);
    }
    require_nothing_but(place(), {"run", "again"});
}

}  // namespace halfulp::fuzzing
