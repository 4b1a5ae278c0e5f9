// SPDX-License-Identifier: MIT
// Part of Zoetrope. Layers over time: convolution, recurrent cells, attention, periodic channels. x
// is [batch, steps, width].
#pragma once

#include "train/blocks.h"

namespace zoe::train {

// Along steps, as many out as in. `kernel` is odd.
struct Conv {
  Conv(Parameters& parameters, std::string name, std::int64_t in, std::int64_t out, std::int64_t kernel,
       std::int64_t dilation = 1);
  at::Tensor operator()(const at::Tensor& x) const;
  int build(GraphBuilder& builder, int x, Activation activation) const;

  std::string name;
  at::Tensor weight, bias;  // [out, in, kernel], [out]
  std::int64_t padding, dilation;
};

// GRU or LSTM, one layer. States are explicit: h, and c for the LSTM, [batch, hidden].
struct Recurrent {
  Recurrent(Parameters& parameters, std::string name, std::int64_t in, std::int64_t hidden, bool lstm);
  // Fills `states` with the last ones. Empty: begins with zeros.
  at::Tensor operator()(const at::Tensor& x, std::vector<at::Tensor>& states, bool training) const;
  // One step; `states` are values in and out.
  int build(GraphBuilder& builder, int x, std::vector<int>& states) const;

  std::string name;
  bool lstm;
  at::Tensor w_input, w_state, b_input, b_state;  // [3 or 4 hidden, in], [.., hidden], [..], [..]
};

struct LayerNorm {
  LayerNorm(Parameters& parameters, std::string name, std::int64_t width);
  at::Tensor operator()(const at::Tensor& x) const { return at::layer_norm(x, gamma.sizes(), gamma, beta, 1e-5); }
  int build(GraphBuilder& builder, int x) const {
    return builder.layer_norm(x, name, floats_of(gamma), floats_of(beta));
  }

  std::string name;
  at::Tensor gamma, beta;  // [width]
};

// Rows of [batch, frames, joints, …] tables that attend to each other: frames of one joint, joints of one frame, or all
// tokens of a sample.
enum class TokenAxis : std::uint8_t { kFrames, kJoints, kTokens };
// [batch, frames, joints, width] -> [groups, rows, width], and back to a table of `like`.
at::Tensor to_groups(const at::Tensor& table, TokenAxis axis);
at::Tensor from_groups(const at::Tensor& groups, TokenAxis axis, const at::Tensor& like);

// x + attention of the normalised x, then + a two-layer network of the normalised sum (SiLU).
struct TransformerBlock {
  TransformerBlock(Parameters& parameters, const std::string& name, std::int64_t width, std::int64_t heads,
                   bool causal);
  // mask: as that of attention().
  at::Tensor operator()(const at::Tensor& x, const at::Tensor& mask = {}) const;
  // Along one axis of a table [batch, frames, joints, width]; present: [batch, frames, joints], true where there is a
  // token.
  at::Tensor operator()(const at::Tensor& table, TokenAxis axis, const at::Tensor& present) const;
  // over, inner: groups of rows that attend to each other (zoe/nn/graph.h); empty: all rows. mask: a value; -1: none.
  int build(GraphBuilder& builder, int x, const nn::RowCount& over = {}, const nn::RowCount& inner = {},
            int mask = -1) const;

  LayerNorm norm_1, norm_2;
  Linear query, key, value, out, widen, narrow;
  std::int64_t heads;
  bool causal;
};

// kFused: one kernel that never stores the scores (torch 2). kAuto: on CUDA where there is one.
enum class AttentionKernel : std::uint8_t { kAuto, kPlain, kFused };
bool has_fused_attention();

// Scaled dot product. q, k, v [batch, steps, width], `heads` share the width evenly. mask: [batch, steps of k], true
// for keys that count; undefined: all. Where none counts, all do: the result is unused padding, but finite.
at::Tensor attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t heads, bool causal,
                     const at::Tensor& mask = {}, AttentionKernel kernel = AttentionKernel::kAuto);

// From a curve per channel to one sine: frequency, amplitude, offset from its spectrum, phase from a linear map per
// channel (Starke, Mason and Komura, 2022). curve [batch, channels, steps], window_s: their length in time.
struct PeriodicLayer {
  PeriodicLayer(Parameters& parameters, const std::string& name, std::int64_t channels, std::int64_t steps,
                double window_s);

  struct Out {
    at::Tensor phase, frequency_hz, amplitude, offset;  // [batch, channels, 1]; phase in turns
    at::Tensor curve;                                   // The sine, in the shape of the input.
  };
  Out operator()(const at::Tensor& curve) const;

  struct Built {
    int phase, frequency_hz, amplitude, offset;  // [channels] each
    int curve;                                   // [channels, steps]
  };
  Built build(GraphBuilder& builder, int curve) const;

  std::string name;
  at::Tensor phase_weight, phase_bias;         // [channels, 2, steps], [channels, 2]
  at::Tensor cosines, sines, rates_hz, times;  // Fixed: [steps, bins] twice, [bins], [steps]
};

}  // namespace zoe::train
