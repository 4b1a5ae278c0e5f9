#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures the speed of `zoe train` on this processor with its defaults, and with every other BLAS setting.

usage: measure_blas.py ZOE [--models mlp,mann,cxm] [--rows REGEX] [--rounds 3] [--seconds 3]

Settings are run in turn, several rounds, because other programs run meanwhile. There are two figures per setting:
samples per second of wall time, of the best round, and samples per second of CPU time, the median of the rounds,
without the cost of the start. Other programs hardly affect the second one. The last line of a model is default / best of both,
with the spread of the default over its rounds: 1.0 means that no other setting is faster.
"""
import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import tempfile

CORE_TYPES = ["Prescott", "Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids"]
# As wide as the reference's quadruped: 327 columns, 16 steps, 1,024 codes.
MODELS = {
    "mlp": ["data.toy_width=327", "model.hidden=512,512"],
    "mann": ["data.toy_width=327"],
    "cxm": ["data.toy_width=327", "data.toy_steps=16"],
}
UNSET = ("OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "ONEDNN_MAX_CPU_ISA", "LOCAL_WORLD_SIZE")


def usable(core_type):
    """True if the processor has the instructions of the type's kernels."""
    flags = set(re.search(r"^flags.*", open("/proc/cpuinfo").read(), re.M).group().split())
    needs = {"SkylakeX": "avx512f", "Cooperlake": "avx512_bf16", "SapphireRapids": "avx512_bf16"}
    return needs.get(core_type, "sse3" if core_type == "Prescott" else "avx2") in flags or core_type == "Prescott"


def rate(zoe, model, steps, settings, environment):
    """(samples per second of wall time, note, CPU seconds of the whole run)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        words = [f"--set={setting}" for setting in [*MODELS[model], *settings, f"train.steps={steps}", f"train.log_every={max(1, steps // 4)}",
                                                    "train.validate_every=1000000", "train.validation_batches=1", "data.toy_samples=512"]]
        done = subprocess.run([zoe, "train", model, "-q", "-o", folder + "/run", *words], capture_output=True, text=True,
                              env={**{name: value for name, value in os.environ.items() if name not in UNSET}, **environment})
        if done.returncode:
            return 0.0, done.stderr.strip()[:60] or f"signal {-done.returncode}", float("inf")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        rows = [json.loads(line) for line in open(folder + "/run/metrics.jsonl")]
        return max(row["samples_per_s"] for row in rows if row["split"] == "training"), str(json.load(open(folder + "/run/run.json"))["threads"]), cpu_s


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("zoe")
    parser.add_argument("--models", default="mlp,mann,cxm")
    parser.add_argument("--rows", default="", help="only settings whose name this regular expression finds, besides the default")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3)
    options = parser.parse_args()
    all_threads = len(os.sched_getaffinity(0))
    for model in options.models.split(","):
        first = rate(options.zoe, model, 8, [], {})[0]
        steps = max(16, int(options.seconds * first / 32))
        rows = {"as it comes": ([], {})}
        for threads in sorted({1, all_threads}):
            for core_type in filter(usable, CORE_TYPES):
                rows[f"{core_type}, {threads} thread{'s' if threads > 1 else ''}"] = ([f"train.threads={threads}"], {"OPENBLAS_CORETYPE": core_type})
            for isa in ("AVX2", "AVX512_CORE"):
                rows[f"oneDNN {isa}, {threads} thread{'s' if threads > 1 else ''}"] = ([f"train.threads={threads}"], {"ONEDNN_MAX_CPU_ISA": isa})
        rows = {name: row for name, row in rows.items() if name == "as it comes" or re.search(options.rows, name)}
        rounds = {name: [] for name in rows}
        start_s = {name: float("inf") for name in rows}  # Loading libtorch, choosing threads, eight steps.
        for turn in range(options.rounds):
            order = list(rows.items())
            first = turn * len(order) // options.rounds  # The first setting changes from round to round.
            for name, (settings, environment) in order[first:] + order[:first]:
                start_s[name] = min(start_s[name], rate(options.zoe, model, 8, settings, environment)[2])
                rounds[name].append(rate(options.zoe, model, steps, settings, environment))
        walls = {name: max(one[0] for one in runs) for name, runs in rounds.items()}
        by_cpu = {name: [32 * (steps - 8) / max(1e-9, one[2] - start_s[name]) for one in runs] for name, runs in rounds.items()}
        cpus = {name: statistics.median(rates) for name, rates in by_cpu.items()}
        for name in sorted(rounds, key=lambda one: -cpus[one]):
            note = f"  (threads {rounds[name][-1][1]})" if name == "as it comes" or not walls[name] else ""
            print(f"{model:5} {name:28} {walls[name]:10.0f} samples/s, {cpus[name]:10.0f} a CPU second{note}", flush=True)
        by_wall = [one[0] for one in rounds["as it comes"]]
        for unit, values, spread in (("wall", walls, by_wall), ("CPU time", cpus, by_cpu["as it comes"])):
            name = max(values, key=lambda one: values[one])
            print(f"{model:5} default / best by {unit} = {values['as it comes'] / values[name]:.3f} (best: {name}; "
                  f"default {min(spread):.0f} to {max(spread):.0f})", flush=True)

main()
