#include "core/output/row_writer.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "core/parallel_failure.hpp"

namespace halfulp {

namespace {

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

Hdf5Number number_of(ColumnType type)
{
    switch (type) {
    case ColumnType::float32: return Hdf5Number::float32;
    case ColumnType::float64: return Hdf5Number::float64;
    case ColumnType::int32: return Hdf5Number::int32;
    case ColumnType::uint32: return Hdf5Number::uint32;
    case ColumnType::uint8: return Hdf5Number::uint8;
    }
    return {};
}

std::vector<std::uint64_t> extent_of(const Column& column, std::uint64_t rows)
{
    if (column.components == 1) return {rows};
    return {rows, static_cast<std::uint64_t>(column.components)};
}

}  // namespace

RowWriter::RowWriter(Hdf5Object& file, const Column& column, std::uint64_t rows, bool compressed)
    : number_(size_of(column.type)), width_(bytes_a_particle(column)), compressed_(compressed && rows > 0),
      chunk_(std::min(rows, most_together)),
      dataset_(
          file.begin_numbers(column.name, number_of(column.type), extent_of(column, rows), compressed_ ? chunk_ : 0))
{
    dataset_.add_attribute("unit", column.unit);
    dataset_.add_attribute("description", column.description);
    dataset_.add_attribute("state", std::uint64_t{column.state});
}

void RowWriter::append(const std::byte* data, std::uint64_t rows)
{
    if (rows == 0) return;
    if (!compressed_) return dataset_.append(data, rows * width_);
    waiting_.insert(waiting_.end(), data, data + rows * width_);
    const std::uint64_t whole = waiting_.size() / (chunk_ * width_) * chunk_;
    write_chunks(waiting_.data(), whole);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(whole * width_));
}

void RowWriter::finish()
{
    write_chunks(waiting_.data(), waiting_.size() / width_);
    waiting_.clear();
    if (compressed_) dataset_.finish_chunks();
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
            all[k] = packed(whole, number_);
        });
    }
    failure.rethrow();
    for (const std::vector<std::byte>& chunk : all) dataset_.append_chunk(chunk.data(), chunk.size());
}

}  // namespace halfulp
