#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Feet of generated motions, as generated and planted: how fast low feet move, beside the body's own speed.

  tools/dev/measure_generate_feet.py ZOE BODY… [--action walk] [--seeds 3] [--seconds 2.1] [--more "--weights int8"]

Prints one row of Markdown for each body, means over the seeds. "Planted" is what `zoe generate` writes, which may be
planned; --more "--source generated" measures the model alone."""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("zoe")
    parser.add_argument("bodies", nargs="+", type=pathlib.Path)
    parser.add_argument("--action", default="walk")
    parser.add_argument("--seeds", default="3")
    parser.add_argument("--seconds", default="2.1")
    parser.add_argument("--more", default="")
    options = parser.parse_args()
    print("| body | legs, loose feet | speed, m/s: generated, planted | low feet, m/s: generated, planted | skate, m/s: "
          "generated, planted | pose change, cm | jerk, m/s³: generated, planted | bone error | planned or mixed |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as text:
        for body in options.bodies:
            made = []
            for more in (["--keep-feet"], []):
                words = [options.zoe, "generate", "--skeleton", body, "--action", options.action, "--seconds",
                         options.seconds, "--samples", options.seeds, "-o", pathlib.Path(text) / "made.npz", "--json",
                         *options.more.split(), *more]
                done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
                made.append(json.loads(done.stdout)["samples"] if done.returncode == 0 else [])
            if not made[0] or not made[1]:
                print(f"| {body.stem} | {done.stderr.strip().splitlines()[-1]} |")
                continue

            def mean(which, *keys):
                def value(sample):
                    for key in keys:
                        sample = sample.get(key, {})
                    return sample if isinstance(sample, (int, float)) else 0
                return statistics.mean(value(sample) for sample in made[which])

            def both(key, digits=2):
                return ", ".join(f"{mean(which, 'quality', key):.{digits}f}" for which in (0, 1))

            print(f"| {body.stem} | {made[1][0]['feet'].split()[0]}, {mean(1, 'planting', 'loose_feet'):.0f} | "
                  f"{mean(1, 'planting', 'speed_as_generated_m_s'):.2f}, {mean(1, 'planting', 'speed_m_s'):.2f} | "
                  f"{both('low_foot_speed_m_s')} | {both('foot_skate_m_s')} | "
                  f"{100 * mean(1, 'planting', 'pose_change_m'):.1f} | {both('jerk_m_s3', 0)} | "
                  f"{mean(1, 'quality', 'bone_error'):.1g} | "
                  f"{sum(sample['source'] != 'generated' for sample in made[1])} of {len(made[1])} |", flush=True)


main()
