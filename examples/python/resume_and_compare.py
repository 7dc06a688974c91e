"""The same bits: on other numbers of threads and lanes, and cut in two by a checkpoint with which the program goes on."""

import halfulp

case = halfulp.Case("dam-break-2d")
case.set({"resolution.spacing": 0.04, "time.end": 0.3, "output.interval": 0.1})

whole = halfulp.run(case, "out/whole", overwrite=True, figures=False, threads=1)
other = halfulp.run(case, "out/other", overwrite=True, figures=False, threads=2, lanes=1)
comparison = whole.compare(other)
print(comparison.report)
assert comparison.equal

first_half = halfulp.Simulation(case)
first_half.run(until=0.15)
first_half.checkpoint("out/halves", overwrite=True)
del first_half                       # nothing of it is needed any more

halves = halfulp.resume("out/halves", figures=False)
print("cut in two:", halves.state_hash, "at once:", whole.state_hash)
assert halves.state_hash == whole.state_hash
assert (whole.ledger["residual"] == halves.ledger["residual"]).all()
assert whole.verify() == halves.verify() == []          # no file is damaged
