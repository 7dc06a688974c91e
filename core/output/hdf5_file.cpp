// Numbers in comments are sections of the specification.
#include "core/output/hdf5_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/output/hdf5_messages.hpp"

namespace halfulp {

using namespace hdf5;

namespace {

static_assert(std::endian::native == std::endian::little);  // numbers are written as they lie in memory

constexpr std::size_t superblock_size = 48;
constexpr std::size_t most_waiting = 1U << 18U;  // bytes

// Types of header messages (IV.A.2).
enum Message : std::uint8_t {
    dataspace = 0x01,
    link_info = 0x02,
    datatype = 0x03,
    fill_value = 0x05,
    link = 0x06,
    layout = 0x08,
    group_info = 0x0A,
    filters = 0x0B,
    attribute = 0x0C,
    attribute_info = 0x15,
};

void add_letters(Hdf5Bytes& bytes, std::string_view text) { bytes.add(text.data(), text.size()); }

std::uint64_t count_of(const std::vector<std::uint64_t>& extent)
{
    std::uint64_t count = 1;
    for (const std::uint64_t numbers : extent) count *= numbers;
    return count;
}

}  // namespace

std::size_t size_of(Hdf5Number number)
{
    switch (number) {
    case Hdf5Number::uint8: return 1;
    case Hdf5Number::float32:
    case Hdf5Number::int32:
    case Hdf5Number::uint32: return 4;
    case Hdf5Number::float64:
    case Hdf5Number::uint64: return 8;
    }
    return 0;
}

void Hdf5Bytes::put(std::size_t place, std::uint64_t number)
{
    std::memcpy(all_.data() + place, &number, sizeof number);
}

// A message in a header of version 2 (IV.A.1.b).
void Hdf5Object::add_message(std::uint8_t type, const Hdf5Bytes& body)
{
    messages_.add(type);
    messages_.add(static_cast<std::uint16_t>(body.size()));
    messages_.add(std::uint8_t{0});
    messages_.add(body);
}

// Attributes are in the header, however many (IV.A.2.m, IV.A.2.v).
void Hdf5Object::add_attribute_message(const std::string& name, const Hdf5Bytes& type, const Hdf5Bytes& value)
{
    if (!std::exchange(has_attributes_, true)) {
        Hdf5Bytes info;
        info.add(std::uint16_t{0});  // version 0, no order of creation
        info.add(undefined);
        info.add(undefined);
        add_message(attribute_info, info);
    }
    const Hdf5Bytes space = space_of({});
    Hdf5Bytes body;
    body.add(std::uint8_t{3});
    body.add(std::uint8_t{0});
    body.add(static_cast<std::uint16_t>(name.size() + 1));
    body.add(static_cast<std::uint16_t>(type.size()));
    body.add(static_cast<std::uint16_t>(space.size()));
    body.add(std::uint8_t{0});
    body.add(name.c_str(), name.size() + 1);
    body.add(type);
    body.add(space);
    body.add(value);
    add_message(attribute, body);
}

void Hdf5Object::add_attribute(const std::string& name, const std::string& text)
{
    const Hdf5File::HeapPlace place = file_.keep(text);
    Hdf5Bytes value;
    value.add(static_cast<std::uint32_t>(text.size()));
    value.add(std::uint64_t{0});  // of the heap
    value.add(place.index);
    add_attribute_message(name, string_message(), value);
    if (place.index > 0) heaps_later_.push_back({messages_.size() - 12, place.heap});
}

void Hdf5Object::add_attribute(const std::string& name, double number)
{
    Hdf5Bytes value;
    value.add(number);
    add_attribute_message(name, type_of(Hdf5Number::float64), value);
}

void Hdf5Object::add_attribute(const std::string& name, std::uint64_t number)
{
    Hdf5Bytes value;
    value.add(number);
    add_attribute_message(name, type_of(Hdf5Number::uint64), value);
}

// A group whose links are in its header and keep the order of their creation (IV.A.2.c, IV.A.2.k). The largest creation
// index is put in at the end.
void Hdf5Object::become_group()
{
    Hdf5Bytes info;
    info.add(std::uint8_t{0});
    info.add(std::uint8_t{1});
    info.add(std::uint64_t{0});
    info.add(undefined);
    info.add(undefined);
    add_message(link_info, info);  // first of all, so that `largest_index` is its place
    Hdf5Bytes group;
    group.add(std::uint16_t{0});
    add_message(group_info, group);
}

// A link message (IV.A.2.g) up to what it leads to.
Hdf5Bytes Hdf5Object::link_to(const std::string& name, std::uint8_t type)
{
    constexpr std::size_t short_name = 256;
    const bool is_short = name.size() < short_name;
    Hdf5Bytes body;
    body.add(std::uint8_t{1});
    body.add(static_cast<std::uint8_t>(0x0CU | (is_short ? 0U : 2U)));  // with type, order and length in 1 or 4 bytes
    body.add(type);
    body.add(links_++);
    if (is_short) body.add(static_cast<std::uint8_t>(name.size()));
    else body.add(static_cast<std::uint32_t>(name.size()));
    add_letters(body, name);
    return body;
}

Hdf5Object& Hdf5Object::add_member(const std::string& name)
{
    Hdf5Object& member = file_.objects_.emplace_back(file_);
    Hdf5Bytes body = link_to(name, 0);
    body.add(std::uint64_t{0});
    add_message(link, body);
    members_later_.push_back({messages_.size() - 8, members_.size()});
    members_.push_back(&member);
    return member;
}

void Hdf5Object::add_external_link(const std::string& name, const std::string& file)
{
    constexpr std::string_view root = "/";
    Hdf5Bytes body = link_to(name, 64);
    body.add(static_cast<std::uint16_t>(1 + file.size() + 1 + root.size() + 1));
    body.add(std::uint8_t{0});
    body.add(file.c_str(), file.size() + 1);
    body.add(root.data(), root.size() + 1);
    add_message(link, body);
}

Hdf5Object& Hdf5Object::add_group(const std::string& name)
{
    Hdf5Object& group = add_member(name);
    group.become_group();
    return group;
}

// With the fill value zero, which is never written (IV.A.2.f).
void Hdf5Object::describe_numbers(const Hdf5Bytes& type, const std::vector<std::uint64_t>& extent, bool in_chunks)
{
    add_message(dataspace, space_of(extent));
    add_message(datatype, type);
    Hdf5Bytes fill;
    fill.add(std::uint8_t{3});
    fill.add(static_cast<std::uint8_t>((2U << 2U) | (in_chunks ? 3U : 2U)));  // if set; room late, or as it is needed
    add_message(fill_value, fill);
}

void Hdf5Object::add_text(const std::string& name, const std::string& text)
{
    Hdf5Object& dataset = add_member(name);
    dataset.describe_numbers(string_message(), {}, false);
    // In the header itself (layout of class 0).
    const Hdf5File::HeapPlace place = file_.keep(text);
    Hdf5Bytes body;
    body.add(std::uint8_t{3});
    body.add(std::uint8_t{0});
    body.add(static_cast<std::uint16_t>(size_of_string));
    body.add(static_cast<std::uint32_t>(text.size()));
    body.add(std::uint64_t{0});
    body.add(place.index);
    dataset.add_message(layout, body);
    if (place.index > 0) dataset.heaps_later_.push_back({dataset.messages_.size() - 12, place.heap});
}

Hdf5Object& Hdf5Object::add_numbers(const std::string& name, Hdf5Number number,
                                    const std::vector<std::uint64_t>& extent, const void* data)
{
    Hdf5Object& dataset = begin_numbers(name, number, extent);
    dataset.append(data, size_of(number) * count_of(extent));
    return dataset;
}

Hdf5Object& Hdf5Object::begin_numbers(const std::string& name, Hdf5Number number,
                                      const std::vector<std::uint64_t>& extent, std::uint64_t chunk)
{
    Hdf5Object& dataset = add_member(name);
    const std::size_t size = size_of(number);
    dataset.describe_numbers(type_of(number), extent, chunk > 0);
    if (chunk == 0) {
        dataset.add_message(layout, layout_in_one(file_.end_, size * count_of(extent)));
        return dataset;
    }
    dataset.chunk_extent_ = extent;
    dataset.chunk_extent_.front() = chunk;
    dataset.chunk_extent_.push_back(size);
    // A filter pipeline message (IV.A.2.l), version 2: shuffle of numbers of that size, deflate at its fastest.
    constexpr std::uint16_t shuffle = 2;
    constexpr std::uint16_t deflate = 1;
    constexpr std::uint16_t optional = 1;
    Hdf5Bytes body;
    body.add(std::uint8_t{2});
    body.add(std::uint8_t{2});
    for (const auto& [filter, value] : {std::pair{shuffle, size}, std::pair{deflate, std::size_t{1}}}) {
        body.add(filter);
        body.add(optional);
        body.add(std::uint16_t{1});
        body.add(static_cast<std::uint32_t>(value));
    }
    dataset.add_message(filters, body);
    return dataset;
}

void Hdf5Object::append(const void* data, std::size_t size) { file_.write(data, size); }

void Hdf5Object::append_chunk(const void* data, std::size_t size)
{
    chunks_.push_back({static_cast<std::uint32_t>(size), file_.write(data, size)});
}

void Hdf5Object::finish_chunks()
{
    Hdf5Bytes body;
    body.add(std::uint8_t{3});
    body.add(std::uint8_t{2});
    body.add(static_cast<std::uint8_t>(chunk_extent_.size()));
    body.add(write_chunk_index());
    for (const std::uint64_t numbers : chunk_extent_) body.add(static_cast<std::uint32_t>(numbers));
    add_message(layout, body);
}

// A B-tree of version 1 (III.A.1) whose leaves lead to chunks; full nodes but the last of each level. Returns the
// address of its root.
std::uint64_t Hdf5Object::write_chunk_index()
{
    constexpr std::size_t most_entries = 64;  // twice the "K" of chunks, if the superblock has no other
    // A key: size of the chunk, filters that were left out, where it begins along each axis (chunks are in a row).
    const std::size_t key_size = 8 + 8 * chunk_extent_.size();
    const std::size_t node_size = 24 + (most_entries + 1) * key_size + most_entries * 8;
    const auto add_key = [&](Hdf5Bytes& node, std::size_t chunk) {
        node.add(chunk < chunks_.size() ? chunks_[chunk].size : 0U);
        node.add(std::uint32_t{0});
        node.add(chunk * chunk_extent_.front());
        for (std::size_t axis = 1; axis < chunk_extent_.size(); ++axis) node.add(std::uint64_t{0});
    };
    struct Entry {
        std::size_t first;  // chunk
        std::uint64_t address;
    };
    std::vector<Entry> entries;
    for (std::size_t k = 0; k < chunks_.size(); ++k) entries.push_back({k, chunks_[k].address});
    for (std::uint8_t level = 0; true; ++level) {
        const std::size_t count = (entries.size() + most_entries - 1) / most_entries;
        std::vector<Entry> above;
        for (std::size_t n = 0; n < count; ++n) {
            const std::size_t first = n * most_entries;
            const std::size_t end = std::min(first + most_entries, entries.size());
            const std::uint64_t address = file_.end_;
            Hdf5Bytes node;
            add_letters(node, "TREE");
            node.add(std::uint8_t{1});
            node.add(level);
            node.add(static_cast<std::uint16_t>(end - first));
            node.add(n == 0 ? undefined : address - node_size);
            node.add(n + 1 == count ? undefined : address + node_size);
            for (std::size_t k = first; k < end; ++k) {
                add_key(node, entries[k].first);
                node.add(entries[k].address);
            }
            add_key(node, end < entries.size() ? entries[end].first : chunks_.size());
            node.fill(node_size);
            above.push_back({entries[first].first, file_.write(node)});
        }
        if (count == 1) return above.front().address;
        entries = std::move(above);
    }
}

Hdf5File::Hdf5File(const PosixFile& file, std::uint64_t user_block) : file_(file), base_(user_block)
{
    file_.go_to(base_);
    const std::array<std::byte, superblock_size> room{};
    write(room.data(), room.size());
    objects_.emplace_back(*this).become_group();
}

std::uint64_t Hdf5File::write(const void* data, std::size_t size)
{
    if (waiting_.size() + size > most_waiting) flush();
    if (size > most_waiting) file_.write(data, size);
    else waiting_.add(data, size);
    return std::exchange(end_, end_ + size);
}

void Hdf5File::flush()
{
    file_.write(waiting_.data(), waiting_.size());
    waiting_.clear();
}

// In a collection of the global heap (III.E): its place, or none for an empty text.
Hdf5File::HeapPlace Hdf5File::keep(const std::string& text)
{
    constexpr std::size_t enough = 1U << 16U;  // bytes
    constexpr std::uint16_t most = 4096;
    if (text.empty()) return {0, 0};
    if (heaps_.empty() || heaps_.back().objects.size() > enough || heaps_.back().count == most) heaps_.emplace_back();
    Heap& heap = heaps_.back();
    heap.objects.add(++heap.count);
    heap.objects.add(std::uint16_t{1});
    heap.objects.add(std::uint32_t{0});
    heap.objects.add(static_cast<std::uint64_t>(text.size()));
    add_letters(heap.objects, text);
    constexpr std::size_t multiple = 8;
    heap.objects.fill((heap.objects.size() + multiple - 1) / multiple * multiple);
    return {heaps_.size() - 1, heap.count};
}

std::uint64_t Hdf5File::write_header(Hdf5Object& object, const std::vector<std::uint64_t>& heaps)
{
    std::vector<std::uint64_t> members;
    for (Hdf5Object* const member : object.members_) members.push_back(write_header(*member, heaps));
    for (const auto& [place, number] : object.members_later_) object.messages_.put(place, members[number]);
    for (const auto& [place, number] : object.heaps_later_) object.messages_.put(place, heaps[number]);
    constexpr std::size_t largest_index = 6;
    if (object.links_ > 0) object.messages_.put(largest_index, object.links_);
    Hdf5Bytes header;
    add_letters(header, "OHDR");
    header.add(std::uint8_t{2});
    header.add(std::uint8_t{2});  // the length is in 4 bytes
    header.add(static_cast<std::uint32_t>(object.messages_.size()));
    header.add(object.messages_);
    header.add(checksum_of(header.data(), header.size()));
    return write(header);
}

std::uint64_t Hdf5File::finish()
{
    constexpr std::size_t least_size = 4096;
    constexpr std::size_t head_size = 16;
    std::vector<std::uint64_t> heaps;
    for (const Heap& heap : heaps_) {
        // What is left is an object of its own, number 0, which has a head.
        const std::size_t used = head_size + heap.objects.size();
        const std::size_t size = std::max(least_size, used + head_size);
        Hdf5Bytes bytes;
        add_letters(bytes, "GCOL");
        bytes.add(std::uint32_t{1});
        bytes.add(static_cast<std::uint64_t>(size));
        bytes.add(heap.objects);
        bytes.add(std::uint64_t{0});
        bytes.add(static_cast<std::uint64_t>(size - used));
        bytes.fill(size);
        heaps.push_back(write(bytes));
    }
    const std::uint64_t root_address = write_header(root(), heaps);
    flush();
    // The superblock (II.A), version 2.
    Hdf5Bytes superblock;
    add_letters(superblock, "\x89HDF\r\n\x1A\n");
    for (const std::uint8_t number : {2, 8, 8, 0}) superblock.add(number);
    superblock.add(base_);
    superblock.add(undefined);
    superblock.add(base_ + end_);
    superblock.add(root_address);
    superblock.add(checksum_of(superblock.data(), superblock.size()));
    file_.go_to(base_);
    file_.write(superblock.data(), superblock.size());
    return base_ + end_;
}

}  // namespace halfulp
