// SPDX-License-Identifier: MIT
#include "train/ground_encoder.h"

#include <cmath>
#include <string>

namespace zoe::train {
namespace {

constexpr int kFirstChannels = 16, kSecondChannels = 24, kKernel = 3, kStride = 2, kPadding = 1;
constexpr double kHeightScale = 5;  // Heights of 20 cm become 1.

std::int64_t halved(std::int64_t size) { return (size + 2 * kPadding - kKernel) / kStride + 1; }

}  // namespace

void GroundEncoder::add_keys(ConfigSchema& schema) {
  schema
      .add("model.ground", std::vector<std::int64_t>{},
           "last columns of x that are cells of the ground, first and one past the last; empty: none")
      .add("model.ground_columns", 9, "cells across the path")
      .add("model.ground_code", 32, "numbers that the encoder makes of the ground");
}

Result<std::int64_t> GroundEncoder::check(const ModelSetup& setup) {
  const auto& ground = setup.config.get<std::vector<std::int64_t>>("model.ground");
  const std::int64_t width = flat_size(setup.fields[0]);
  if (ground.empty()) return width;
  const std::int64_t columns = integer(setup, "model.ground_columns");
  if (ground.size() != 2 || ground[0] < 0 || ground[1] != width || ground[1] <= ground[0] || columns < 1 ||
      (ground[1] - ground[0]) % (2 * columns) != 0 || integer(setup, "model.ground_code") < 1) {
    return Error{ErrorCode::kUsage, "model.ground must be the last columns of x (which has " + std::to_string(width) +
                                        "), two numbers for each cell of rows of model.ground_columns"};
  }
  return ground[0];
}

GroundEncoder::GroundEncoder(Parameters& parameters, const ModelSetup& setup) {
  const auto& ground = setup.config.get<std::vector<std::int64_t>>("model.ground");
  begin_ = end_ = flat_size(setup.fields[0]);
  if (ground.empty()) return;
  begin_ = ground[0];
  columns_ = integer(setup, "model.ground_columns");
  code_width_ = integer(setup, "model.ground_code");
  const auto make = [&](const std::string& name, std::int64_t in, std::int64_t out) {
    const double bound = 1 / std::sqrt(static_cast<double>(in * kKernel * kKernel));
    return Convolution{parameters.weight(name + ".weight", {out, in, kKernel, kKernel}, bound),
                       parameters.weight(name + ".bias", {out}, bound)};
  };
  first_ = make("ground.0", 2, kFirstChannels);
  second_ = make("ground.1", kFirstChannels, kSecondChannels);
  const std::int64_t rows = (end_ - begin_) / (2 * columns_);
  code_.emplace_back(parameters, "ground.2", halved(halved(rows)) * halved(halved(columns_)) * kSecondChannels,
                     code_width_);
}

at::Tensor GroundEncoder::operator()(const at::Tensor& raw) const {
  const std::int64_t cells = (end_ - begin_) / 2;
  const at::Tensor heights = raw.slice(1, begin_, begin_ + cells) * kHeightScale;
  at::Tensor x = at::stack({heights, raw.slice(1, begin_ + cells, end_)}, 1).view({raw.size(0), 2, -1, columns_});
  for (const Convolution* layer : {&first_, &second_})
    x = at::elu(at::conv2d(x, layer->weight, layer->bias, kStride, kPadding));
  return at::elu(code_[0](x.permute({0, 2, 3, 1}).flatten(1)));
}

int GroundEncoder::build(GraphBuilder& b, int raw) const {
  const int cells = static_cast<int>((end_ - begin_) / 2), begin = static_cast<int>(begin_);
  const std::vector<float> scale(static_cast<std::size_t>(cells), static_cast<float>(kHeightScale));
  const int heights = b.multiply(b.slice(raw, begin, begin + cells), b.constant("ground.scale", 1, cells, scale));
  const int both = b.concat({heights, b.slice(raw, begin + cells, begin + 2 * cells)});
  int x = b.transpose(b.reshape(both, 2, cells));  // [cells, 2]
  std::int64_t rows = cells / columns_, columns = columns_;
  int i = 0;
  for (const Convolution* layer : {&first_, &second_}) {
    x = b.conv2d(x, static_cast<int>(columns), "ground." + std::to_string(i++), dims_of(layer->weight),
                 floats_of(layer->weight), floats_of(layer->bias),
                 {.stride = kStride, .padding = kPadding, .dilation = 1, .groups = 1}, Activation::kElu);
    rows = halved(rows);
    columns = halved(columns);
  }
  x = b.reshape(x, 1, static_cast<int>(rows * columns) * kSecondChannels);
  return code_[0].build(b, x, Activation::kElu);
}

}  // namespace zoe::train
