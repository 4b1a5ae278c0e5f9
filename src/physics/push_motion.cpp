// SPDX-License-Identifier: MIT
#include "zoe/physics/push_motion.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/motion/edit.h"

#include "physics/sound_frames.h"

namespace zoe::physics {

Result<PushReport> push_motion(const BodyModelPtr& model, const Motion& motion, const PushOptions& options) {
  ZOE_TRY_ASSIGN(const Motion targets, targets_of(*model, motion));
  const double frame_s = model->options().frame_s,
               ground_m = options.ground_y_m.value_or(ground_under(*model, targets));
  PushReport report;
  report.motion = make_motion(targets.skeleton, targets.name, targets.fps, 0, !targets.scales.empty());
  report.motion.start_time_s = targets.start_time_s;
  ReactiveBody body(model, options.reaction);
  body.reset_moving(targets.frame(0), targets.frame(1), ground_m);
  Vec3d root = body.state().bone_origin_m(0);
  const int most = targets.num_frames + static_cast<int>(options.wait_s / frame_s);
  for (int frame = 0; frame < most; ++frame) {
    if (frame >= targets.num_frames && body.reaction() == Reaction::kFollow) break;
    const double time_s = frame * frame_s;
    Vec3d push_n{};
    for (const Push& push : options.pushes)
      if (time_s >= push.time_s && time_s < push.time_s + push.duration_s) push_n += push.force_n;
    const ReactionReport ticked = body.tick(targets.frame(std::min(frame, targets.num_frames - 1)), push_n);
    report.num_bad += ticked.went_bad ? 1 : 0;
    report.mean_assist_n += ticked.assist_n;
    report.down_s += ticked.reaction == Reaction::kFollow ? 0 : frame_s;
    report.largest_step_m = std::max(report.largest_step_m, distance(root, body.state().bone_origin_m(0)));
    root = body.state().bone_origin_m(0);
    if (body.num_falls() > 0 && ticked.reaction != Reaction::kFall)
      report.thrown_up_m = std::max(report.thrown_up_m, root.y - body.state().target_origin_m(0).y);
    report.frames.push_back(ticked.reaction);
    const Pose& pose = body.pose();
    report.motion.translations.insert(report.motion.translations.end(), pose.translations.begin(),
                                      pose.translations.end());
    report.motion.rotations.insert(report.motion.rotations.end(), pose.rotations.begin(), pose.rotations.end());
    if (!targets.scales.empty())
      report.motion.scales.insert(report.motion.scales.end(), pose.scales.begin(), pose.scales.end());
    ++report.motion.num_frames;
  }
  make_continuous(report.motion);
  report.mean_assist_n /= report.motion.num_frames;
  report.num_falls = body.num_falls(), report.num_get_ups = body.num_get_ups();
  report.recovered = body.reaction() == Reaction::kFollow;
  return report;
}

}  // namespace zoe::physics
