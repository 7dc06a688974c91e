#include "core/setup/lattice.hpp"

#include <algorithm>
#include <cmath>

namespace halfulp {

std::int32_t shape_at(const Rows& rows, const Site& site)
{
    const auto row = rows.find({site[2], site[1]});
    if (row == rows.end()) return -1;
    const auto holds = [&](const Run& run) { return run.first <= site[0] && site[0] < run.last; };
    const auto found = std::find_if(row->second.begin(), row->second.end(), holds);
    return found == row->second.end() ? -1 : found->shape;
}

std::int32_t number_parts(Rows& rows)
{
    std::vector<Run*> all;
    std::vector<std::int32_t> parent;  // of each run one of its part; its own at the root
    const auto root = [&](std::int32_t k) {
        const auto at = [&](std::int32_t i) -> std::int32_t& { return parent[static_cast<std::size_t>(i)]; };
        while (at(k) != k) k = at(k) = at(at(k));
        return k;
    };
    // Runs are numbered as they come; those of the rows before this one along y and z have their numbers already.
    const auto join = [&](std::vector<Run>& row, std::array<std::int64_t, 2> before) {
        const auto there = rows.find(before);
        if (there == rows.end()) return;
        auto other = there->second.begin();
        for (const Run& run : row) {
            while (other != there->second.end() && other->last <= run.first) ++other;
            for (auto near = other; near != there->second.end() && near->first < run.last; ++near)
                parent[static_cast<std::size_t>(root(run.shape))] = root(near->shape);
        }
    };
    for (auto& [row, runs] : rows) {
        for (Run& run : runs) {
            run.shape = static_cast<std::int32_t>(all.size());
            parent.push_back(run.shape);
            all.push_back(&run);
        }
        for (std::size_t k = 1; k < runs.size(); ++k) {
            if (runs[k - 1].last == runs[k].first)
                parent[static_cast<std::size_t>(root(runs[k].shape))] = root(runs[k - 1].shape);
        }
        join(runs, {row[0], row[1] - 1});
        join(runs, {row[0] - 1, row[1]});
    }
    std::int32_t parts = 0;
    std::vector<std::int32_t> number(all.size(), -1);
    for (Run* run : all) {
        std::int32_t& part = number[static_cast<std::size_t>(root(run->shape))];
        if (part < 0) part = parts++;
        run->shape = part;
    }
    return parts;
}

void add_box(Rows& rows, const SiteBox& box, std::int32_t shape)
{
    for (std::int64_t z = box.from[2]; z < box.to[2]; ++z) {
        for (std::int64_t y = box.from[1]; y < box.to[1]; ++y) {
            if (box.from[0] < box.to[0]) rows[{z, y}].push_back({box.from[0], box.to[0], shape});
        }
    }
}

std::vector<Run> difference(const std::vector<Run>& row, const std::vector<Run>& taken)
{
    std::vector<Run> left;
    for (const Run& run : row) {
        std::int64_t first = run.first;
        for (const Run& t : taken) {
            if (t.last <= first) continue;
            if (t.first >= run.last) break;
            if (t.first > first) left.push_back({first, t.first, run.shape});
            first = t.last;
        }
        if (first < run.last) left.push_back({first, run.last, run.shape});
    }
    return left;
}

std::vector<Run> merged(const std::vector<Run>& row, const std::vector<Run>& other)
{
    std::vector<Run> all = row;
    all.insert(all.end(), other.begin(), other.end());
    std::sort(all.begin(), all.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
    std::vector<Run> joined;
    for (const Run& run : all) {
        if (!joined.empty() && run.first <= joined.back().last) {
            joined.back().last = std::max(joined.back().last, run.last);
        } else {
            joined.push_back(run);
        }
    }
    return joined;
}

Rows difference(const Rows& rows, const Rows& taken)
{
    Rows left;
    for (const auto& [row, runs] : rows) {
        const auto there = taken.find(row);
        std::vector<Run> own = there == taken.end() ? runs : difference(runs, there->second);
        if (!own.empty()) left.emplace(row, std::move(own));
    }
    return left;
}

Rows dilated(const Rows& rows, std::int64_t radius, int dimensions)
{
    Rows wide;
    const std::int64_t deep = dimensions == 3 ? radius : 0;
    for (std::int64_t dz = -deep; dz <= deep; ++dz) {
        for (std::int64_t dy = -radius; dy <= radius; ++dy) {
            const std::int64_t left = radius * radius - dy * dy - dz * dz;
            if (left < 0) continue;
            // Exact: the square root of a square below 2^53 is exact, and rounding moves no other past an integer.
            const auto reach = static_cast<std::int64_t>(std::sqrt(static_cast<double>(left)));
            for (const auto& [row, runs] : rows) {
                std::vector<Run> longer = runs;
                for (Run& run : longer) run.first -= reach, run.last += reach;
                std::vector<Run>& there = wide[{row[0] + dz, row[1] + dy}];
                there = merged(there, longer);
            }
        }
    }
    return wide;
}

}  // namespace halfulp
