// SPDX-License-Identifier: MIT
#include "train/paint/picture_blocks.h"

#include <cmath>

namespace zoe::train {

Conv2d::Conv2d(Parameters& parameters, std::string name_, std::int64_t in, std::int64_t out, std::int64_t kernel,
               std::int64_t stride_, std::int64_t padding_)
    : name(std::move(name_)), stride(stride_), padding(padding_) {
  const double bound = 1 / std::sqrt(static_cast<double>(in * kernel * kernel));
  weight = parameters.weight(name + ".weight", {out, in, kernel, kernel}, bound);
  bias = parameters.weight(name + ".bias", {out}, bound);
}

at::Tensor Conv2d::operator()(const at::Tensor& x) const {
  return at::conv2d(x.permute({0, 3, 1, 2}), weight, bias, stride, padding).permute({0, 2, 3, 1});
}

int Conv2d::build(GraphBuilder& builder, int x, int line, Activation activation) const {
  return builder.conv2d(x, line, name, dims_of(weight), floats_of(weight), floats_of(bias),
                        {.stride = static_cast<int>(stride), .padding = static_cast<int>(padding)}, activation);
}

PictureBlock::PictureBlock(Parameters& parameters, const std::string& name, std::int64_t channels)
    : norm(parameters, name + ".norm", channels),
      first(parameters, name + ".first", channels, channels, 3),
      second(parameters, name + ".second", channels, channels, 3) {}

int PictureBlock::build(GraphBuilder& builder, int x, int line) const {
  const int hidden = first.build(builder, norm.build(builder, x), line, Activation::kSilu);
  return builder.add(x, second.build(builder, hidden, line));
}

at::Tensor enlarged(const at::Tensor& x) {
  return at::upsample_nearest2d(x.permute({0, 3, 1, 2}), {2 * x.size(1), 2 * x.size(2)}).permute({0, 2, 3, 1});
}

}  // namespace zoe::train
