// Row-by-row writing of a column of an HDF5 file. Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/output/hdf5_file.hpp"
#include "core/results/snapshot.hpp"

namespace halfulp {

class RowWriter {
public:
    // A dataset with the column's name and attributes. compressed: in chunks with HDF5's filters shuffle and deflate,
    // applied here on all threads.
    RowWriter(Hdf5Object& file, const Column& column, std::uint64_t rows, bool compressed);

    void append(const std::byte* data, std::uint64_t rows);
    // After the last row.
    void finish();

private:
    // As many chunks as `rows` fill, the last padded with zeros.
    void write_chunks(const std::byte* data, std::uint64_t rows);

    std::size_t number_;  // bytes
    std::size_t width_;   // bytes per row
    bool compressed_;
    std::uint64_t chunk_;  // rows
    Hdf5Object& dataset_;
    std::vector<std::byte> waiting_;  // rows of an incomplete chunk
};

}  // namespace halfulp
