// Row-by-row writing of a column of an HDF5 file. Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/output/hdf5_handles.hpp"

namespace halfulp {

class RowWriter {
public:
    // A dataset with the column's name and attributes. compressed: in chunks with HDF5's filters shuffle and deflate,
    // applied here on all threads, since HDF5 processes one chunk after another.
    RowWriter(hid_t file, const Column& column, std::uint64_t rows, bool compressed);

    void append(const std::byte* data, std::uint64_t rows);
    // After the last row.
    void finish();

private:
    void write_rows(const std::byte* data, std::uint64_t rows);
    // As many chunks as `rows` fill, the last padded with zeros.
    void write_chunks(const std::byte* data, std::uint64_t rows);

    ColumnType type_;
    hsize_t components_;
    std::size_t width_;  // bytes per row
    bool compressed_;
    std::uint64_t chunk_;  // rows
    Hdf5Id dataset_;
    hsize_t done_ = 0;                // rows in the file
    std::vector<std::byte> waiting_;  // rows of an incomplete chunk
};

}  // namespace halfulp
