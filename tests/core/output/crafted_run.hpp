// Runs on disk that are edited through the HDF5 library and sealed again, so that their checksums are right.
#pragma once

#include <fstream>

#include <hdf5.h>

#include "core/output/hdf5_handles.hpp"
#include "core/output/output_file.hpp"
#include "core/output/run_content.hpp"
#include "core/output/sealed_file.hpp"

namespace halfulp::test {

// Attributes of a group or dataset, as runs have them.
template <class Value>
void write_scalar(hid_t object, const char* name, hid_t in_file, hid_t in_memory, const Value* value)
{
    const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Id attribute(H5Acreate2(object, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    hdf5_check(H5Awrite(attribute, in_memory, value));
}
inline void write_attribute(hid_t object, const char* name, const std::string& value)
{
    const hid_t type = string_type();
    const char* text = value.c_str();
    write_scalar(object, name, type, type, &text);
}
inline void write_attribute(hid_t object, const char* name, double value)
{
    write_scalar(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}
inline void write_attribute(hid_t object, const char* name, std::uint64_t value)
{
    write_scalar(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

// Applies edit(file) to an HDF5 file of a run. Returns its new seal.
template <class Edit>
Seal edit_sealed(const std::filesystem::path& path, const std::string& kind, const Edit& edit)
{
    return write_sealed(path, kind, [&](const std::filesystem::path& fresh) {
        // Unlike copy_file, streams go on after a signal, as that of the fuzzer's clock.
        std::ofstream(fresh, std::ios::binary) << std::ifstream(path, std::ios::binary).rdbuf();
        const Hdf5Id file(H5Fopen(fresh.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
        edit(file);
    });
}

template <class Edit>
void edit_run(const std::filesystem::path& folder, const Edit& edit)
{
    edit_sealed(folder / "run.h5", "run", edit);
}

// Edits the first output, and lists it as it then is in run.h5.
template <class Edit>
void edit_output(const std::filesystem::path& folder, const Edit& edit)
{
    RunContent content = read_run_content(folder / "run.h5");
    content.outputs.front().seal = edit_sealed(file_of(folder, content.outputs.front()), "output", edit);
    write_run_content(folder / "run.h5", content);
}

// Puts another dataset in the place of one, with the attributes of a column: no numbers of it are written.
// Without one where the library creates none.
inline void put_dataset(hid_t group, const char* name, hid_t type, const std::vector<hsize_t>& extent,
                        hid_t creation = H5P_DEFAULT, std::uint64_t state = 1)
{
    if (H5Lexists(group, name, H5P_DEFAULT) > 0) H5Ldelete(group, name, H5P_DEFAULT);
    const hid_t space = extent.empty() ? H5Screate(H5S_SCALAR)
                                       : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
    const hid_t created = H5Dcreate2(group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sclose(space);
    if (created < 0) return;  // the library does not create it
    const Hdf5Id dataset(created, H5Dclose);
    write_attribute(dataset, "unit", "1");
    write_attribute(dataset, "description", "crafted");
    write_attribute(dataset, "state", state);
}

}  // namespace halfulp::test
