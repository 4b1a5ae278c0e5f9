#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`zoe train` as people use it: run folders, resuming, being killed, full disks, ranks, bad input.

usage: train_test.py ZOE [TEST…]
"""
import glob
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tfevents

ZOE = os.path.abspath(sys.argv.pop(1))
SMALL = ["--set", "model.hidden=16,16", "--set", "data.toy_samples=256", "--set", "train.threads=1"]
LONG = SMALL + ["--set", "train.steps=100000000", "--set", "train.checkpoint_every=20"]


def command(folder, *words, model="mlp"):
    return [ZOE, "train", model, "-o", folder, *words]


def run(folder, *words, model="mlp", limit_s=1200, **more):
    return subprocess.run(command(folder, *words, model=model), capture_output=True, text=True, timeout=limit_s, **more)


def settings(**values):
    return [word for key, value in values.items() for word in ("--set", f"train.{key}={value}")]


def newest(folder):
    return max(glob.glob(folder + "/checkpoints/step_*.safetensors"), default=None)


def tensors(path):
    """{name: numpy array} of a safetensors file."""
    import numpy
    data = open(path, "rb").read()
    size = int.from_bytes(data[:8], "little")
    types = {"F32": numpy.float32, "F64": numpy.float64, "I64": numpy.int64}
    return {name: numpy.frombuffer(data[8 + size + t["data_offsets"][0]:8 + size + t["data_offsets"][1]], types[t["dtype"]]).reshape(t["shape"])
            for name, t in json.loads(data[8:8 + size]).items() if name != "__metadata__"}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(condition, limit_s=600):
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


class Train(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name + "/run"

    def tearDown(self):
        self.temporary.cleanup()

    def test_run_folder(self):
        done = run(self.folder, *SMALL, *settings(steps=300, rate=0.01, log_every=10, keep=2, checkpoint_every=100, ema=0.98))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [json.loads(line) for line in open(self.folder + "/metrics.jsonl")]
        training = [row for row in rows if row["split"] == "training"]
        validation = [row for row in rows if row["split"] == "validation"]
        self.assertEqual([row["step"] for row in training], list(range(10, 301, 10)))
        self.assertLess(validation[-1]["loss"], 0.35 * validation[0]["loss"])
        self.assertEqual(sorted(os.listdir(self.folder + "/checkpoints")), ["best.safetensors", "step_00000200.safetensors", "step_00000300.safetensors"])
        events = list(tfevents.read(glob.glob(self.folder + "/events.out.tfevents.*")[0]))
        self.assertEqual([(step, value) for step, tag, value in events if tag == "training/rate"][0][0], 10)
        losses = [value for step, tag, value in events if tag == "training/loss"]
        self.assertEqual(len(losses), len(training))
        self.assertAlmostEqual(losses[-1], training[-1]["loss"], places=6)
        facts = json.load(open(self.folder + "/run.json"))
        self.assertEqual((facts["model"], facts["training_samples"], facts["weights"]), ("mlp", 256, 6 * 16 + 16 + 16 * 16 + 16 + 16 * 6 + 6))
        self.assertIn("git", facts)
        report = open(self.folder + "/report.html").read()
        self.assertGreaterEqual(report.count("<polyline"), 4)
        self.assertIn("zoe.network", open(self.folder + "/model.safetensors", "rb").read(4000).decode("latin1"))
        # The config in the folder is complete: the same run again from it alone gives the same weights.
        again = run(self.temporary.name + "/again", "--config", self.folder + "/config.toml")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(open(newest(self.folder), "rb").read(), open(newest(self.temporary.name + "/again"), "rb").read())

    def test_resume_is_exact(self):
        # Dropout and noise on, averages on, data read a step ahead: everything that could remember something.
        words = SMALL + settings(schedule="constant", ema=0.9, validate_every=7) + ["--set", "data.resident=off", "--set", "model.dropout=0.2"]
        self.assertEqual(run(self.folder, *words, *settings(steps=40)).returncode, 0)
        halves = self.temporary.name + "/halves"
        self.assertEqual(run(halves, *words, *settings(steps=20)).returncode, 0)
        done = run(halves, "--resume", *settings(steps=40))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(open(newest(self.folder), "rb").read(), open(newest(halves), "rb").read())
        self.assertEqual(open(self.folder + "/checkpoints/best.safetensors", "rb").read(), open(halves + "/checkpoints/best.safetensors", "rb").read())

        # A codebook follows by averages of its own and draws codes anew.
        words = ["--set", "data.toy_samples=256", "--set", "model.hidden=16", "--set", "model.codes=16", *settings(schedule="constant", threads=1)]
        whole, halves = self.temporary.name + "/vq", self.temporary.name + "/vq_halves"
        self.assertEqual(run(whole, *words, *settings(steps=24), model="vq").returncode, 0)
        self.assertEqual(run(halves, *words, *settings(steps=11), model="vq").returncode, 0)
        self.assertEqual(run(halves, "--resume", *settings(steps=24), model="vq").returncode, 0)
        self.assertEqual(open(newest(whole), "rb").read(), open(newest(halves), "rb").read())

    def test_kill_at_any_moment(self):
        run(self.folder, *SMALL, *settings(steps=20, checkpoint_every=20))
        seen, moments = 20, random.Random(4)
        for _ in range(5):
            process = subprocess.Popen(command(self.folder, "--resume", *LONG, *settings(checkpoint_every=1)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_for(lambda: newest(self.folder) is not None and int(newest(self.folder)[-20:-12]) > seen)
            time.sleep(moments.random() * 0.3)
            process.kill()
            process.wait()
            step = int(newest(self.folder)[-20:-12])
            self.assertGreater(step, seen)
            seen = step
            self.assertTrue(len(tensors(newest(self.folder))) > 8)
        done = run(self.folder, "--resume", *settings(steps=seen + 3, checkpoint_every=50))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("warning", done.stderr)  # Nothing was damaged.
        self.assertEqual(int(newest(self.folder)[-20:-12]), seen + 3)
        self.assertEqual(glob.glob(self.folder + "/checkpoints/*.tmp.*"), [])  # What the kills left is gone.

    def test_sigterm_saves_and_ends_well(self):
        process = subprocess.Popen(command(self.folder, *LONG), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: newest(self.folder) is not None)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("asked to stop", out)
        step = int(out.split("at step ")[1].split(",")[0])
        self.assertEqual(int(newest(self.folder)[-20:-12]), step)
        self.assertTrue(os.path.exists(self.folder + "/model.safetensors"))
        ranks = self.temporary.name + "/ranks"
        process = subprocess.Popen(command(ranks, *LONG, "--local-ranks", "2"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: newest(ranks) is not None)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(int(newest(ranks)[-20:-12]), int(out.split("at step ")[1].split(",")[0]))

    def test_full_disk(self):
        words = SMALL + settings(steps=20, checkpoint_every=10)
        self.assertEqual(run(self.folder, *words).returncode, 0)
        before = open(newest(self.folder), "rb").read()

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, len(before) // 2))

        done = run(self.folder, "--resume", *settings(steps=40, validate_every=1000), preexec_fn=limit)
        self.assertEqual(done.returncode, 1)
        self.assertEqual([line for line in done.stderr.splitlines() if line.startswith("zoe:")],
                         [f"zoe: {self.folder}/checkpoints/step_00000030.safetensors: cannot write: File too large"])
        self.assertEqual(open(newest(self.folder), "rb").read(), before)
        self.assertEqual(run(self.folder, "--resume", *settings(steps=40)).returncode, 0)

    @unittest.skipUnless(os.geteuid() == 0, "only root may mount")
    def test_full_disk_of_its_own(self):
        disk = self.temporary.name + "/disk"
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", disk], capture_output=True).returncode:
            self.skipTest("this machine lets nobody mount")
        try:
            done = run(disk + "/run", *SMALL, *settings(steps=200, checkpoint_every=10, keep=20))
            self.assertEqual(done.returncode, 1, done.stdout)
            lines = [line for line in done.stderr.splitlines() if line.startswith("zoe:")]
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertRegex(lines[0], "^zoe: .*: cannot (write|sync): No space left on device$")
            self.assertTrue(len(tensors(newest(disk + "/run"))) > 8)
            self.assertEqual(glob.glob(disk + "/run/checkpoints/*.tmp.*"), [])
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_damaged_checkpoint_is_passed_over(self):
        self.assertEqual(run(self.folder, *SMALL, *settings(steps=20, checkpoint_every=10, validate_every=10)).returncode, 0)
        with open(newest(self.folder), "r+b") as file:
            file.seek(-50, 2)
            file.write(b"\x5a")
        with open(self.folder + "/checkpoints/best.safetensors", "r+b") as file:
            file.truncate(1000)
        # Without learning nothing is better than the best so far, and its damaged file stays.
        done = run(self.folder, "--resume", *settings(steps=20, rate=0, min_rate=0, weight_decay=0), "--allow-changes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("step_00000020.safetensors: damaged", done.stderr)
        self.assertRegex(done.stderr, "best.safetensors: .*; the newest weights are exported")
        for path in glob.glob(self.folder + "/checkpoints/step_*"):
            os.truncate(path, 1000)
        done = run(self.folder, "--resume")
        self.assertEqual((done.returncode, done.stderr), (1, f"zoe: {self.folder}/checkpoints: no whole checkpoint here to resume from (2 damaged): start again with another -o\n"))
        # As after a kill before the first checkpoint: from the start.
        for path in glob.glob(self.folder + "/checkpoints/*"):
            os.remove(path)
        self.assertEqual(run(self.folder, "--resume", *settings(steps=3), "--allow-changes").returncode, 0)

    def test_bad_input_is_one_line(self):
        cases = [
            (["--set", "train.rat=1"], 2, "unknown key 'train.rat'; did you mean 'train.rate'?"),
            (["--set", "train.batch=-3"], 2, "train.batch = -3: must be from 1 to 16777216"),
            (["--set", "model.activation=elo"], 2, "there is no activation 'elo'; did you mean 'elu'?"),
            (["--device", "cuda"], 2, "there is no CUDA device"),
            (["--resume"], 2, "there is no run here to resume"),
            (["--data", "/nowhere"], 2, "/nowhere: no dataset here (`zoe dataset build CLIPS -o DATASET` makes one)"),
            (["--set", "model.hidden=64,0"], 2, "model.hidden = 0: must be from 1 to 1048576"),
            (["--set", "model.hidden=1048576,1048576"], 3, "out of memory: make train.batch or the sizes in [model] smaller"),
            (["--set", "train.collective=nccl"], 2, "train.collective = 'nccl' is for CUDA"),
            (["--set", "train.cuda_graph=on"], 2, "train.cuda_graph = 'on' needs a CUDA device"),
            (["--set", "train.batch=33", "--local-ranks", "2"], 2, "train.batch = 33 does not divide evenly over 2 ranks"),
        ]
        for words, code, text in cases:
            done = run(self.folder, *words)
            if code is not None:
                self.assertEqual(done.returncode, code, done.stderr)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(text, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_gradients_that_are_not_finite_stop_the_run(self):
        done = run(self.folder, *SMALL, *settings(steps=300, rate=10, clip_norm=0, weight_decay=10, max_skipped=3, schedule="constant"))
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("the gradient has not been finite for 3 steps", done.stderr)

    def test_patience(self):
        done = run(self.folder, *SMALL, *settings(steps=5000, rate=0, min_rate=0, weight_decay=0, validate_every=5, patience=3))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no better validation for 3 times at step 20", done.stdout)

    def test_models_of_every_kind_train(self):
        names = [line.split()[0] for line in subprocess.run([ZOE, "train", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()]
        self.assertGreaterEqual(len(names), 19)
        small = {"cxm": ["--set", "model.hidden=64", "--set", "model.channels=8"], "attention": ["--set", "model.width=32", "--set", "model.blocks=1"]}
        for name in ("vae", "vq", "cxm", "lstm", "pae", "pfnn"):
            folder = f"{self.temporary.name}/{name}"
            done = run(folder, "--set", "data.toy_samples=256", *small.get(name, []), *settings(steps=4, threads=1), model=name)
            self.assertEqual(done.returncode, 0, name + done.stderr)
            self.assertTrue(os.path.exists(folder + "/model.safetensors"), name)
            self.assertEqual(os.path.exists(folder + "/encoder.safetensors"), name == "vq", name)

    def test_ranks_with_half_the_batch_are_one_with_the_whole(self):
        import numpy
        words = SMALL + settings(steps=50, batch=32)
        self.assertEqual(run(self.folder, *words).returncode, 0)
        two = self.temporary.name + "/two"
        done = run(two, *words, "--local-ranks", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        one, other = tensors(newest(self.folder)), tensors(newest(two))
        self.assertEqual(one.keys(), other.keys())
        for name, values in one.items():
            if name.startswith("weights."):
                self.assertLess(numpy.abs(values - other[name]).max(), 1e-5, name)
        self.assertEqual(json.load(open(two + "/run.json"))["ranks"], 2)

    def test_dataset_folder(self):
        clips, data = self.temporary.name + "/clips", self.temporary.name + "/data"
        subprocess.run([ZOE, "synth", "-q", "-o", clips, "--count", "12", "--family", "biped", "--gait", "walk", "--names", "mixamo", "--format", "bvh", "--seconds", "2"], check=True)
        subprocess.run([ZOE, "dataset", "build", "-q", clips, "-o", data, "--validation", "0.3", "--licence", "CC0-1.0"], check=True, stdout=subprocess.DEVNULL)
        done = run(self.folder, "--data", data, "--set", "model.hidden=64", *settings(steps=60, threads=1, log_every=10))
        self.assertEqual(done.returncode, 0, done.stderr)
        info = json.loads(subprocess.run([ZOE, "dataset", "info", data, "--json"], check=True, capture_output=True, text=True).stdout)
        fields = {field["name"]: [field["steps"], field["width"]] for field in json.load(open(self.folder + "/run.json"))["fields"]}
        self.assertIn(fields, [{"x": group["blocks"]["input"], "y": group["blocks"]["output"]} for group in info["groups"]])
        losses = [row["loss"] for row in map(json.loads, open(self.folder + "/metrics.jsonl")) if row["split"] == "training"]
        self.assertLess(losses[-1], 0.8 * losses[0])
        header = open(self.folder + "/model.safetensors", "rb").read(200000).decode("latin1")
        self.assertIn('"licence":"CC0-1.0"', header)
        self.assertIn('"layout":"', header)
        for model, text in (("pfnn", "model 'pfnn' needs the field 'phase', and the data has only: x, y"),
                            ("gru", "this model needs as many steps in y as in x: the data has 1 in x, 16 in y"),
                            ("pae", "this model needs windows of several steps in x: the data has 1")):
            wrong = run(self.temporary.name + "/wrong_" + model, "--data", data, model=model)
            self.assertEqual(wrong.returncode, 3)
            self.assertIn("zoe: " + text, wrong.stderr)
        for words, code, text in ((["--data", "toy"], 3, "resume with the data and the model settings of the run"),
                                  (["--data", data, "--set", "model.hidden=48"], 2, "model.hidden was [64], is [48]; --allow-changes"),
                                  (["--data", data, "--set", "train.batch=48"], 2, "train.batch was "),
                                  (["--data", data, "--set", "model.hidden=48", "--allow-changes"], 3,
                                   "resume with the data and the model settings of the run")):
            wrong = run(self.folder, "--resume", *words)
            self.assertEqual(wrong.returncode, code, wrong.stderr)
            self.assertIn(text, wrong.stderr)
        wrong = run(self.folder, "--resume", "--data", data, model="mann")
        self.assertEqual((wrong.returncode, wrong.stderr), (2, f"zoe: {self.folder}: the run here is of model 'mlp', not 'mann'\n"))
        # Numbers that are none, deep in the rows of every skeleton: found at the start, or when they are read.
        import numpy
        for path in glob.glob(data + "/rows/*.npy"):
            rows = numpy.load(path)
            rows[len(rows) // 2] = float("nan")
            numpy.save(path, rows)
        wrong = run(self.temporary.name + "/damaged", "--data", data, *settings(steps=60, threads=1))
        self.assertEqual(wrong.returncode, 3, wrong.stderr)
        self.assertIn("its rows do not match their checksum", wrong.stderr)
        with open(data + "/dataset.json", encoding="utf-8") as file:  # As of a version without checksums.
            manifest = json.load(file)
        del manifest["checksums"]
        with open(data + "/dataset.json", "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        for resident in ("on", "off"):
            wrong = run(self.temporary.name + "/nan_" + resident, "--data", data, "--set", f"data.resident={resident}", *settings(steps=60, threads=1))
            self.assertEqual(wrong.returncode, 3, wrong.stderr)
            self.assertRegex(wrong.stderr, "zoe: field '[xy]', (training|validation) sample [0-9]+, step [0-9]+, column [0-9]+: nan is not a finite number; repair or remove the clip")

    def start_ranks(self, folder, *words):
        """Two ranks started by hand, as on several machines: nobody but the ranks themselves can notice what goes wrong."""
        base = dict(os.environ, WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(free_port()))
        return [subprocess.Popen(command(folder, *LONG, *words), env=dict(base, RANK=str(rank), LOCAL_RANK=str(rank)), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True) for rank in (0, 1)]

    def expect_blame(self, ranks, victim):
        _, err = ranks[1 - victim].communicate(timeout=600)
        self.assertEqual(ranks[1 - victim].returncode, 1, err)
        lines = [line for line in err.splitlines() if line.startswith("zoe:")]
        self.assertEqual(lines, [f"zoe: rank {1 - victim} stops: rank {victim} does not answer any more; --resume goes on from the newest checkpoint"])

    def test_a_rank_that_dies_is_named(self):
        for victim in (1, 0):
            folder = f"{self.temporary.name}/victim{victim}"
            ranks = self.start_ranks(folder)
            wait_for(lambda: newest(folder) is not None)
            ranks[victim].kill()
            ranks[victim].communicate()
            self.expect_blame(ranks, victim)

    def test_a_rank_that_hangs_is_named(self):
        # All at once, because most of it is waiting: rank 1, rank 0 (which holds the store), and one of `--local-ranks`.
        words = settings(rank_timeout_s=10)  # A busy machine delays a healthy rank by seconds.
        folders = [f"{self.temporary.name}/hang{i}" for i in range(3)]
        by_hand = [self.start_ranks(folder, *words) for folder in folders[:2]]
        launcher = subprocess.Popen(command(folders[2], *LONG, *words, "--local-ranks", "2"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: all(newest(folder) is not None for folder in folders))
        children = [int(pid) for pid in open(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read().split()]
        hung = [by_hand[0][1].pid, by_hand[1][0].pid, children[1]]
        for pid in hung:
            os.kill(pid, signal.SIGSTOP)
        try:
            self.expect_blame(by_hand[0], 1)
            self.expect_blame(by_hand[1], 0)
            _, err = launcher.communicate(timeout=600)
            self.assertEqual(launcher.returncode, 1, err)
            self.assertIn("zoe: rank 0 stops: rank 1 does not answer any more", err)
            self.assertIn("zoe: rank 1 does not end by itself and is killed", err)
        finally:
            for ranks in by_hand:
                for process in ranks:
                    process.kill()
                    process.communicate()
            launcher.kill()
        for folder in folders:  # Nothing of what was saved is lost.
            self.assertTrue(len(tensors(newest(folder))) > 8)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
