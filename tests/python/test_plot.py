"""Pictures."""

import numpy as np
import pytest

import halfulp

matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("matplotlib.figure")
matplotlib.use("Agg")


def test_particles_are_where_they_are(tank):
    simulation = halfulp.Simulation(tank)
    simulation.run()
    snapshot = simulation.snapshot()
    axes = halfulp.plot.particles(simulation, "velocity")
    walls, fluid = axes.collections
    np.testing.assert_array_equal(fluid.get_offsets(), snapshot["position"][snapshot.fluid][:, :2])
    np.testing.assert_allclose(fluid.get_array(), np.linalg.norm(snapshot["velocity"][snapshot.fluid], axis=1), rtol=1e-6)
    assert len(walls.get_offsets()) == simulation.particles[1]
    assert axes.get_title() == f"t = {simulation.time:.4g} s" and axes.figure.axes[1].get_ylabel() == "velocity (m/s)"
    axes.figure.savefig("picture.png")
    with pytest.raises(KeyError, match="no column colour; it has position"):
        halfulp.plot.particles(snapshot, "colour")
    with pytest.raises(ValueError, match="-1"):
        simulation.step(-1)


def test_extremes_do_not_wash_out_the_colours():
    class Given(dict):
        time = 0.0

    values = np.append(np.linspace(0, 100, 99), 1e6)
    shown = Given(position=np.zeros((100, 3)), kind=np.zeros(100), pressure=values)
    low, high = halfulp.plot.particles(shown).collections[-1].get_clim()
    assert low == 0 and 95 < high < 101
    assert halfulp.plot.particles(shown, limits=(-1, 2)).collections[-1].get_clim() == (-1, 2)
    values[3] = np.nan  # of a run that broke down
    assert halfulp.plot.particles(shown).collections[-1].get_clim()[1] < 101


def test_curves_are_those_of_the_run(tank):
    run = halfulp.run(tank, "a", figures=False)
    assert len(halfulp.plot.particles(run).collections) == 2
    usual = halfulp.plot.probe(run, "floor")
    assert [line.get_label() for line in usual.lines] == ["pressure fluid shepard (Pa)"] and usual.get_ylabel() == "pressure (Pa)"
    (line,) = halfulp.plot.probe(run, "floor", ["pressure_all"]).lines
    np.testing.assert_array_equal(line.get_xydata(), np.column_stack([run.probes["floor"]["time"], run.probes["floor"]["pressure_all"]]))
    lines = {line.get_label(): line for line in halfulp.plot.ledger(run).lines}
    table = run.ledger
    np.testing.assert_array_equal(lines["kinetic"].get_ydata(), table["kinetic"] - table["kinetic"][0])
    assert "residual" in lines and "laminar work" not in lines
    with pytest.raises(KeyError, match="there is no probe ceiling; there are floor"):
        halfulp.plot.probe(run, "ceiling")
    with pytest.raises(KeyError, match="there is no column of the probe floor called level; there are time, pressure_fluid, "):
        halfulp.plot.probe(run, "floor", ["level"])
    for of in (run, halfulp.Simulation(tank)):
        with pytest.raises(KeyError, match="there is no column of the ledger called heat; there are step, "):
            of.ledger["heat"]


def test_points_have_the_colours_of_their_values():
    axes = matplotlib.figure.Figure().add_subplot()
    x, y, values = [0, 1, 2], [3, 4, 5], [1.0, 10.0, 100.0]
    drawn = halfulp.plot.points(axes, x, y, values, size=9)
    np.testing.assert_array_equal(drawn.get_offsets(), np.column_stack([x, y]))
    assert drawn.get_sizes() == [9] and drawn.get_clim() == (1, 100) and drawn.get_rasterized()
    scaled = halfulp.plot.points(axes, x, y, values, limits=(1, 100), logarithmic=True)
    assert scaled.norm(10) == pytest.approx(0.5)
    grey = halfulp.plot.points(axes, x, y, "0.5")
    np.testing.assert_allclose(grey.get_facecolor(), [[0.5, 0.5, 0.5, 1]])
    assert len(halfulp.plot.points(axes, [], [], []).get_offsets()) == 0


