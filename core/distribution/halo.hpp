// The particles held by one of several ranks: its own, whose sums it computes, and the halo, copies of other ranks'
// particles that its own may interact with before the next rebuild of the neighbour lists. Both are stored together in
// the canonical order, so that every sum has the same neighbours, and the same bits, as on a single rank.
//
// Updates of single particles are repeated by every rank that holds a copy. What passes over pairs write is computed by
// the owner alone, which sends the parts that others need (core/operations/exchange.hpp).
#pragma once

#include <functional>
#include <vector>

#include "core/distribution/decomposition.hpp"
#include "core/distribution/peers.hpp"
#include "core/particles/fields.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

// How the domain is cut into the ranks' boxes.
struct Cuts {
    bool at_random = false;  // anew at every rebuild, for tests; otherwise by work
    std::uint64_t seed = 0;
};

// A buffer of all particles, whatever its type.
struct RawField {
    std::byte* data = nullptr;
    std::size_t element = 0;  // bytes
    bool moves = false;       // whether it is sent with its particle to another rank; other fields are computed anew
    bool of_owner = false;    // whether it is meaningless in the halo: works
};

// The part of a field's element that an operation over pairs computes for other ranks to read.
struct FieldPart {
    std::size_t field = 0;  // among the raw fields
    std::size_t offset = 0;
    std::size_t bytes = 0;
    bool of_fluid_alone = false;
};

class Halo {
public:
    // reach: the distance, in cells, of the farthest particle that a particle may interact with.
    Halo(Peers& peers, std::int64_t reach, const PeriodOfCells& periods, int dimensions, const Cuts& cuts)
        : peers_(peers), reach_(reach), periods_(periods), dimensions_(dimensions), cuts_(cuts)
    {
    }

    [[nodiscard]] Peers& peers() const { return peers_; }
    // For each particle held here, whether it is this rank's own.
    [[nodiscard]] const std::vector<std::uint8_t>& owned() const { return owned_; }
    [[nodiscard]] bool owns(std::size_t i) const { return owned_[i] != 0; }
    // The indices of this rank's own particles, ascending.
    [[nodiscard]] const std::vector<std::uint32_t>& own_indices() const { return own_indices_; }

    // Makes all particles this rank's own, for the time before the first decomposition.
    void all_are_own(std::size_t particles);
    // Collective: decomposes the domain by the given particles. work: of each of them; 0 for those that this rank does
    // not count, since they belong to another.
    void decompose(const std::vector<Four<std::int32_t>>& cells, const std::vector<std::uint32_t>& work);
    // Whether this rebuild should check how evenly the work is divided; the same on all ranks.
    [[nodiscard]] bool is_to_be_balanced();
    // Collective: whether the work is divided so unevenly that the domain should be decomposed anew. work: this rank's;
    // seconds: the time of its passes since the last check, from which the relative speeds of the ranks are estimated,
    // or 0.
    [[nodiscard]] bool is_unbalanced(std::uint64_t work, double seconds = 0);
    [[nodiscard]] const Decomposition& decomposition() const { return decomposition_; }
    // Whether this rank owns or copies the particles of a cell.
    [[nodiscard]] bool holds(const Four<std::int32_t>& cell) const
    {
        return is_within_reach(cell, reach_, decomposition_.box(peers_.rank()), periods_);
    }
    // The number of decompositions so far, by which a new one is noticed.
    [[nodiscard]] std::uint64_t decompositions() const { return decompositions_; }
    [[nodiscard]] std::int64_t reach() const { return reach_; }
    [[nodiscard]] const PeriodOfCells& periods() const { return periods_; }

    // Collective: sends own particles to the ranks that now own or copy their cells, drops particles that are of no use
    // here, and receives. The particles that stay come first, in their order; their former indices are put into `kept`.
    // resize(count) makes room. Returns the number of particles.
    std::size_t redistribute(const std::vector<Four<std::int32_t>>& cells, const std::vector<RawField>& fields,
                             const std::function<std::vector<RawField>(std::size_t)>& resize,
                             std::vector<std::uint32_t>& kept);
    // To be called when all particles here, own and halo, are in the canonical order.
    void sorted(const std::vector<Four<std::int32_t>>& cells, const std::vector<Kind>& kinds);
    // Collective: sends the given parts of own particles to their copies on other ranks.
    void exchange(const std::vector<RawField>& fields, const std::vector<FieldPart>& parts);
    // The bytes that this rank has sent in all calls of exchange().
    [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

private:
    // By rank, the particles that it copies from here, or that this rank copies from there, in the canonical order.
    struct Lists {
        std::vector<std::vector<std::uint32_t>> all;
        std::vector<std::vector<std::uint32_t>> fluid;
        void clear(std::size_t ranks);
        void add(std::size_t rank, std::uint32_t particle, Kind kind);
    };
    void learn_powers(std::span<const double> work, std::span<const double> seconds);
    [[nodiscard]] bool is_inside(const Four<std::int32_t>& cell) const
    {
        return decomposition_.is_inside(cell, reach_, peers_.rank(), periods_);
    }

    Peers& peers_;
    std::int64_t reach_;
    PeriodOfCells periods_;
    int dimensions_;
    Cuts cuts_;
    Decomposition decomposition_;
    std::uint64_t decompositions_ = 0;
    std::uint64_t asked_ = 0;
    std::vector<double> powers_;  // of the ranks, about 1; none if they are equal
    std::vector<std::uint8_t> owned_;
    std::vector<std::uint32_t> own_indices_;
    Lists to_others_;
    Lists from_others_;
    std::uint64_t bytes_sent_ = 0;
    std::vector<Bytes> sent_;
    std::vector<Bytes> received_;
};

}  // namespace halfulp
