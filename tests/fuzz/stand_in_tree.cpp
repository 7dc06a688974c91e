#include "stand_in_tree.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "core/output/sealed_file.hpp"

namespace halfulp::fuzzing {

namespace {

constexpr std::size_t most_extent = 31;

// The messages of a header, one after another, and what they refer to. Layouts as in core/output/hdf5_file.cpp.
class File {
public:
    explicit File(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

    StandInPlace root() const { return object(number<std::uint64_t>(seal_size + 36)); }

private:
    template <class Number>
    Number number(std::size_t place) const
    {
        Number value{};
        require(place + sizeof value <= bytes_.size());
        std::memcpy(&value, bytes_.data() + place, sizeof value);
        return value;
    }
    static void require(bool holds)
    {
        if (!holds) throw std::logic_error("a file is not laid out as halfulp lays it out");
    }
    std::string letters(std::size_t place, std::size_t count) const
    {
        require(place + count <= bytes_.size());
        return {reinterpret_cast<const char*>(bytes_.data()) + place, count};
    }

    StandInType type(std::size_t place) const
    {
        StandInType is;
        is.kind = static_cast<H5T_class_t>(number<std::uint8_t>(place) & 0x0FU);
        is.size = number<std::uint32_t>(place + 4);
        is.is_signed = is.kind == H5T_INTEGER && (number<std::uint8_t>(place + 1) & 0x08U) != 0;
        if (is.kind == H5T_VLEN) is = {.kind = H5T_STRING, .size = sizeof(char*), .variable = true};
        return is;
    }
    std::vector<hsize_t> extent(std::size_t place) const
    {
        std::vector<hsize_t> lengths(number<std::uint8_t>(place + 1));
        for (std::size_t k = 0; k < lengths.size(); ++k) lengths[k] = number<std::uint64_t>(place + 4 + 8 * k);
        return lengths;
    }
    // In a collection of the global heap.
    std::string text(std::size_t place) const
    {
        const std::size_t length = number<std::uint32_t>(place);
        if (length == 0) return {};
        std::size_t at = seal_size + number<std::uint64_t>(place + 4) + 16;
        const auto index = number<std::uint32_t>(place + 12);
        while (number<std::uint16_t>(at) != index) at += 16 + (number<std::uint64_t>(at + 8) + 7) / 8 * 8;
        return letters(at + 16, length);
    }
    void read_value(StandInValue& value, std::size_t place, std::size_t size) const
    {
        if (value.type.kind == H5T_STRING) {
            value.text = text(place);
            return;
        }
        const std::string all = letters(place, size);
        value.numbers.assign(all.begin(), all.end());
    }
    StandInLink link(std::size_t place) const
    {
        const auto flags = number<std::uint8_t>(place + 1);
        StandInLink one;
        one.type = static_cast<H5L_type_t>(number<std::uint8_t>(place + 2));
        std::size_t at = place + 3 + 8;
        const bool is_short = (flags & 3U) == 0;
        const std::size_t length = is_short ? number<std::uint8_t>(at) : number<std::uint32_t>(at);
        at += is_short ? 1 : 4;
        one.name = letters(at, length);
        if (one.type == H5L_TYPE_HARD) one.to = object(number<std::uint64_t>(at + length));
        return one;
    }
    void add_attribute(StandInObject& object, std::size_t place) const
    {
        const std::size_t name = place + 9;
        const std::size_t type_at = name + number<std::uint16_t>(place + 2);
        const std::size_t space = type_at + number<std::uint16_t>(place + 4);
        const std::size_t value_at = space + number<std::uint16_t>(place + 6);
        StandInValue value{.type = type(type_at), .extent = extent(space), .numbers = {}, .text = {}};
        read_value(value, value_at, value.type.size);
        object.attributes.emplace_back(letters(name, type_at - name - 1), std::move(value));
    }
    StandInPlace object(std::uint64_t address) const
    {
        const std::size_t head = seal_size + address;
        require(letters(head, 4) == "OHDR");
        std::size_t at = head + 10;
        const std::size_t end = at + number<std::uint32_t>(head + 6);
        auto made = std::make_shared<StandInObject>();
        std::size_t layout = 0;
        while (at < end) {
            const std::size_t body = at + 4;
            switch (number<std::uint8_t>(at)) {
            case 0x01: made->value.extent = extent(body); break;
            case 0x02: made->is_group = true; break;
            case 0x03: made->value.type = type(body); break;
            case 0x06: made->links.push_back(link(body)); break;
            case 0x08: layout = body; break;
            case 0x0B: made->filters = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE}; break;
            case 0x0C: add_attribute(*made, body); break;
            default: break;
            }
            at = body + number<std::uint16_t>(at + 1);
        }
        if (layout == 0) return made;
        made->layout = static_cast<H5D_layout_t>(number<std::uint8_t>(layout + 1));
        if (made->layout == H5D_COMPACT) {
            made->stored = number<std::uint16_t>(layout + 2);
            made->placed = false;
            read_value(made->value, layout + 4, made->stored);
        } else if (made->layout == H5D_CONTIGUOUS) {
            made->stored = number<std::uint64_t>(layout + 10);
            made->placed = made->stored > 0;
            if (made->placed) read_value(made->value, seal_size + number<std::uint64_t>(layout + 2), made->stored);
        } else {  // in chunks, whose numbers nobody asks for
            made->stored = bytes_.size();
            made->placed = false;
        }
        return made;
    }

