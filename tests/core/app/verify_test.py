#!/usr/bin/env python3
"""info --verify of runs that were damaged, changed or killed. Usage: verify_test.py PROGRAM"""
import random
import shutil
import time

import program
from program import ProgramTest


class Verify(ProgramTest):
    """A wrong bit anywhere in what a run has written is found and named, and what else there is stays readable."""

    def setUp(self):
        super().setUp()
        self.succeed("run", "tank.toml", "-o", "run", "--set", 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}]')
        self.files = sorted((self.folder / "run").glob("**/*.h5"))

    def test_of_a_run_as_it_was_written(self):
        self.assertRegex(self.succeed("info", "--verify", "run"), r"verified: the case, 6 outputs, \d+ rows of the ledger, 1 probes of run")
        self.assertRegex(self.succeed("info", "--verify", "run/run.h5"), r"verified: the case, 6 outputs")
        self.assertIn("is no run", self.fail_with(1, "info", "--verify", "tank.toml"))

    def damaged(self, file, change):
        """The sentences that verify says of a copy with one file that is not as it was."""
        shutil.rmtree(self.folder / "wrong", ignore_errors=True)
        shutil.copytree(self.folder / "run", self.folder / "wrong")
        target = self.folder / "wrong" / file.relative_to(self.folder / "run")
        target.write_bytes(change(bytearray(target.read_bytes())))
        code, _, err = self.run_program("info", "--verify", "wrong")
        self.assertEqual(code, 1, err)
        lines = err.splitlines()
        self.assertTrue(all(line.startswith("halfulp: wrong/") or line.startswith("halfulp: 6 outputs in wrong/") for line in lines), err)
        self.assertIn(str(target.relative_to(self.folder)), lines[0])
        return lines

    def test_wrong_bits_anywhere(self):
        random.seed(11)

        def flip(data):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
            return data

        for _ in range(40):
            self.damaged(random.choice(self.files), flip)

    def test_file_that_is_cut_off(self):
        for file in (self.folder / "run/run.h5", self.folder / "run/outputs/000003.h5"):
            for part in (0, 0.2, 0.6, 0.999):
                self.damaged(file, lambda data: data[: int(part * len(data))])

    def test_run_that_has_lost_its_list(self):
        (self.folder / "run/run.h5").unlink()
        for name in ("run", "run/run.h5"):
            code, out, err = self.run_program("info", "--verify", name)
            self.assertEqual((code, out), (1, ""))
            self.assertEqual(err, "halfulp: run holds no run: it has no file run.h5.\n"
                                  "halfulp: 6 outputs in run/outputs are as they were written, a file each.\n")

    def test_damage_leaves_the_rest(self):
        def spoil(data):
            data[len(data) // 2] ^= 4
            return data

        lines = self.damaged(self.folder / "run/outputs/000003.h5", spoil)
        self.assertEqual(len(lines), 1)
        self.assertIn("outputs/000003.h5 is damaged: its checksum differs", self.fail_with(1, "compare", "run", "wrong"))
        self.assertEqual(len(self.outputs("wrong")), 6, "the list of outputs is whole")
        lines = self.damaged(self.folder / "run/run.h5", spoil)
        self.assertRegex(lines[-1], "6 outputs in wrong/outputs are as they were written")
        try:
            import h5py
        except ImportError:
            return
        with h5py.File(self.folder / "wrong/outputs/000005.h5") as file:
            self.assertGreater(len(file["velocity"][:]), 10)

    def test_texts_of_a_killed_run(self):
        """They may have more than run.h5; what run.h5 has they have, too."""
        probes = 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003,filter=0.01},{name="q",measures="pressure",at=[0,0.1],interval=0.003}]'
        shutil.rmtree(self.folder / "run")
        process = self.start("run", "tank.toml", "-o", "run", "--quiet", "--set", "time.end=1000", "--set", "output.interval=0.02",
                             "--set", probes)
        self.wait_for("run/outputs/000004.h5")
        process.kill()
        process.communicate(timeout=60)
        said = self.succeed("info", "--verify", "run")
        self.assertRegex(said, "verified: .* as they were written; the run did not end, and what its text files have beyond run.h5 is not verified")

        def at_line(number, change):
            def changed(data):
                lines = bytes(data).split(b"\n")
                lines[number] = change(lines[number])
                return b"\n".join(lines)

            return changed

        self.files = [self.folder / "run" / name for name in ("ledger.csv", "probes/p.csv", "probes/q.csv", "run.xdmf")]
        for file in self.files:
            name = file.relative_to(self.folder / "run")
            for change in (lambda data: data[:0], lambda data: data[:40], at_line(2, lambda line: line + b"0"), at_line(0, lambda line: b"x" + line[1:])):
                self.assertEqual(self.damaged(file, change), [f"halfulp: wrong/{name} is not what run.h5 says: it was changed."])
            shutil.rmtree(self.folder / "wrong")
            shutil.copytree(self.folder / "run", self.folder / "wrong")
            (self.folder / "wrong" / name).unlink()
            code, _, err = self.run_program("info", "--verify", "wrong")
            self.assertEqual((code, err), (1, f"halfulp: wrong/{name} is not what run.h5 says: it was changed.\n"))
        # Cut off anywhere, after its end, or without an output that run.h5 does not end with.
        text = self.files[-1].read_text()
        for changed in (text[:700], text[:-1], text + "<Grid/>", text.replace("</Xdmf>", "</Xdmf >"), text.replace("        <Topology", "        <Topologie", 1)):
            self.assertEqual(len(self.damaged(self.files[-1], lambda _: changed.encode())), 1, changed[-80:])
        # As when the program is killed between run.h5 and it.
        last = text.rindex("      <Grid")
        for fewer in (text[:last] + text[text.index("    </Grid>\n  </Domain>"):],):
            self.files[-1].write_text(fewer)
            self.assertEqual(self.succeed("info", "--verify", "run"), said)
        self.files[-1].write_text(text)
        # As when it is killed between the filtered columns and run.h5.
        filtered = self.folder / "run/probes/p.csv"
        lines = filtered.read_text().splitlines()
        names = [name.replace("[", "_filtered[") for name in lines[0].split(",")[1:]]
        lines = [line + "".join(f",{name}" if number == 0 else ",-1.5e-07" for name in names) for number, line in enumerate(lines)]
        filtered.write_text("\n".join(lines) + "\n")
        self.assertEqual(self.succeed("info", "--verify", "run"), said)
        for changed in (lines[:2] + [lines[2] + ",1"] + lines[3:], lines[:2] + [lines[2].rpartition(",")[0]] + lines[3:],
                        lines[:2] + [lines[2] + "junk"] + lines[3:], lines[:2]):
            self.assertEqual(len(self.damaged(filtered, lambda _: ("\n".join(changed) + "\n").encode())), 1, changed[:4])
        self.succeed("resume", "run", "--until", "0.2")
        self.succeed("info", "--verify", "run")

    def test_texts_that_were_changed(self):
        for name in ("ledger.csv", "probes/p.csv", "run.xdmf"):
            self.assertIn(f"wrong/{name} is not what run.h5 says", self.damaged(self.folder / "run" / name, lambda data: data[:-2])[0])


if __name__ == "__main__":
    program.main()
