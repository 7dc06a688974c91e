#include "core/output/sealed_hdf5.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "core/output/file_of_run.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t metadata_allowance = 64 * 1024;  // bytes that headers may add to a file's data

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
    return output_error("cannot write {} to {}: {}{}; what was written before is kept.", writing.doing, shown(path),
                        cause, need);
}

// The HDF5 library crashes where it finds no memory to open a file with. Throws std::bad_alloc there.
void require_memory_of_hdf5()
{
    constexpr std::size_t enough = 8U << 20U;
    void* const memory = ::mmap(nullptr, enough, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    ::munmap(memory, enough);
}

// The places of all global heaps in a file: it is searched for their beginning, as anything in it may lead to one.
std::vector<std::uint64_t> heaps_in(const PosixFile& file)
{
    constexpr std::string_view beginning("GCOL\1\0\0\0", 8);
    constexpr std::size_t piece = 1U << 20U;
    std::vector<std::uint64_t> places;
    std::string text;
    file.go_to(seal_size);
    for (std::uint64_t first = seal_size;;) {
        const std::size_t kept = text.size();
        text.resize(kept + piece);
        text.resize(kept + file.read(text.data() + kept, piece));
        for (std::size_t at = 0; (at = text.find(beginning, at)) != text.npos; ++at) places.push_back(first + at);
        if (text.size() < kept + piece) return places;
        // One may begin at the end of this piece.
        const std::size_t done = text.size() - (beginning.size() - 1);
        text.erase(0, done);
        first += done;
    }
}

// The HDF5 library goes through a heap by the sizes in it, beyond its end too, and copies as much as these say. In the
// files of a run nothing else that it reads so is without a checksum of its own.
void require_sound_heaps(const PosixFile& file)
{
    constexpr std::size_t head = 16;  // of the heap, and of each text in it: number, uses, nothing, size
    const auto require = [](bool sound) {
        if (!sound) throw Hdf5Failure("its texts are not stored as halfulp stores them");
    };
    std::string heap;
    const auto number_at = [&]<class Number>(std::size_t place, Number number) {
        std::memcpy(&number, heap.data() + place, sizeof number);
        return number;
    };
    // A second reading of a large output takes as long as that of its checksums.
    constexpr std::uint64_t large = 64ULL << 20U;
    if (file.size() > large) return;
    for (const std::uint64_t place : heaps_in(file)) {
        heap.resize(head);
        file.go_to(place);
        require(file.read(heap.data(), head) == head);
        const auto size = number_at(head / 2, std::uint64_t{});
        require(size >= head && size <= file.size() - place);
        heap.resize(size);
        require(file.read(heap.data() + head, size - head) == size - head);
        for (std::uint64_t at = head, before = 0; size - at >= head;) {
            const auto number = number_at(at, std::uint16_t{});
            const auto length = number_at(at + head / 2, std::uint64_t{});
            // Number 0 is the room that is left, to the end.
            require(length <= size - at && (number == 0 ? length == size - at : number == before + 1));
            const std::uint64_t taken = number == 0 ? length : head + (length + 7) / 8 * 8;
            require(taken <= size - at);
            before = number;
            at += taken;
        }
    }
}

}  // namespace

Seal write_sealed_hdf5(const fs::path& path, const std::string& kind, const Writing& writing,
                       const std::function<void(Hdf5Object&)>& action)
{
    return write_sealed(path, kind, [&](const fs::path& fresh) {
        try {
            const PosixFile on_disk(fresh, new_file);
            if (writing.reserve) on_disk.reserve(writing.bytes + metadata_allowance);
            Hdf5File file(on_disk, seal_size);
            action(file.root());
            on_disk.cut_off_at(file.finish());
        } catch (int error) {
            throw refusal(path, writing, words_of(error));
        }
    });
}

Hdf5Id open_sealed_hdf5(const fs::path& path, const std::string& kind, Seal* seal)
{
    const SilentHdf5 silent;
    // A run that goes on replaces its run.h5 now and then; what has taken the name is verified anew.
    constexpr int most_tries = 20;
    for (int tries = 1;; ++tries) {
        try {
            const FileOfRun file(path);
            const Seal verified = check_seal(file, path, kind);
            if (seal != nullptr) *seal = verified;
            require_memory_of_hdf5();
            try {
                require_sound_heaps(file);
                // By its handle, which leads to no other file.
                const std::string name = file.name();
                const hid_t opened = H5Fopen(name.c_str(), H5F_ACC_RDONLY, file_access());
                if (opened >= 0) return {opened, H5Fclose};
                // Where other code of this process, such as h5py, has it open, all take the locks that it took.
                return {H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
            } catch (const Hdf5Failure& cause) {
                if (file.is(path)) throw input_error("cannot open {}: {}.", shown(path), cause.what());
                if (tries == most_tries)
                    throw input_error("{} was replaced again and again while it was read; try again.", shown(path));
            }
        } catch (int error) {
            throw input_error("cannot read {}: {}.", shown(path), words_of(error));
        }
    }
}

void refuse_to_read(const std::string& what, const fs::path& path, const std::string& cause)
{
    throw input_error("cannot read {} of {}: {}.", what, shown(path), cause);
}

}  // namespace halfulp
