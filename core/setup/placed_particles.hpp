// The particles that fill the shapes of a case, in the order of their numbers. Those on the lattice are stored as runs
// of sites and computed on request, so that memory grows with the number of rows; those of relaxed fills are stored as
// positions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/setup/by_index.hpp"
#include "core/setup/lattice.hpp"
#include "core/setup/shape.hpp"

namespace halfulp {

struct PlacedParticle {
    std::array<double, 3> position;  // spacings; 1/2 in the third dimension of a 2D case
    Kind kind;
    std::int32_t shape;  // index into Case::shapes
};

class PlacedParticles {
public:
    using value_type = PlacedParticle;

    // Appends a particle at each of the sites, in ascending (z, y, x), or at each position.
    void add(const Rows& sites, Kind kind, std::int32_t shape);
    void add(const std::vector<std::array<double, 3>>& positions, Kind kind, std::int32_t shape);

    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] PlacedParticle operator[](std::size_t i) const;
    [[nodiscard]] ByIndex<PlacedParticles> begin() const { return {this, 0}; }
    [[nodiscard]] ByIndex<PlacedParticles> end() const { return {this, count_}; }

    // Particles of one shape that follow each other: along x on the lattice, or anywhere.
    struct Stretch {
        std::size_t first;  // particle
        std::size_t last;
        Kind kind;
        std::int32_t shape;
        bool on_lattice;
        Site site;              // of the first, on the lattice
        std::size_t positions;  // of the first, elsewhere: index
    };
    [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }

private:
    [[nodiscard]] const Stretch& stretch_of(std::size_t i) const;

    std::vector<Stretch> stretches_;
    std::vector<std::array<double, 3>> positions_;
    std::size_t count_ = 0;
};

}  // namespace halfulp
