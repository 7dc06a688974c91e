#include "core/setup/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/setup/input_file.hpp"
#include "core/setup/point.hpp"

namespace halfulp {

namespace {

using Triangle = std::array<Point, 3>;

// A binary STL: a header, the number of triangles, and 50 bytes each: normal, three corners, two unused bytes.
constexpr std::size_t header_bytes = 84;
constexpr std::size_t triangle_bytes = 50;
constexpr std::uint64_t largest_mesh_file = std::uint64_t{4} << 30U;  // some 80 million triangles

std::string text_of(const Point& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", p[0], p[1], p[2]); }

std::uint32_t little_endian(const char* bytes)
{
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
    return value;
}

float little_endian_float(const char* bytes)
{
    const std::uint32_t bits = little_endian(bytes);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

std::vector<Triangle> read_binary(const std::string& bytes)
{
    std::vector<Triangle> triangles(little_endian(bytes.data() + header_bytes - 4));
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const char* at = bytes.data() + header_bytes + t * triangle_bytes + 12;
        for (Point& corner : triangles[t])
            for (double& x : corner) x = little_endian_float(at), at += 4;
    }
    return triangles;
}

// In capitals, too.
bool is_word(std::string_view text, std::string_view word)
{
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
    return std::ranges::equal(text, word, same);
}

// Splits a text into words.
class Words {
public:
    explicit Words(std::string_view text) : text_(text) {}
    std::string_view next()
    {
        constexpr std::string_view blank = " \t\r\n";
        const std::size_t first = text_.find_first_not_of(blank, at_);
        if (first == std::string_view::npos) return {};
        for (std::size_t i = at_; i < first; ++i) line_ += text_[i] == '\n' ? 1 : 0;
        at_ = std::min(text_.find_first_of(blank, first), text_.size());
        return text_.substr(first, at_ - first);
    }
    // The rest of the line, or up to the facet that follows in it.
    void pass_name()
    {
        while (at_ < text_.size() && text_[at_] != '\n' && !is_word(text_.substr(at_, 6), "facet ")) ++at_;
    }
    [[nodiscard]] int line() const { return line_; }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
};

std::vector<Triangle> read_ascii(const std::string& text, const std::string& name)
{
    Words words(text);
    std::vector<Triangle> triangles;
    std::size_t corners = 0;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        // Other words (solid, facet normal, outer loop and their ends) carry no information beyond the corners; the
        // name of a body may be any.
        if (is_word(word, "solid") || is_word(word, "endsolid")) words.pass_name();
        if (!is_word(word, "vertex")) continue;
        if (corners % 3 == 0) triangles.emplace_back();
        for (double& x : triangles.back()[corners % 3]) {
            const std::string_view text = words.next();
            const std::optional<double> number = decimal_number(text);
            if (!number) {
                throw input_error("{}:{} has \"{}\" where a coordinate must stand; export it again as binary STL.",
                                  name, words.line(), shortened(text));
            }
            x = *number;
        }
        ++corners;
    }
    if (corners == 0 && text.size() >= header_bytes && !is_word(std::string_view(text).substr(0, 5), "solid")) {
        const std::uint64_t announced = little_endian(text.data() + header_bytes - 4);
        throw input_error(
            "{} is no STL file of triangles: an ASCII STL has three lines \"vertex x y z\" for each, it has none, and a "
            "binary STL of the {} triangles that its header announces would have {} bytes, it has {}; export it again.",
            name, announced, header_bytes + announced * triangle_bytes, text.size());
    }
    if (corners == 0 || corners % 3 != 0) {
        throw input_error(
            "{} is no STL file of triangles: it has {} corners, but a binary STL has 84 bytes and 50 for each of its "
            "triangles, and an ASCII STL three lines \"vertex x y z\" for each; export it again.",
            name, corners);
    }
    return triangles;
}

std::vector<Triangle> read_triangles(const std::filesystem::path& file, const std::string& name)
{
    const std::string bytes = read_input_file(file, name, "STL file", largest_mesh_file, Reads::again);
    if (bytes.empty()) throw input_error("{}: the STL file is empty; export it again.", name);
    // Recognised by its length, since some binary files begin with "solid" too.
    if (bytes.size() >= header_bytes) {
        const std::uint64_t triangles = little_endian(bytes.data() + header_bytes - 4);
        if (bytes.size() == header_bytes + triangles * triangle_bytes) return read_binary(bytes);
    }
    return read_ascii(bytes, name);
}

// The number of triangles along an edge from its lower-numbered corner to the higher, and back.
struct EdgeUse {
    int forward = 0;
    int backward = 0;
};

// place: of a corner in the file, as text.
void refuse_open(const Mesh& mesh, const std::string& name, const std::function<std::string(const Point&)>& place)
{
    std::map<std::pair<std::int32_t, std::int32_t>, EdgeUse> edges;
    for (const auto& triangle : mesh.triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::int32_t a = triangle[i];
            const std::int32_t b = triangle[(i + 1) % 3];
            EdgeUse& use = edges[std::minmax(a, b)];
            ++(a < b ? use.forward : use.backward);
        }
    }
    std::size_t open = 0;
    std::size_t shared = 0;
    std::size_t turned = 0;
    std::pair<std::int32_t, std::int32_t> first_open;
    std::pair<std::int32_t, std::int32_t> first_shared;
    std::pair<std::int32_t, std::int32_t> first_turned;
    for (const auto& [edge, use] : edges) {
        if (use.forward == use.backward) continue;
        if (use.forward + use.backward == 1) {
            if (open++ == 0) first_open = edge;
        } else if ((use.forward + use.backward) % 2 != 0) {
            if (shared++ == 0) first_shared = edge;
        } else if (turned++ == 0) {
            first_turned = edge;
        }
    }
    const auto ends = [&](const std::pair<std::int32_t, std::int32_t>& edge) {
        const Point& a = mesh.corners[static_cast<std::size_t>(edge.first)];
        const Point& b = mesh.corners[static_cast<std::size_t>(edge.second)];
        const std::string there = place(a);
        return fmt::format("from {} to {} m", text_of(a), text_of(b)) +
               (there == text_of(a) ? "" : fmt::format(" (in the file from {} to {})", there, place(b)));
    };
    if (open > 0) {
        const std::string besides =
            shared == 0
                ? ""
                : fmt::format("; besides, an odd number of triangles, three or more, meets at {} of them, the first {}",
                              shared, ends(first_shared));
        throw input_error(
            "{} has a hole: {} of its {} edges {} no partner on the other side, the first {}{}; close the surface{} "
            "and export it again.",
            name, open, edges.size(), open == 1 ? "has" : "have", ends(first_open), besides,
            shared == 0 ? "" : ", leave no face inside or twice,");
    }
    if (shared > 0) {
        throw input_error(
            "{} is no closed surface: an odd number of triangles, three or more, meets at {} of its {} edges, the "
            "first {}; leave no face inside or twice, and export it again.",
            name, shared, edges.size(), ends(first_shared));
    }
    if (turned > 0) {
        throw input_error(
            "{} has triangles that face opposite ways: they meet at {} of its {} edges, the first {}; turn them all "
            "outwards and export it again.",
            name, turned, edges.size(), ends(first_turned));
    }
}

const Point& corner_of(const Mesh& mesh, const std::array<std::int32_t, 3>& triangle, std::size_t i)
{
    return mesh.corners[static_cast<std::size_t>(triangle[i % 3])];
}

// The counted centre of the first row that may lie above a coordinate; later ones are compared with it.
std::int64_t row_near(double x, double spacing) { return static_cast<std::int64_t>(std::floor(x / spacing - 0.5)); }

double row_centre(std::int64_t row, double spacing) { return (static_cast<double>(row) + 0.5) * spacing; }

// The point where the edge between a and b crosses the height z, independent of their order.
std::array<double, 2> point_at(const Point& a, const Point& b, double z)
{
    const Point& low = a[2] <= z ? a : b;
    const Point& high = a[2] <= z ? b : a;
    const double part = (z - low[2]) / (high[2] - low[2]);
    return {low[0] + part * (high[0] - low[0]), low[1] + part * (high[1] - low[1])};
}

double six_volumes(const Mesh& mesh, const std::array<std::int32_t, 3>& t, const Point& origin)
{
    return dot(minus(corner_of(mesh, t, 0), origin),
               cross(minus(corner_of(mesh, t, 1), origin), minus(corner_of(mesh, t, 2), origin)));
}

// Whether a body of the surface does, of what hangs together at corners: bodies that face opposite ways may have none
// together.
bool encloses_volume(const Mesh& mesh)
{
    std::vector<std::size_t> body(
        mesh.corners.size());  // each leads on to a corner of the same body, in the end to one
    std::iota(body.begin(), body.end(), std::size_t{0});
    const auto body_of = [&](std::int32_t corner) {
        auto at = static_cast<std::size_t>(corner);
        while (body[at] != at) at = body[at] = body[body[at]];
        return at;
    };
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 1; i < 3; ++i) body[body_of(t[i])] = body_of(t[0]);
    std::map<std::size_t, double> volumes;
    for (const auto& t : mesh.triangles) {
        const std::size_t own = body_of(t[0]);
        volumes[own] += six_volumes(mesh, t, mesh.corners[own]);
    }
    return std::ranges::any_of(volumes, [](const auto& one) { return one.second != 0; });
}

}  // namespace

