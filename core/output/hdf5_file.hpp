// An HDF5 file that is being written: groups, columns of numbers, texts, attributes and links to other files, as the
// files of a run need them. It is laid out here, after the specification of the format (HDF5 File Format Specification
// Version 3.0), for readers from HDF5 1.8 on, and not by the HDF5 library, which serves one thread at a time and takes
// milliseconds for the many small parts of a run's files. Equal content makes equal files. Private to this folder.
//
// Numbers and texts go to the file as they come, and are not kept in memory; headers of groups and datasets, which say
// where these are, follow at the end. What fails is thrown as an error number (int) of the system.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "core/output/posix_file.hpp"

namespace halfulp {

// Of numbers in a file, always little-endian.
enum class Hdf5Number : std::uint8_t { float32, float64, int32, uint32, uint8, uint64 };

std::size_t size_of(Hdf5Number number);

// The bytes of a piece of metadata.
class Hdf5Bytes {
public:
    template <class Number>
    void add(Number number)
    {
        add(&number, sizeof number);
    }
    void add(const void* data, std::size_t size)
    {
        const std::size_t before = all_.size();
        all_.resize(before + size);
        if (size > 0) std::memcpy(all_.data() + before, data, size);
    }
    void add(const Hdf5Bytes& other) { add(other.all_.data(), other.all_.size()); }
    void clear() { all_.clear(); }
    void fill(std::size_t size) { all_.resize(std::max(all_.size(), size)); }  // with zeros, up to that size
    // Replaces 8 bytes.
    void put(std::size_t place, std::uint64_t number);
    [[nodiscard]] const std::byte* data() const { return all_.data(); }
    [[nodiscard]] std::size_t size() const { return all_.size(); }

private:
    std::vector<std::byte> all_;
};

class Hdf5File;

// A group or a dataset.
class Hdf5Object {
public:
    // Of a file; created by it or by a group.
    explicit Hdf5Object(Hdf5File& file) : file_(file) {}
    Hdf5Object(const Hdf5Object&) = delete;
    Hdf5Object& operator=(const Hdf5Object&) = delete;

    void add_attribute(const std::string& name, const std::string& text);
    void add_attribute(const std::string& name, double number);
    void add_attribute(const std::string& name, std::uint64_t number);

    // Members of a group; they are listed in the order in which they were created.
    Hdf5Object& add_group(const std::string& name);
    // A dataset of one string.
    void add_text(const std::string& name, const std::string& text);
    // A dataset as a whole. extent: numbers along its one or two axes.
    Hdf5Object& add_numbers(const std::string& name, Hdf5Number number, const std::vector<std::uint64_t>& extent,
                            const void* data);
    // A dataset whose data follow, all of them before anything else is added: in one piece after another (append),
    // or, if `chunk` rows are stored together after the filters shuffle and deflate, chunk by chunk (append_chunk).
    Hdf5Object& begin_numbers(const std::string& name, Hdf5Number number, const std::vector<std::uint64_t>& extent,
                              std::uint64_t chunk = 0);
    // A link to the root group of another file, by its name from this one's folder.
    void add_external_link(const std::string& name, const std::string& file);

    // Of a dataset that has begun.
    void append(const void* data, std::size_t size);
    void append_chunk(const void* data, std::size_t size);
    void finish_chunks();

private:
    friend class Hdf5File;

    // A place in the messages that holds the address of something that is written at the end.
    struct Later {
        std::size_t place;
        std::size_t number;  // of a member, or of a heap
    };
    struct Chunk {
        std::uint32_t size;  // bytes
        std::uint64_t address;
    };

    void add_message(std::uint8_t type, const Hdf5Bytes& body);
    void add_attribute_message(const std::string& name, const Hdf5Bytes& type, const Hdf5Bytes& value);
    Hdf5Object& add_member(const std::string& name);
    Hdf5Bytes link_to(const std::string& name, std::uint8_t type);
    void become_group();
    // Dataspace, type and fill value of a dataset.
    void describe_numbers(const Hdf5Bytes& type, const std::vector<std::uint64_t>& extent, bool in_chunks);
    std::uint64_t write_chunk_index();

    Hdf5File& file_;
    Hdf5Bytes messages_;
    std::vector<Hdf5Object*> members_;
    std::vector<Later> members_later_;
    std::vector<Later> heaps_later_;
    std::uint64_t links_ = 0;
    bool has_attributes_ = false;
    // Of a dataset in chunks:
    std::vector<std::uint64_t> chunk_extent_;  // numbers along each axis, then the bytes of one
    std::vector<Chunk> chunks_;
};

class Hdf5File {
public:
    // Writes into a new file behind the first `user_block` bytes, which stay free.
    Hdf5File(const PosixFile& file, std::uint64_t user_block);
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;

    [[nodiscard]] Hdf5Object& root() { return objects_.front(); }
    // Writes the headers. Nothing may be added after it. Returns the length of the file.
    std::uint64_t finish();

private:
    friend class Hdf5Object;

    // Texts, which headers refer to.
    struct Heap {
        Hdf5Bytes objects;
        std::uint16_t count = 0;
    };
    struct HeapPlace {
        std::size_t heap;
        std::uint32_t index;
    };

    HeapPlace keep(const std::string& text);
    // Returns the address.
    std::uint64_t write(const void* data, std::size_t size);
    std::uint64_t write(const Hdf5Bytes& bytes) { return write(bytes.data(), bytes.size()); }
    void flush();
    std::uint64_t write_header(Hdf5Object& object, const std::vector<std::uint64_t>& heaps);

    const PosixFile& file_;
    std::uint64_t base_;
    std::uint64_t end_ = 0;  // of what has been written, from the base
    Hdf5Bytes waiting_;
    std::deque<Hdf5Object> objects_;
    std::vector<Heap> heaps_;
};

}  // namespace halfulp
