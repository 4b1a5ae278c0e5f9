// SPDX-License-Identifier: MIT
#include "zoe/anatomy/mirror.h"

#include <algorithm>

#include "zoe/anatomy/leg_rig.h"
#include "zoe/core/index.h"

namespace zoe {
namespace {

Vec3 reflect(Vec3 n, Vec3 v) { return v - n * (2 * dot(n, v)); }

// The mirrored position of every joint of a frame; the joint's own position where it has no image.
void show(const Motion& motion, int frame, const MirrorMap& map, std::vector<Affine>& model, std::vector<Vec3>& shown) {
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), model);
  for (std::size_t j = 0; j < shown.size(); ++j) {
    const int p = map.partners[j];
    shown[j] = p == kNoJoint ? model[j].t : reflect(map.plane_normal, model[idx(p)].t);
  }
}

struct Errors {
  float joints = 0, feet = 0;  // Largest distances from the mirrored positions.
};

Errors errors_of(const Motion& motion, const Motion& mirrored, const MirrorMap& map, std::span<const int> feet) {
  std::vector<Affine> model(map.partners.size());
  std::vector<Vec3> shown(model.size());
  Errors worst;
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    show(motion, frame, map, model, shown);
    compute_model_from_joint(*motion.skeleton, mirrored.frame(frame), model);
    for (int j = 0; j < motion.num_joints(); ++j) {
      if (map.partners[idx(j)] == kNoJoint || motion.skeleton->kind(j) == JointKind::kNode) continue;
      worst.joints = std::max(worst.joints, distance(model[idx(j)].t, shown[idx(j)]));
    }
    for (const int j : feet) worst.feet = std::max(worst.feet, distance(model[idx(j)].t, shown[idx(j)]));
  }
  return worst;
}

// Bends legs until feet are at their mirrored positions.
void keep_feet(const Motion& motion, std::span<const anatomy::LegRig> legs, const MirrorMap& map, Motion& mirrored) {
  std::vector<std::vector<Vec3>> goals(legs.size());
  std::vector<Affine> model(map.partners.size());
  std::vector<Vec3> shown(model.size());
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    show(motion, frame, map, model, shown);
    for (std::size_t l = 0; l < legs.size(); ++l) goals[l].push_back(shown[idx(legs[l].ankle)]);
  }
  anatomy::reach_ankles(mirrored, legs, goals);
}

}  // namespace

Result<Motion> mirror(const Motion& motion, const SkeletonAnalysis& analysis, const MirrorOptions& options,
                      MirrorReport* report) {
  ZOE_CHECK(motion.skeleton != nullptr, "mirror() needs a motion with a skeleton");
  MirrorReport found;
  ZOE_TRY_ASSIGN(const MirrorMap map, mirror_map(*motion.skeleton, analysis, {&motion, 1}, &found));
  ZOE_TRY_ASSIGN(Motion out, mirror(motion, map));
  const std::vector<anatomy::LegRig> legs = anatomy::find_leg_rigs(*motion.skeleton, analysis);
  std::vector<int> feet;
  for (const auto& leg : legs) feet.push_back(leg.ankle);
  const auto measure = [&] {
    const Errors worst = errors_of(motion, out, map, feet);
    found.worst_position_error_m = worst.joints * analysis.metres_per_unit;
    found.worst_foot_error_m = worst.feet * analysis.metres_per_unit;
  };
  if (motion.num_frames > 0) measure();
  if (options.keep_feet && found.worst_foot_error_m > 1e-4 * analysis.height_m) {
    keep_feet(motion, legs, map, out);
    measure();
  }
  if (report != nullptr) *report = found;
  return out;
}

}  // namespace zoe
