// SPDX-License-Identifier: MIT
// Part of Zoetrope. Sabotage of limbs: flips and exchanged sides.
#pragma once

#include <optional>

#include "zoe/certify/sabotaged.h"

#include "certify/clip_track.h"
#include "certify/hinges.h"

namespace zoe::certify {

// Turns the middle joint of a limb to the other side in one frame; both ends stay. about_line: the limb turns as a
// whole (an IK pole flips); else it bends the other way (a knee bends forwards).
void flip_hinge(Motion& motion, const ClipTrack& track, const Hinge& hinge, int frame, bool about_line);

// Bend of a hinge in a frame, degrees.
double bend_deg(const ClipTrack& track, const Hinge& hinge, int frame);

std::optional<Sabotaged> sabotage_hinge(const Motion& motion, const ClipTrack& track, bool leg, std::uint64_t seed,
                                        const SabotageSizes& sizes);
std::optional<Sabotaged> sabotage_sides(const Motion& motion, const ClipTrack& track, std::uint64_t seed,
                                        const SabotageSizes& sizes);

}  // namespace zoe::certify