Mesh read_mesh(const std::filesystem::path& file, double scale, const std::array<double, 3>& move,
               const std::string& key)
{
    const std::string name = fmt::format("{}: {}", key, file.string());
    Mesh mesh;
    std::map<Point, std::int32_t> numbers;
    const std::vector<Triangle> triangles = read_triangles(file, name);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        std::array<std::int32_t, 3> triangle{};
        for (std::size_t i = 0; i < 3; ++i) {
            Point at{};
            for (std::size_t k = 0; k < 3; ++k) {
                at[k] = scale * triangles[t][i][k] + move[k] + 0.0;  // turns -0 into 0
                if (!std::isfinite(at[k])) {
                    throw input_error(
                        "{} has a corner that is not a finite number, in triangle {} of {}; export it again.", name,
                        t + 1, triangles.size());
                }
            }
            const auto [found, added] = numbers.emplace(at, static_cast<std::int32_t>(mesh.corners.size()));
            if (added) mesh.corners.push_back(at);
            triangle[i] = found->second;
        }
        if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
        mesh.triangles.push_back(triangle);
    }
    refuse_open(mesh, name, [&](const Point& at) {
        Point there{};
        for (std::size_t k = 0; k < 3; ++k) there[k] = (at[k] - move[k]) / scale;
        return text_of(there);
    });
    if (!encloses_volume(mesh)) {
        throw input_error("{} encloses no volume; give the surface of a body.", name);
    }
    return mesh;
}

