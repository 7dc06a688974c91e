"""A picture of a run by ParaView, the fluid as spheres in the colours of a column, the walls left out:
pvpython picture.py RUN PICTURE.png [COLUMN [TIME]]    (default: the pressure at the end)"""
import sys
from pathlib import Path

import numpy as np
from paraview import servermanager
from paraview.simple import (ColorBy, GetActiveCamera, GetActiveViewOrCreate, GetColorTransferFunction, GetScalarBar,
                             ResetCamera, SaveScreenshot, Show, Threshold, XDMFReader)
from vtk.util.numpy_support import vtk_to_numpy

if len(sys.argv) not in (3, 4, 5):
    sys.exit(__doc__)
run, picture, column, *time = [*sys.argv[1:], "pressure"][: max(3, len(sys.argv) - 1)]
particles = XDMFReader(FileNames=[str(Path(run).resolve() / "run.xdmf")])
particles.UpdatePipelineInformation()
times = list(particles.TimestepValues)
moment = min(times, key=lambda one: abs(one - float(time[0]))) if time else times[-1]
particles.UpdatePipeline(moment)

fluid = Threshold(Input=particles)
fluid.Scalars = ["POINTS", "kind"]  # 0: fluid, 1: walls
fluid.ThresholdMethod = "Between"
fluid.LowerThreshold = fluid.UpperThreshold = 0
fluid.UpdatePipeline(times[0])
x0, x1, y0, y1, z0, z1 = fluid.GetDataInformation().GetBounds()
flat = z0 == z1
# The spacing, from the room that the fluid takes at the start: near enough for the size of a sphere.
room = (x1 - x0) * (y1 - y0) * (1 if flat else z1 - z0)
spacing = (room / fluid.GetDataInformation().GetNumberOfPoints()) ** (1 / 2 if flat else 1 / 3)
fluid.UpdatePipeline(moment)
x0, x1, y0, y1, z0, z1 = fluid.GetDataInformation().GetBounds()

view = GetActiveViewOrCreate("RenderView")
view.ViewSize = [1400, 800]
view.ViewTime = moment
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]
shown = Show(fluid, view)
shown.SetRepresentationType("Point Gaussian")
shown.GaussianRadius = spacing / 2
ColorBy(shown, ("POINTS", column))
colours = GetColorTransferFunction(column)
# Colours span what nearly all particles have; a few extremes would wash out the rest.
values = vtk_to_numpy(servermanager.Fetch(fluid).GetPointData().GetArray(column))
colours.RescaleTransferFunction(*np.quantile(values if values.ndim == 1 else np.linalg.norm(values, axis=1), [0.02, 0.98]))
colours.ApplyPreset("Viridis (matplotlib)", True)
bar = GetScalarBar(colours, view)
bar.TitleColor = bar.LabelColor = [0, 0, 0]
shown.SetScalarBarVisibility(view, True)
if not flat:
    view.CameraPosition = [x0 - (x1 - x0), y0 - 2 * (y1 - y0 + x1 - x0), z1 + (x1 - x0)]
    view.CameraFocalPoint = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2]
    view.CameraViewUp = [0, 0, 1]
ResetCamera(view)
GetActiveCamera().Zoom(1.5)
SaveScreenshot(picture, view)
print(f"{picture}: {column} at t = {moment:.4g} s")
