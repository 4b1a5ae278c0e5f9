// SPDX-License-Identifier: MIT
// Part of Zoetrope. A style over a live stream of poses whose body is not known before: the first poses pass unchanged
// and tell the body, all later ones have the style.
//
//   LiveStyle live(model, model->parse("tired").value());
//   const PoseView pose = live.run(frame.subject.skeleton, frame.subject.fps, frame.pose.view(), time_s).value();
#pragma once

#include <optional>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"
#include "zoe/style/style_layer.h"

namespace zoe::author {

class LiveStyle {
 public:
  static constexpr int kFirstPoses = 30;  // That pass unchanged.
  LiveStyle(style::StyleModelPtr model, style::StyleCode code) : model_(std::move(model)), code_(std::move(code)) {}

  // Pose of a skeleton in metres, Y up, at about fps poses a second; time_s rises. Another skeleton begins again, and
  // so does a gap of half a second. The view holds until the next call. Fails on bodies that are not a person's.
  Result<PoseView> run(const SkeletonPtr& skeleton, double fps, const PoseView& pose, double time_s);
  // Changes take 0.1 s (half-life).
  void set_style(const style::StyleCode& code);
  bool is_styled() const { return layer_.has_value() && styled_; }

 private:
  Result<void> find_body();

  style::StyleModelPtr model_;
  style::StyleCode code_;
  SkeletonPtr skeleton_;
  Motion first_;  // The first poses.
  int num_first_ = 0;
  std::optional<style::StyleLayer> layer_;
  bool styled_ = false;
  double last_s_ = 0;
};

}  // namespace zoe::author