def test_columns_of_several_units_have_their_own(tank, folder):
    run = halfulp.run(tank, "a", figures=False)
    one = halfulp.plot.ledger(run, ["kinetic", "potential"])
    assert one.get_ylabel() == "change since the start (J/m)" and one.get_legend().get_texts()[0].get_text() == "kinetic"
    several = halfulp.plot.ledger(run, ["kinetic", "front", "step"])
    assert several.get_ylabel() == "change since the start"
    assert [text.get_text() for text in several.get_legend().get_texts()] == ["kinetic (J/m)", "front (m)", "step"]
    for draw in (lambda: halfulp.plot.ledger(run, "kinetic"), lambda: halfulp.plot.probe(run, None, "pressure_all")):
        with pytest.raises(TypeError, match="columns is '.*', but must be a list of names"):
            draw()
    with pytest.raises(KeyError, match="no column of the ledger called nope"):
        halfulp.plot.ledger(run, ["nope"])
    with pytest.raises(TypeError, match="plane is 'xw', but must be"):
        halfulp.plot.particles(run, plane="xw")
    with pytest.raises(TypeError, match=r"of is 'a', but must be .*halfulp.Run\(FOLDER\)"):
        halfulp.plot.particles("a")


def test_units_are_in_the_labels_of_an_output_too(tank):
    run = halfulp.run(tank, "a", figures=False)
    assert run.outputs[0].units["pressure"] == "Pa"
    assert halfulp.plot.particles(run.outputs[-1]).figure.axes[1].get_ylabel() == "pressure (Pa)"


def test_vorticity_in_2d_has_its_sign(tmp_path):
    columns = ["position", "velocity", "kind", "vorticity"]
    case = halfulp.Case("taylor-green-2d").set({"time.end": 0.001, "output.interval": 0.001, "output.columns": columns})
    run = halfulp.run(case, tmp_path / "run", backend="cpu", threads=1, figures=False)
    drawn = halfulp.plot.particles(run, "vorticity").collections[-1].get_array()
    assert drawn.min() < -5 and drawn.max() > 5  # 4 pi U/L, smoothed


def test_markers_have_the_size_of_a_part_of_a_figure(tank):
    run = halfulp.run(tank, "a", figures=False)
    (left, right) = matplotlib.figure.Figure(figsize=(8, 5)).subfigures(1, 2, width_ratios=(3, 1))
    whole = matplotlib.figure.Figure(figsize=(6, 5))
    sizes = [halfulp.plot.particles(run, axes=where.subplots()).collections[-1].get_sizes()[0] for where in (left, right, whole)]
    assert sizes[0] == pytest.approx(sizes[2]) and sizes[1] < sizes[0] / 4


def test_what_cannot_be_drawn_is_told_in_a_sentence(tank):
    run = halfulp.run(tank, "a", figures=False)
    axes = matplotlib.figure.Figure().add_subplot()
    lines = halfulp.plot.ledger(run, (name for name in ("kinetic", "potential")), axes=axes).lines
    assert [line.get_label() for line in lines] == ["kinetic", "potential"]
    for wrong in (5, "ab", (1, "a")):
        with pytest.raises(TypeError, match="^limits is .*, but must be two numbers, the lower one first$"):
            halfulp.plot.particles(run, limits=wrong)
    for wrong in ((1,), (1, 2, 3), (2, 1), (0, float("nan"))):
        with pytest.raises(ValueError, match=r"^limits is \(.*\), but must be two numbers, the lower one first$"):
            halfulp.plot.particles(run, limits=wrong)
    with pytest.raises(TypeError, match="^size is 'a', but must be a number$"):
        halfulp.plot.particles(run, size="a")
    for act, sentence in ((lambda: halfulp.plot.ledger(run, 3), "columns is 3, but must be a list of names"),
                          (lambda: halfulp.plot.probe(run, None, 3), "columns is 3, but must be a list of names"),
                          (lambda: halfulp.plot.ledger(run, axes=3), "axes is 3, but must be axes of matplotlib"),
                          (lambda: halfulp.plot.ledger("a"), "of is 'a', but must be a Simulation or a Run; "),
                          (lambda: halfulp.plot.probe("a"), "of is 'a', but must be a Simulation or a Run; ")):
        with pytest.raises(TypeError, match=f"^{sentence}"):
            act()
    run.outputs = halfulp.runs.Outputs([])
    with pytest.raises(ValueError, match="^the run has no outputs$"):
        halfulp.plot.particles(run)


