// SPDX-License-Identifier: MIT
// Part of Zoetrope. What the body of a clip perceives of its props and goals, frame by frame: the signals of the type
// nsm. A controller at run time perceives the same (control/deeds.h).
#pragma once

#include "zoe/control/deeds.h"
#include "zoe/dataset/build_options.h"
#include "zoe/dataset/prop_track.h"
#include "zoe/motion/root.h"

namespace zoe::author {

// In the run's folder: control::DeedFacts of the clips.
constexpr const char* kDeedFactsFile = "deeds.txt";

// Goals by the anchors of props, in place of places of the root. [frames of the track]
Result<std::vector<control::DeedGoal>> anchored_goals(const dataset::PropTrack& track);

// `motion` is a piece of the clip of the track that begins at first_s of it.
Result<std::vector<dataset::ClipSignal>> deed_signals_of(const dataset::PropTrack& track, const Motion& motion,
                                                         std::span<const PlanarRoot> roots, double first_s);

}  // namespace zoe::author
