#include "core/setup/mirror_images.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/parallel_failure.hpp"
#include "core/setup/closest_points.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

namespace {

// The forms whose surfaces bound a wall: its own, and those of the shapes cut out of it.
void add_surfaces(const Case& c, std::int32_t shape, std::vector<std::int32_t>& forms)
{
    forms.push_back(shape);
    for (const std::string& name : c.shapes[static_cast<std::size_t>(shape)].without)
        add_surfaces(c, shape_named(c, name), forms);
}

// Whether a shape's form, or one cut out of it, is a mesh: for a mesh, a single point does not tell whether it is
// inside.
bool is_bounded_by_mesh(const Case& c, std::int32_t shape)
{
    std::vector<std::int32_t> forms;
    add_surfaces(c, shape, forms);
    return std::any_of(forms.begin(), forms.end(), [&](std::int32_t form) {
        return c.shapes[static_cast<std::size_t>(form)].form == Shape::Form::mesh;
    });
}

// For each shape, the number of the motion that moves it, counting its own velocity as one; -1: none.
std::vector<std::int32_t> motions_of_shapes(const Case& c)
{
    std::vector<std::int32_t> motions(c.shapes.size(), -1);
    for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        if (c.shapes[i].slides()) motions[i] = static_cast<std::int32_t>(c.motions.size() + i);
    }
    for (std::size_t m = 0; m < c.motions.size(); ++m) {
        for (std::size_t i = 0; i < c.shapes.size(); ++i) {
            if (has_body(c.motions[m].bodies, c.shapes[i].name)) motions[i] = static_cast<std::int32_t>(m);
        }
    }
    return motions;
}

class WallForms {
public:
    WallForms(const Case& c, const Geometry& geometry, const Rows& filled)
        : c_(c), geometry_(geometry), filled_(filled), motions_(motions_of_shapes(c))
    {
        std::vector<Form> forms;
        for (std::size_t i = 0; i < c.shapes.size(); ++i) {
            bounded_by_mesh_.push_back(is_bounded_by_mesh(c, static_cast<std::int32_t>(i)));
            if (c.shapes[i].kind != Kind::wall) continue;
            std::vector<std::int32_t> surfaces;
            add_surfaces(c, static_cast<std::int32_t>(i), surfaces);
            for (const std::int32_t surface : surfaces) forms.push_back({surface, motions_[i]});
        }
        slice(forms);
        move_apart_ = std::any_of(forms.begin(), forms.end(),
                                  [&](const Form& form) { return form.motion != forms.front().motion; });
        for (const auto& [row, runs] : filled) {
            const Site low{runs.front().first, row[1], row[0]};
            const Site high{runs.back().last - 1, row[1], row[0]};
            for (std::size_t k = 0; k < 3; ++k) {
                low_[k] = std::min(low_[k], low[k]);
                high_[k] = std::max(high_[k], high[k]);
            }
        }
    }

    // The vector from a wall particle to its mirror node. If there are several candidates, one within the box around
    // all shapes is preferred: a floor faces the tank, not the space below.
    [[nodiscard]] std::optional<Point> image(const Point& from, std::int32_t own) const
    {
        for (const bool within : {true, false}) {
            for (const bool alone : {false, true}) {
                if (alone && !move_apart_) continue;
                if (const auto found = nearest_image(from, own, within, alone)) return found;
            }
        }
        return std::nullopt;
    }

private:
    // A surface that bounds a wall, and the wall's motion.
    struct Form {
        std::int32_t shape;
        std::int32_t motion;
    };

    // alone: considers only walls that move like the particle's own.
    [[nodiscard]] std::optional<Point> nearest_image(const Point& from, std::int32_t own, bool within, bool alone) const
    {
        double nearest = support_radius(c_);
        std::optional<Point> found;
        const std::int32_t motion = motions_[static_cast<std::size_t>(own)];
        for (const Form& form : slices_[slice_at(from[0])]) {
            if (alone && form.motion != motion) continue;
            closest_points(c_, geometry_, form.shape, from, nearest, [&](const Point& surface) {
                Point to{};
                double square = 0;
                for (std::size_t i = 0; i < 3; ++i) {
                    to[i] = surface[i] - from[i];
                    square += to[i] * to[i];
                }
                const double distance = std::sqrt(square);
                if (!(distance < nearest)) return;
                Point image{};
                for (std::size_t i = 0; i < 3; ++i) image[i] = from[i] + 2 * to[i];
                if ((within && !is_within(image)) || is_wall(image, own, distance, alone)) return;
                nearest = distance;
                found = {2 * to[0], 2 * to[1], 2 * to[2]};
            });
        }
        return found;
    }

