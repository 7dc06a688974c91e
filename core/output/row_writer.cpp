#include "core/output/row_writer.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

#include "core/parallel_failure.hpp"

namespace halfulp {

namespace {

static_assert(std::endian::native == std::endian::little);  // chunks are written as they lie in memory

constexpr std::uint64_t most_together = 1U << 14U;  // rows of a chunk

// A chunk as produced by HDF5's filters "shuffle" and "deflate": the first bytes of all numbers, then the second ones,
// and so on, compressed by zlib.
std::vector<std::byte> packed(const std::vector<std::byte>& chunk, std::size_t number)
{
    const std::size_t size = chunk.size();
    std::vector<std::byte> shuffled(size);
    const std::size_t count = size / number;
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t byte = 0; byte < number; ++byte) shuffled[byte * count + k] = chunk[k * number + byte];
    }
    uLongf length = compressBound(size);
    std::vector<std::byte> result(length);
    if (compress2(reinterpret_cast<Bytef*>(result.data()), &length, reinterpret_cast<const Bytef*>(shuffled.data()),
                  size, Z_BEST_SPEED) != Z_OK)
        throw std::bad_alloc();
    result.resize(length);
    return result;
}

}  // namespace

RowWriter::RowWriter(hid_t file, const Column& column, std::uint64_t rows, bool compressed)
    : type_(column.type), components_(static_cast<hsize_t>(column.components)), width_(bytes_a_particle(column)),
      compressed_(compressed && rows > 0), chunk_(std::min(rows, most_together))
{
    const Hdf5Id creation = creation_of(H5P_DATASET_CREATE);
    const int rank = components_ == 1 ? 1 : 2;
    const std::array<hsize_t, 2> extent{rows, components_};
    if (compressed_) {
        const std::array<hsize_t, 2> together{chunk_, components_};
        hdf5_check(H5Pset_chunk(creation, rank, together.data()));
        hdf5_check(H5Pset_shuffle(creation));
        hdf5_check(H5Pset_deflate(creation, Z_BEST_SPEED));
    }
    const Hdf5Id space(H5Screate_simple(rank, extent.data(), nullptr), H5Sclose);
    dataset_ = {H5Dcreate2(file, column.name.c_str(), file_type(type_), space, H5P_DEFAULT, creation, H5P_DEFAULT),
                H5Dclose};
    write_attribute(dataset_, "unit", column.unit);
    write_attribute(dataset_, "description", column.description);
    write_attribute(dataset_, "state", std::uint64_t{column.state});
}

void RowWriter::append(const std::byte* data, std::uint64_t rows)
{
    if (rows == 0) return;
    if (!compressed_) return write_rows(data, rows);
    waiting_.insert(waiting_.end(), data, data + rows * width_);
    const std::uint64_t whole = waiting_.size() / (chunk_ * width_) * chunk_;
    write_chunks(waiting_.data(), whole);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(whole * width_));
}

void RowWriter::finish()
{
    write_chunks(waiting_.data(), waiting_.size() / width_);
    waiting_.clear();
}

void RowWriter::write_rows(const std::byte* data, std::uint64_t rows)
{
    const std::array<hsize_t, 2> start{done_, 0};
    const std::array<hsize_t, 2> extent{rows, components_};
    const Hdf5Id in_file(H5Dget_space(dataset_), H5Sclose);
    hdf5_check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr));
    const Hdf5Id in_memory(H5Screate_simple(components_ == 1 ? 1 : 2, extent.data(), nullptr), H5Sclose);
    hdf5_check(H5Dwrite(dataset_, memory_type(type_), in_memory, in_file, H5P_DEFAULT, data));
    done_ += rows;
}

void RowWriter::write_chunks(const std::byte* data, std::uint64_t rows)
{
    if (rows == 0) return;
    const std::uint64_t chunks = (rows + chunk_ - 1) / chunk_;
    std::vector<std::vector<std::byte>> all(chunks);
    ParallelFailure failure;
#pragma omp parallel for schedule(dynamic)
    for (std::uint64_t k = 0; k < chunks; ++k) {
        failure.guard([&] {
            std::vector<std::byte> whole(chunk_ * width_);
            std::memcpy(whole.data(), data + k * chunk_ * width_, std::min(chunk_, rows - k * chunk_) * width_);
            all[k] = packed(whole, size_of(type_));
        });
    }
    failure.rethrow();
    for (std::uint64_t k = 0; k < chunks; ++k) {
        const std::array<hsize_t, 2> start{done_ + k * chunk_, 0};
        hdf5_check(H5Dwrite_chunk(dataset_, H5P_DEFAULT, 0, start.data(), all[k].size(), all[k].data()));
    }
    done_ += rows;
}

}  // namespace halfulp
