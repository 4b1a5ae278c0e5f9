// SPDX-License-Identifier: MIT
// Part of Zoetrope. A compiled network: steps in order, the position of each value, packed weights.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "zoe/nn/graph.h"

#include "nn/pack.h"

namespace zoe::nn {

// Memory of a value: rows of `stride` floats, [batch * steps] of them, from offset * max_batch on.
struct Slot {
  Shape shape;
  std::size_t stride = 0;
  std::size_t offset = 0;           // Floats for one item. The state has max_batch of each.
  const float* constant = nullptr;  // If set: not in the state.
  int max_steps = 0;                // Rows that fit into it.
  bool local = false;               // Only read by the chain that makes it: one block of rows. See find_chains().
  std::size_t floats() const { return static_cast<std::size_t>(shape.steps) * stride; }
};

// The rows of a step's first input as [outer, over, inner]; see graph.h.
struct StepAxis {
  std::size_t outer = 1, over = 1, inner = 1;
};

struct Step {
  Op op = Op::kLinear;
  Attributes attributes;
  std::vector<int> inputs, outputs;  // Slots. A linear layer may have a second input: rows instead of its bias.
  std::vector<int> temporaries;      // Slots in use during this step only.
  std::vector<int> linears;          // Indices in Plan::linears.
  std::vector<int> tables;           // Indices in Plan::tables. -1: absent.
  StepAxis axis;
  std::size_t chain = 1;                                        // Steps from this one on that run block by block.
  std::size_t kernel_lines = 1, kernel_line = 1, out_line = 1;  // Conv2d: its kernel, and a line of its result.
};

// What all states of a network share.
struct PlanWeights {
  std::vector<OwnedLinear> linears;
  AlignedBytes weights;  // Weights of all linears.
  std::vector<PaddedRows> tables;
};

struct Plan {
  std::vector<Port> inputs, outputs;
  Metadata metadata;
  std::vector<Slot> slots;  // One per value, then the temporaries.
  std::vector<Step> steps;
  std::shared_ptr<PlanWeights> held;
  std::span<const OwnedLinear> linears;  // In `held`, and the tables.
  std::span<const PaddedRows> tables;
  std::vector<std::pair<int, int>> uses;  // Of slots; see assign_offsets().
  std::vector<std::string> dims;          // Without sizes. Empty: all rows are numbers.
  std::vector<int> sizes;                 // Of a bound plan.
  std::size_t item_floats = 0;            // Size of the arena, for one item.
  std::size_t local_row_floats = 0;       // Of local slots, for one row.
  std::size_t block_rows = 0;             // Rows of local slots, at most. 0: there are no chains.
  std::size_t max_chain_rows = 0;         // Largest number of rows of one item in a chain.
  std::size_t scratch_floats = 0;         // For any batch.
  std::size_t relation_floats = 0;        // Relations of one item, as attention reads them.
  std::size_t max_rows = 1;               // Largest number of rows of one item in a matrix product.
  std::size_t weight_bytes = 0, multiply_adds = 0;
  std::uint64_t fingerprint = 0;  // See Network::fingerprint().
};

// Rows that are staged for a matrix product at once.
constexpr std::size_t kMaxStagedRows = kernels::kMaxGemmRows;
// Kernels may read (never write) this number of floats beyond a row.
constexpr std::size_t kSlackFloats = 64;

// Largest number of rows that a state for max_batch items stages at once.
std::size_t staged_rows(const Plan& plan, int max_batch);
// The same for one layer, whose rows may be stored as integers from end to end.
std::size_t staged_rows(const kernels::PackedLinear& linear);
// Floats before the arena: the scratch, factors and scales of rows, the staged rows, and the same rows as integers
// where weights are int8, or as bfloat16 for the matrix unit.
std::size_t staging_floats(const Plan& plan, int max_batch);

// Steps that compute a row from the same row of their inputs run together, on one block of rows after another, so that
// what they hand on stays in the second cache: a feed-forward layer never writes its hidden values to memory. Finds
// such chains, marks values that no other step reads, and extends the use of all others to the whole chain.
void find_chains(Plan& plan);
// Rows of a block: whole groups of the chain's attention.
std::size_t chain_rows(std::span<const Step> chain);
constexpr std::size_t kChainRows = 120;
// Rows of local slots in a state.
std::size_t local_rows(const Plan& plan, int max_batch);

// Counts and places the memory of a plan whose rows are numbers.
void place_plan(Plan& plan);
// With dimensions: without memory, which bind_plan() places.
Result<std::unique_ptr<const Plan>> make_plan(const Graph& graph);
// A plan for these sizes, in the order of plan.dims, that shares the weights.
Result<std::shared_ptr<Plan>> bind_plan(const Plan& plan, std::span<const int> sizes);
// Changes a bound plan to other sizes in the memory that it has. Null, or the reason of a refusal, after which nothing
// has changed. Never allocates.
const char* rebind_plan(const Plan& plan, std::span<const int> sizes, Plan& bound) noexcept;

// Sizes in the order of `dims`; refuses missing, unknown and repeated names and sizes out of range.
Result<std::vector<int>> dim_sizes(std::span<const std::string> dims, std::span<const DimSize> sizes);
// From the content of files, so that writing and reading a graph keeps it.
std::uint64_t fingerprint_of(const Graph& graph);

// Places the slots in one arena: two that are in use at the same time never overlap. Returns the floats of one item.
// uses[slot] = first and last step that use it. Slots with constants, and local ones, are not changed.
std::size_t assign_offsets(std::vector<Slot>& slots, const std::vector<std::pair<int, int>>& uses);

}  // namespace zoe::nn
