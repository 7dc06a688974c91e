#include "core/output/sealed_hdf5.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t metadata_allowance = 64 * 1024;  // bytes HDF5 may add to a file's data

// Has the file system reserve room, or throws its error number with the file unchanged. A file system that cannot
// reserve fails later, when the data are written.
void reserve(hid_t file, std::uint64_t bytes)
{
    void* handle = nullptr;
    hdf5_check(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle));
    const int descriptor = *static_cast<int*>(handle);
    struct stat before {};
    if (fstat(descriptor, &before) != 0) return;
    const int error = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes + metadata_allowance));
    if (error != ENOSPC && error != EFBIG && error != EDQUOT && error != EIO) return;
    static_cast<void>(::ftruncate(descriptor, before.st_size) == 0);
    throw error;
}

Error refusal(const fs::path& path, const Writing& writing, const std::string& cause)
{
    std::error_code ignored;
    const fs::space_info space = fs::space(path.parent_path(), ignored);
    const auto text = [](std::uint64_t bytes) {
        const auto size = static_cast<double>(bytes);
        return bytes < 10'000'000 ? fmt::format("{:.0f} kB", size * 1e-3) : fmt::format("{:.0f} MB", size * 1e-6);
    };
    const std::string need = writing.bytes == 0 || ignored
                                 ? ""
                                 : fmt::format(" (needs up to {}, {} free)", text(writing.bytes + metadata_allowance),
                                               text(space.available));
    return output_error(fmt::format("cannot write {} to {}: {}{}; what was written before is kept.", writing.doing,
                                    shown(path), cause, need));
}

}  // namespace

Seal write_sealed_hdf5(const fs::path& path, const std::string& kind, const Writing& writing,
                       const std::function<void(hid_t)>& action)
{
    const SilentHdf5 silent;
    return write_sealed(path, kind, [&](const fs::path& fresh) {
        Hdf5Id file;
        try {
            const Hdf5Id creation = creation_of(H5P_FILE_CREATE);
            hdf5_check(H5Pset_userblock(creation, seal_size));
            hdf5_check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
            file = {H5Fcreate(fresh.c_str(), H5F_ACC_EXCL, creation, file_access()), H5Fclose};
            if (writing.reserve) reserve(file, writing.bytes);
            action(file);
            hdf5_check(H5Fflush(file, H5F_SCOPE_GLOBAL));
            hdf5_check(file.close());
        } catch (const Hdf5Failure& cause) {
            // Not closed: HDF5 would retry the failed writes. The file's disk space is released, though.
            static_cast<void>(::truncate(fresh.c_str(), 0) == 0);
            file.abandon();
            throw refusal(path, writing, cause.what());
        } catch (int error) {
            throw refusal(path, writing, words_of(error));
        }
    });
}

Hdf5Id open_sealed_hdf5(const fs::path& path, const std::string& kind)
{
    const SilentHdf5 silent;
    check_seal(path, kind);
    try {
        return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access()), H5Fclose};
    } catch (const Hdf5Failure& cause) {
        throw input_error(fmt::format("cannot open {}: {}.", shown(path), cause.what()));
    }
}

void refuse_to_read(const std::string& what, const fs::path& path, const std::string& cause)
{
    throw input_error(fmt::format("cannot read {} of {}: {}.", what, shown(path), cause));
}

}  // namespace halfulp
