// SPDX-License-Identifier: MIT
#include "train/sequence_blocks.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace zoe::train {

Conv::Conv(Parameters& parameters, std::string name_, std::int64_t in, std::int64_t out, std::int64_t kernel,
           std::int64_t dilation_)
    : name(std::move(name_)), padding(dilation_ * (kernel / 2)), dilation(dilation_) {
  const double bound = 1 / std::sqrt(static_cast<double>(in * kernel));
  weight = parameters.weight(name + ".weight", {out, in, kernel}, bound);
  bias = parameters.weight(name + ".bias", {out}, bound);
}

at::Tensor Conv::operator()(const at::Tensor& x) const {
  return at::conv1d(x.transpose(1, 2), weight, bias, /*stride=*/1, padding, dilation).transpose(1, 2);
}

int Conv::build(GraphBuilder& builder, int x, Activation activation) const {
  const GraphBuilder::Conv conv{
      .stride = 1, .padding = static_cast<int>(padding), .dilation = static_cast<int>(dilation)};
  return builder.conv1d(x, name, dims_of(weight), floats_of(weight), floats_of(bias), conv, activation);
}

Recurrent::Recurrent(Parameters& parameters, std::string name_, std::int64_t in, std::int64_t hidden, bool lstm_)
    : name(std::move(name_)), lstm(lstm_) {
  const std::int64_t gates = (lstm ? 4 : 3) * hidden;
  const double bound = 1 / std::sqrt(static_cast<double>(hidden));
  w_input = parameters.weight(name + ".w_input", {gates, in}, bound);
  w_state = parameters.weight(name + ".w_state", {gates, hidden}, bound);
  b_input = parameters.weight(name + ".b_input", {gates}, bound);
  b_state = parameters.weight(name + ".b_state", {gates}, bound);
}

at::Tensor Recurrent::operator()(const at::Tensor& x, std::vector<at::Tensor>& states, bool training) const {
  if (states.empty()) states.assign(lstm ? 2 : 1, at::zeros({x.size(0), w_state.size(1)}, x.options()));
  const std::vector<at::Tensor> weights{w_input, w_state, b_input, b_state};
  const at::Tensor h = states[0].unsqueeze(0).contiguous();
  if (!lstm) {
    const auto [out, last] = at::gru(x, h, weights, true, 1, 0.0, training, false, true);
    states = {last.squeeze(0)};
    return out;
  }
  const std::vector<at::Tensor> before{h, states[1].unsqueeze(0).contiguous()};
  const auto [out, last_h, last_c] = at::lstm(x, before, weights, true, 1, 0.0, training, false, true);
  states = {last_h.squeeze(0), last_c.squeeze(0)};
  return out;
}

int Recurrent::build(GraphBuilder& builder, int x, std::vector<int>& states) const {
  const std::vector<float> wi = floats_of(w_input), ws = floats_of(w_state), bi = floats_of(b_input),
                           bs = floats_of(b_state);
  const GraphBuilder::CellWeights weights{wi, ws, bi, bs};
  if (lstm) {
    const GraphBuilder::LstmOut out = builder.lstm_cell(x, states[0], states[1], name, weights);
    states = {out.h, out.c};
  } else {
    states = {builder.gru_cell(x, states[0], name, weights)};
  }
  return states[0];
}

LayerNorm::LayerNorm(Parameters& parameters, std::string name_, std::int64_t width)
    : name(std::move(name_)),
      gamma(parameters.weight(name + ".gamma", {width}, 0, 1)),
      beta(parameters.weight(name + ".beta", {width}, 0)) {}

#if TORCH_VERSION_MAJOR >= 2
bool has_fused_attention() { return true; }
#else
bool has_fused_attention() { return false; }
#endif

