// Reading with the HDF5 library: identifiers that close themselves and failures with their cause as text.
// Private to this folder: nothing outside it needs HDF5's headers.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/results/snapshot.hpp"

namespace halfulp {

// A failure inside HDF5. The reader turns it into an Error that names the file.
class Hdf5Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The cause of the last failed call, from HDF5's error stack: the operating system's message if there is one ("No space
// left on device"), else the innermost record's.
std::string hdf5_cause();

// Suppresses HDF5's printing of its error stack during its lifetime, and restores the host program's setting. No other
// thread has one meanwhile: the library may have been built for a single thread.
class SilentHdf5 {
public:
    SilentHdf5();
    ~SilentHdf5();
    SilentHdf5(const SilentHdf5&) = delete;
    SilentHdf5& operator=(const SilentHdf5&) = delete;

private:
    std::unique_lock<std::recursive_mutex> alone_;
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

// An identifier and the call that closes it.
class Hdf5Id {
public:
    using Close = herr_t (*)(hid_t);

    Hdf5Id() = default;
    // Takes ownership of the result of a creating or opening call; throws if that call failed.
    Hdf5Id(hid_t id, Close close) : id_(id), close_(close)
    {
        if (id < 0) throw Hdf5Failure(hdf5_cause());
    }
    ~Hdf5Id() { reset(); }
    Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Hdf5Id& operator=(Hdf5Id&& other) noexcept
    {
        if (this != &other) {
            reset();
            id_ = std::exchange(other.id_, H5I_INVALID_HID);
            close_ = other.close_;
        }
        return *this;
    }

    operator hid_t() const { return id_; }

    // Releases the identifier without closing it.
    hid_t abandon() { return std::exchange(id_, H5I_INVALID_HID); }

private:
    void reset()
    {
        if (id_ >= 0) close_(id_);
        id_ = H5I_INVALID_HID;
    }

    hid_t id_ = H5I_INVALID_HID;
    Close close_ = nullptr;
};

// Throws if a call that returns a status failed, else returns its result.
template <class Status>
Status hdf5_check(Status status)
{
    if (status < 0) throw Hdf5Failure(hdf5_cause());
    return status;
}

// Type of a column's values in memory and in the file: both are little-endian (hdf5_file.cpp).
hid_t number_type(ColumnType type);

// Type of single strings: of variable length and UTF-8, so that h5py returns them as str.
hid_t string_type();

// Opens a group or dataset that is as this program writes it: in the same file, with no filters but shuffle and
// deflate, and no larger than the file can hold. In a crafted file a link may lead to any file, and a dataset may claim
// any size.
Hdf5Id open_group(hid_t parent, const char* name);
Hdf5Id open_dataset(hid_t group, const std::string& name);
// The numbers of elements of a dataset along its axes.
std::vector<hsize_t> extent_of(hid_t dataset);

// The names of a group's links and of an object's attributes.
std::vector<std::string> link_names(hid_t group, H5_index_t order);
std::vector<std::string> attribute_names(hid_t object);

std::string read_string_attribute(hid_t object, const char* name);
double read_double_attribute(hid_t object, const char* name);
std::uint64_t read_integer_attribute(hid_t object, const char* name);

std::string read_string(hid_t group, const char* name);

// A file access list without file locks, so that a run can be read while it is written.
hid_t file_access();

}  // namespace halfulp
