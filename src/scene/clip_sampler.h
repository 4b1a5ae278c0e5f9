// SPDX-License-Identifier: MIT
// A clip at any time, independent of the actor that plays it, for measures and overlays. Keeps its memory.
#pragma once

#include <vector>

#include "zoe/character/local_to_model_job.h"
#include "zoe/motion/sample.h"

namespace zoe::scene {

class ClipSampler {
 public:
  // time_s: from the clip's start. Beyond its end the clip repeats.
  void sample(const Motion& motion, double time_s) {
    const auto joints = static_cast<std::size_t>(motion.num_joints());
    if (pose_.rotations.size() != joints) {
      pose_ = make_pose(*motion.skeleton);
      model_from_joint_.resize(joints);
    }
    morph_weights_.resize(static_cast<std::size_t>(motion.num_morph_weights));
    SampleJob{.motion = &motion,
              .time_s = motion.start_time_s + time_s,
              .wrap = Wrap::kLoop,
              .translations = pose_.translations,
              .rotations = pose_.rotations,
              .scales = pose_.scales,
              .morph_weights = morph_weights_}
        .run();
    LocalToModelJob{.skeleton = motion.skeleton.get(), .pose = pose_.view(), .model_from_joint = model_from_joint_}
        .run();
  }
  std::span<const Affine> model_from_joint() const { return model_from_joint_; }
  std::span<const float> morph_weights() const { return morph_weights_; }

 private:
  Pose pose_;
  std::vector<float> morph_weights_;
  std::vector<Affine> model_from_joint_;
};

}  // namespace zoe::scene
