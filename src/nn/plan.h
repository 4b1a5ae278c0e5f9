// SPDX-License-Identifier: MIT
// Part of Zoetrope. A compiled network: steps in order, the position of each value, packed weights.
#pragma once

#include <memory>
#include <vector>

#include "zoe/nn/graph.h"

#include "nn/pack.h"

namespace zoe::nn {

// Where a value lies: rows of `stride` floats, [batch * steps] of them, from offset * max_batch on.
struct Slot {
  Shape shape;
  std::size_t stride = 0;
  std::size_t offset = 0;           // Floats for one item; the state has room for max_batch of each.
  const float* constant = nullptr;  // Set: not in the state at all.
  std::size_t floats() const { return static_cast<std::size_t>(shape.steps) * stride; }
};

struct Step {
  Op op = Op::kLinear;
  Attributes attributes;
  std::vector<int> inputs, outputs;  // Slots. A linear layer may have a second input: rows in place of its bias.
  std::vector<int> temporaries;      // Slots in use during this step only.
  std::vector<int> linears;          // Into Plan::linears.
  std::vector<int> tables;           // Into Plan::tables; -1: left out.
};

struct Plan {
  std::vector<Port> inputs, outputs;
  Metadata metadata;
  std::vector<Slot> slots;  // One a value, then the temporaries.
  std::vector<Step> steps;
  std::vector<OwnedLinear> linears;
  AlignedBytes weights;  // Of all linears.
  std::vector<PaddedRows> tables;
  std::size_t item_floats = 0;     // Of the arena, for one item.
  std::size_t scratch_floats = 0;  // Whatever the batch.
  std::size_t max_rows = 1;        // Most rows one item brings to a matrix product.
  std::size_t weight_bytes = 0, multiply_adds = 0;
  std::uint64_t fingerprint = 0;  // See Network::fingerprint().
};

// Rows that are staged for a matrix product at once.
constexpr std::size_t kMaxStagedRows = 192;
// Kernels may read (never write) this far beyond a row.
constexpr std::size_t kSlackFloats = 64;

// Rows that a state for max_batch items stages at once, at most.
std::size_t staged_rows(const Plan& plan, int max_batch);
// The same of one layer, whose rows may be kept as integers from end to end.
std::size_t staged_rows(const kernels::PackedLinear& linear);
// Floats in front of the arena: the scratch, factors and scales of rows, the staged rows, and those once more as
// integers where weights are int8, or as bfloat16 for the matrix unit.
std::size_t staging_floats(const Plan& plan, int max_batch);

Result<std::unique_ptr<const Plan>> make_plan(const Graph& graph);
// By what files keep, so that a graph that was written and read keeps it.
std::uint64_t fingerprint_of(const Graph& graph);

// Lays the slots out in one arena: two that are in use at the same time never overlap. Returns the floats of one item.
// uses[slot] = first and last step that touch it; slots with constants are left alone.
std::size_t assign_offsets(std::vector<Slot>& slots, const std::vector<std::pair<int, int>>& uses);

}  // namespace zoe::nn