    const std::vector<std::uint8_t>& bytes_;
};

constexpr std::array known_names{
    "columns",      "unit",         "state",        "whole_state", "dimensions", "end_state",    "case_path",
    "origin.cells", "problem_hash", "filter_width", "step",        "time",       "pressure_all", "p",
    "ledger",       "probes",       "id",           "velocity",    "more",       "resumed_1",    "leftovers"};
constexpr std::array types{StandInType{H5T_FLOAT, 4},
                           StandInType{H5T_FLOAT, 8},
                           StandInType{H5T_FLOAT, 4, false, true},
                           StandInType{H5T_INTEGER, 4, true},
                           StandInType{H5T_INTEGER, 4},
                           StandInType{H5T_INTEGER, 1},
                           StandInType{H5T_INTEGER, 8},
                           StandInType{H5T_INTEGER, 8, true, true},
                           StandInType{H5T_STRING, 1},
                           StandInType{H5T_STRING, 8},
                           StandInType{H5T_STRING, sizeof(char*), false, false, true},
                           StandInType{H5T_OPAQUE, 8},
                           StandInType{H5T_COMPOUND, 16}};

std::string name_from(Source& source)
{
    const auto which = source.take<std::uint8_t>();
    return which < known_names.size() ? known_names[which] : source.text();
}

std::vector<hsize_t> extent_from(Source& source)
{
    std::vector<hsize_t> extent(source.take<std::uint8_t>() % 4);
    for (hsize_t& length : extent) {
        length = source.take<std::uint8_t>() % (most_extent + 1);
        if (length == most_extent) length = source.take<std::uint64_t>();
    }
    return extent;
}

// The numbers of all elements take so many bytes, or `most`.
hsize_t bytes_of(const StandInValue& value, hsize_t most)
{
    double bytes = static_cast<double>(value.type.size);
    for (const hsize_t length : value.extent) bytes *= static_cast<double>(length);
    return bytes < static_cast<double>(most) ? static_cast<hsize_t>(bytes) : most;
}

void change_numbers(StandInValue& value, Source& source)
{
    constexpr hsize_t most = 4096;
    value.numbers.resize(bytes_of(value, most));
    const std::size_t size = std::min(value.type.size, sizeof(std::uint64_t));
    if (size == 0 || value.numbers.size() < size) return;
    for (int left = source.take<std::uint8_t>() % 4; left >= 0; --left) {
        const std::size_t at = source.take<std::uint8_t>() % (value.numbers.size() / size);
        const auto number = source.take<std::uint64_t>();
        std::memcpy(value.numbers.data() + at * size, &number, size);
    }
}

StandInValue value_from(Source& source)
{
    StandInValue value;
    switch (source.take<std::uint8_t>() % 4) {
    case 0:
        value.type = {H5T_STRING, sizeof(char*), false, false, true};
        value.text = source.text();
        return value;
    case 1: value.type = {H5T_INTEGER, 8}; break;
    case 2: value.type = {H5T_FLOAT, 8}; break;
    default: value.type = source.choose(types); value.extent = extent_from(source);
    }
    const auto number = source.take<std::uint64_t>();
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&number);
    value.numbers.assign(bytes, bytes + sizeof number);
    return value;
}

void change_attribute(StandInObject& object, Source& source)
{
    auto& all = object.attributes;
    const auto which = source.take<std::uint8_t>();
    const auto how = source.take<std::uint8_t>() % 4;
    if (which < all.size()) {
        const auto one = all.begin() + which;
        if (how == 0) all.erase(one);
        else if (how == 1) one->first = name_from(source);
        else one->second = value_from(source);
    } else {
        std::string name = name_from(source);
        StandInValue value = value_from(source);
        const auto has = [&](const auto& one) { return one.first == name; };
        if (std::ranges::none_of(all, has) && !name.empty()) all.emplace_back(std::move(name), std::move(value));
    }
    // Of names that are there twice, the library has one.
    for (auto one = all.begin(); one != all.end();) {
        const bool again = std::any_of(all.begin(), one, [&](const auto& other) { return other.first == one->first; });
        one = again ? all.erase(one) : one + 1;
    }
}

// Names of links are not empty, have no stroke, and are there once.
void keep_names(std::vector<StandInLink>& links)
{
    for (auto one = links.begin(); one != links.end();) {
        const bool again =
            std::any_of(links.begin(), one, [&](const StandInLink& other) { return other.name == one->name; });
        const bool possible = !one->name.empty() && one->name != "." && one->name.find('/') == one->name.npos &&
                              one->name.find('\0') == one->name.npos;
        one = again || !possible ? links.erase(one) : one + 1;
    }
}

// A copy of a tree, whose objects are copied when they are about to be changed.
class Edited {
public:
    Edited(const StandInPlace& tree, Source& source)
        : before_(tree), root_(std::make_shared<StandInObject>(*tree)), source_(source)
    {
    }

