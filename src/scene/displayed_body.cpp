// SPDX-License-Identifier: MIT
#include "zoe/scene/displayed_body.h"

#include "zoe/anatomy/analysis.h"
#include "zoe/character/copy_pose.h"
#include "zoe/motion/still.h"

namespace zoe::scene {

float DisplayedBody::scale() const {
  return retarget ? static_cast<float>(retarget->scale()) * metres_per_unit : metres_per_unit;
}

Result<DisplayedBody> make_displayed_body(const control::Controller& controller, CharacterPtr character,
                                          const SkeletonAnalysis& analysis, const Pose& reference) {
  ZOE_CHECK(character != nullptr, "a displayed body needs a character");
  DisplayedBody body{.character = std::move(character)};
  body.height_m = static_cast<float>(analysis.height_m);
  const SkeletonPtr& source = controller.skeleton();
  if (body.character->skeleton == source) return body;
  // The rest pose of a capture says nothing about the ground; the start pose stands on it.
  Pose start = make_pose(*source);
  copy_pose(controller.make_state()->pose(), span_of(start));
  const Motion standing = make_still(source, start.view());
  const SkeletonAnalysis of_source = analyse(*source, {&standing, 1});
  RetargetOptions options;
  options.source_reference = reference_pose(*source, of_source, {&standing, 1});
  options.source_standing = std::move(start);
  options.target_reference = reference;
  options.target_character = body.character.get();
  ZOE_TRY_ASSIGN(LiveRetarget retarget,
                 LiveRetarget::make(source, of_source, body.character->skeleton, analysis, options));
  body.retarget = std::make_shared<const LiveRetarget>(std::move(retarget));
  return body;
}

BodyPoser::BodyPoser(DisplayedBody body) : body_(std::move(body)) {
  if (!body_.retarget) return;
  scratch_ = body_.retarget->make_scratch();
  pose_ = make_pose(*body_.character->skeleton);
}

PoseView BodyPoser::run(const PoseView& controller_pose) {
  if (!body_.retarget) return controller_pose;
  body_.retarget->run(controller_pose, scratch_, pose_);
  return pose_.view();
}

Motion displayed_motion(const Motion& motion, const DisplayedBody& body) {
  if (!body.character) return motion;
  BodyPoser poser(body);
  Motion out = make_motion(body.character->skeleton, motion.name, motion.fps, motion.num_frames, true);
  for (int f = 0; f < motion.num_frames; ++f) copy_pose(poser.run(motion.frame(f)), frame_span(out, f));
  if (!body.retarget) {
    out.start_time_s = motion.start_time_s;
    out.num_morph_weights = motion.num_morph_weights;
    out.morph_weights = motion.morph_weights;
  }
  return out;
}

}  // namespace zoe::scene
