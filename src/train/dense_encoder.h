// SPDX-License-Identifier: MIT
// Part of Zoetrope. Wide parts of an input, such as sensors of props, become short codes before experts see them (two
// layers each; Starke et al., 2019).
#pragma once

#include "train/models.h"

namespace zoe::train {

class DenseEncoders {
 public:
  static void add_keys(ConfigSchema& schema);
  // Without the setting model.encoders there are none. Fails on columns that do not exist or are not the last ones.
  // Returns the number of columns before them. width: columns of x.
  static Result<std::int64_t> check(const ModelSetup& setup, std::int64_t width);
  DenseEncoders(Parameters& parameters, const ModelSetup& setup);

  bool exist() const { return !parts_.empty(); }
  // Columns before the first part; all without parts. width: columns of x.
  std::int64_t plain_width(std::int64_t width) const { return exist() ? parts_[0].begin : width; }
  std::int64_t code_width() const { return static_cast<std::int64_t>(parts_.size()) * code_width_; }
  // x: [batch, width], normalised -> [batch, code_width()].
  at::Tensor operator()(const at::Tensor& x, bool training) const;
  int build(GraphBuilder& builder, int x) const;

 private:
  struct Part {
    std::int64_t begin = 0, end = 0;
    Mlp net;
  };
  std::int64_t code_width_ = 0;
  std::vector<Part> parts_;
};

}  // namespace zoe::train
