// SPDX-License-Identifier: MIT
#include "nn/op_table.h"

#include <algorithm>

namespace zoe::nn {
namespace {

constexpr OpInfo kOps[] = {
    {Op::kLinear, "linear", 1, 1, 1, 1, {"weight", "bias"}, kHasActivation},
    {Op::kExpertLinear, "expert_linear", 2, 2, 1, 1, {"weight", "bias"}, kHasActivation},
    {Op::kConv1d, "conv1d", 1, 1, 1, 1, {"weight", "bias"}, kHasActivation | kHasConv},
    {Op::kGruCell, "gru_cell", 2, 2, 1, 2, {"w_input", "w_state", "b_input", "b_state"}, 0},
    {Op::kLstmCell, "lstm_cell", 3, 3, 2, 2, {"w_input", "w_state", "b_input", "b_state"}, 0},
    {Op::kEmbedding, "embedding", 1, 1, 1, 1, {"table"}, 0},
    {Op::kActivation, "activation", 1, 1, 1, 0, {}, kHasActivation},
    {Op::kSoftmax, "softmax", 1, 1, 1, 0, {}, kHasGroup},
    {Op::kArgmin, "argmin", 1, 1, 1, 0, {}, 0},
    {Op::kLayerNorm, "layer_norm", 1, 1, 1, 0, {"gamma", "beta"}, kHasEpsilon},
    {Op::kAttention, "attention", 3, 9, 1, 0, {}, kHasHeads | kHasAxis | kHasExtras},
    {Op::kAdd, "add", 2, 2, 1, 0, {}, 0},
    {Op::kSubtract, "subtract", 2, 2, 1, 0, {}, 0},
    {Op::kMultiply, "multiply", 2, 2, 1, 0, {}, 0},
    {Op::kDivide, "divide", 2, 2, 1, 0, {}, 0},
    {Op::kAtan2, "atan2", 2, 2, 1, 0, {}, 0},
    {Op::kFilm, "film", 3, 3, 1, 0, {}, kHasActivation},
    {Op::kConcat, "concat", 1, kMaxInputs, 1, 0, {}, 0},
    {Op::kSlice, "slice", 1, 1, 1, 0, {}, kHasRange},
    {Op::kReshape, "reshape", 1, 1, 1, 0, {}, kHasShape},
    {Op::kTranspose, "transpose", 1, 1, 1, 0, {}, 0},
    {Op::kNormalize, "normalize", 1, 1, 1, 2, {"mean", "std"}, 0},
    {Op::kDenormalize, "denormalize", 1, 1, 1, 2, {"mean", "std"}, 0},
    {Op::kPhaseWeights, "phase_weights", 1, 1, 1, 0, {}, 0},
    {Op::kConstant, "constant", 0, 0, 1, 1, {"value"}, 0},
    {Op::kRmsNorm, "rms_norm", 1, 1, 1, 0, {"gamma"}, kHasEpsilon},
    {Op::kGroupNorm, "group_norm", 1, 1, 1, 0, {"gamma", "beta"}, kHasEpsilon | kHasGroups},
    {Op::kGlu, "glu", 1, 1, 1, 0, {}, kHasActivation},
    {Op::kSoftmaxRows, "softmax_rows", 1, 1, 1, 0, {}, kHasAxis},
    {Op::kPositions, "positions", 1, 1, 1, 0, {}, kHasAxis},
    {Op::kSinusoidal, "sinusoidal", 1, 1, 1, 0, {}, kHasShape | kHasPeriod},
    {Op::kRotary, "rotary", 2, 2, 1, 0, {}, kHasHeads | kHasPeriod | kHasInterleaved},
    {Op::kGather, "gather", 2, 2, 1, 0, {}, 0},
    {Op::kPoolRows, "pool_rows", 1, 2, 1, 0, {}, kHasAxis | kHasMaximum},
    {Op::kConcatRows, "concat_rows", 1, kMaxInputs, 1, 0, {}, 0},
    {Op::kSliceRows, "slice_rows", 1, 1, 1, 0, {}, kHasAxis | kHasRange},
    {Op::kRepeatRows, "repeat_rows", 1, 1, 1, 0, {}, kHasAxis},
    {Op::kConv2d, "conv2d", 1, 1, 1, 1, {"weight", "bias"}, kHasActivation | kHasConv | kHasAxis | kHasGroups},
    {Op::kUpsample, "upsample", 1, 1, 1, 0, {}, kHasAxis | kHasUpsample},
};

constexpr const char* kActivations[] = {"none", "relu",    "leaky_relu", "elu",  "silu",
                                        "tanh", "sigmoid", "gelu",       "sine", "square_root"};

}  // namespace

std::span<const OpInfo> op_table() { return kOps; }

const OpInfo& op_info(Op op) {
  ZOE_CHECK(static_cast<std::size_t>(op) < std::size(kOps), "not an Op");
  return kOps[static_cast<std::size_t>(op)];
}

const OpInfo* find_op(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kOps), std::end(kOps), [&](const OpInfo& info) { return info.name == name; });
  return found == std::end(kOps) ? nullptr : found;
}

std::optional<Activation> find_activation(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kActivations); ++i) {
    if (name == kActivations[i]) return static_cast<Activation>(i);
  }
  return std::nullopt;
}

int num_roles(const OpInfo& info) {
  return static_cast<int>(
      std::count_if(info.weights.begin(), info.weights.end(), [](const char* role) { return role != nullptr; }));
}

const char* to_string(Op op) { return op_info(op).name; }
const char* to_string(Activation activation) { return kActivations[static_cast<std::size_t>(activation)]; }
const char* to_string(WeightType type) {
  return type == WeightType::kF32 ? "float32" : type == WeightType::kBF16 ? "bfloat16" : "int8";
}

}  // namespace zoe::nn
