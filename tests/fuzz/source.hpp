// Numbers, choices and texts from the bytes of an input; zeros when it ends.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "feeds.hpp"

namespace halfulp::fuzzing {

class Source {
public:
    explicit Source(Bytes input) : left_(input) {}
    [[nodiscard]] bool ended() const { return left_.empty(); }
    // A source of the next bytes, which this one passes over.
    [[nodiscard]] Source part(std::size_t wanted)
    {
        const std::size_t length = std::min(wanted, left_.size());
        const Bytes some = left_.first(length);
        left_ = left_.subspan(length);
        return Source(some);
    }
    template <class Number>
    Number take()
    {
        Number number{};
        const std::size_t some = std::min(sizeof number, left_.size());
        if (some > 0) std::memcpy(&number, left_.data(), some);  // an empty input has no address
        left_ = left_.subspan(some);
        return number;
    }
    template <class T, std::size_t count>
    const T& choose(const std::array<T, count>& all)
    {
        return all[take<std::uint8_t>() % count];
    }
    std::string text()
    {
        const std::size_t wanted = take<std::uint8_t>();
        const std::size_t length = std::min(wanted, left_.size());
        std::string some(reinterpret_cast<const char*>(left_.data()), length);
        left_ = left_.subspan(length);
        return some;
    }

private:
    Bytes left_;
};

}  // namespace halfulp::fuzzing
