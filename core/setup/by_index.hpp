// An iterator over elements that are computed on request: container[i] for each i, by value.
#pragma once

#include <compare>
#include <cstddef>
#include <iterator>

namespace halfulp {

template <class Container>
class ByIndex {
public:
    using value_type = typename Container::value_type;
    using reference = value_type;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::random_access_iterator_tag;

    ByIndex() = default;
    ByIndex(const Container* container, std::size_t index) : container_(container), index_(index) {}

    value_type operator*() const { return (*container_)[index_]; }
    value_type operator[](difference_type by) const { return *(*this + by); }
    ByIndex& operator+=(difference_type by)
    {
        index_ += static_cast<std::size_t>(by);
        return *this;
    }
    ByIndex& operator-=(difference_type by) { return *this += -by; }
    ByIndex& operator++() { return *this += 1; }
    ByIndex& operator--() { return *this -= 1; }
    ByIndex operator++(int)
    {
        const ByIndex before = *this;
        ++*this;
        return before;
    }
    ByIndex operator--(int)
    {
        const ByIndex before = *this;
        --*this;
        return before;
    }
    friend ByIndex operator+(ByIndex from, difference_type by) { return from += by; }
    friend ByIndex operator+(difference_type by, ByIndex from) { return from += by; }
    friend ByIndex operator-(ByIndex from, difference_type by) { return from -= by; }
    friend difference_type operator-(const ByIndex& a, const ByIndex& b)
    {
        return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
    }
    friend bool operator==(const ByIndex& a, const ByIndex& b) { return a.index_ == b.index_; }
    friend auto operator<=>(const ByIndex& a, const ByIndex& b) { return a.index_ <=> b.index_; }

private:
    const Container* container_ = nullptr;
    std::size_t index_ = 0;
};

}  // namespace halfulp
