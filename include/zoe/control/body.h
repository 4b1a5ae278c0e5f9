// SPDX-License-Identifier: MIT
// Part of Zoetrope. The body a controller was trained for: skeleton, legs that stand, the pose it starts in. Kept
// beside the networks, so that running one needs neither the data nor an analysis.
#pragma once

#include <filesystem>
#include <vector>

#include "zoe/control/motion_range.h"
#include "zoe/features/gather_job.h"
#include "zoe/ik/foot_lock_job.h"

namespace zoe {
class Safetensors;
}

namespace zoe::control {

// A leg and where its contacts stand among the model's.
struct BodyLeg {
  Leg leg;
  int ankle_contact = -1, ball_contact = -1;  // Places in Body::contact_joints, or -1.
};

struct Body {
  SkeletonPtr skeleton;
  std::vector<int> contact_joints;
  std::vector<BodyLeg> legs;
  Pose start;  // Standing, or as near to it as the data came; the root at the origin, facing +Z.
  MotionRange motion_range;
};

inline std::vector<Leg> legs_of(const Body& body) {
  std::vector<Leg> legs;
  for (const BodyLeg& leg : body.legs) legs.push_back(leg.leg);
  return legs;
}

// A safetensors file; reading checks everything.
Result<void> save_body(const std::filesystem::path& path, const Body& body);
Result<Body> load_body(const std::filesystem::path& path);
Result<Body> load_body(const Safetensors& file);

}  // namespace zoe::control
