// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a decoded pose moves points at the skin from where they belong, in double.
#pragma once

#include <span>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe {

class ErrorMeter {
 public:
  ErrorMeter(const Motion& motion, double shell_distance_m);

  // Model transforms of frames [first, first + count) become the truth of the measurements that follow.
  void set_frames(int first, int count);
  // Truth of one of those frames: [joints] model_from_joint.
  std::span<const Affined> truth(int index) const;

  // Compares a decoded pose with frame `index` of set_frames. worst[joint] rises to the largest displacement of the
  // three points on the joint's axes, metres; returns the largest one, and adds all of them to *sum.
  double measure(int index, std::span<const Transformd> local, std::span<double> worst, double* sum = nullptr);

 private:
  void model(std::span<const Transformd> local, std::span<Affined> out) const;

  const Motion* motion_;
  double shell_;
  std::vector<Affined> truth_, model_;
  std::vector<Transformd> local_;
};

}  // namespace zoe
