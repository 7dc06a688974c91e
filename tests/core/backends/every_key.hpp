// Keys of a case that enter the steps of a run: every key that has a part in them with values other than a small
// case's, taken from the description that cases are read by (core/setup/case_fields.hpp), so that a key or a value that
// is new there is tried or asked for.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/setup/case_fields.hpp"
#include "tests/core/backends/cases.hpp"
#include "tests/core/setup/key_archive.hpp"

namespace halfulp::test {

// Some fluid on a floor, its sides free. Balance laws alone.
inline std::string small_case(int dimensions)
{
    std::string text = R"(
[resolution]
spacing = 0.1
smoothing_ratio = 1.5
[fluid]
sound_speed = 20
[numerics]
walls = "dynamic"
density_diffusion = "none"
[time]
end = 1
step = "fixed"
cfl = 0.2
[output]
interval = 1
[[shapes]]
name = "floor"
kind = "wall"
)";
    text = fmt::format("dimensions = {}\n", dimensions) + text;
    text += dimensions == 2 ? "box = { from = [0, -0.3], to = [0.8, 0] }\n"
                            : "box = { from = [0, 0, -0.3], to = [0.8, 0.5, 0] }\n";
    text += "[[shapes]]\nname = \"water\"\nkind = \"fluid\"\n";
    return text + (dimensions == 2 ? "box = { from = [0, 0], to = [0.8, 0.5] }\n"
                                   : "box = { from = [0, 0, 0], to = [0.8, 0.5, 0.5] }\n");
}

struct Setting {
    std::string key;
    std::string name;
    Overrides overrides;
    std::string text = {};  // appended to the case
};

// Values of the keys that have no list of them; @ is y in 3D and nothing in 2D. A key that belongs to another's value
// has a meaning in the pairs with that one.
inline const std::map<std::string, Overrides> values_to_try = {
    {"gravity", {"gravity=[2@,-5]"}},
    {"period", {"period=[0.8@,0]"}},
    {"central_force", {"central_force={rate=3,centre=[0.5@,0.2]}"}},
    {"resolution.smoothing_ratio", {"resolution.smoothing_ratio=1.8"}},
    {"fluid.density", {"fluid.density=800"}},
    {"fluid.sound_speed", {"fluid.sound_speed=25"}},
    {"fluid.artificial_viscosity", {"fluid.artificial_viscosity=0.3"}},
    {"fluid.kinematic_viscosity", {"fluid.kinematic_viscosity=0.02"}},
    {"numerics.skin", {"numerics.skin=0.4"}},
    {"numerics.rebuild_every", {"numerics.rebuild_every=3"}},
    {"numerics.cells_per_support", {"numerics.cells_per_support=1", "numerics.cells_per_support=3"}},
    {"numerics.diffusion_coefficient", {"numerics.diffusion_coefficient=0.3"}},
    {"numerics.filter_every", {"numerics.filter_every=2"}},
    {"numerics.corrector_every", {"numerics.corrector_every=3"}},
    {"numerics.particle_shifting", {"numerics.particle_shifting=2"}},
    {"numerics.velocity_smoothing", {"numerics.velocity_smoothing=0.3"}},
    {"time.cfl", {"time.cfl=0.1"}},
    {"time.size", {"time.size=0.001"}},
    {"shapes", {"shapes.floor.velocity=[0.5@,0]"}},
};

// What a listed value needs beside it.
inline const std::map<std::string, Overrides> given_beside = {
    {"fluid.laminar_viscosity", {"fluid.kinematic_viscosity=0.05"}},
    {"numerics.density_filter", {"numerics.filter_every=3"}},
};

// A list of tables is appended to the case.
inline const std::map<std::string, std::map<std::string, std::string>> texts_to_try = {
    {"motions",
     {{"walls that move",
       "[[motions]]\nname = \"sway\"\n[motions.translation]\ndirection = [1@, 0]\n"
       "sine = { amplitude = 0.1, period = 0.5 }\n"},
      {"a frame that moves",
       "[[motions]]\nname = \"sway\"\nframe = \"moving\"\n[motions.translation]\n"
       "direction = [1@, 0]\nsine = { amplitude = 0.1, period = 0.5, phase = 90 }\n"}}},
};

// These change in which order terms are added, and nothing else.
inline const std::set<std::string> of_the_order = {"numerics.skin", "numerics.rebuild_every",
                                                   "numerics.cells_per_support"};

// And these have no part in a step: names, what is measured and written, where a case lies and when it ends. The
// spacing is another case's.
inline bool has_no_part(const std::string& key)
{
    static const std::set<std::string> such = {"title",
                                               "dimensions",
                                               "resolution.spacing",
                                               "origin.cells",
                                               "numerics.precision",
                                               "numerics.density_bound",
                                               "time.end",
                                               "front",
                                               "probes"};
    return such.contains(key) || key.starts_with("output.");
}

// An archive for case_fields: every key by its dotted path, with the values that its description lists and that are
// not in force.
class KeyCollector : public KeyArchive<KeyCollector> {
public:
    struct Found {
        std::string key;
        Overrides values;
    };
    std::vector<Found> found;

    void add(const Key& key) { found.push_back({prefix_ + std::string(key.name), {}}); }
    void one_of(const Key& key, const std::string& value, std::initializer_list<std::string_view> allowed)
    {
        add(key);
        for (const std::string_view other : allowed) {
            // Where the key has no meaning, no value is in force.
            if (other != value || !key.applies) found.back().values.push_back(std::string(other));
        }
    }
    void boolean(const Key& key, bool value)
    {
        add(key);
        found.back().values.emplace_back(value ? "false" : "true");
    }
    template <class Fields>
    void table(const Key& key, Fields fields)
    {
        const std::string before = std::exchange(prefix_, prefix_ + std::string(key.name) + ".");
        fields();
        prefix_ = before;
    }
    // Tables that may be absent, lists of tables and forms of shapes are given as a whole.
    template <class T, class Fields>
    void table(const Key& key, const std::optional<T>&, Fields)
    {
        add(key);
    }
    template <class T, class Fields>
    void list(const Key& key, const std::vector<T>&, Fields)
    {
        add(key);
    }
    template <class... More>
    void form(const Key& key, const More&...)
    {
        add(key);
    }

private:
    std::string prefix_;
};

inline std::vector<KeyCollector::Found> keys_of_a_case()
{
    Case c = read_case_text(small_case(2), "small.toml", {});
    KeyCollector collector;
    case_fields(collector, c);
    return collector.found;
}

// In the order of the description: where two give the same key, the later one is in force.
inline std::vector<Setting> settings(int dimensions)
{
    std::vector<Setting> all;
    const auto fit = [&](std::string text) {
        const std::size_t y = text.find('@');
        return y == std::string::npos ? text : text.replace(y, 1, dimensions == 2 ? "" : ", 0");
    };
    for (const auto& [key, values] : keys_of_a_case()) {
        if (has_no_part(key)) continue;
        for (const std::string& value : values) {
            Setting setting{key, key + "=" + value, {key + "=" + value}};
            if (const auto more = given_beside.find(key); more != given_beside.end())
                setting.overrides = setting.overrides + more->second;
            all.push_back(setting);
        }
        if (const auto given = values_to_try.find(key); given != values_to_try.end()) {
            for (const std::string& override : given->second) all.push_back({key, override, {fit(override)}});
        }
        if (const auto given = texts_to_try.find(key); given != texts_to_try.end()) {
            for (const auto& [name, text] : given->second) all.push_back({key, name, {}, fit(text)});
        }
    }
    return all;
}

}  // namespace halfulp::test
