// SPDX-License-Identifier: MIT
#include "zoe/anatomy/find_root.h"

#include <algorithm>
#include <array>

#include "zoe/anatomy/root_joints.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe {

RootTrajectory find_root(const Motion& motion, const SkeletonAnalysis& body) {
  const RootJoints joints = root_joints(body);
  if (const auto rule = facing_rule(body, joints)) {
    const RootOptions options{
        .facing = *rule, .position = RootOptions::Position::kGround, .ends = RootOptions::Ends::kReflect};
    if (Result<RootTrajectory> found = extract_root(motion, joints, options)) return std::move(found).value();
  }
  RootTrajectory root{.fps = motion.fps};
  const std::array joint{body.root != kNoJoint ? body.root : 0};
  const std::vector<Vec3> positions = model_positions(motion, joint);
  root.roots.resize(positions.size());
  root.velocities.resize(positions.size());
  root.turn_speeds_rad_s.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    root.roots[i] = {{positions[i].x, 0, positions[i].z}, 0};
    const std::size_t from = i > 0 ? i - 1 : 0, to = i > 0 || positions.size() < 2 ? i : 1;
    const Vec3 velocity = (positions[to] - positions[from]) * static_cast<float>(motion.fps);
    root.velocities[i] = {velocity.x, 0, velocity.z};
  }
  return root;
}

PlanarRoot root_at(const RootTrajectory& trajectory, double time_s) {
  const std::vector<PlanarRoot>& roots = trajectory.roots;
  if (roots.empty()) return {};
  const std::size_t last = roots.size() - 1;
  const double at = std::clamp(time_s * trajectory.fps, 0.0, static_cast<double>(last));
  const auto frame = static_cast<std::size_t>(at), next = std::min(frame + 1, last);
  const auto share = static_cast<float>(at - static_cast<double>(frame));
  return {lerp(roots[frame].position, roots[next].position, share),
          roots[frame].facing_rad + (roots[next].facing_rad - roots[frame].facing_rad) * share};
}

}  // namespace zoe
