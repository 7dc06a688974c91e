#!/usr/bin/env python3
"""Files of a run that others remove, replace or cut while it goes on. Usage: lost_files_test.py PROGRAM"""
import os
import shutil
import signal

import program
from program import ProgramTest


class LostFiles(ProgramTest):
    RUN = ("run", "tank.toml", "--set", "time.end=1", "--set",
           'probes=[{name="p",measures="pressure",at=[0.2,0],interval=0.002,filter=20},{name="q",measures="level",at=[0.2,0],interval=0.002}]')

    def while_it_waits(self, change, name="a"):
        """(exit code, standard error) of a run that was stopped after its second output and went on after `change`."""
        shutil.rmtree(self.folder / name, ignore_errors=True)
        process = self.start(*self.RUN, "-o", name)
        self.wait_for(f"{name}/outputs/000001.h5")
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)  # it may go on for a moment after the signal
        try:
            self.assertFalse((self.folder / name / "outputs/000090.h5").exists(), "it was not stopped in time")
            change(self.folder / name)
        finally:
            process.send_signal(signal.SIGCONT)
        _, err = process.communicate(timeout=60)
        return process.returncode, err

    def test_tables_are_written_again(self):
        self.succeed(*self.RUN, "-o", "whole")
        tables = ("ledger.csv", "probes/p.csv", "probes/q.csv")

        def remove(folder):
            (folder / "ledger.csv").unlink()
            shutil.rmtree(folder / "probes")

        def replace(folder):  # as an editor does that saves it
            for table in tables:
                (folder / "copy").write_bytes((folder / table).read_bytes())
                (folder / "copy").rename(folder / table)

        def cut(folder):
            for table in tables:
                os.truncate(folder / table, 0)

        for change in (remove, replace, cut):
            self.assertEqual(self.while_it_waits(change), (0, ""), change.__name__)
            self.succeed("info", "--verify", "a")
            for table in tables:
                self.assertEqual((self.folder / "a" / table).read_bytes(), (self.folder / "whole" / table).read_bytes(), table)

    def test_a_table_that_is_cut_while_outputs_are_listed_together(self):
        """Beyond a hundred of them rows are appended to what is left before the table is looked at."""
        process = self.start("run", "tank.toml", "--set", "time.end=20", "output.interval=0.002", "output.ledger_every=2", "-o", "a")
        self.addCleanup(process.kill)
        for number in (130, 150):
            self.wait_for(f"a/outputs/{number:06}.h5")
            table = self.folder / "a/ledger.csv"
            os.truncate(table, table.stat().st_size // 2)
        self.wait_for("a/outputs/000180.h5")
        process.send_signal(signal.SIGINT)
        self.assertEqual((process.communicate(timeout=60)[1], process.returncode), ("", 130))
        self.succeed("info", "--verify", "a")

    def test_a_pipe_in_place_of_a_table(self):
        def pipe(folder):
            (folder / "ledger.csv").unlink()
            os.mkfifo(folder / "ledger.csv")

        code, err = self.while_it_waits(pipe)
        self.assertEqual(code, 4)
        self.assertIn("a/ledger.csv was replaced by a file that is not of this run", self.one_sentence(err))

    def test_a_file_of_somebody_else_in_place_of_a_table(self):
        for table in ("ledger.csv", "probes/q.csv"):
            def write(folder):
                (folder / table).unlink()
                (folder / table).write_text("mine")

            def link(folder):
                (folder / table).unlink()
                (folder / table).symlink_to("nowhere")

            code, err = self.while_it_waits(write)
            self.assertEqual(code, 4)
            self.assertIn(f"a/{table} was replaced by a file that is not of this run", self.one_sentence(err))
            self.assertEqual((self.folder / "a" / table).read_text(), "mine")
            (self.folder / "a" / table).unlink()
            self.succeed("resume", "a")
            self.succeed("info", "--verify", "a")
            code, err = self.while_it_waits(link)
            self.assertEqual(code, 4)
            self.assertIn(f"a/{table} is a link", self.one_sentence(err))
            (self.folder / "a" / table).unlink()

    def test_outputs_that_are_gone_or_changed_are_told_of(self):
        def remove(folder):
            (folder / "outputs/000001.h5").unlink()

        def cut(folder):
            os.truncate(folder / "outputs/000001.h5", 5000)

        for change in (remove, cut):
            code, err = self.while_it_waits(change)
            self.assertEqual(code, 4, change.__name__)
            self.assertIn("a/outputs/000001.h5 was removed or changed by another program", self.one_sentence(err))
            self.assertEqual(self.provenance("a", "end_state"), "complete")
            self.assertIn("outputs/000001.h5", self.run_program("info", "--verify", "a")[2])


if __name__ == "__main__":
    program.main()
