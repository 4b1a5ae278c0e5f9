// SPDX-License-Identifier: MIT
// Part of Zoetrope. A continuous style: the weights of all labels become one short vector, and the network sees only
// the vector. So styles lie in one space, a sum of styles is a point in it, and unlabelled points are between known
// ones.
#pragma once

#include "train/models.h"

namespace zoe::train {

// vector = sum over labels of weight × the label's own point, at each time of the labels. The vectors take the place of
// the label columns of x. Their mean over the times also scales and shifts hidden units (FiLM: Perez et al., 2018).
class StyleVector {
 public:
  struct Columns {
    std::int64_t begin = 0, labels = 0, times = 0, dims = 0;
    bool empty() const { return labels * times * dims == 0; }
  };
  static void add_keys(ConfigSchema& schema);
  // Reads the keys. Fails where x, of `width` columns, does not have them.
  static Result<Columns> columns_of(const ModelSetup& setup, std::int64_t width);

  // hidden: width of the layers that are scaled. Columns must not be empty.
  StyleVector(const Columns& columns, Parameters& parameters, std::int64_t hidden, int num_films);

  std::int64_t removed() const { return labels_ * times_; }  // Columns of x.
  std::int64_t added() const { return dims_ * times_; }
  std::int64_t begin() const { return begin_; }

  // raw: [batch, width] in the data's units. Vectors [batch, times × dims].
  at::Tensor vectors(const at::Tensor& raw) const;
  // x: [batch, width]. Its label columns replaced by the vectors.
  at::Tensor replaced(const at::Tensor& x, const at::Tensor& vectors) const;
  // Before the activation of layer i.
  at::Tensor film(std::size_t i, const at::Tensor& hidden, const at::Tensor& vectors) const;

  struct Built {
    int vectors, mean;
  };
  Built build(GraphBuilder& builder, int raw) const;
  int build_replaced(GraphBuilder& builder, int x, int width, const Built& built) const;
  int build_film(GraphBuilder& builder, std::size_t i, int hidden, const Built& built, Activation activation) const;

 private:
  at::Tensor mean_of(const at::Tensor& vectors) const { return vectors.view({-1, times_, dims_}).mean(1); }

  std::int64_t begin_ = 0, labels_ = 0, times_ = 0, dims_ = 0;
  at::Tensor points_;  // [dims, labels]
  std::vector<Linear> scales_, shifts_;
};

}  // namespace zoe::train
