#!/usr/bin/env python3
"""Audits of runs: nothing is found where nothing is wrong, and a bit that is flipped in the memory of the program is. Usage:
audit_test.py PROGRAM"""
import json
import os
import pathlib
import re
import shutil
import signal
import time

import program
from program import ProgramTest

# Flips one bit of a number in one of the program's arrays of four numbers a particle, once a file is there.
FLIP = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern void* __libc_malloc(size_t);
extern void __libc_free(void*);
enum { most = 4096 };
static void* blocks[most];
static int held;
static size_t wanted;
static void lock(void) { while (__atomic_exchange_n(&held, 1, __ATOMIC_ACQUIRE)) { } }
static void unlock(void) { __atomic_store_n(&held, 0, __ATOMIC_RELEASE); }
void* malloc(size_t size)
{
    void* block = __libc_malloc(size);
    if (size != wanted || size == 0) return block;
    lock();
    for (int k = 0; k < most; ++k) if (!blocks[k]) { blocks[k] = block; break; }
    unlock();
    return block;
}
void free(void* block)
{
    if (block && wanted) {
        lock();
        for (int k = 0; k < most; ++k) if (blocks[k] == block) blocks[k] = 0;
        unlock();
    }
    __libc_free(block);
}
static void* flip(void* nothing)
{
    unsigned seed = atoi(getenv("FLIP_SEED"));
    while (access(getenv("FLIP_AFTER"), F_OK) != 0) usleep(500);
    for (;;) {
        lock();
        uint32_t* block = blocks[rand_r(&seed) % most];
        if (block) {
            uint32_t* word = block + rand_r(&seed) % (wanted / 4);
            float value;
            memcpy(&value, word, 4);
            if (value < 0) value = -value;
            if (value > 1e-6f && value < 1e3f) {
                *word ^= 1u << rand_r(&seed) % 23;
                unlock();
                return nothing;
            }
        }
        unlock();
    }
}
__attribute__((constructor)) static void begin(void)
{
    if (!getenv("FLIP_BYTES")) return;
    const char* rank = getenv("OMPI_COMM_WORLD_RANK");  /* in one of several processes, and not in their launcher */
    if (getenv("FLIP_RANK") && (!rank || strcmp(rank, getenv("FLIP_RANK")))) return;
    wanted = atol(getenv("FLIP_BYTES"));
    pthread_t thread;
    pthread_create(&thread, 0, flip, 0);
}
"""


class Audit(ProgramTest):
    PROBE = 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003,filter=0.01},{name="f",measures="force",bodies=["tank"],interval=0.01}]'
    MOTION = 'motions=[{name="roll",bodies=["tank"],rotation={pivot=[0.5,0],sine={amplitude=4,period=0.5}}}]'
    CASE = ("run", "tank.toml", "--set", "time.end=0.25", "--set", "output.interval=0.02", "--set", PROBE)

    def check_same(self, whole, other):
        self.assertEqual(self.outputs(whole), self.outputs(other))
        for name in ("ledger.csv", "run.xdmf", "probes/p.csv", "probes/f.csv"):
            self.assertEqual((self.folder / whole / name).read_bytes(), (self.folder / other / name).read_bytes(), name)
        for path in sorted((self.folder / whole / "outputs").iterdir()):
            self.assertEqual(path.read_bytes(), (self.folder / other / "outputs" / path.name).read_bytes(), path.name)

    def test_finds_nothing_where_nothing_is_wrong(self):
        self.succeed(*self.CASE, "-o", "whole")
        for words in (("--audit", "50"), ("--audit", "50", "--audit-on", "cpu:1"), ("--audit", "7", "--ranks", "3"),
                      ("--audit", "100000", "--audit-on", "cpu", "--lanes", "1", "--neighbours", "none")):
            told = json.loads(self.succeed(*self.CASE, "-o", "audited", "--overwrite", "--json", "-q", *words))
            self.assertEqual(told["audit"]["every"], int(words[1]))
            self.assertEqual(told["audit"]["equal"], 1 + -(-told["steps"] // int(words[1])), "the start and the end, too")
            self.assertLess(0, told["audit"]["waited_seconds"])
            self.assertEqual(told["audit"]["waited_seconds"], told["stage_seconds"]["audit"])
            self.assertEqual(", no stored neighbours" in told["audit"]["on"], "cpu:1" not in words and "none" not in words)
            self.assertEqual(self.provenance("audited", "audit"), f'every {words[1]} steps on {told["audit"]["on"]}: {told["audit"]["equal"]} states equal')
            self.check_same("whole", "audited")
        self.assertIsNone(json.loads(self.succeed(*self.CASE, "-o", "plain", "--json", "-q"))["audit"])
        self.assertRegex(self.succeed("rerun", "audited", "--audit", "60"), r"(?m)^  audit +every 60 steps on cpu")

    def test_moving_walls(self):
        self.succeed(*self.CASE, "--set", self.MOTION, "-o", "whole")
        self.succeed(*self.CASE, "--set", self.MOTION, "-o", "audited", "--audit", "30")
        self.check_same("whole", "audited")

    def test_interrupted_and_resumed(self):
        self.succeed(*self.CASE, "-o", "whole")
        process = self.start(*self.CASE, "-o", "cut", "--audit", "40", "-q")
        deadline = time.monotonic() + 60
        while len(list((self.folder / "cut/outputs").glob("0*.h5"))) < 4 and time.monotonic() < deadline:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("on cpu", self.succeed("resume", "cut", "--audit", "30", "--ranks", "2"))
        self.check_same("whole", "cut")

    def test_refusals(self):
        refuse = lambda code, *words: self.fail_with(code, *self.CASE, "-o", "x", *words)
        self.assertIn("--audit 0: allowed are 1 and more steps", refuse(1, "--audit", "0"))
        self.assertIn("--audit -5: allowed", refuse(1, "--audit", "-5"))
        self.assertIn("--audit-on requires --audit", refuse(1, "--audit-on", "cpu"))
        for where in ("gpu", "cpu:", "cpu:x", "cuda:-1", "cuda:1x"):
            self.assertIn(f"--audit-on {where}: allowed are cpu, cpu:LANES, cuda and cuda:DEVICE",
                          refuse(1, "--audit", "5", "--audit-on", where))
        self.assertIn("the word after --audit-on is empty; give a value", refuse(1, "--audit", "5", "--audit-on", ""))
        self.assertIn("--audit-on cpu:3: ", refuse(1, "--audit", "5", "--audit-on", "cpu:3"))
        self.assertIn("--audit-on cuda:99: ", refuse(5, "--audit", "5", "--audit-on", "cuda:99"))
        if not pathlib.Path("/dev/nvidiactl").exists():
            self.assertRegex(refuse(5, "--audit", "5", "--audit-on", "cuda"), "--audit-on cuda: .*; --audit-on cpu does without it")
        self.assertIn("--audit", self.fail_with(1, "sweep", "tank.toml", "--vary", "fluid.sound_speed=30,40", "-o", "x", "--audit", "5"))
        self.assertFalse((self.folder / "x").exists())

    def test_a_bit_flipped_in_memory(self):
        """By something else than the program, anywhere in the arrays of its particles: some are spares and copies.

        HALFULP_FLIPS: how many are to be found (5)."""
        if program.sanitized():
            self.skipTest("it has an allocator of its own")
        self.succeed(*self.CASE, "-o", "whole")
        particles = json.loads(self.succeed("info", "tank.toml", "--json"))["particles"]
        count = particles["fluid"] + particles["wall"]
        environment = self.preloaded(FLIP)
        wanted = int(os.environ.get("HALFULP_FLIPS", 5))
        found = without = 0
        for seed in range(12 * wanted):
            run = "a"
            shutil.rmtree(self.folder / run, ignore_errors=True)
            every = (40, 4, 7)[seed % 3]
            flipping = {**environment, "FLIP_BYTES": str(16 * count), "FLIP_SEED": str(seed),
                        "FLIP_AFTER": str(self.folder / run / (f"outputs/00000{seed % 9}.h5" if seed % 9 > 0 else "run.h5"))}
            code, _, err = self.run_program(*self.CASE, "-o", run, "--audit", every, "-q", env=flipping)
            if code == 0:
                without += 1
            else:
                self.assertEqual(code, 6, err)
                sentence = self.one_sentence(err)
                self.assertRegex(sentence, r"^halfulp: the audit of (steps \d+ to \d+|the start at step 0) on cpu, .* found a difference: ")
                if "the audit of the start" in sentence:  # before the first step, when it was flipped so early
                    step = 0
                    self.assertIn(f"halfulp resume {run} starts the run again from its case", sentence)
                else:
                    step = int(re.search(r" goes on from step (\d+), the last", sentence).group(1))
                    self.assertEqual(step % every, 0)
                    self.assertIn(f"halfulp resume {run} --audit {every} goes on from step {step}, the last", sentence)
                self.assertTrue(self.provenance(run, "end_state").startswith(f"failed: {sentence[len('halfulp: '):].split(' on ')[0]} on "))
                self.assertTrue(all(int(output[1]) <= step for output in self.outputs(run)))
                self.succeed("info", "--verify", run)
                self.succeed("resume", run, "--audit", "40")
                found += 1
            self.check_same("whole", run)
            if found == wanted:
                break
        self.assertEqual(found, wanted, f"{without} were without a trace")


if __name__ == "__main__":
    program.main()
