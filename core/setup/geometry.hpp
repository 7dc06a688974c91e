// The lattice sites that belong to shapes.
//
// A site belongs to a form if its centre lies inside. A site on the surface (to 1e-9 spacings) belongs to it if the row
// of sites along +x enters there, not if it leaves; for a face along the row, likewise along +y, then +z. So forms that
// share a surface neither overlap nor leave a gap. Boxes instead move to the lattice (snapped_box).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "core/setup/case.hpp"
#include "core/setup/lattice.hpp"
#include "core/setup/mesh.hpp"

namespace halfulp {

// The index of a shape that the case has.
std::int32_t shape_named(const Case& c, const std::string& name);

// The lattice plane nearest to the coordinate x, counted from the origin; plane i lies between the sites i - 1 and i.
// Throws an Error if it is too far away for cell numbers.
std::int64_t nearest_plane(const Case& c, const Shape& s, double x);

// The sites of a box, or inside a hollow box, its faces moved to the nearest planes.
SiteBox snapped_box(const Case& c, const Shape& s);

// The thickness of a hollow shape's wall in particles: as given, or enough to cover the kernel's support.
std::int64_t wall_layers(const Case& c, const Shape& s);

// The refinement, per direction, of the lattice with which a relaxed fill measures its shape.
constexpr int refinement_of(int dimensions) { return dimensions == 2 ? 8 : 4; }

// The number of sites that a shape fills (`particles`) and encloses (`interior`), estimated from its size.
struct SiteEstimate {
    double particles = 0;
    double interior = 0;
    double rows = 0;  // of sites along x, stored while shapes are filled and cut
};

// Throws an Error if there are more particles than 32 bits can number or than `memory_bytes` can hold. likely: its
// likely cause and remedy (mesh_scale.hpp), if there is one beside the spacing.
void refuse_too_many(const Case& c, const SiteEstimate& sites, double memory_bytes, const std::string& likely = {});

// The shapes of a case, with their meshes.
class Geometry {
public:
    // Reads the meshes. Throws an Error if one is unusable or a form lies too far away. The case must outlive it.
    explicit Geometry(const Case& c);

    // Every site of the shape, regardless of other fills: its form, or the wall around it, less the shapes cut out of
    // it. With a refinement, on a lattice finer by that factor.
    [[nodiscard]] Rows sites_of(std::int32_t shape, int refinement = 1) const;

    // The sites inside the form of a shape, hollow or not.
    [[nodiscard]] Rows inside_of(std::int32_t shape, int refinement = 1) const;

    // A lower bound for a shape from which others are cut out: as if each of them lay wholly inside it.
    [[nodiscard]] SiteEstimate estimate(std::int32_t shape) const;

    // Area or volume of the form, m^D: of boxes after their faces have moved; of a mesh that of its bodies, which may
    // overlap or face the other way (mesh.hpp).
    [[nodiscard]] double measure(std::int32_t shape) const;
    // The same in spacings^D: an estimate of the number of sites inside.
    [[nodiscard]] double sites_inside(std::int32_t shape) const;

    // Lower and upper corner of the box around the form, m.
    struct Extent {
        std::array<double, 3> low{};
        std::array<double, 3> high{};
    };
    [[nodiscard]] Extent extent(std::int32_t shape) const;

    // For a shape whose form is a mesh.
    [[nodiscard]] const Mesh& mesh(std::int32_t shape) const { return meshes_.at(shape); }

private:
    [[nodiscard]] double rows_of(std::int32_t shape) const;
    // An estimate of its own sites, without cutting anything out.
    [[nodiscard]] double sites_uncut(std::int32_t shape) const;
    [[nodiscard]] const Shape& at(std::int32_t shape) const;

    const Case& c_;
    std::map<std::int32_t, Mesh> meshes_;  // by shape
};

// For all shapes together.
SiteEstimate estimate_sites(const Case& c, const Geometry& geometry);

}  // namespace halfulp
