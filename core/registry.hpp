// Lists that object files add to before main() begins: what a program has beyond its libraries, as the laboratory has
// more policies, more numbers of lanes and experiments.
#pragma once

#include <utility>
#include <vector>

namespace halfulp {

// Of entries of one type.
template <class Entry>
std::vector<Entry>& registry()
{
    static std::vector<Entry> all;
    return all;
}

// To be called from the initialiser of a namespace-scope constant; returns true.
template <class Entry>
bool add_to_registry(Entry entry)
{
    registry<Entry>().push_back(std::move(entry));
    return true;
}

}  // namespace halfulp
