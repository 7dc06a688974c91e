// Neighbour search in a box of cubic buckets, as codes of the moving-particle semi-implicit method have it (Murotani et
// al. 2015, Comput. Part. Mech. 2, 261, sections 3 and 4): particles of a bucket as a linked list or as a forward star,
// and the loop over the buckets around a particle as three loops, as one over a table of offsets, or as rows of
// buckets. All enumerate the candidates in the same order, by bucket and then by number, so that sums have the same
// bits in every form. The box is dense, with a rim of empty buckets, so that no bucket around a particle is outside.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

// First particle of a bucket, next particle of each; -1 ends.
class LinkedList {
public:
    static constexpr const char* name = "linked list";
    static constexpr bool rows = false;

    LinkedList(const BucketBox& box, const std::vector<std::int32_t>& bucket_of)
        : first_(box.count(), -1), next_(bucket_of.size(), -1)
    {
        // From the last to the first, so that a bucket's list ascends.
        for (std::size_t i = bucket_of.size(); i-- > 0;) {
            std::int32_t& first = first_[static_cast<std::size_t>(bucket_of[i])];
            next_[i] = first;
            first = static_cast<std::int32_t>(i);
        }
    }
    template <class Visit>
    void visit_bucket(std::int32_t bucket, const Visit& visit) const
    {
        for (std::int32_t j = first_[static_cast<std::size_t>(bucket)]; j >= 0; j = next_[static_cast<std::size_t>(j)])
            visit(static_cast<std::size_t>(j));
    }

private:
    std::vector<std::int32_t> first_;
    std::vector<std::int32_t> next_;
};

// Particles sorted by bucket, and where each bucket begins.
class ForwardStar {
public:
    static constexpr const char* name = "forward star";
    static constexpr bool rows = true;

    ForwardStar(const BucketBox& box, const std::vector<std::int32_t>& bucket_of)
        : first_(box.count() + 1, 0), particle_(bucket_of.size())
    {
        for (const std::int32_t bucket : bucket_of) ++first_[static_cast<std::size_t>(bucket) + 1];
        for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
        std::vector<std::uint32_t> end(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < bucket_of.size(); ++i)
            particle_[end[static_cast<std::size_t>(bucket_of[i])]++] = static_cast<std::uint32_t>(i);
    }
    template <class Visit>
    void visit_bucket(std::int32_t bucket, const Visit& visit) const
    {
        visit_row(bucket, 1, visit);
    }
    // Buckets one after another along x, as one range.
    template <class Visit>
    void visit_row(std::int32_t bucket, int length, const Visit& visit) const
    {
        const std::uint32_t end = first_[static_cast<std::size_t>(bucket + length)];
        for (std::uint32_t k = first_[static_cast<std::size_t>(bucket)]; k < end; ++k) visit(std::size_t(particle_[k]));
    }

private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> particle_;
};

// The loops over the buckets around a particle's own: visit(j) for each candidate, the particle itself among them.
struct ThreeLoops {
    static constexpr const char* name = "three loops";

    explicit ThreeLoops(const BucketBox& box) : box_(box) {}
    template <class Structure, class Visit>
    void around(const Structure& structure, std::int32_t bucket, const Visit& visit) const
    {
        const std::int32_t x = bucket % box_.buckets[0];
        const std::int32_t y = bucket / box_.buckets[0] % box_.buckets[1];
        const std::int32_t z = bucket / (box_.buckets[0] * box_.buckets[1]);
        const int n = box_.divisions;
        for (std::int32_t k = z - n; k <= z + n; ++k) {
            for (std::int32_t j = y - n; j <= y + n; ++j) {
                for (std::int32_t i = x - n; i <= x + n; ++i) structure.visit_bucket(box_.at(i, j, k), visit);
            }
        }
    }

private:
    const BucketBox& box_;
};

// One loop, over a table of the differences of bucket numbers.
struct OffsetTable {
    static constexpr const char* name = "table of offsets";

    explicit OffsetTable(const BucketBox& box)
    {
        const int n = box.divisions;
        for (int k = -n; k <= n; ++k) {
            for (int j = -n; j <= n; ++j) {
                for (int i = -n; i <= n; ++i) offsets_.push_back(box.at(i, j, k));
            }
        }
    }
    template <class Structure, class Visit>
    void around(const Structure& structure, std::int32_t bucket, const Visit& visit) const
    {
        for (const std::int32_t offset : offsets_) structure.visit_bucket(bucket + offset, visit);
    }

private:
    std::vector<std::int32_t> offsets_;
};

// Rows of 1 + 2 divisions buckets, of which a forward star makes one range each ("units of three").
struct RowsOfBuckets {
    static constexpr const char* name = "rows";

    explicit RowsOfBuckets(const BucketBox& box) : length_(2 * box.divisions + 1)
    {
        const int n = box.divisions;
        for (int k = -n; k <= n; ++k) {
            for (int j = -n; j <= n; ++j) offsets_.push_back(box.at(-n, j, k));
        }
    }
    template <class Structure, class Visit>
    void around(const Structure& structure, std::int32_t bucket, const Visit& visit) const
    {
        for (const std::int32_t offset : offsets_) structure.visit_row(bucket + offset, length_, visit);
    }

private:
    std::vector<std::int32_t> offsets_;
    int length_;
};

// Calls use(structure, loops) for every form of the search.
template <class Use>
void for_each_form(const BucketBox& box, const std::vector<std::int32_t>& bucket_of, const Use& use)
{
    const LinkedList list(box, bucket_of);
    const ForwardStar star(box, bucket_of);
    use(list, ThreeLoops(box));
    use(list, OffsetTable(box));
    use(star, ThreeLoops(box));
    use(star, OffsetTable(box));
    use(star, RowsOfBuckets(box));
}

}  // namespace halfulp::differential