double volume(const Mesh& mesh)
{
    double six = 0;
    if (mesh.corners.empty()) return 0;
    const Point& origin = mesh.corners.front();  // near the body, to limit cancellation
    for (const auto& t : mesh.triangles) six += six_volumes(mesh, t, origin);
    return std::abs(six) / 6;
}

double area(const Mesh& mesh)
{
    double twice = 0;
    for (const auto& t : mesh.triangles) {
        const Point normal = cross(minus(corner_of(mesh, t, 1), corner_of(mesh, t, 0)),
                                   minus(corner_of(mesh, t, 2), corner_of(mesh, t, 0)));
        twice += std::sqrt(dot(normal, normal));
    }
    return twice / 2;
}

std::map<std::array<std::int64_t, 2>, std::vector<Crossing>> crossings(const Mesh& mesh, double spacing)
{
    std::map<std::array<std::int64_t, 2>, std::vector<Crossing>> rows;
    for (const auto& t : mesh.triangles) {
        const auto [low, high] =
            std::minmax({corner_of(mesh, t, 0)[2], corner_of(mesh, t, 1)[2], corner_of(mesh, t, 2)[2]});
        for (std::int64_t z = row_near(low, spacing); z <= row_near(high, spacing) + 1; ++z) {
            const double height = row_centre(z, spacing);
            // The plane cuts none or two of the edges: entry where one goes up, exit where one goes down.
            std::array<double, 2> up{};
            std::array<double, 2> down{};
            bool cut = false;
            for (std::size_t i = 0; i < 3; ++i) {
                const Point& a = corner_of(mesh, t, i);
                const Point& b = corner_of(mesh, t, i + 1);
                if ((a[2] <= height) == (b[2] <= height)) continue;
                cut = true;
                (a[2] <= height ? up : down) = point_at(a, b, height);
            }
            if (!cut) continue;
            const auto [near, far] = std::minmax(up[1], down[1]);
            for (std::int64_t y = row_near(near, spacing); y <= row_near(far, spacing) + 1; ++y) {
                const double line = row_centre(y, spacing);
                if ((up[1] <= line) == (down[1] <= line)) continue;
                const double part = (line - up[1]) / (down[1] - up[1]);
                rows[{z, y}].push_back({up[0] + part * (down[0] - up[0]), up[1] <= line ? 1 : -1});
            }
        }
    }
    for (auto& [row, own] : rows) {
        std::sort(own.begin(), own.end(), [](const Crossing& a, const Crossing& b) { return a.x < b.x; });
    }
    return rows;
}

}  // namespace halfulp