    void change(std::uint32_t& fails)
    {
        StandInObject& group = choose_group();
        const auto how = source_.take<std::uint8_t>() % 10;
        if (how == 0) {
            fails = 1 + source_.take<std::uint16_t>() % 1024;
            return;
        }
        if (how == 1) {
            change_attribute(group, source_);
            return;
        }
        if (group.links.empty()) return;
        StandInLink& link = group.links[source_.take<std::uint8_t>() % group.links.size()];
        switch (how) {
        case 2: link.name = name_from(source_); break;
        case 3: link.type = source_.choose(std::array{H5L_TYPE_SOFT, H5L_TYPE_EXTERNAL, H5L_TYPE_HARD}); break;
        case 4: link.to = source_.take<std::uint8_t>() % 2 == 0 ? before_ : other_object(); break;
        case 5:
            group.links.push_back(link);
            group.links.back().name = name_from(source_);
            break;
        case 6: group.links.erase(group.links.begin() + (&link - group.links.data())); break;
        default: change_object(own(link), how);
        }
        keep_names(group.links);
    }

    [[nodiscard]] StandInPlace tree() const { return root_; }

private:
    // The copy of what a link leads to.
    static StandInObject& own(StandInLink& link)
    {
        link.to = link.to ? std::make_shared<StandInObject>(*link.to) : std::make_shared<StandInObject>();
        return *link.to;
    }
    // The root or a group below it, or below that.
    StandInObject& choose_group()
    {
        StandInObject* group = root_.get();
        for (int level = 0; level < 2; ++level) {
            const auto which = source_.take<std::uint8_t>();
            std::size_t groups = 0;
            for (const StandInLink& link : group->links) groups += link.to && link.to->is_group ? 1 : 0;
            if (which >= groups) break;
            std::size_t left = which;
            for (StandInLink& link : group->links) {
                if (!link.to || !link.to->is_group || left-- > 0) continue;
                group = &own(link);
                break;
            }
        }
        return *group;
    }
    // One that is there, somewhere.
    StandInPlace other_object()
    {
        StandInPlace place = before_;
        while (place && place->is_group && !place->links.empty()) {
            const auto which = source_.take<std::uint8_t>();
            if (which >= place->links.size()) break;
            place = place->links[which].to;
        }
        return place;
    }
    void change_object(StandInObject& object, int how)
    {
        StandInValue& value = object.value;
        switch (how) {
        case 7: change_attribute(object, source_); return;
        case 8:
            if (value.type.kind == H5T_STRING) value.text = source_.text();
            else change_numbers(value, source_);
            return;
        default: break;
        }
        value.type = source_.choose(types);
        value.extent = extent_from(source_);
        value.numbers.clear();
        object.layout = source_.choose(std::array{H5D_CONTIGUOUS, H5D_CHUNKED, H5D_COMPACT, H5D_VIRTUAL});
        object.placed = object.layout == H5D_CONTIGUOUS;
        const auto more = source_.take<std::uint8_t>();
        object.external = more % 4 == 3 ? 1 : 0;
        if (object.external > 0) object.placed = false;
        object.filters.clear();
        for (int k = 0; k < (more >> 2U) % 3; ++k) object.filters.push_back(source_.take<std::uint8_t>() % 7);
        object.stored = bytes_of(value, std::numeric_limits<hsize_t>::max());
        if ((more & 128U) != 0) object.stored = source_.take<std::uint16_t>();
        object.placed = object.placed && object.stored > 0;
        change_numbers(value, source_);
    }

    StandInPlace before_;
    StandInPlace root_;
    Source& source_;
};

}  // namespace

StandInPlace read_as_written(const std::vector<std::uint8_t>& file) { return File(file).root(); }

StandInPlace edited(const StandInPlace& tree, Source& source, std::uint32_t& fails)
{
    constexpr int most_edits = 10;
    Edited copy(tree, source);
    for (int k = 0; k < most_edits && !source.ended(); ++k) copy.change(fails);
    return copy.tree();
}

}  // namespace halfulp::fuzzing
