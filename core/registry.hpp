// Lists to which object files add before main() begins, such as the additional policies, numbers of lanes and
// experiments of the laboratory.
#pragma once

#include <utility>
#include <vector>

namespace halfulp {

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
