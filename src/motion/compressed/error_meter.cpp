// SPDX-License-Identifier: MIT
#include "motion/compressed/error_meter.h"

#include <algorithm>
#include <cmath>

namespace zoe {

ErrorMeter::ErrorMeter(const Motion& motion, double shell_distance_m)
    : motion_(&motion),
      shell_(shell_distance_m),
      model_(static_cast<std::size_t>(motion.num_joints())),
      local_(static_cast<std::size_t>(motion.num_joints())) {}

void ErrorMeter::model(std::span<const Transformd> local, std::span<Affined> out) const {
  const std::span<const int> parents = motion_->skeleton->parents();
  for (std::size_t i = 0; i < local.size(); ++i) {
    out[i] = to_affine(local[i]);
    if (parents[i] != kNoJoint) out[i] = out[static_cast<std::size_t>(parents[i])] * out[i];
  }
}

void ErrorMeter::set_frames(int first, int count) {
  const std::size_t n = model_.size();
  truth_.resize(static_cast<std::size_t>(count) * n);
  for (int frame = 0; frame < count; ++frame) {
    const PoseView pose = motion_->frame(first + frame);
    for (std::size_t i = 0; i < n; ++i) {
      local_[i] = to_double(pose.joint(static_cast<int>(i)));
      local_[i].rotation = normalized(local_[i].rotation);
    }
    model(local_, std::span(truth_).subspan(static_cast<std::size_t>(frame) * n, n));
  }
}

std::span<const Affined> ErrorMeter::truth(int index) const {
  return std::span(truth_).subspan(static_cast<std::size_t>(index) * model_.size(), model_.size());
}

double ErrorMeter::measure(int index, std::span<const Transformd> local, std::span<double> worst, double* sum) {
  model(local, model_);
  const std::span<const Affined> expected = truth(index);
  double largest = 0;
  for (std::size_t i = 0; i < model_.size(); ++i) {
    const Vec3d t = model_[i].t - expected[i].t;
    const Vec3d dx = t + (model_[i].x - expected[i].x) * shell_, dy = t + (model_[i].y - expected[i].y) * shell_,
                dz = t + (model_[i].z - expected[i].z) * shell_;
    const double error = std::sqrt(std::max({dot(dx, dx), dot(dy, dy), dot(dz, dz)}));
    worst[i] = std::max(worst[i], error);
    largest = std::max(largest, error);
    if (sum != nullptr) *sum += error;
  }
  return largest;
}

}  // namespace zoe
