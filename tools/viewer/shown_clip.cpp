// SPDX-License-Identifier: MIT
#include "shown_clip.h"

#include <array>
#include <cmath>

#include "zoe/anatomy/mirror.h"
#include "zoe/anatomy/root_joints.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::viewer {

void choose_side(bool mirrored, const Skeleton& skeleton, ShownClip& clip, scene::MotionPlayer& player) {
  if (mirrored == clip.shows_mirrored || (mirrored && clip.cannot_mirror)) return;
  if (mirrored && clip.mirrored == nullptr) {
    Result<Motion> made = mirror(*clip.plain, *clip.body);
    if (!made) {
      clip.cannot_mirror = true;
      return;
    }
    clip.mirrored = std::make_shared<const Motion>(std::move(made).value());
  }
  clip.shows_mirrored = mirrored;
  const bool plays =
      player.play(mirrored ? clip.mirrored : clip.plain, skeleton, {.wrap = Wrap::kClamp, .fade_s = 0.15F}).has_value();
  ZOE_CHECK(plays, "a mirrored clip is for the same skeleton");
  player.set_paused(true);
}

double clip_time_s(const Motion& motion, double time_s) {
  const double duration_s = motion.duration_s();
  if (duration_s <= 0) return 0;
  return time_s > duration_s + 1e-6 ? std::fmod(time_s, duration_s) : std::min(time_s, duration_s);
}

RootTrajectory find_root(const Motion& motion, const SkeletonAnalysis& body) {
  const RootJoints joints = root_joints(body);
  if (const auto rule = facing_rule(body, joints)) {
    const RootOptions options{
        .facing = *rule, .position = RootOptions::Position::kGround, .ends = RootOptions::Ends::kReflect};
    if (Result<RootTrajectory> found = extract_root(motion, joints, options)) return std::move(found).value();
  }
  RootTrajectory root{.fps = motion.fps};
  const std::array joint{body.root != kNoJoint ? body.root : 0};
  const std::vector<Vec3> places = model_positions(motion, joint);
  root.roots.resize(places.size());
  root.velocities.resize(places.size());
  root.turn_speeds_rad_s.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    root.roots[i] = {{places[i].x, 0, places[i].z}, 0};
    const std::size_t from = i > 0 ? i - 1 : 0, to = i > 0 || places.size() < 2 ? i : 1;
    const Vec3 way = (places[to] - places[from]) * static_cast<float>(motion.fps);
    root.velocities[i] = {way.x, 0, way.z};
  }
  return root;
}

}  // namespace zoe::viewer
