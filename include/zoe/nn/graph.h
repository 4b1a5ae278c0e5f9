// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network as data: typed operations on values, and their weights. No code, no pickles. A value is a
// table of `steps` rows by `width` columns for each item of the batch; most values have one row. Values are numbered:
// the inputs first, then the results of each node, in order. A node reads only values with smaller numbers, so a graph
// has no cycles by construction. A constant has no batch: it is the same for every item.
//
// The rows of a value may depend on named dimensions (Graph::dims), e.g. frames * joints. Their sizes are bound when a
// state is made (network.h), or by bind_dims(). Operations along rows see them as [outer, over, inner]: row
// (o * over + i) * inner + k is element i of group (o, k). Attention over the joints of a table of frames x joints has
// over = joints; over its frames, inner = joints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/nn/row_count.h"
#include "zoe/store/safetensors.h"

namespace zoe::nn {

enum class Activation : std::uint8_t {
  kNone,
  kRelu,
  kLeakyRelu,
  kElu,
  kSilu,
  kTanh,
  kSigmoid,
  kGelu,
  kSine,
  kSquareRoot
};

// Shapes are [steps, width] of one item. w·x means x times the transposed weight, with torch's layout: weight [out,
// in].
enum class Op : std::uint8_t {
  kLinear,        // x -> activation(w·x + bias), row by row.                          weight [out, in], bias [out]
  kExpertLinear,  // x, gate -> activation(sum_e gate_e (w_e·x + bias_e)). weight [E, out, in], bias [E, out]
  kConv1d,  // x [T, in] -> [T', out], along steps, zero padding.                weight [out, in, kernel], bias [out]
  kGruCell,  // x, h -> h'. Gates reset, update, new, as torch.                   w_input [3H, in], w_state [3H, H], b_…
  kLstmCell,  // x, h, c -> h', c'. Gates input, forget, cell, output, as torch. w_input [4H, in], w_state [4H, H], b_…
  kEmbedding,     // index (width 1, rounded and clamped) -> a row of the table.       table [rows, width]
  kActivation,    // Any activation alone.
  kSoftmax,       // Over each `group` adjacent columns.
  kArgmin,        // Index of the least column of a row (the first of equals), as a float: the input of kEmbedding.
  kLayerNorm,     // Over the columns of a row.                                        gamma [width], beta [width]
  kAttention,     // q [T, D], k [S, D], v [S, V] -> [T, V]; `heads` share D and V evenly; scaled by 1/sqrt(D / heads).
                  // In groups of rows, with bias, masks and relations: see below.
  kAdd,           // a + b; one row or a constant is broadcast.
  kSubtract,      // a - b, broadcast.
  kMultiply,      // a * b, broadcast.
  kDivide,        // a / b, broadcast.
  kAtan2,         // y, x -> the angle of (x, y) in radians, -pi to pi, broadcast; 0 for (0, 0); -0 counts as 0.
  kFilm,          // x, scale, shift -> activation(x * scale + shift), broadcast.
  kConcat,        // Columns side by side; a single row is broadcast.
  kSlice,         // Columns [begin, end).
  kReshape,       // The same numbers as `steps` rows of `width` columns.
  kTranspose,     // [T, D] -> [D, T].
  kNormalize,     // (x - mean) / std.                                                 mean [width], std [width]
  kDenormalize,   // x * std + mean.                                                   mean [width], std [width]
  kPhaseWeights,  // Phase in cycles (width 1) -> 4 weights of a cyclic Catmull-Rom spline (PFNN's gate).
  kConstant,      // No input.                                                         value [steps, width]
  kRmsNorm,       // x / sqrt(mean of x^2 + epsilon) over the columns of a row.                gamma [width]
  kGroupNorm,  // `groups` of columns, each normalised over all rows of the item, as torch.  gamma [width], beta [width]
  kGlu,        // a, b side by side -> a * activation(b).
  kSoftmaxRows,  // Over the rows of a group (`over`, `inner`), column by column.
  kPositions,    // Index of each row in its group, one column. The values of x do not matter.
  kSinusoidal,   // t (width 1) -> cos(t f_i), then sin(t f_i), f_i = period^(-i / (width / 2)).
  kRotary,      // x, t -> pairs of columns of each head rotated by t f_i: (i, i + half), or neighbours (`interleaved`).
  kGather,      // x [S, width], index [T, 1] (rounded and clamped) -> rows of x.
  kPoolRows,    // x[, mask] -> mean or maximum over the rows of each group; rows with mask <= 0 do not count.
  kConcatRows,  // The rows of each input, one after another.
  kSliceRows,   // Elements [begin, end) of each group; end <= 0 counts from the end.
  kRepeatRows,  // x as [outer, inner] -> [outer, over, inner].
  kConv2d,  // Pixels are rows, of lines of `inner`; `groups` of channels. weight [out, in / groups, lines, line], bias
  kUpsample,  // Pixels as above, `stride` times as many each way: nearest, or bilinear between centres of pixels.
};

const char* to_string(Op op);
const char* to_string(Activation activation);

struct Shape {
  int steps = 1;  // 0 where the rows depend on dimensions.
  int width = 0;
  RowCount by_dims = {};  // Empty where they do not.
  RowCount rows() const { return by_dims.empty() ? RowCount(steps) : by_dims; }
  static Shape of(const RowCount& rows, int width) {
    return rows.fixed() ? Shape{*rows.fixed(), width, {}} : Shape{0, width, rows};
  }
  std::size_t size() const { return static_cast<std::size_t>(steps) * static_cast<std::size_t>(width); }
  friend bool operator==(const Shape&, const Shape&) = default;
};

enum class WeightType : std::uint8_t { kF32, kBF16, kI8 };
const char* to_string(WeightType type);
std::size_t item_bytes(WeightType type);  // Of one number.

// A named array. int8 weights represent q * scale, one scale for each index of the first axes (`scale_axes` of them).
struct Weight {
  std::string name;
  WeightType type = WeightType::kF32;
  std::vector<std::size_t> shape;
  std::vector<std::byte> bytes;  // Row-major, little-endian.
  std::vector<float> scales;     // kI8 only.
  int scale_axes = 0;            // 1 or 2 for kI8.

