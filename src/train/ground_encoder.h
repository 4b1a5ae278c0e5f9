// SPDX-License-Identifier: MIT
// Part of Zoetrope. A small convolutional encoder of the ground near a path: two convolutions and a layer. Its input
// are columns of x as they are, in metres: all cells' heights, then 1 for the cells that are filled. A normalisation
// for each column would hide that all cells are alike.
#pragma once

#include <cstdint>
#include <vector>

#include "train/models.h"

namespace zoe::train {

class GroundEncoder {
 public:
  static void add_keys(ConfigSchema& schema);
  // Without the setting model.ground there is no encoder. Fails on columns that do not exist or are not last, and on
  // sizes that do not fit.
  static Result<std::int64_t> check(const ModelSetup& setup);
  GroundEncoder(Parameters& parameters, const ModelSetup& setup);

  bool exists() const { return end_ > begin_; }
  // Columns of x that the rest of the model sees as they are: all before the ground's.
  std::int64_t plain_width() const { return begin_; }
  std::int64_t code_width() const { return exists() ? code_width_ : 0; }
  // raw: [batch, width of x] in the data's units -> [batch, code].
  at::Tensor operator()(const at::Tensor& raw) const;
  int build(GraphBuilder& builder, int raw) const;

 private:
  struct Convolution {
    at::Tensor weight, bias;  // [out, in, 3, 3], [out]
  };
  std::int64_t begin_ = 0, end_ = 0, columns_ = 1, code_width_ = 0;
  Convolution first_, second_;
  std::vector<Linear> code_;  // One, or none.
};

}  // namespace zoe::train
