# SPDX-License-Identifier: MIT
"""The Python module: values against the command and against NumPy, memory without copies, refusals."""
import json
import multiprocessing
import os
import pickle
import subprocess

import numpy
import pytest

import zoetrope as zoe

SOURCE = os.environ["ZOE_SOURCE_DIR"]
COMMAND = os.environ.get("ZOE_COMMAND", "")
WALKER = os.path.join(SOURCE, "models", "walker")


def run_zoe(*words):
    return subprocess.run([COMMAND, *map(str, words)], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def walk(tmp_path_factory):
    """A clip of the walker: 4 s, written as BVH."""
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    controller = zoe.Controller(WALKER)
    player = controller.character()
    player.command("move 0 1.3")

    def steer(frame):
        if frame == 120:
            player.command("move 1 0.5")

    zoe.record(controller, player, 4, on_frame=steer).save(path)
    return str(path)


def rotate(q, v):
    axis, w = q[..., :3], q[..., 3:]
    return v + 2 * numpy.cross(axis, numpy.cross(axis, v) + w * v)


def product(a, b):
    w = a[..., 3:] * b[..., 3:] - numpy.sum(a[..., :3] * b[..., :3], axis=-1, keepdims=True)
    axis = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + numpy.cross(a[..., :3], b[..., :3])
    return numpy.concatenate([axis, w], axis=-1)


def test_positions_are_forward_kinematics(walk):
    clip = zoe.load(walk).clips[0]
    parents = clip.skeleton.parents
    rotations, expected = [], []
    for joint, parent in enumerate(parents):
        t, q = clip.translations[:, joint].astype(float), clip.rotations[:, joint].astype(float)
        if parent >= 0:
            t, q = expected[parent] + rotate(rotations[parent], t), product(rotations[parent], q)
        rotations.append(q)
        expected.append(t)
    assert numpy.abs(clip.positions() - numpy.stack(expected, axis=1)).max() < 1e-4


def test_arrays_are_the_librarys_memory(walk, tmp_path):
    file = zoe.load(walk)
    clip = file.clips[0]
    array = clip.rotations
    assert array.__array_interface__["data"][0] == clip.rotations_address
    assert clip.rotations.__array_interface__["data"][0] == clip.rotations_address
    assert array.shape == (clip.num_frames, len(clip.skeleton), 4) and array.dtype == numpy.float32
    # What is written into the array is in the motion.
    clip.translations[:, 0, 1] += 0.5
    before = zoe.load(walk).clips[0].translations[:, 0, 1]
    clip.save(tmp_path / "raised.npz")
    raised = zoe.load(tmp_path / "raised.npz").clips[0].translations[:, 0, 1]
    assert numpy.allclose(raised - before, 0.5, atol=1e-4)
    # The array keeps the motion, the motion does not need its file.
    del file, clip
    assert numpy.allclose(numpy.linalg.norm(array, axis=-1), 1, atol=1e-3)
    # DLPack, by which torch and others take arrays without a copy.
    shared = numpy.from_dlpack(array)
    assert shared.__array_interface__["data"][0] == array.__array_interface__["data"][0]


def test_damaged_arrays_are_not_written(walk, tmp_path):
    clip = zoe.load(walk).clips[0]
    clip.rotations[3, 2] = numpy.nan
    with pytest.raises(zoe.Error):
        clip.save(tmp_path / "bad.bvh")
    assert not (tmp_path / "bad.bvh").exists()
    with pytest.raises(ValueError):
        zoe.Motion(clip.skeleton, 30, numpy.zeros((2, 1, 3)), numpy.zeros((2, 1, 4)))


def test_errors_name_the_file():
    with pytest.raises(zoe.Error, match="no_such_file"):
        zoe.load("no_such_file.bvh")
    with pytest.raises(zoe.Error, match="no_such_run"):
        zoe.Controller("no_such_run")
    with pytest.raises(zoe.Error):
        zoe.Network(os.path.join(SOURCE, "README.md"))


def test_analysis_is_the_commands(walk):
    body = zoe.analyse(zoe.load(walk))
    assert body["family"] == "biped"
    if COMMAND:
        printed = json.loads(run_zoe("info", walk, "--analysis", "--json"))
        printed = printed.get("analysis", printed)
        assert body["family"] == printed["family"] and body["height_m"] == printed["height_m"]


@pytest.mark.skipif(not COMMAND, reason="the zoe command is not built")
@pytest.mark.parametrize("schema", ["mann", "motion_matching", "pfnn"])
def test_features_have_the_commands_bits(walk, tmp_path, schema):
    if schema not in zoe.feature_presets():
        schema = zoe.feature_presets()[0]
    ours = zoe.features(walk, schema)
    run_zoe("features", walk, "--schema", schema, "-o", tmp_path / "f.npz", "--quiet")
    theirs = numpy.load(tmp_path / "f.npz")
    blocks = [name for name in ("input", "output", "condition") if name in ours]
    assert "input" in blocks or "output" in blocks
    for name in blocks + ["time", "root"]:
        assert ours[name].shape == theirs[name].shape and ours[name].tobytes() == theirs[name].tobytes(), name
    for name in blocks:
        assert ours["columns"][name] == list(theirs[name + "_columns"])


def test_retarget_keeps_the_walk(walk, tmp_path):
    source = zoe.load(walk)
    target = zoe.load(walk)
    moved = zoe.retarget(source, target)
    # Onto itself the motion stays; heights count from the rest pose of the target, whose hips are at the origin.
    difference = moved.clips[0].positions() - source.clips[0].positions()
    assert numpy.abs(difference - difference[:1, :1]).max() < 0.03 and numpy.abs(difference[..., [0, 2]]).max() < 0.03
    with pytest.raises(zoe.Error):
        zoe.retarget(source, target, clip="no such clip")
    if COMMAND:
        run_zoe("retarget", walk, "--to", walk, "-o", tmp_path / "moved.npz", "--quiet")
        theirs = zoe.load(tmp_path / "moved.npz").clips[0]
        assert numpy.abs(theirs.rotations - moved.clips[0].rotations).max() < 1e-5
        assert numpy.abs(theirs.translations - moved.clips[0].translations).max() < 1e-5


def test_certify(walk):
    clean = zoe.certify(walk)
    assert clean["family"] == "biped" and isinstance(clean["clips"][0]["measures"], dict)
    file = zoe.load(walk)
    file.clips[0].translations[:, 0, 1] -= 0.3  # Feet below the ground.
    sunk = zoe.certify(file)
    assert any(one["check"] == "penetration" for one in sunk["clips"][0]["findings"])


def test_ten_lines_drive_the_walker():
    walker = zoe.Controller(WALKER)
    player = walker.character()
    player.command("move 0 1.4")
    for _ in range(120):
        player.tick(1 / 60)
    x, _, z = player.position
    assert z > 1.5 and abs(x) < 0.5 and player.progress == "moving"
    with pytest.raises(zoe.Error):
        player.command("fly 1 2")


def test_states_restore():
    walker = zoe.Controller(WALKER)
    player = walker.character(x=2)
    player.move(0, 1)
    for _ in range(30):
        player.tick(1 / 60)
    saved, address = player.save(), player.rotations.__array_interface__["data"][0]
    for _ in range(30):
        player.tick(1 / 60)
    first = player.hash()
    player.restore(saved)
    for _ in range(30):
        player.tick(1 / 60)
    assert player.hash() == first
    assert player.rotations.__array_interface__["data"][0] == address and not player.rotations.flags.writeable
    with pytest.raises(zoe.Error):
        player.restore(saved[:-1])
    with pytest.raises(zoe.Error):
        player.restore(b"\0" * len(saved))


def test_crowd_walks():
    crowd = zoe.Crowd(zoe.Controller(WALKER), [[0, 0], [2, 0], [4, 0]])
    velocities = numpy.array([[0, 1], [0, 1], [0, -1]], numpy.float32)
    for _ in range(60):
        crowd.tick(1 / 60, velocities)
    z = crowd.roots[:, 2]
    assert z[0] > 0.3 and z[1] > 0.3 and z[2] < 0.1
    assert crowd.rotations(1).shape[1] == 4
    with pytest.raises(ValueError):
        crowd.tick(1 / 60, velocities[:2])


def test_network_is_a_batch_of_singles():
    network = zoe.Network(os.path.join(WALKER, "model.safetensors"))
    random = numpy.random.default_rng(1)
    batch = {name: random.standard_normal((3, rows, width), numpy.float32)
             for name, (rows, width) in network.inputs.items()}
    together = network.evaluate(batch)
    for item in range(3):
        alone = network.evaluate({name: values[item:item + 1] for name, values in batch.items()})
        for name, values in alone.items():
            assert values.tobytes() == together[name][item:item + 1].tobytes()
    first = next(iter(network.inputs))
    with pytest.raises(ValueError):
        network.evaluate({first: batch[first][:, :, :-1], **{k: v for k, v in batch.items() if k != first}})
    with pytest.raises(ValueError):
        network.evaluate({})


def test_dataset_feeds_a_trainer(walk, tmp_path):
    report = zoe.build_dataset([os.path.dirname(walk)], tmp_path / "data", "mann")
    assert report["num_clips"] >= 1
    data = zoe.Dataset(tmp_path / "data")
    samples = data.samples(split="all")
    one_input, one_output = samples[0]
    inputs, outputs = samples.batch([0, len(samples) - 1])
    assert inputs[0].tobytes() == one_input.tobytes() and outputs[0].tobytes() == one_output.tobytes()
    assert samples[-1][0].tobytes() == inputs[1].tobytes()
    assert inputs.shape[2] == len(data.columns(block="input"))
    # Rows are the mapped file: those of the .npy as NumPy reads it.
    rows = data.rows()
    assert not rows.flags.writeable
    arrays = [numpy.load(os.path.join(folder, name)) for folder, _, names in os.walk(tmp_path / "data")
              for name in names if name.endswith(".npy")]
    assert any(array.ndim == 2 and array.shape[1] == rows.shape[1] and
               any(array[i:i + len(rows)].tobytes() == rows.tobytes() for i in range(len(array) - len(rows) + 1))
               for array in arrays)
    with pytest.raises(IndexError):
        samples[len(samples)]
    with pytest.raises(IndexError):
        data.samples(group=99)
    # Workers of a DataLoader get it by pickle, or by a fork after the threads were started.
    again = pickle.loads(pickle.dumps(samples))
    assert len(again) == len(samples) and again.batch([3])[0].tobytes() == samples.batch([3])[0].tobytes()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        batches = pool.map(samples.batch, [[0, 5, 7], [1, 2]])
    assert batches[0][0].tobytes() == samples.batch([0, 5, 7])[0].tobytes()


def test_skeletons_from_arrays(walk):
    old = zoe.load(walk).skeleton
    same = zoe.Skeleton(old.names, old.parents, old.rest_translations, old.rest_rotations)
    assert same.names == old.names and same.rest_translations.tobytes() == old.rest_translations.tobytes()
    assert numpy.abs(same.rest_rotations - old.rest_rotations).max() < 1e-6
    arm = zoe.Skeleton(["a", "b"], [-1, 0], [[0, 1, 0], [0, 0, 2]])
    pose = zoe.Motion(arm, 30, arm.rest_translations[None], arm.rest_rotations[None])
    assert pose.positions().tolist() == [[[0, 1, 0], [0, 1, 2]]]
    with pytest.raises(ValueError):
        zoe.Skeleton(["a", "b"], [-1, 0], [[0, 1, 0]])
    with pytest.raises(zoe.Error):
        zoe.Skeleton(["a", "b"], [1, -1], [[0, 0, 0], [0, 0, 1]])


def test_motions_are_pickled(walk):
    clip = zoe.load(walk).clips[0]
    again = pickle.loads(pickle.dumps(clip))
    assert again.rotations.tobytes() == clip.rotations.tobytes()
    assert again.translations.tobytes() == clip.translations.tobytes()
    assert (again.name, again.fps, again.skeleton.names) == (clip.name, clip.fps, clip.skeleton.names)
    assert again.skeleton.parents == clip.skeleton.parents
    state = list(clip.__getstate__())
    state[6] = state[6][:-16]
    with pytest.raises(zoe.Error):
        zoe.Motion.__new__(zoe.Motion).__setstate__(tuple(state))


def test_torch_takes_samples_and_arrays(walk, tmp_path):
    torch = pytest.importorskip("torch")
    clip = zoe.load(walk).clips[0]
    tensor = torch.from_dlpack(clip.rotations)
    assert tensor.data_ptr() == clip.rotations_address
    zoe.build_dataset([os.path.dirname(walk)], tmp_path / "data", "mann")
    samples = zoe.Dataset(tmp_path / "data").samples(split="all")
    loader = torch.utils.data.DataLoader(samples, batch_size=4, num_workers=2)
    inputs, outputs = next(iter(loader))
    assert inputs.numpy().tobytes() == samples.batch([0, 1, 2, 3])[0].tobytes() and len(outputs) == 4


ANYTOP = os.path.join(SOURCE, "models", "anytop")


@pytest.mark.skipif(not COMMAND, reason="the zoe command is not built")
def test_generate_is_the_commands_motion(walk, tmp_path):
    body = zoe.load(walk)
    made = zoe.generate(ANYTOP, body, action="walk", seconds=1, seed=3)
    run_zoe("generate", "--skeleton", walk, "-m", ANYTOP, "--action", "walk", "--seconds", 1, "--seed", 3,
            "--source", "generated", "-o", tmp_path / "made.npz", "--quiet")
    theirs = zoe.load(tmp_path / "made.npz").clips[0]
    assert made.num_frames == theirs.num_frames
    assert numpy.abs(made.positions() - theirs.positions()).max() < 1e-4
    other = zoe.generate(ANYTOP, body, action="walk", seconds=1, seed=4)
    assert numpy.abs(made.positions() - other.positions()).max() > 0.01
    # On the file's own character, so that it can be drawn, retargeted and saved with a mesh.
    assert len(body.with_clips([made]).clips) == 1
    assert "walk" in zoe.generate_actions()
    with pytest.raises(zoe.Error):
        zoe.generate(ANYTOP, body, action="qwerty")
    with pytest.raises(ValueError):
        zoe.generate(ANYTOP, body, seconds=-1)


def test_clips_of_other_bodies_are_refused(walk):
    file = zoe.load(walk)
    one_joint = pickle.loads(pickle.dumps(file.skeleton))
    assert len(one_joint) == len(file.skeleton)
    dog = zoe.Controller(os.path.join(SOURCE, "models", "dog"))
    with pytest.raises(zoe.Error, match="other joints"):
        file.with_clips([zoe.record(dog, dog.character(), 0.1)])


@pytest.mark.skipif(not COMMAND, reason="the zoe command is not built")
def test_render_has_the_commands_pixels(walk, tmp_path):
    file = zoe.load(walk)
    picture = zoe.render(file, size=(160, 90), time=1.0)
    assert picture.shape == (90, 160, 4) and picture.dtype == numpy.uint8
    run_zoe("render", walk, "-o", tmp_path / "theirs.png", "--size", "160x90", "--time", 1, "--software", "--quiet")
    zoe.save_png(tmp_path / "ours.png", picture)
    assert pixels_of(tmp_path / "ours.png", tmp_path) == pixels_of(tmp_path / "theirs.png", tmp_path)


def pixels_of(path, folder):
    """RGB of a picture as ffmpeg decodes it."""
    raw = folder / "pixels.raw"
    run = subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", raw],
                         capture_output=True, text=True)
    if run.returncode != 0:
        pytest.skip("ffmpeg did not read a picture")
    return raw.read_bytes()


def test_render_gives_frames(walk):
    clip = zoe.load(walk).clips[0]
    def draw():
        return zoe.render(clip, size=(64, 48), fps=5, seconds=1, style="toon", transparent=True)

    frames = draw()
    assert frames.shape == (5, 48, 64, 4)
    assert 0.005 < (frames[..., 3] > 127).mean() < 0.9  # The body, and nothing around it.
    assert (frames[0] != frames[3]).any()
    assert draw().tobytes() == frames.tobytes()
    with pytest.raises(ValueError):
        zoe.render(clip, size=(2, 2))
    with pytest.raises(ValueError):
        zoe.render(clip, style="no such style")
    with pytest.raises(zoe.Error):
        zoe.render(clip, camera="somewhere")
    with pytest.raises(IndexError):
        zoe.render(clip, clip=7)
