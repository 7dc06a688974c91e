#include "core/setup/case.hpp"

#include <algorithm>

namespace halfulp {

std::filesystem::path Case::path_of(const std::string& file) const
{
    const auto kept = kept_files.find(file);
    return kept == kept_files.end() ? path.parent_path() / file : kept->second;
}

std::vector<std::string> Case::files() const
{
    std::vector<std::string> all;
    const auto add = [&](const std::string& file) {
        if (std::ranges::find(all, file) == all.end()) all.push_back(file);
    };
    for (const Shape& shape : shapes) {
        if (shape.form == Shape::Form::mesh) add(shape.mesh.file);
    }
    for (const Motion& motion : motions) {
        if (motion.rotation && motion.rotation->angle.form == Signal::Form::table)
            add(motion.rotation->angle.table.file);
        if (motion.translation && motion.translation->distance.form == Signal::Form::table)
            add(motion.translation->distance.table.file);
    }
    return all;
}

std::map<std::string, std::filesystem::path> Case::paths() const
{
    std::map<std::string, std::filesystem::path> all;
    for (const std::string& file : files()) all[file] = path_of(file);
    return all;
}

bool has_body(const std::vector<std::string>& bodies, const std::string& shape)
{
    return bodies.empty() || std::ranges::find(bodies, shape) != bodies.end();
}

}  // namespace halfulp
