# SPDX-License-Identifier: MIT
"""Moves a clip onto another body, judges the result and writes it.    technical_animator.py CLIP BODY OUT"""
import sys

import zoetrope as zoe

source, body = zoe.load(sys.argv[1]), zoe.load(sys.argv[2])
print(f"{zoe.analyse(source)['family']} of {len(source.skeleton)} joints to "
      f"{zoe.analyse(body)['family']} of {len(body.skeleton)} joints")
moved = zoe.retarget(source, body)
# Arrays are the motion itself: an edit needs no copy back.
for clip in moved.clips:
    clip.name += "_retargeted"
moved.save(sys.argv[3])
certificate = zoe.certify(sys.argv[3])
for clip in certificate["clips"]:
    print(f"{clip['clip']}: {clip['frames']} frames, {len(clip['findings'])} findings")
    for finding in clip["findings"]:
        print(f"  frames {finding['first_frame']}-{finding['last_frame']}: {finding['check']}: {finding['text']}")
