// SPDX-License-Identifier: MIT
// Part of Zoetrope. Losses of feet on uneven ground. A pose is displayed by its rotations along bones, so the places of
// feet follow from the rotations that the network gives (axes in root space), not from its positions.
//
//   model.feet: for each foot part the columns of y: the hips' position, the contact, the ground below, the number of
//     bones from the foot up to the hips, and for each bone the z axis of the joint above it (its y axis follows).
//   model.foot_bones: for each foot part its height above the ground in a stand, and each bone's (x, y, z) at rest.
#pragma once

#include <vector>

#include "train/models.h"

namespace zoe::train {

class FootLosses {
 public:
  static void add_keys(
      ConfigSchema& schema);  // With the weights of "data", "foot_place", "foot_height", "penetration".
  static Result<FootLosses> create(const ModelSetup& setup);

  bool exists() const { return !feet_.empty(); }
  // made, real: [batch, width of y] in the data's units.
  //   foot_place: squared distance of feet from where they are in the data.
  //   foot_height: squared height above the ground below, in contact.
  //   penetration: squared depth below the ground, always.
  // All are in units of 5 cm.
  std::vector<LossTerm> terms(const at::Tensor& made, const at::Tensor& real) const;
  // [batch, feet, 3], root space.
  at::Tensor places(const at::Tensor& y) const;

 private:
  struct Foot {
    std::int64_t hips = 0, contact = 0, underfoot = 0;
    std::vector<std::int64_t> axes;
    std::vector<double> bones;  // [axes × 3]
    double standing_m = 0;
  };
  // Columns of all feet at once, so that a step has few operations however many bones there are.
  void gather_columns(const at::TensorOptions& options);

  std::vector<Foot> feet_;
  at::Tensor hips_, z_axes_, y_axes_;  // Columns of y: [feet × 3], [feet × bones × 3] twice.
  at::Tensor bones_;                   // [feet, bones, 3]; shorter chains end in bones of no length.
  // Of the feet with ground below: their numbers, columns of contact and ground, standing heights.
  at::Tensor grounded_, contacts_, underfoot_, standing_m_;
};

}  // namespace zoe::train
