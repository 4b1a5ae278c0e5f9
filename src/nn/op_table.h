// SPDX-License-Identifier: MIT
// Part of Zoetrope. Name, inputs and outputs of each operation: one row per Op. Files, validation and export read it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "zoe/nn/graph.h"

namespace zoe::nn {

// Attributes of an operation, as a set of bits.
enum Attribute : std::uint16_t {
  kHasActivation = 1,
  kHasEpsilon = 2,
  kHasRange = 4,
  kHasGroup = 8,
  kHasHeads = 16,
  kHasConv = 32,
  kHasShape = 64,
  kHasAxis = 128,
  kHasExtras = 256,  // Of attention.
  kHasPeriod = 512,
  kHasInterleaved = 1024,
  kHasGroups = 2048,
  kHasMaximum = 4096,
  kHasUpsample = 8192,
};

struct OpInfo {
  Op op;
  const char* name;
  int min_inputs, max_inputs;
  int num_outputs;
  int num_required_weights;            // The first ones of `weights`.
  std::array<const char*, 4> weights;  // Their roles; null: no more.
  std::uint16_t attributes;
};

constexpr int kMaxInputs = 64;

std::span<const OpInfo> op_table();
const OpInfo& op_info(Op op);
const OpInfo* find_op(std::string_view name);  // Null: unknown.
std::optional<Activation> find_activation(std::string_view name);
int num_roles(const OpInfo& info);

// The shapes of a node's results, given the values before it. All rules about one node are here.
Result<std::vector<ValueInfo>> infer(const Graph& graph, const Node& node, std::span<const ValueInfo> values);
// The limits of one value.
constexpr int kMaxSteps = 1 << 16, kMaxWidth = 1 << 20;
constexpr std::size_t kMaxItems = std::size_t{1} << 26;
// The rows of a value as [outer, over, inner]; see graph.h. Nothing where they cannot be.
struct RowAxis {
  RowCount outer, over, inner;
};
bool uses_only(const RowCount& rows, std::size_t num_dims);  // Dimensions below that number.
std::optional<RowAxis> row_axis(const RowCount& rows, const Attributes& attributes);
// All values of a graph, inputs first; an error names the node.
Result<std::vector<ValueInfo>> infer_all(const Graph& graph);

}  // namespace zoe::nn
