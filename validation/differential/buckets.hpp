// Neighbour search in a box of cubic buckets, as codes of the moving-particle semi-implicit method have it (Murotani et
// al. 2015, Comput. Part. Mech. 2, 261, sections 3 and 4): particles of a bucket as a linked list or as a forward star,
// and the loop over the buckets around a particle as three loops, as one over a table of offsets, or as rows of
// buckets. All enumerate the candidates in the same order, by bucket and then by number, so that sums have the same
// bits in every form. The box is dense, with a rim of empty buckets, so that no bucket around a particle is outside.
//
// Structures are built on the host; their views, and the loops, are plain data that serve host and device.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/vector.hpp"

namespace halfulp::differential {

// Buckets of side c_b r_e / divisions (equation 15); (1 + 2 divisions)^3 of them reach over r_e around a particle.
struct BucketBox {
    std::array<double, 3> low{};
    double side = 0;
    int divisions = 1;
    std::array<std::int32_t, 3> buckets{};  // along each axis, rim included

    // The first particle lies `margin` above the lower face of its bucket; two buckets of r_e are left around all.
    BucketBox(const std::vector<Vec<3, double>>& places, double reach, double slack, int divided, double margin)
        : side(slack * reach / divided), divisions(divided)
    {
        for (int c = 0; c < 3; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            double least = places.front()[c];
            double most = least;
            for (const auto& place : places) {
                least = std::fmin(least, place[c]);
                most = std::fmax(most, place[c]);
            }
            const int rim = 2 * divided;
            low[axis] = least - margin - rim * side;
            // As many as undivided ones would be, times the divisions.
            const double whole = std::floor((most - least + margin) / (side * divided)) + 5;
            buckets[axis] = static_cast<std::int32_t>(whole) * divided;
        }
    }
    [[nodiscard]] std::size_t count() const
    {
        return std::size_t(buckets[0]) * static_cast<std::size_t>(buckets[1]) * static_cast<std::size_t>(buckets[2]);
    }
    // Equations 12 and 13.
    [[nodiscard]] std::int32_t along(double coordinate, int axis) const
    {
        return static_cast<std::int32_t>(std::floor((coordinate - low[static_cast<std::size_t>(axis)]) / side));
    }
    [[nodiscard]] HALFULP_INLINE std::int32_t at(std::int32_t x, std::int32_t y, std::int32_t z) const
    {
        return x + buckets[0] * (y + buckets[1] * z);
    }
    [[nodiscard]] std::int32_t of(const Vec<3, double>& place) const
    {
        return at(along(place[0], 0), along(place[1], 1), along(place[2], 2));
    }
};

// First particle of a bucket, next particle of each; -1 ends. The particles keep their places.
class LinkedList {
public:
    static constexpr const char* name = "linked list";
    static constexpr bool rows = false;

    struct View {
        const std::int32_t* first;
        const std::int32_t* next;

        template <class Visit>
        HALFULP_INLINE void visit_bucket(std::int32_t bucket, const Visit& visit) const
        {
            for (std::int32_t j = first[bucket]; j >= 0; j = next[j]) visit(static_cast<std::uint32_t>(j));
        }
    };

    LinkedList(const BucketBox& box, const std::vector<std::int32_t>& bucket_of)
        : first_(box.count(), -1), next_(bucket_of.size(), -1), order_(bucket_of.size()), keys_(bucket_of)
    {
        std::iota(order_.begin(), order_.end(), 0U);
        // From the last to the first, so that a bucket's list ascends.
        for (std::size_t i = bucket_of.size(); i-- > 0;) {
            std::int32_t& first = first_[static_cast<std::size_t>(bucket_of[i])];
            next_[i] = first;
            first = static_cast<std::int32_t>(i);
        }
    }
    [[nodiscard]] View view() const { return {first_.data(), next_.data()}; }
    // The particle at each place, and its bucket.
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
    [[nodiscard]] const std::vector<std::int32_t>& keys() const { return keys_; }
    [[nodiscard]] const std::vector<std::int32_t>& first() const { return first_; }
    [[nodiscard]] const std::vector<std::int32_t>& next() const { return next_; }

private:
    std::vector<std::int32_t> first_;
    std::vector<std::int32_t> next_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int32_t> keys_;
};

// Particles sorted by bucket, and where each bucket begins.
class ForwardStar {
public:
    static constexpr const char* name = "forward star";
    static constexpr bool rows = true;

    struct View {
        const std::uint32_t* first;

