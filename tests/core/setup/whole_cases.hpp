// Cases that together have every key.
#pragma once

#include <string>

namespace halfulp {

// Everything that a case can say, none of it the default.
inline const std::string full_case = R"(title = "All of it: \"quoted\", back\\slash, tab\t, \u00e9"
dimensions = 2
gravity = [0.3, -1.62]
resolution = { spacing = 0.1, smoothing_ratio = 1.7320508075688772 }
origin = { cells = [1073741824, -7] }
central_force = { rate = 1.25, centre = [0.5, -0.25] }

[fluid]
density = 998.2
sound_speed = 12
artificial_viscosity = 0.02
laminar_viscosity = "monaghan-gingold"
kinematic_viscosity = 1e-6
state_equation = "linear"

[numerics]
precision = "double"
kernel = "gaussian"
formulation = "volume-weighted"
skin = 0.2
rebuild_every = 20
cells_per_support = 3
integrator = "verlet"
corrector_every = 7
wall_tension = false
walls = "extrapolated"
density_filter = "mls"
filter_every = 17
wall_slip = "free-slip"
tensile_correction = true
density_diffusion = "antuono"
diffusion_coefficient = 0.3
particle_shifting = 1.5
velocity_smoothing = 0.4
density_bound = 0.05

[time]
end = 2e-3
step = "fixed"
cfl = 0.3
size = 1e-5

[output]
interval = 1e-3
ledger_every = 3
figures = false
particles = "fluid"
within = { from = [0, 0.25], to = [1, 0.75] }
columns = ["velocity", "pressure"]
precision = "single"
compression = "deflate"

[[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [-1, 0], to = [3, 2] }
layers = 5

[[shapes]]
name = "ramp"
kind = "wall"
polygon = [[2, 0], [3, 0], [3, 0.7]]

[[shapes]]
name = "drop"
kind = "fluid"
polygon = [[0, 1], [1, 1], [0.5, 1.5]]
velocity = [-0.0, "-2.5e-1*x + sin(pi*y) * 1"]
pressure = "(x^2 - y^2)*1e3"

[[shapes]]
name = "puddle"
kind = "fluid"
box = { from = [1.2, 0], to = [1.8, 0.1] }
pressure = 50

[[shapes]]
name = "pool"
kind = "fluid"
box = { from = [-1, 0], to = [1, 0.5] }
hydrostatic = true
surface = 0.75

[[motions]]
name = "roll"
bodies = ["tank"]
[motions.rotation]
pivot = [1, -0.1]
table = { file = "roll.csv", time = "s", column = "deg", scale = -0.5 }
[motions.translation]
direction = [3, 4]
steady = { rate = 0.25, acceleration = -0.125 }

[[motions]]
name = "sway"
bodies = ["ramp"]
[motions.translation]
direction = [1, 0]
sine = { amplitude = 0.1, period = 1.5, phase = 90, smooth_start = 2 }

[front]
start = -1
length = 2
tolerance = 0.2
[[front.references]]
name = "First measurement"
citation = "A journal 1 (1900) 2"
points = [[0, 1], [0.5, 1.25]]

[[probes]]
name = "sensor"
measures = "pressure"
at = [0.25, -0.5]
interval = 2.5e-4
filter = 0.01

[[probes]]
name = "load"
measures = "force"
bodies = ["ramp", "tank"]
about = [3, 0.125]
attached = "sway"

[[probes]]
name = "gate"
measures = "flow"
at = [0.5, 0.5]
normal = [-1, 0.1]
within = { from = [0, 0.25], to = [1, 0.75] }
)";

inline const std::string settings = R"(
[resolution]
spacing = 0.1
[fluid]
sound_speed = 12
[time]
end = 1
[output]
interval = 0.1
)";
// What only three dimensions have, and what excludes something in the case above.
inline const std::string solid_case = "dimensions = 3\nperiod = [0, 0, 4]\n" + settings + R"(
[[shapes]]
name = "ball"
kind = "fluid"
sphere = { centre = [0, 1, 1], radius = 0.5 }
fill = "relaxed"
without = ["hole"]
[[shapes]]
name = "hole"
kind = "void"
box = { from = [0, 1, 1], to = [0.2, 1.2, 1.2] }
[[shapes]]
name = "pipe"
kind = "wall"
cylinder = { from = [0, 2, 0], to = [0, 2, 1], radius = 0.7 }
hollow = true
[[shapes]]
name = "body"
kind = "wall"
mesh = { file = "body.stl", scale = 0.001, move = [0, 0, 3] }
[[motions]]
name = "tumble"
frame = "moving"
[motions.rotation]
pivot = [0, 0, 0.5]
axis = [0, 0, 2]
steady = { rate = 20 }
)";
// And two dimensions.
inline const std::string disc_case = settings + R"(
[[shapes]]
name = "disc"
kind = "fluid"
circle = { centre = [0, 1], radius = 0.5 }
[[shapes]]
name = "paddle"
kind = "wall"
box = { from = [1, 0], to = [1.5, 1] }
[[motions]]
name = "push"
[motions.rotation]
pivot = [1, 0]
sine = { amplitude = 5, period = 2 }
[motions.translation]
direction = [1, 0]
table = { file = "push.csv", column = "m" }
)";

}  // namespace halfulp