at::Tensor attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t heads, bool causal,
                     const at::Tensor& mask, AttentionKernel kernel) {
  const auto split = [&](const at::Tensor& x) {
    return x.view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
  };                  // [batch, heads, steps, width / heads]
  at::Tensor counts;  // [batch, 1, 1, keys]
  if (mask.defined()) counts = mask.logical_or(mask.any(1, true).logical_not()).unsqueeze(1).unsqueeze(1);
#if TORCH_VERSION_MAJOR >= 2
  if (kernel == AttentionKernel::kFused || (kernel == AttentionKernel::kAuto && q.is_cuda())) {
    at::Tensor allowed = counts;
    if (causal && allowed.defined())  // The kernel takes one of the two.
      allowed = allowed.logical_and(at::ones({q.size(1), k.size(1)}, q.options().dtype(at::kBool)).tril());
    const at::Tensor y = allowed.defined()
                             ? at::scaled_dot_product_attention(split(q), split(k), split(v), allowed, 0.0, false)
                             : at::scaled_dot_product_attention(split(q), split(k), split(v), {}, 0.0, causal);
    return y.transpose(1, 2).flatten(2);
  }
#endif
  ZOE_CHECK(kernel != AttentionKernel::kFused, "this libtorch has no fused attention");
  at::Tensor scores =
      at::matmul(split(q), split(k).transpose(2, 3)) / std::sqrt(static_cast<double>(q.size(2) / heads));
  if (causal) {
    const at::Tensor later = at::ones({q.size(1), k.size(1)}, q.options().dtype(at::kBool)).triu(1);
    scores = scores.masked_fill(later, -std::numeric_limits<double>::infinity());
  }
  if (counts.defined()) scores = scores.masked_fill(counts.logical_not(), -std::numeric_limits<double>::infinity());
  return at::matmul(at::softmax(scores, -1), split(v)).transpose(1, 2).flatten(2);
}

at::Tensor to_groups(const at::Tensor& table, TokenAxis axis) {
  if (axis == TokenAxis::kTokens) return table.flatten(1, 2);
  return (axis == TokenAxis::kFrames ? table.transpose(1, 2) : table).flatten(0, 1);
}

at::Tensor from_groups(const at::Tensor& groups, TokenAxis axis, const at::Tensor& like) {
  std::vector<std::int64_t> shape{like.size(0), like.size(1), like.size(2)};
  if (axis == TokenAxis::kFrames) std::swap(shape[1], shape[2]);
  for (std::int64_t i = 2; i < groups.dim(); ++i) shape.push_back(groups.size(i));
  const at::Tensor table = groups.reshape(shape);
  return axis == TokenAxis::kFrames ? table.transpose(1, 2) : table;
}

TransformerBlock::TransformerBlock(Parameters& parameters, const std::string& name, std::int64_t width,
                                   std::int64_t heads_, bool causal_)
    : norm_1(parameters, name + ".norm_1", width),
      norm_2(parameters, name + ".norm_2", width),
      query(parameters, name + ".query", width, width),
      key(parameters, name + ".key", width, width),
      value(parameters, name + ".value", width, width),
      out(parameters, name + ".out", width, width),
      widen(parameters, name + ".widen", width, 4 * width),
      narrow(parameters, name + ".narrow", 4 * width, width),
      heads(heads_),
      causal(causal_) {}

at::Tensor TransformerBlock::operator()(const at::Tensor& x, const at::Tensor& mask) const {
  const at::Tensor n = norm_1(x);
  const at::Tensor h = x + out(attention(query(n), key(n), value(n), heads, causal, mask));
  return h + narrow(at::silu(widen(norm_2(h))));
}

at::Tensor TransformerBlock::operator()(const at::Tensor& table, TokenAxis axis, const at::Tensor& present) const {
  const at::Tensor mask = present.defined() ? to_groups(present, axis) : at::Tensor();
  return from_groups((*this)(to_groups(table, axis), mask), axis, table);
}

int TransformerBlock::build(GraphBuilder& b, int x, const nn::RowCount& over, const nn::RowCount& inner,
                            int mask) const {
  const int n = norm_1.build(b, x);
  GraphBuilder::Attention how{.heads = static_cast<int>(heads), .over = over, .inner = inner};
  how.causal = causal;
  how.mask = mask;
  const int seen = b.attention(query.build(b, n), key.build(b, n), value.build(b, n), how);
  const int h = b.add(x, out.build(b, seen));
  return b.add(h, narrow.build(b, widen.build(b, norm_2.build(b, h), Activation::kSilu)));
}

