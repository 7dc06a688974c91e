// The particles that one rank of several holds: its own, whose sums it computes, and the halo, copies of the other
// ranks' particles that its own may meet before the next rebuild of the neighbour lists. Both lie together in the
// canonical order, so that every sum has the neighbours, and the bits, that it has on one rank.
//
// What a step does to one particle every holder of a copy does itself; of what passes over pairs write, the owner sends
// the parts that are needed (core/operations/exchange.hpp).
#pragma once

#include <functional>
#include <vector>

#include "core/distribution/decomposition.hpp"
#include "core/distribution/peers.hpp"
#include "core/particles/fields.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

// How cells are shared out.
struct Cuts {
    bool at_random = false;  // anew at every rebuild, for tests; otherwise by work
    std::uint64_t seed = 0;
};

// A buffer of all particles, whatever its type.
struct RawField {
    std::byte* data = nullptr;
    std::size_t element = 0;  // bytes
    bool moves = false;       // with its particle from rank to rank; the others are computed anew
    bool of_owner = false;    // means nothing in the halo: works
};

// Bytes of an element that an operation over pairs leaves for others to read.
struct FieldPart {
    std::size_t field = 0;  // among the raw fields
    std::size_t offset = 0;
    std::size_t bytes = 0;
    bool of_fluid_alone = false;
};

class Halo {
public:
    // reach: cells from a particle to the farthest that it may meet.
    Halo(Peers& peers, std::int64_t reach, const PeriodOfCells& periods, int dimensions, const Cuts& cuts)
        : peers_(peers), reach_(reach), periods_(periods), dimensions_(dimensions), cuts_(cuts)
    {
    }

    [[nodiscard]] Peers& peers() const { return peers_; }
    // Of each particle here, whether it is this rank's own.
    [[nodiscard]] const std::vector<std::uint8_t>& owned() const { return owned_; }
    [[nodiscard]] bool owns(std::size_t i) const { return owned_[i] != 0; }
    // Which ones are, in their order.
    [[nodiscard]] const std::vector<std::uint32_t>& own_indices() const { return own_indices_; }

    // Before the first decomposition.
    void all_are_own(std::size_t particles);
    // Collective, with those particles that are given a rank: which cells belong to it. work: of each of them; 0 if it
    // is none of this rank's.
    void decompose(const std::vector<Four<std::int32_t>>& cells, const std::vector<std::uint32_t>& work);
    // Whether to look at the shares of the work at this rebuild; the same on all ranks.
    [[nodiscard]] bool is_to_be_balanced();
    // Whether they have become so unequal that cells should be shared out anew. Collective; work: of this rank;
    // seconds: that its passes have taken since the last look, from which ranks of unequal power are known, or 0.
    [[nodiscard]] bool is_unbalanced(std::uint64_t work, double seconds = 0);
    [[nodiscard]] const Decomposition& decomposition() const { return decomposition_; }
    // Whether this rank owns or copies the particles of a cell.
    [[nodiscard]] bool holds(const Four<std::int32_t>& cell) const
    {
        return is_within_reach(cell, reach_, decomposition_.box(peers_.rank()), periods_);
    }
    // Changes with the decomposition.
    [[nodiscard]] std::uint64_t decompositions() const { return decompositions_; }
    [[nodiscard]] std::int64_t reach() const { return reach_; }
    [[nodiscard]] const PeriodOfCells& periods() const { return periods_; }

    // Collective: sends own particles to the ranks that own or copy their cells now, drops those of no use here, and
    // receives. The particles that stay come first, in their order, by indices in `kept`; resize(count) makes room.
    // Returns the number of particles.
    std::size_t redistribute(const std::vector<Four<std::int32_t>>& cells, const std::vector<RawField>& fields,
                             const std::function<std::vector<RawField>(std::size_t)>& resize,
                             std::vector<std::uint32_t>& kept);
    // All particles here, own and halo, are in the canonical order now.
    void sorted(const std::vector<Four<std::int32_t>>& cells, const std::vector<Kind>& kinds);
    // Collective: own particles' parts to the copies in other ranks.
    void exchange(const std::vector<RawField>& fields, const std::vector<FieldPart>& parts);
    // That this rank has sent in all calls of exchange().
    [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

private:
    // Of particles that another rank copies from here, or this one from there, in the canonical order.
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
