// Base of archives for case_fields that collect keys: each value of a case becomes add(key) of the archive.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/setup/key.hpp"

namespace halfulp::test {

template <class Archive>
class KeyArchive {
public:
    void text(const Key& key, const std::string&) { add(key); }
    template <class T>
    void integer(const Key& key, const T&, const Range&)
    {
        add(key);
    }
    template <class T>
    void real(const Key& key, const T&, const Range&)
    {
        add(key);
    }
    template <class T>
    void vector(const Key& key, const T&, int, const Range&)
    {
        add(key);
    }
    template <class T>
    void field(const Key& key, const T&, int)
    {
        add(key);
    }
    template <class T>
    void points(const Key& key, const T&, std::size_t)
    {
        add(key);
    }
    void texts(const Key& key, const std::vector<std::string>&) { add(key); }

private:
    void add(const Key& key) { static_cast<Archive*>(this)->add(key); }
};

}  // namespace halfulp::test