def test_curves_of_two_runs_on_the_same_axes_are_told_apart(tank):
    run = halfulp.run(tank, "a", figures=False)
    axes = matplotlib.figure.Figure().add_subplot()
    for label in ("coarse", "fine"):
        halfulp.plot.ledger(run, ["kinetic", "potential"], axes=axes, label=label)
    assert [line.get_label() for line in axes.lines] == ["coarse: kinetic", "coarse: potential", "fine: kinetic", "fine: potential"]
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == 4
    assert {line.get_marker() for line in axes.lines} == {"None"}
    axes = matplotlib.figure.Figure().add_subplot()
    for label in ("one", None):
        halfulp.plot.probe(run, axes=axes, label=label)
    first, second = axes.lines[0], axes.lines[len(axes.lines) // 2]
    assert first.get_label() == "one: " + second.get_label() and first.get_color() != second.get_color()
    for draw in (halfulp.plot.probe, halfulp.plot.ledger):
        with pytest.raises(TypeError, match="^label is 3, but must be a text for the legend$"):
            draw(run, axes=axes, label=3)


def test_curves_have_their_own_looks_whatever_their_number():
    looks = halfulp.looks
    assert len({(line["color"], str(line["ls"])) for line in map(looks.line, range(49))}) == 49
    assert len({(curve["color"], curve["marker"]) for curve in map(looks.curve, range(49))}) == 49
    assert {line["marker"] for line in map(looks.line, range(49))} == {None}


def test_labels_of_axes_say_what_all_curves_are(tank):
    gauge = {"name": "gauge", "measures": "level", "at": [0.2, 0]}
    run = halfulp.run(tank.set({"probes": [{"name": "floor", "measures": "pressure", "at": [0.2, 0]}, gauge]}), "a", figures=False)
    axes = matplotlib.figure.Figure().add_subplot()
    axes.set(ylabel="of somebody", title="of somebody")
    for name in ("floor", "gauge", "floor"):
        halfulp.plot.probe(run, name, axes=axes)
    assert axes.get_ylabel() == "pressure (Pa), level (m)" and axes.get_title() == "floor, gauge"
    axes = matplotlib.figure.Figure().add_subplot()
    for column in ("kinetic", "front", "potential"):
        halfulp.plot.ledger(run, [column], axes=axes)
    assert axes.get_ylabel() == "change since the start (J/m), change since the start (m)"


def test_outputs_of_fluid_alone_need_no_kind(tank):
    columns = {"output.columns": ["position", "pressure"]}
    run = halfulp.run(tank.set({**columns, "output.particles": "fluid"}), "fluid", figures=False)
    assert run.outputs.last.fluid.all() and run.outputs.last.fluid.shape == (run.outputs.last.count,)
    for what in (run, run.outputs.last.read()):
        drawn = halfulp.plot.particles(what, "pressure").collections[-1]
        assert len(drawn.get_offsets()) == run.outputs.last.count
    run = halfulp.run(tank.set({**columns, "output.particles": "all"}), "all", figures=False)
    for look in (lambda: run.outputs.last.fluid, lambda: run.outputs.last.read().fluid, lambda: halfulp.plot.particles(run, "pressure")):
        with pytest.raises(KeyError, match='has no column kind, which tells fluid from walls; add "kind" to output.columns'):
            look()
