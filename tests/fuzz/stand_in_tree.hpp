// Tree of an HDF5 file of a run, as the library that stands in for that of HDF5 tells it to the program: read from
// the file as halfulp writes it, then changed as an input says.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "source.hpp"

namespace halfulp::fuzzing {

// A class, a size and what tells types of that class apart.
struct StandInType {
    H5T_class_t kind = H5T_NO_CLASS;
    std::size_t size = 0;
    bool is_signed = false;
    bool big_endian = false;
    bool variable = false;  // of a string
    bool operator==(const StandInType&) const = default;
};

// Numbers or a text, of an attribute or a dataset.
struct StandInValue {
    StandInType type;
    std::vector<hsize_t> extent;
    std::vector<std::uint8_t> numbers;  // fewer than the extent says: zeros follow
    std::string text;
};

struct StandInObject;
using StandInPlace = std::shared_ptr<StandInObject>;

struct StandInLink {
    std::string name;
    H5L_type_t type = H5L_TYPE_HARD;
    StandInPlace to;
};

// A group or a dataset.
struct StandInObject {
    bool is_group = false;
    std::vector<StandInLink> links;
    std::vector<std::pair<std::string, StandInValue>> attributes;
    StandInValue value;
    H5D_layout_t layout = H5D_CONTIGUOUS;
    std::vector<H5Z_filter_t> filters;
    int external = 0;
    hsize_t stored = 0;  // bytes
    bool placed = true;  // whether it has one place in the file
};

// A file behind its seal. Throws a std::logic_error for one that halfulp has not written so.
StandInPlace read_as_written(const std::vector<std::uint8_t>& file);

// A tree that differs from another one, which is left as it is, by the edits that an input names.
// fails: takes the number of the call from now on that fails, if the input wants one to.
StandInPlace edited(const StandInPlace& tree, Source& source, std::uint32_t& fails);

}  // namespace halfulp::fuzzing