        template <class Visit>
        HALFULP_INLINE void visit_bucket(std::int32_t bucket, const Visit& visit) const
        {
            visit_row(bucket, 1, visit);
        }
        // Buckets one after another along x, as one range.
        template <class Visit>
        HALFULP_INLINE void visit_row(std::int32_t bucket, int length, const Visit& visit) const
        {
            const std::uint32_t end = first[bucket + length];
            for (std::uint32_t k = first[bucket]; k < end; ++k) visit(k);
        }
    };

    ForwardStar(const BucketBox& box, const std::vector<std::int32_t>& bucket_of)
        : first_(box.count() + 1, 0), order_(bucket_of.size())
    {
        for (const std::int32_t bucket : bucket_of) ++first_[static_cast<std::size_t>(bucket) + 1];
        for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
        std::vector<std::uint32_t> end(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < bucket_of.size(); ++i)
            order_[end[static_cast<std::size_t>(bucket_of[i])]++] = static_cast<std::uint32_t>(i);
        for (const std::uint32_t i : order_) keys_.push_back(bucket_of[i]);
    }
    [[nodiscard]] View view() const { return {first_.data()}; }
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
    [[nodiscard]] const std::vector<std::int32_t>& keys() const { return keys_; }
    [[nodiscard]] const std::vector<std::uint32_t>& first() const { return first_; }

private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int32_t> keys_;
};

// At most; three divisions are the finest that are studied.
inline constexpr int most_divisions = 3;

// The loops over the buckets around a particle's own: visit(place) for each candidate, the particle itself among them.
struct ThreeLoops {
    static constexpr const char* name = "three loops";

    std::int32_t along_x;
    std::int32_t along_y;
    int divisions;

    explicit ThreeLoops(const BucketBox& box)
        : along_x(box.buckets[0]), along_y(box.buckets[1]), divisions(box.divisions)
    {
    }
    template <class View, class Visit>
    HALFULP_INLINE void around(const View& structure, std::int32_t bucket, const Visit& visit) const
    {
        const std::int32_t x = bucket % along_x;
        const std::int32_t y = bucket / along_x % along_y;
        const std::int32_t z = bucket / (along_x * along_y);
        const int n = divisions;
        for (std::int32_t k = z - n; k <= z + n; ++k) {
            for (std::int32_t j = y - n; j <= y + n; ++j) {
                for (std::int32_t i = x - n; i <= x + n; ++i)
                    structure.visit_bucket(i + along_x * (j + along_y * k), visit);
            }
        }
    }
};

// One loop, over a table of the differences of bucket numbers: in constant memory, where a device is given it as an
// argument of a kernel.
struct OffsetTable {
    static constexpr const char* name = "table of offsets";

    int count = 0;
    std::int32_t offsets[(2 * most_divisions + 1) * (2 * most_divisions + 1) * (2 * most_divisions + 1)]{};

    explicit OffsetTable(const BucketBox& box)
    {
        const int n = box.divisions;
        for (int k = -n; k <= n; ++k) {
            for (int j = -n; j <= n; ++j) {
                for (int i = -n; i <= n; ++i) offsets[count++] = box.at(i, j, k);
            }
        }
    }
    template <class View, class Visit>
    HALFULP_INLINE void around(const View& structure, std::int32_t bucket, const Visit& visit) const
    {
        for (int k = 0; k < count; ++k) structure.visit_bucket(bucket + offsets[k], visit);
    }
};

// Rows of 1 + 2 divisions buckets, of which a forward star makes one range each ("units of three").
struct RowsOfBuckets {
    static constexpr const char* name = "rows";

    int count = 0;
    int length;
    std::int32_t offsets[(2 * most_divisions + 1) * (2 * most_divisions + 1)]{};

    explicit RowsOfBuckets(const BucketBox& box) : length(2 * box.divisions + 1)
    {
        const int n = box.divisions;
        for (int k = -n; k <= n; ++k) {
            for (int j = -n; j <= n; ++j) offsets[count++] = box.at(-n, j, k);
        }
    }
    template <class View, class Visit>
    HALFULP_INLINE void around(const View& structure, std::int32_t bucket, const Visit& visit) const
    {
        for (int k = 0; k < count; ++k) structure.visit_row(bucket + offsets[k], length, visit);
    }
};

inline std::vector<std::int32_t> buckets_of(const BucketBox& box, const std::vector<Vec<3, double>>& places)
{
    std::vector<std::int32_t> buckets;
    buckets.reserve(places.size());
    for (const auto& place : places) buckets.push_back(box.of(place));
    return buckets;
}

}  // namespace halfulp::differential
