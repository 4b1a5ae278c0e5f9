// SPDX-License-Identifier: MIT
// Part of Zoetrope. The joints that give position and facing of a body, for motion's extract_root.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/root.h"

namespace zoe {

// Hips, upper legs, upper arms (not clavicles) and neck. Missing ones are kNoJoint. Left and right are those of a body
// that faces along `forward`: some files name sides as the viewer sees them.
RootJoints root_joints(const SkeletonAnalysis& analysis);

// True if the joints of a rule were found: a pair of hips or shoulders, or hip and neck.
bool can_face(const RootJoints& joints, RootOptions::Facing rule);

// Upright bodies face across their hips and shoulders, others from hip to neck where this leads ahead. Empty: neither
// was found.
std::optional<RootOptions::Facing> facing_rule(const SkeletonAnalysis& analysis, const RootJoints& joints);

}  // namespace zoe
