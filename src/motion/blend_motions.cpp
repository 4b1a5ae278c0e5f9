// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/motion/blend.h"
#include "zoe/motion/frame_span.h"

#include "motion/frame_copy.h"

namespace zoe {
namespace {

Result<void> check_pair(const Motion& a, const Motion& b, std::span<const float> joint_weights) {
  const auto fail = [&](const char* what) {
    return Error{ErrorCode::kUsage, fmt::format("cannot mix '{}' and '{}': {}", a.name, b.name, what), {}};
  };
  if (a.skeleton == nullptr || b.skeleton == nullptr || a.skeleton->topology_hash() != b.skeleton->topology_hash()) {
    return fail("they have different skeletons; retarget one first");
  }
  if (std::abs(a.fps - b.fps) > 1e-4 * a.fps) return fail("frame rates differ; resample one first");
  if (a.num_morph_weights != b.num_morph_weights) return fail("numbers of morph weights differ");
  if (!joint_weights.empty() && joint_weights.size() != static_cast<std::size_t>(a.num_joints())) {
    return fail("the joint mask has the wrong length");
  }
  return {};
}

// A copy of `base` cut to `frames`, with scales when the other motion has some.
Motion start_from(const Motion& base, const Motion& other, int frames) {
  Motion out = empty_like(base);
  append_frames(out, base, 0, frames);
  if (out.scales.empty() && !other.scales.empty()) out.scales.assign(out.translations.size(), Vec3{1, 1, 1});
  return out;
}

}  // namespace

Result<Motion> blend(const Motion& a, const Motion& b, float weight, std::span<const float> joint_weights) {
  ZOE_TRY(check_pair(a, b, joint_weights));
  if (!(weight >= 0 && weight <= 1)) {
    return Error{ErrorCode::kUsage, fmt::format("blend weight {} is outside 0..1", weight), {}};
  }
  Motion out = start_from(a, b, std::min(a.num_frames, b.num_frames));
  const auto n = static_cast<std::size_t>(a.num_joints());
  std::vector<float> of_a(n), of_b(n);
  for (std::size_t i = 0; i < n; ++i) {
    of_b[i] = std::clamp(weight * (joint_weights.empty() ? 1.0F : joint_weights[i]), 0.0F, 1.0F);
    of_a[i] = 1.0F - of_b[i];
  }
  Pose pose = make_pose(*a.skeleton);
  for (int frame = 0; frame < out.num_frames; ++frame) {
    const BlendLayer layers[] = {{a.frame(frame), 1, of_a}, {b.frame(frame), 1, of_b}};
    const BlendJob job{layers, a.frame(frame), pose.translations, pose.rotations, pose.scales};
    ZOE_CHECK(job.run(), "blend: a motion is not valid");
    copy_pose(pose.view(), frame_span(out, frame));
  }
  for (std::size_t i = 0; i < out.morph_weights.size(); ++i) {
    out.morph_weights[i] += (b.morph_weights[i] - out.morph_weights[i]) * weight;
  }
  make_continuous(out);
  return out;
}

Result<Motion> add(const Motion& base, const Motion& additive, float weight, std::span<const float> joint_weights) {
  ZOE_TRY(check_pair(base, additive, joint_weights));
  if (additive.num_frames == 0) {
    return Error{ErrorCode::kUsage, fmt::format("the additive motion '{}' has no frames", additive.name), {}};
  }
  Motion out = start_from(base, additive, base.num_frames);
  Pose pose = make_pose(*base.skeleton), difference = pose;
  for (int frame = 0; frame < out.num_frames; ++frame) {
    const int other = std::min(frame, additive.num_frames - 1);
    subtract_pose(additive.frame(0), additive.frame(other), difference);
    copy_pose(out.frame(frame), span_of(pose));
    add_pose(difference.view(), weight, joint_weights, pose);
    copy_pose(pose.view(), frame_span(out, frame));
    const auto first = additive.frame_morph_weights(0), now = additive.frame_morph_weights(other);
    for (std::size_t i = 0; i < now.size(); ++i) {
      out.morph_weights[static_cast<std::size_t>(frame) * now.size() + i] += (now[i] - first[i]) * weight;
    }
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe
