// SPDX-License-Identifier: MIT
// Part of Zoetrope. The steps of fix_clip(). Each changes the motion of a track; the track itself stays as it was.
#pragma once

#include "certify/clip_track.h"

namespace zoe::certify {

// Single frames that leave a joint's path by more than 15 degrees are replaced by the middle of their neighbours.
int fix_spikes(const ClipTrack& track, Motion& motion);

// Knees and elbows on the wrong side of their limb are turned back; hands and feet stay. Returns the number of frames.
int fix_flips(const ClipTrack& track, Motion& motion);

// Puts the body on the ground: the level at which it mostly stands. Returns the lift, metres.
double fix_floor(const ClipTrack& track, Motion& motion, double ground_height_m);

// Moves the body so that the feet on the ground are at rest. Returns the length of the change of its path, metres.
double fix_root(const ClipTrack& track, Motion& motion);

// Moves the roots of one frame, metres.
void move_body(const ClipTrack& track, Motion& motion, int frame, Vec3 by_m);

}  // namespace zoe::certify
