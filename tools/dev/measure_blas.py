#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How fast `zoe train` is on this processor as it comes, next to every BLAS setting one could try by hand.

usage: measure_blas.py ZOE [--models mlp,mann,cxm] [--rows REGEX] [--rounds 3] [--seconds 3]

Settings are run in turn, several rounds, and the best round of each counts, because other programs run meanwhile. The last
line of a model is default / best: 1.0 means that nobody gains by setting anything.
"""
import argparse
import json
import os
import re
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
    """Whether the processor has what the type's kernels use."""
    flags = set(re.search(r"^flags.*", open("/proc/cpuinfo").read(), re.M).group().split())
    needs = {"SkylakeX": "avx512f", "Cooperlake": "avx512_bf16", "SapphireRapids": "avx512_bf16"}
    return needs.get(core_type, "sse3" if core_type == "Prescott" else "avx2") in flags or core_type == "Prescott"


def rate(zoe, model, steps, settings, environment):
    with tempfile.TemporaryDirectory() as folder:
        words = [f"--set={setting}" for setting in [*MODELS[model], *settings, f"train.steps={steps}", f"train.log_every={max(1, steps // 4)}",
                                                    "train.validate_every=1000000", "train.validation_batches=1", "data.toy_samples=512"]]
        done = subprocess.run([zoe, "train", model, "-q", "-o", folder + "/run", *words], capture_output=True, text=True,
                              env={**{name: value for name, value in os.environ.items() if name not in UNSET}, **environment})
        if done.returncode:
            return 0.0, done.stderr.strip()[:60] or f"signal {-done.returncode}"
        rows = [json.loads(line) for line in open(folder + "/run/metrics.jsonl")]
        return max(row["samples_per_s"] for row in rows if row["split"] == "training"), str(json.load(open(folder + "/run/run.json"))["threads"])


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
        first, _ = rate(options.zoe, model, 4, [], {})
        steps = max(8, int(options.seconds * first / 32))
        rows = {"as it comes": ([], {})}
        for threads in sorted({1, all_threads}):
            for core_type in filter(usable, CORE_TYPES):
                rows[f"{core_type}, {threads} thread{'s' if threads > 1 else ''}"] = ([f"train.threads={threads}"], {"OPENBLAS_CORETYPE": core_type})
            for isa in ("AVX2", "AVX512_CORE"):
                rows[f"oneDNN {isa}, {threads} thread{'s' if threads > 1 else ''}"] = ([f"train.threads={threads}"], {"ONEDNN_MAX_CPU_ISA": isa})
        rows = {name: row for name, row in rows.items() if name == "as it comes" or re.search(options.rows, name)}
        best = {name: (0.0, "") for name in rows}
        for turn in range(options.rounds):
            order = list(rows.items())
            first = turn * len(order) // options.rounds  # Nobody is always the first.
            for name, (settings, environment) in order[first:] + order[:first]:
                best[name] = max(best[name], rate(options.zoe, model, steps, settings, environment))
        for name, (value, note) in sorted(best.items(), key=lambda item: -item[1][0]):
            print(f"{model:5} {name:28} {value:10.0f} samples/s{'  (threads ' + note + ')' if name == 'as it comes' or not value else ''}", flush=True)
        name = max(best, key=lambda one: best[one][0])
        print(f"{model:5} default / best = {best['as it comes'][0] / best[name][0]:.3f} (best: {name})", flush=True)


main()
