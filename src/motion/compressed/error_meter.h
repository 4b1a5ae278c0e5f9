// SPDX-License-Identifier: MIT
// Part of Zoetrope. Distance of points at the skin between a decoded pose and the original, in double.
#pragma once

#include <span>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe {

class ErrorMeter {
 public:
  ErrorMeter(const Motion& motion, double shell_distance_m);

  // Model transforms of frames [first, first + count) become the reference of the following measurements.
  void set_frames(int first, int count);
  // Reference of one of those frames: [joints] model_from_joint.
  std::span<const Affined> truth(int index) const;

  // Compares a decoded pose with frame `index` of set_frames. worst[joint] becomes the largest displacement so far of
  // the three points on the joint's axes, metres. Returns the largest one, and adds all of them to *sum.
  double measure(int index, std::span<const Transformd> local, std::span<double> worst, double* sum = nullptr);

 private:
  void model(std::span<const Transformd> local, std::span<Affined> out) const;

  const Motion* motion_;
  double shell_;
  std::vector<Affined> truth_, model_;
  std::vector<Transformd> local_;
};

}  // namespace zoe