  std::size_t num_items() const;
  std::vector<float> to_floats() const;
};
Weight make_weight(std::string name, std::vector<std::size_t> shape, std::span<const float> values);

// Parameters of an operation besides its inputs and weights. Files keep only the fields that its Op uses.
struct Attributes {
  Activation activation = Activation::kNone;
  float alpha = 0.01F;                        // Slope of leaky ReLU below zero.
  float epsilon = 1e-5F;                      // Layer norm.
  int begin = 0, end = 0;                     // Slice.
  int group = 0;                              // Softmax; 0: the whole row.
  int heads = 1;                              // Attention.
  bool causal = false;                        // Attention: a row reads itself and earlier rows only.
  int stride = 1, padding = 0, dilation = 1;  // Conv1d.
  int steps = 1, width = 0;                   // Reshape.
  RowCount rows = {};                         // Reshape, instead of steps.
  RowCount over = {}, inner = {};             // Axis of rows; unless stated all that the other leaves, and 1.
  int kv_heads = 0;             // Attention: heads of k and v, each of which serves heads / kv_heads; 0: heads.
  int before = -1, after = -1;  // Attention: keys that a row reads before and after its own index; -1: all.
  int first = 0;                // Attention: the first keys, which every row reads.
  bool shared_keys = false;     // Attention: all groups read the same keys. k and v are one group.
  bool bias = false, mask = false, relations = false, relation_values = false;  // Attention: inputs beyond q, k and v.
  float period = 10000;                                                         // Sinusoidal, rotary.
  bool interleaved = false;                                                     // Rotary.
  int groups = 1;                                                               // Group norm, conv2d.
  bool maximum = false;                                                         // Pooling: not the mean.
  bool bilinear = false;                                                        // Upsampling: not the nearest.
  friend bool operator==(const Attributes&, const Attributes&) = default;
};

// Inputs of attention beyond q, k and v, in this order. Scores of query i and key j of a group, for each head:
//   (q_i k_j + sum_c (query_terms[i, head * classes + r_c] + key_terms[j, head * classes + r_c])) / sqrt(D / heads)
//   + bias[i * keys + j, head], where r_c = relation[i * keys + j, c].
//   bias       [queries * keys of a group, heads or 1], the same for all groups.
//   mask       As many rows as k, 1 column: keys with a mask <= 0 are not read. Rows without keys weigh them equally.
//   relations  Three inputs: query_terms [T, heads * classes], key_terms [S, heads * classes], relation [queries * keys
//              of a group, any number of columns], whole numbers below `classes`, rounded and clamped.
//   relation_values  [classes, V], often a constant: query i also receives sum_j weight_ij relation_values[r_c].

struct Node {
  Op op = Op::kLinear;
  std::vector<int> inputs;   // Value numbers.
  std::vector<int> weights;  // Indices into Graph::weights in the order of the Op; -1: absent.
  Attributes attributes;
};

struct Port {
  std::string name;
  int value = 0;
  Shape shape;
};

// The size of a named dimension.
struct DimSize {
  std::string_view name;
  int size = 0;
};

// Plain data. GraphBuilder and the file reader make valid graphs; validate() checks any.
struct Graph {
  std::vector<Port> inputs;  // Values 0, 1, …
  std::vector<Node> nodes;
  std::vector<Weight> weights;
  std::vector<Port> outputs;
  Metadata metadata;                   // Free text by key; see graph_file.h for the defined keys.
  std::vector<std::string> dims = {};  // Names of dimensions, at most RowCount::kMaxDims.
};

// Shape of a value after the graph has been checked.
struct ValueInfo {
  Shape shape;
  bool constant = false;  // No batch axis.
};

// Checks every number, size and name, and returns one ValueInfo per value. Limits (kLimit): 4,096 nodes, 2^20 columns,
// 2^16 rows, 2^26 numbers per value, so that a hostile file cannot request absurd memory.
Result<std::vector<ValueInfo>> validate(const Graph& graph);

// The same graph with a size for each of its dimensions: a graph without dimensions.
Result<Graph> bind_dims(const Graph& graph, std::span<const DimSize> sizes);

}  // namespace zoe::nn
