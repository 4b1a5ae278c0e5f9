// SPDX-License-Identifier: MIT
#include "train/blocks.h"

#include <cmath>

#include "zoe/core/suggest.h"

namespace zoe::train {

Result<Activation> parse_activation(const std::string& name) {
  // GELU is excluded: its backward pass is wrong in Debian's libtorch.
  std::vector<std::string> names;
  for (const Activation a : {Activation::kNone, Activation::kRelu, Activation::kElu, Activation::kSilu,
                             Activation::kTanh, Activation::kSigmoid}) {
    if (name == nn::to_string(a)) return a;
    names.emplace_back(nn::to_string(a));
  }
  return Error{ErrorCode::kUsage, "there is no activation '" + name + "'" + did_you_mean(name, names)};
}

at::Tensor activate(const at::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return at::relu(x);
    case Activation::kElu:
      return at::elu(x);
    case Activation::kSilu:
      return at::silu(x);
    case Activation::kTanh:
      return at::tanh(x);
    case Activation::kSigmoid:
      return at::sigmoid(x);
    default:
      return x;
  }
}

std::vector<float> floats_of(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
  const float* data = plain.data_ptr<float>();
  return {data, data + plain.numel()};
}

std::vector<std::size_t> dims_of(const at::Tensor& tensor) {
  std::vector<std::size_t> dims;
  for (const std::int64_t dim : tensor.sizes()) dims.push_back(static_cast<std::size_t>(dim));
  return dims;
}

namespace {
at::Tensor row_of(std::span<const float> values) {
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::kFloat);
  std::copy(values.begin(), values.end(), tensor.data_ptr<float>());
  return tensor;
}
}  // namespace

Normaliser::Normaliser(Parameters& parameters, std::string name_, std::span<const float> mean_,
                       std::span<const float> spread_)
    : name(std::move(name_)),
      mean(parameters.buffer(name + ".mean", row_of(mean_))),
      spread(parameters.buffer(name + ".spread", row_of(spread_))) {}

int Normaliser::build_apply(GraphBuilder& builder, int x) const {
  return builder.normalize(x, name, floats_of(mean), floats_of(spread));
}
int Normaliser::build_undo(GraphBuilder& builder, int x) const {
  return builder.denormalize(x, name, floats_of(mean), floats_of(spread));
}

Linear::Linear(Parameters& parameters, std::string name_, std::int64_t in, std::int64_t out) : name(std::move(name_)) {
  const double bound = 1 / std::sqrt(static_cast<double>(in));  // As in torch's own layer.
  weight = parameters.weight(name + ".weight", {out, in}, bound);
  bias = parameters.weight(name + ".bias", {out}, bound);
}

int Linear::build(GraphBuilder& builder, int x, Activation activation, bool again) const {
  if (again) return builder.linear(x, name, dims_of(weight), {}, {}, activation);
  return builder.linear(x, name, dims_of(weight), floats_of(weight), floats_of(bias), activation);
}

Mlp::Mlp(Parameters& parameters, const std::string& name, std::vector<std::int64_t> widths, Activation activation_,
         double dropout_)
    : activation(activation_), dropout(dropout_) {
  for (std::size_t i = 0; i + 1 < widths.size(); ++i)
    layers.emplace_back(parameters, name + "." + std::to_string(i), widths[i], widths[i + 1]);
}

at::Tensor Mlp::operator()(at::Tensor x, bool training) const {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (dropout > 0 && training) x = at::dropout(x, dropout, true);
    x = layers[i](x);
    if (i + 1 < layers.size()) x = activate(x, activation);
  }
  return x;
}

int Mlp::build(GraphBuilder& builder, int x, bool again) const {
  for (std::size_t i = 0; i < layers.size(); ++i)
    x = layers[i].build(builder, x, i + 1 < layers.size() ? activation : Activation::kNone, again);
  return x;
}

FilmMlp::Film::Film(Parameters& parameters, const std::string& name, std::int64_t width)
    : scale_weight(parameters.weight(name + ".scale.weight", {width, 1}, 0.5)),
      scale_bias(parameters.weight(name + ".scale.bias", {width}, 0.5, 1)),
      shift_weight(parameters.weight(name + ".shift.weight", {width, 1}, 0.5)),
      shift_bias(parameters.weight(name + ".shift.bias", {width}, 0.5)) {}

FilmMlp::FilmMlp(Parameters& parameters, const std::string& name_, std::int64_t in, std::int64_t hidden,
                 std::int64_t out, int steps)
    : name(name_),
      first(parameters, name + ".0", in, hidden),
      second(parameters, name + ".1", hidden, hidden),
      third(parameters, name + ".2", hidden, out),
      film_1(parameters, name + ".film_0", hidden),
      film_2(parameters, name + ".film_1", hidden) {
  at::Tensor t = at::arange(steps, at::kDouble);
  t = steps > 1 ? (t - t.mean()) / t.std(/*unbiased=*/false) : t;
  times = t.to(parameters.options()).unsqueeze(1);
}

at::Tensor FilmMlp::operator()(const at::Tensor& x) const {
  at::Tensor h = first(x).unsqueeze(1);  // [batch, 1, hidden]
  h = at::elu(h * film_1.scale(times) + film_1.shift(times));
  h = at::elu(second(h) * film_2.scale(times) + film_2.shift(times));
  return third(h);
}

int FilmMlp::build(GraphBuilder& builder, int x) const {
  const int steps = static_cast<int>(times.size(0));
  const auto film = [&](int h, const Film& f, const std::string& at) {
    const int width = static_cast<int>(f.scale_weight.size(0));
    const int scale = builder.constant(name + at + ".scale", steps, width, floats_of(f.scale(times)));
    const int shift = builder.constant(name + at + ".shift", steps, width, floats_of(f.shift(times)));
    return builder.film(h, scale, shift, Activation::kElu);
  };
  int h = film(first.build(builder, x), film_1, ".film_0");
  h = film(second.build(builder, h), film_2, ".film_1");
  return third.build(builder, h);
}

}  // namespace zoe::train