    // Adds each form to all slices along x that are within reach of it: of thousands of forms, few are near a particle.
    // The reach allows for the faces of boxes, which move to the lattice.
    void slice(const std::vector<Form>& forms)
    {
        constexpr std::size_t most_slices = 1024;
        const double reach = support_radius(c_) + c_.resolution.spacing;
        double high = -std::numeric_limits<double>::infinity();
        for (const Form& form : forms) {
            const Geometry::Extent extent = geometry_.extent(form.shape);
            first_x_ = std::min(first_x_, extent.low[0] - reach);
            high = std::max(high, extent.high[0] + reach);
        }
        slices_.resize(std::clamp<std::size_t>(forms.size(), 1, most_slices));
        slice_width_ = (high - first_x_) / static_cast<double>(slices_.size());
        for (const Form& form : forms) {
            const Geometry::Extent extent = geometry_.extent(form.shape);
            const std::size_t last = slice_at(extent.high[0] + reach);
            for (std::size_t k = slice_at(extent.low[0] - reach); k <= last; ++k) slices_[k].push_back(form);
        }
    }
    [[nodiscard]] std::size_t slice_at(double x) const
    {
        const double slice = (x - first_x_) / slice_width_;
        return slice > 0 ? std::min(slices_.size() - 1, static_cast<std::size_t>(slice)) : 0;
    }

    // The site of a place, within the periods.
    [[nodiscard]] Site site_of(Point at) const
    {
        Site site{0, 0, 0};
        for (std::size_t i = 0; i < static_cast<std::size_t>(c_.dimensions); ++i) {
            at[i] = into_period(at[i], i);
            site[i] = static_cast<std::int64_t>(std::floor(at[i] / c_.resolution.spacing));
        }
        return site;
    }
    [[nodiscard]] double into_period(double x, std::size_t axis) const
    {
        return c_.period[axis] > 0 ? x - c_.period[axis] * std::floor(x / c_.period[axis]) : x;
    }

    [[nodiscard]] bool is_within(const Point& at) const
    {
        const Site site = site_of(at);
        for (std::size_t k = 0; k < 3; ++k) {
            if (site[k] < low_[k] || site[k] > high_[k]) return false;
        }
        return true;
    }

    // Whether there is a wall at a mirror node, `distance` beyond the surface. Sites of a curved wall reach up to half
    // their diagonal over its surface, so sites of the particle's own shape are no evidence.
    [[nodiscard]] bool is_wall(Point at, std::int32_t own, double distance, bool alone) const
    {
        const double spacing = c_.resolution.spacing;
        if (distance < 1e-9 * spacing) return false;  // the particle itself, on the surface
        for (std::size_t i = 0; i < 3; ++i) at[i] = into_period(at[i], i);
        const std::int32_t there = shape_at(filled_, site_of(at));
        const auto as_own = [&](std::int32_t shape) {
            return motions_[static_cast<std::size_t>(shape)] == motions_[static_cast<std::size_t>(own)];
        };
        const bool site_is_wall =
            there >= 0 && c_.shapes[static_cast<std::size_t>(there)].kind == Kind::wall && (!alone || as_own(there));
        if (site_is_wall && there != own) return true;
        if (bounded_by_mesh_[static_cast<std::size_t>(own)])
            return site_is_wall && distance > 0.5 * std::sqrt(c_.dimensions) * spacing;
        return is_solid(own, at);
    }

    [[nodiscard]] bool is_solid(std::int32_t shape, const Point& at) const
    {
        const Shape& s = c_.shapes[static_cast<std::size_t>(shape)];
        if (is_inside(c_, shape, at) == s.is_hollow()) return false;
        return std::none_of(s.without.begin(), s.without.end(),
                            [&](const std::string& name) { return is_solid(shape_named(c_, name), at); });
    }

    const Case& c_;
    const Geometry& geometry_;
    const Rows& filled_;
    std::vector<std::int32_t> motions_;      // by shape
    std::vector<bool> bounded_by_mesh_;      // by shape
    bool move_apart_ = false;                // whether walls have different ones
    std::vector<std::vector<Form>> slices_;  // the forms near places by their x, in order
    double first_x_ = std::numeric_limits<double>::infinity();
    double slice_width_ = 0;
    Site low_{INT64_MAX, INT64_MAX, INT64_MAX};  // of all shapes
    Site high_{INT64_MIN, INT64_MIN, INT64_MIN};
};

}  // namespace

std::vector<std::optional<std::array<double, 3>>> mirror_images(const Case& c, const Geometry& geometry,
                                                                const Rows& filled, const PlacedParticles& particles)
{
    const WallForms walls(c, geometry, filled);
    std::vector<std::optional<std::array<double, 3>>> images(particles.size());
    ParallelFailure no_memory;
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const PlacedParticle particle = particles[i];
        if (particle.kind != Kind::wall) continue;
        Point at{};
        for (std::size_t k = 0; k < static_cast<std::size_t>(c.dimensions); ++k)
            at[k] = particle.position[k] * c.resolution.spacing;
        no_memory.guard([&] { images[i] = walls.image(at, particle.shape); });
    }
    no_memory.rethrow();
    return images;
}

}  // namespace halfulp
