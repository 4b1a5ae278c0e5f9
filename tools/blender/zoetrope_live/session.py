# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection: builds an armature per character, follows the newest poses, records them as actions."""
from . import packets
from .rig import Rig


class Session:
    def __init__(self, address, token=""):
        self.link = packets.connect(address, token)
        self.decoder = packets.Decoder()
        self.rigs = {}
        self.newest = {}
        self.recording = None  # Of each subject: poses by time.
        self.has_ended = False

    def poll(self):
        """Takes what has come and shows the newest pose of each character. Blender calls it from a timer, tests by hand.
        The number of poses that came."""
        count = 0
        try:
            came = self.link.receive()
        except (EOFError, OSError, ValueError):
            self.has_ended = True
            return 0
        for packet in came:
            pose = self.decoder.decode(packet)
            if pose is None:
                continue
            count += 1
            self.newest[pose.subject] = pose
            if self.recording is not None:
                self.recording.setdefault(pose.subject, []).append(pose)
        self.has_ended = self.has_ended or self.decoder.has_ended
        for subject, pose in self.newest.items():
            self.rig_of(subject).apply(pose)
        self.newest.clear()
        return count

    def rig_of(self, subject):
        skeleton = self.decoder.skeletons[subject]
        rig = self.rigs.get(subject)
        if rig is None or rig.joints is not skeleton["joints"]:
            rig = self.rigs[subject] = Rig(skeleton)
        return rig

    def start_recording(self):
        self.recording = {}

    def finish_recording(self, scene):
        """Keys for every pose since start_recording(), at their own times. The number of keyed frames."""
        recording, self.recording = self.recording or {}, None
        rate = scene.render.fps / scene.render.fps_base
        frames = 0
        for subject, poses in recording.items():
            rig = self.rig_of(subject)
            rig.object.animation_data_create()
            rig.object.animation_data.action = None
            for pose in poses:
                rig.apply(pose)
                rig.insert_keys(1 + (pose.time_ns - poses[0].time_ns) * 1e-9 * rate)
            last = 1 + (poses[-1].time_ns - poses[0].time_ns) * 1e-9 * rate
            scene.frame_end = max(scene.frame_end, int(last + 0.5))
            frames += len(poses)
        return frames

    def close(self):
        self.link.close()