PeriodicLayer::PeriodicLayer(Parameters& parameters, const std::string& name_, std::int64_t channels,
                             std::int64_t steps, double window_s)
    : name(name_) {
  const double bound = 1 / std::sqrt(static_cast<double>(steps));
  phase_weight = parameters.weight(name + ".phase.weight", {channels, 2, steps}, bound);
  phase_bias = parameters.weight(name + ".phase.bias", {channels, 2}, bound);
  const std::int64_t bins = steps / 2;  // Without the constant bin.
  const at::Tensor bin = at::arange(1, bins + 1, at::kDouble), step = at::arange(steps, at::kDouble);
  const at::Tensor angle = step.unsqueeze(1) * bin.unsqueeze(0) * (2 * std::numbers::pi / static_cast<double>(steps));
  cosines = angle.cos().to(parameters.options());
  sines = angle.sin().to(parameters.options());
  rates_hz = (bin / window_s).to(parameters.options());
  times =
      ((step / static_cast<double>(std::max<std::int64_t>(steps - 1, 1)) - 0.5) * window_s).to(parameters.options());
}

namespace {

constexpr double kTiny = 1e-8;  // A flat curve has no frequency. Its slope must still be finite.
constexpr double kTwoPi = 2 * std::numbers::pi;

}  // namespace

PeriodicLayer::Out PeriodicLayer::operator()(const at::Tensor& curve) const {
  const at::Tensor power = at::matmul(curve, cosines).square() + at::matmul(curve, sines).square();
  const at::Tensor sum = power.sum(2, true);
  Out out;
  out.frequency_hz = (power * rates_hz).sum(2, true) / (sum + kTiny);
  out.amplitude = 2 * (sum + kTiny).sqrt() / static_cast<double>(curve.size(2));
  out.offset = curve.mean(2, true);
  // [batch, channels, 2]: a separate map for each channel.
  const at::Tensor v = at::matmul(phase_weight.unsqueeze(0), curve.unsqueeze(3)).squeeze(3) + phase_bias;
  out.phase = at::atan2(v.narrow(2, 1, 1), v.narrow(2, 0, 1)) / kTwoPi;
  out.curve = out.amplitude * at::sin(kTwoPi * (out.frequency_hz * times + out.phase)) + out.offset;
  return out;
}

// The spectrum is a product with fixed cosines and sines. Sums over columns and copies of one number along steps are
// products with fixed rows and columns.
PeriodicLayer::Built PeriodicLayer::build(GraphBuilder& b, int curve) const {
  const std::int64_t steps = times.size(0), bins = rates_hz.size(0);
  const auto product = [&](int x, const char* part, const at::Tensor& weight, const std::vector<float>& bias = {},
                           Activation activation = Activation::kNone) {
    return b.linear(x, name + "." + part, dims_of(weight), floats_of(weight), bias, activation);
  };
  const auto square = [&](int x) { return b.multiply(x, x); };
  const int power = b.add(square(product(curve, "cosines", cosines.t())), square(product(curve, "sines", sines.t())));
  const int sum = product(power, "sum", at::ones({1, bins}), {static_cast<float>(kTiny)});
  const int frequency_hz = b.divide(product(power, "rates", rates_hz.unsqueeze(0)), sum);
  const int root = b.activation(sum, Activation::kSquareRoot);
  const at::Tensor per_root = at::full({steps, 1}, 2.0 / static_cast<double>(steps));
  const int offset = product(curve, "mean", at::full({1, steps}, 1.0 / static_cast<double>(steps)));
  // A separate map for each channel.
  const auto direction = [&](std::int64_t part, const char* part_name) {
    const at::Tensor weight = phase_weight.select(1, part), bias = phase_bias.select(1, part);
    const int channels = static_cast<int>(weight.size(0));
    const std::string full = name + "." + part_name;
    const int parts =
        b.multiply(curve, b.constant(full + ".map", channels, static_cast<int>(steps), floats_of(weight)));
    return b.add(product(parts, part_name, at::ones({1, steps})),
                 b.constant(full + ".shift", channels, 1, floats_of(bias)));
  };
  const int angle = b.atan2(direction(1, "phase_sine"), direction(0, "phase_cosine"));
  const at::Tensor along = at::stack({kTwoPi * times, at::ones_like(times)}, 1);
  const int wave = product(b.concat({frequency_hz, angle}), "wave", along, {}, Activation::kSine);
  Built built;
  built.curve = b.film(wave, product(root, "amplitudes", per_root), product(offset, "offsets", at::ones({steps, 1})));
  built.phase = b.transpose(product(angle, "turns", at::full({1, 1}, 1 / kTwoPi)));
  built.frequency_hz = b.transpose(frequency_hz);
  built.amplitude = b.transpose(product(root, "amplitude", per_root.narrow(0, 0, 1)));
  built.offset = b.transpose(offset);
  return built;
}

}  // namespace zoe::train
