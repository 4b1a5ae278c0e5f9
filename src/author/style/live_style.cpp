// SPDX-License-Identifier: MIT
#include "zoe/author/live_style.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/retarget/reference_pose.h"

namespace zoe::author {

Result<void> LiveStyle::find_body() {
  const std::span<const Motion> clips(&first_, 1);
  AnalysisOptions options;
  options.stated_metres_per_unit = 1.0;
  const SkeletonAnalysis analysis = analyse(*skeleton_, clips, nullptr, options);
  ZOE_TRY_ASSIGN(style::RoleBody body,
                 model_->body_of(skeleton_, analysis, reference_pose(*skeleton_, analysis, clips)));
  ZOE_TRY_ASSIGN(const style::StyleClip clip, style::encode_clip(first_, body, analysis));
  const float ground = clip.floor - body.toe_height;
  const std::vector<Leg> legs = style::legs_of(body);
  layer_.emplace(model_, std::move(body), legs, first_.fps, !model_->knows(*skeleton_));
  layer_->set_ground_height(ground);
  return {};
}

Result<PoseView> LiveStyle::run(const SkeletonPtr& skeleton, double fps, const PoseView& pose, double time_s) {
  constexpr double kGap_s = 0.5;
  if (skeleton != skeleton_ && (!skeleton_ || skeleton->topology_hash() != skeleton_->topology_hash())) {
    skeleton_ = skeleton;
    layer_.reset();
    num_first_ = 0;
    first_ = make_motion(skeleton, "live", fps, kFirstPoses, false);
  }
  const double dt_s = std::clamp(time_s - last_s_, 0.25 / first_.fps, kGap_s);
  const bool gap = time_s - last_s_ > kGap_s || time_s < last_s_;
  last_s_ = time_s;
  if (!layer_) {
    const std::size_t joints = pose.rotations.size(), at = idx(num_first_) * joints;
    std::copy(pose.translations.begin(), pose.translations.end(),
              first_.translations.begin() + static_cast<std::ptrdiff_t>(at));
    std::copy(pose.rotations.begin(), pose.rotations.end(), first_.rotations.begin() + static_cast<std::ptrdiff_t>(at));
    if (++num_first_ == kFirstPoses) ZOE_TRY(find_body());
    styled_ = false;
    return pose;
  }
  if (gap) layer_->reset();
  const PoseView made = layer_->run(pose, {}, dt_s);
  // The layer begins with the neutral style and blends to the requested one.
  if (!styled_) layer_->set_style(code_);
  styled_ = true;
  return made;
}

void LiveStyle::set_style(const style::StyleCode& code) {
  code_ = code;
  if (styled_) layer_->set_style(code);
}

}  // namespace zoe::author
