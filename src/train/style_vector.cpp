// SPDX-License-Identifier: MIT
#include "train/style_vector.h"

namespace zoe::train {

void StyleVector::add_keys(ConfigSchema& schema) {
  schema
      .add("model.style", std::vector<std::int64_t>{0, 0, 0},
           "columns of x with weights of labels: first, number of labels, number of times; 0 labels: none")
      .add("model.style_dims", 4, "numbers of the style vector; 0: the labels themselves are the input");
}

Result<StyleVector::Columns> StyleVector::columns_of(const ModelSetup& setup, std::int64_t width) {
  const auto& columns = setup.config.get<std::vector<std::int64_t>>("model.style");
  const std::int64_t dims = integer(setup, "model.style_dims");
  if (columns.size() != 3 || columns[0] < 0 || columns[1] < 0 || columns[2] < 0 ||
      columns[0] + columns[1] * columns[2] > width) {
    return Error{ErrorCode::kUsage, "model.style must be three numbers within the columns of x: first, labels, times"};
  }
  if (dims < 0 || dims > 64) return Error{ErrorCode::kUsage, "model.style_dims must be 0 to 64"};
  return Columns{columns[0], columns[1], columns[2], dims};
}

StyleVector::StyleVector(const Columns& columns, Parameters& parameters, std::int64_t hidden, int num_films)
    : begin_(columns.begin), labels_(columns.labels), times_(columns.times), dims_(columns.dims) {
  points_ = parameters.weight("style.points", {dims_, labels_}, 1);
  for (int i = 0; i < num_films; ++i) {
    scales_.emplace_back(parameters, "style.scale_" + std::to_string(i), dims_, hidden);
    shifts_.emplace_back(parameters, "style.shift_" + std::to_string(i), dims_, hidden);
  }
}

at::Tensor StyleVector::vectors(const at::Tensor& raw) const {
  const at::Tensor labels = raw.slice(1, begin_, begin_ + removed()).reshape({-1, times_, labels_});
  return at::linear(labels, points_).flatten(1);
}

at::Tensor StyleVector::replaced(const at::Tensor& x, const at::Tensor& vectors) const {
  return at::cat({x.slice(1, 0, begin_), vectors, x.slice(1, begin_ + removed())}, 1);
}

at::Tensor StyleVector::film(std::size_t i, const at::Tensor& hidden, const at::Tensor& vectors) const {
  const at::Tensor mean = mean_of(vectors);
  return hidden * (1 + scales_[i](mean)) + shifts_[i](mean);
}

StyleVector::Built StyleVector::build(GraphBuilder& builder, int raw) const {
  const int columns = builder.slice(raw, static_cast<int>(begin_), static_cast<int>(begin_ + removed()));
  const int labels = builder.reshape(columns, static_cast<int>(times_), static_cast<int>(labels_));
  const std::vector<float> zeros(static_cast<std::size_t>(dims_));
  const int rows = builder.linear(labels, "style.points", dims_of(points_), floats_of(points_), zeros);
  return {builder.reshape(rows, 1, static_cast<int>(added())), builder.mean_rows(rows)};
}

int StyleVector::build_replaced(GraphBuilder& builder, int x, int width, const Built& built) const {
  std::vector<int> parts;
  const auto begin = static_cast<int>(begin_), end = static_cast<int>(begin_ + removed());
  if (begin > 0) parts.push_back(builder.slice(x, 0, begin));
  parts.push_back(built.vectors);
  if (end < width) parts.push_back(builder.slice(x, end, width));
  return parts.size() == 1 ? parts[0] : builder.concat(parts);
}

int StyleVector::build_film(GraphBuilder& builder, std::size_t i, int hidden, const Built& built,
                            Activation activation) const {
  const Linear& scale = scales_[i];
  const int scaled =
      builder.linear(built.mean, scale.name, dims_of(scale.weight), floats_of(scale.weight), floats_of(scale.bias + 1));
  return builder.film(hidden, scaled, shifts_[i].build(builder, built.mean), activation);
}

}  // namespace zoe::train
