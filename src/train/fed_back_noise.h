// SPDX-License-Identifier: MIT
// Part of Zoetrope. Errors on columns of x that the model itself will have predicted at run time. In training only. The
// targets stay as they are, so the model learns to return to the data.
#pragma once

#include "train/models.h"

namespace zoe::train {

// An error is a random multiple of the difference of two other samples of the batch: it has the covariance of the data.
// Independent errors on single columns would cancel out, and a model could still copy the speed of the body instead of
// following the path ahead. Speeds and the past path get large errors. Poses and phases get small ones: they say where
// in a step the body is, and a model that doubts them glides. Goals get none by default: the target stays, so a model
// that doubts where its goal is learns to stop beside it.
//
// Some samples are also shrunk: pose, phases and velocities of joints are brought nearer to the mean of the data, each
// by its own random share, while the root's path stays. This is what a closed loop looks like whose steps get smaller,
// or whose pose stands still while the root moves. The target has the full step, so the model learns to grow it again.
class FedBackNoise {
 public:
  // Reads the keys below. Fails where columns do not exist.
  static Result<FedBackNoise> create(const ModelSetup& setup);
  static void add_keys(ConfigSchema& schema);

  // x: [batch, width], normalised. Batches of less than three samples stay.
  at::Tensor apply(const at::Tensor& x, bool training) const;

 private:
  at::Tensor speed_, pose_, goal_;         // [width] Deviations of the errors; not defined: none.
  at::Tensor shrunk_pose_, shrunk_speed_;  // [width] 1 in the columns that are shrunk, else 0.
  double shrink_ = 0;                      // Fraction of samples.
};

}  // namespace zoe::train
