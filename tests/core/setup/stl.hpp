// Bodies of triangles whose extent is known, and the STL files that hold them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace halfulp {

using StlPoint = std::array<double, 3>;
using StlTriangle = std::array<StlPoint, 3>;
using StlBody = std::vector<StlTriangle>;

// The 12 triangles of a box, outwards.
inline StlBody stl_box(const StlPoint& low, const StlPoint& high)
{
    const auto corner = [&](int i) {
        return StlPoint{(i & 1) != 0 ? high[0] : low[0], (i & 2) != 0 ? high[1] : low[1],
                        (i & 4) != 0 ? high[2] : low[2]};
    };
    StlBody body;
    for (const auto& q :
         {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
        body.push_back({corner(q[0]), corner(q[1]), corner(q[2])});
        body.push_back({corner(q[0]), corner(q[2]), corner(q[3])});
    }
    return body;
}

// An octahedron whose triangles are divided and whose corners are moved out onto the sphere, `times` times over.
inline StlBody stl_sphere(const StlPoint& centre, double radius, int times)
{
    StlBody body;
    for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0})
            for (const double z : {-1.0, 1.0}) {
                StlTriangle t{StlPoint{x, 0, 0}, StlPoint{0, y, 0}, StlPoint{0, 0, z}};
                if (x * y * z < 0) std::swap(t[1], t[2]);
                body.push_back(t);
            }
    const auto middle = [](const StlPoint& a, const StlPoint& b) {
        StlPoint m{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
        const double length = std::sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        for (double& v : m) v /= length;
        return m;
    };
    for (int i = 0; i < times; ++i) {
        StlBody finer;
        for (const auto& [a, b, c] : body) {
            const StlPoint ab = middle(a, b);
            const StlPoint bc = middle(b, c);
            const StlPoint ca = middle(c, a);
            for (const StlTriangle& t : {StlTriangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
                finer.push_back(t);
        }
        body = finer;
    }
    for (StlTriangle& t : body)
        for (StlPoint& p : t)
            for (std::size_t k = 0; k < 3; ++k) p[k] = centre[k] + radius * p[k];
    return body;
}

inline std::string binary_stl(const StlBody& body)
{
    std::string bytes(80, ' ');
    const auto append = [&](const auto& value) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        bytes.append(raw, sizeof value);
    };
    append(static_cast<std::uint32_t>(body.size()));
    for (const StlTriangle& t : body) {
        for (int i = 0; i < 3; ++i) append(0.0F);  // the normal, which nobody reads
        for (const StlPoint& p : t)
            for (const double v : p) append(static_cast<float>(v));
        append(std::uint16_t{0});
    }
    return bytes;
}

inline std::string ascii_stl(const StlBody& body)
{
    std::string text = "solid part\n";
    for (const StlTriangle& t : body) {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for (const StlPoint& p : t) {
            char line[128];
            std::snprintf(line, sizeof line, "      vertex %.9e %.9e %.9e\n", p[0], p[1], p[2]);
            text += line;
        }
        text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid part\n";
}

// A file in a folder of its own, removed with the object.
class StlFile {
public:
    explicit StlFile(const std::string& content)
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-stl-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        std::ofstream(path(), std::ios::binary) << content;
    }
    ~StlFile() { std::filesystem::remove_all(folder_); }
    StlFile(const StlFile&) = delete;
    StlFile& operator=(const StlFile&) = delete;

    [[nodiscard]] std::filesystem::path path() const { return folder_ / "part.stl"; }

private:
    std::filesystem::path folder_;
};

}  // namespace halfulp
