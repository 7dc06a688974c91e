#!/usr/bin/env python3
"""What ParaView's readers of XDMF give of a run is what was written. Usage: paraview_test.py PROGRAM [GROUP]; skipped where
there is no pvpython."""
import json
import shutil
import subprocess

import program
from program import ProgramTest

READ = """
import json, sys
from paraview import servermanager
from paraview.simple import XDMFReader, Xdmf3ReaderS, Xdmf3ReaderT
from vtk.util.numpy_support import vtk_to_numpy
told = {}
for name, reader in (("XDMFReader", lambda: XDMFReader(FileNames=[sys.argv[1]])), ("Xdmf3ReaderS", lambda: Xdmf3ReaderS(FileName=[sys.argv[1]])),
                     ("Xdmf3ReaderT", lambda: Xdmf3ReaderT(FileName=[sys.argv[1]]))):
    source = reader()
    source.UpdatePipelineInformation()
    moments = told[name] = []
    for time in source.TimestepValues:
        source.UpdatePipeline(time)
        grid = servermanager.Fetch(source)
        arrays = {"position": vtk_to_numpy(grid.GetPoints().GetData()).tolist()}
        for k in range(grid.GetPointData().GetNumberOfArrays()):
            array = grid.GetPointData().GetArray(k)
            arrays[array.GetName()] = vtk_to_numpy(array).tolist()
        moments.append({"time": time, "cells": grid.GetNumberOfCells(), "arrays": arrays})
print("told " + json.dumps(told))
"""


class ParaView(ProgramTest):
    def setUp(self):
        super().setUp()
        if shutil.which("pvpython") is None:
            self.skipTest("there is no pvpython (Debian: python3-paraview)")
        try:
            import h5py  # noqa: F401
        except ImportError:
            self.skipTest("this Python has no h5py")

    def compared(self, run):
        """What every reader gives is, number by number, what h5py reads; returns the numbers of particles."""
        import h5py

        script = self.folder / "read.py"
        script.write_text(READ)
        done = subprocess.run(["pvpython", "--force-offscreen-rendering", script, self.folder / run / "run.xdmf"], capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("told "))[5:])
        with h5py.File(self.folder / run / "run.h5") as file:
            written = [file["outputs"][name] for name in sorted(file["outputs"])]
            for reader, moments in told.items():
                with self.subTest(reader=reader):
                    self.assertEqual([moment["time"] for moment in moments], [output.attrs["time"] for output in written])
                    for moment, output in zip(moments, written):
                        self.assertEqual(moment["cells"], len(output["position"]))
                        self.assertEqual(set(moment["arrays"]), set(output))
                        for column, values in moment["arrays"].items():
                            self.assertEqual(values, output[column][()].tolist(), column)
            return [len(output["position"]) for output in written]

    def test_every_number_of_every_column(self):
        self.succeed("run", "tank.toml", "-o", "a")
        self.assertEqual(len(set(self.compared("a"))), 1)

    def test_outputs_of_changing_numbers_of_particles(self):
        self.succeed("run", "tank.toml", "-o", "a", "--set", "output.within={from=[0.0,0.0],to=[0.52,0.2]}", "--set", "output.compression=deflate",
                     "--set", "output.particles=fluid", "--set", "time.end=0.2", "--set", 'output.columns=["position","vorticity"]')
        self.assertGreater(len(set(self.compared("a"))), 1)


if __name__ == "__main__":
    program.main()
