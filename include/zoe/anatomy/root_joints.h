// SPDX-License-Identifier: MIT
// Part of Zoetrope. The joints that tell where a body stands and faces, for motion's extract_root.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/root.h"

namespace zoe {

// Hips, upper legs, upper arms (not clavicles) and neck; those that were not found are kNoJoint.
RootJoints root_joints(const SkeletonAnalysis& analysis);

// Whether the joints that a rule looks at were found: a pair of hips or shoulders, or hip and neck.
bool can_face(const RootJoints& joints, RootOptions::Facing rule);

// Upright bodies face across their hips and shoulders, others from hip to neck. Nothing: neither
// was found.
std::optional<RootOptions::Facing> facing_rule(const SkeletonAnalysis& analysis, const RootJoints& joints);

}  // namespace zoe
