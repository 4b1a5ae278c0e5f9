// SPDX-License-Identifier: MIT
// Part of Zoetrope. The body that a controller was trained for: skeleton, legs, start pose. It is stored beside the
// networks, so that running a controller needs neither the data nor an analysis.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "zoe/control/motion_range.h"
#include "zoe/features/gather_job.h"
#include "zoe/ik/foot_lock_job.h"

namespace zoe {
class Safetensors;
}

namespace zoe::control {

// A leg, and the indices of its contacts among the model's.
struct BodyLeg {
  Leg leg;
  int ankle_contact = -1, ball_contact = -1;  // Indices in Body::contact_joints, or -1.
};

// Where the standing pose is from.
enum class StandSource : std::uint8_t {
  kStart,  // The start pose: files of earlier versions.
  kFrame,  // A frame of the data in which the body stands.
  kMean,   // The mean pose of data that never stands.
};
const char* to_string(StandSource source);

struct Body {
  SkeletonPtr skeleton;
  std::vector<int> contact_joints;
  std::vector<BodyLeg> legs;
  Pose start;  // Standing, or the nearest pose to it in the data; the root at the origin, facing +Z.
  MotionRange motion_range;
  Pose stand;  // The pose in which a stand settles, in the root's space. Controllers plant its feet. Empty: the start.
  StandSource stand_source = StandSource::kStart;
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
