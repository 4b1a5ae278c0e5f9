// SPDX-License-Identifier: MIT
// Part of Zoetrope. Sizes of dimensions: a graph, a plan and its memory become numbers.
#include <algorithm>

#include <fmt/format.h>

#include "nn/attention_shape.h"
#include "nn/graph_json.h"
#include "nn/op_table.h"
#include "nn/plan.h"

namespace zoe::nn {
namespace {

// Rows of a value, as a number within the limits. 0: they are not.
int rows_of(const Shape& shape, std::span<const int> sizes) {
  const int rows = shape.by_dims.empty() ? shape.steps : shape.by_dims.evaluate(sizes).value_or(0);
  if (rows < 1 || rows > kMaxSteps) return 0;
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(shape.width) > kMaxItems ? 0 : rows;
}

// Sizes of a step; false where its rows cannot be its groups.
bool set_axis(const Plan& plan, std::span<const int> sizes, Step& step) {
  if (step.inputs.empty()) return true;
  const auto rows = static_cast<std::size_t>(plan.slots[static_cast<std::size_t>(step.inputs[0])].shape.steps);
  const Attributes& a = step.attributes;
  const int inner = a.inner.empty() ? 1 : a.inner.evaluate(sizes).value_or(0),
            over = a.over.empty() ? 1 : a.over.evaluate(sizes).value_or(0);
  if (inner < 1 || over < 1) return false;
  step.axis = {1, rows / static_cast<std::size_t>(inner), static_cast<std::size_t>(inner)};
  if (!a.over.empty())
    step.axis.over = static_cast<std::size_t>(over), step.axis.outer = rows / step.axis.inner / step.axis.over;
  if (step.op == Op::kSliceRows) {
    const auto count = static_cast<long>(step.axis.over), end = a.end > 0 ? long{a.end} : count + a.end;
    return a.begin < end && end <= count;
  }
  if (step.op != Op::kConv2d) return true;
  const auto convolved = [&](std::size_t size, std::size_t kernel) {
    const long last =
        static_cast<long>(size) + 2L * a.padding - static_cast<long>(a.dilation) * (static_cast<long>(kernel) - 1) - 1;
    return last < 0 ? 0 : last / a.stride + 1;
  };
  step.out_line = static_cast<std::size_t>(convolved(step.axis.inner, step.kernel_line));
  return step.out_line > 0 && convolved(step.axis.over, step.kernel_lines) > 0;
}

// Numbers that one step needs beside its values.
std::size_t scratch_of(const Step& step, const Plan& plan) {
  std::size_t floats = 0;
  for (const int linear : step.linears) {
    floats = std::max(floats, kernels::row_scratch(plan.linears[static_cast<std::size_t>(linear)].packed.in));
  }
  const Slot& out = plan.slots[static_cast<std::size_t>(step.outputs[0])];
  switch (step.op) {
    case Op::kAttention:
      return std::max(floats, AttentionShape(step, plan).floats());
    case Op::kSoftmaxRows:
    case Op::kGroupNorm:
    case Op::kSinusoidal:
    case Op::kRotary:
      return std::max(floats, 2 * out.stride);
    default:
      return floats;
  }
}

// Rows, axes and ports of `bound`. The first value that does not fit; -1: all fit.
int set_rows(const Plan& plan, std::span<const int> sizes, Plan& bound) {
  for (std::size_t i = 0; i < plan.slots.size(); ++i) {
    bound.slots[i].shape.steps = rows_of(plan.slots[i].shape, sizes);
    if (bound.slots[i].shape.steps == 0) return static_cast<int>(i);
  }
  for (Step& step : bound.steps) {
    if (!set_axis(bound, sizes, step)) return step.outputs[0];
  }
  for (auto* ports : {&bound.inputs, &bound.outputs}) {
    for (Port& port : *ports) port.shape.steps = bound.slots[static_cast<std::size_t>(port.value)].shape.steps;
  }
  return -1;
}

// Local slots share memory among themselves, for one block of rows.
void place_local_slots(Plan& plan) {
  plan.block_rows = plan.max_chain_rows = 0;
  for (std::size_t i = 0; i < plan.steps.size(); i += plan.steps[i].chain) {
    if (plan.steps[i].chain == 1) continue;
    const Slot& out = plan.slots[static_cast<std::size_t>(plan.steps[i].outputs[0])];
    plan.max_chain_rows = std::max(plan.max_chain_rows, static_cast<std::size_t>(out.shape.steps));
    plan.block_rows =
        std::max({plan.block_rows, kChainRows, chain_rows(std::span(plan.steps).subspan(i, plan.steps[i].chain))});
  }
  std::vector<Slot> rows = plan.slots;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].shape.steps = plan.slots[i].local ? 1 : 0;
    rows[i].local = !plan.slots[i].local;
  }
  plan.local_row_floats = assign_offsets(rows, plan.uses);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (plan.slots[i].local) plan.slots[i].offset = rows[i].offset;
  }
}

}  // namespace

void place_plan(Plan& plan) {
  plan.scratch_floats = plan.relation_floats = 0, plan.max_rows = 1, plan.multiply_adds = 0;
  for (Step& step : plan.steps) {
    if (plan.dims.empty()) set_axis(plan, {}, step);
    plan.scratch_floats = std::max(plan.scratch_floats, scratch_of(step, plan));
    const auto rows = static_cast<std::size_t>(plan.slots[static_cast<std::size_t>(step.outputs[0])].shape.steps);
    for (const int linear : step.linears) {
      const kernels::PackedLinear& packed = plan.linears[static_cast<std::size_t>(linear)].packed;
      // A convolution stages even a single row. Linear layers read one row in place.
      const bool conv = step.op == Op::kConv1d || step.op == Op::kConv2d;
      plan.max_rows = std::max(plan.max_rows, conv ? std::max<std::size_t>(rows, 2) : rows);
      plan.multiply_adds += rows * packed.in * packed.out * packed.segments;
    }
    if (step.op == Op::kAttention) {
      const AttentionShape shape(step, plan);
      plan.multiply_adds += shape.multiply_adds(step.axis);
      plan.relation_floats = std::max(plan.relation_floats, shape.relation_floats());
    }
  }
  for (Slot& slot : plan.slots) slot.max_steps = slot.shape.steps;
  plan.item_floats = assign_offsets(plan.slots, plan.uses);
  place_local_slots(plan);
}

Result<std::shared_ptr<Plan>> bind_plan(const Plan& plan, std::span<const int> sizes) {
  auto bound = std::make_shared<Plan>(plan);
  for (Slot& slot : bound->slots) slot.shape.by_dims = {};
  for (auto* ports : {&bound->inputs, &bound->outputs}) {
    for (Port& port : *ports) port.shape.by_dims = {};
  }
  const int wrong = set_rows(plan, sizes, *bound);
  if (wrong >= 0) {
    const Shape& shape = plan.slots[static_cast<std::size_t>(wrong)].shape;
    return Error{ErrorCode::kLimit,
                 fmt::format("value {} would have {} rows ({}) of {} columns: 1 to {} rows and {} numbers are possible",
                             wrong, shape.rows().evaluate(sizes).value_or(-1), shape.rows().text(plan.dims),
                             shape.width, kMaxSteps, kMaxItems)};
  }
  bound->sizes.assign(sizes.begin(), sizes.end());
  place_plan(*bound);
  return bound;
}

const char* rebind_plan(const Plan& plan, std::span<const int> sizes, Plan& bound) noexcept {
  for (std::size_t i = 0; i < plan.slots.size(); ++i) {
    const int rows = rows_of(plan.slots[i].shape, sizes);
    if (rows == 0) return "these sizes give a value no rows, or too many";
    if (rows > bound.slots[i].max_steps) return "these sizes need more memory than the state has: make another state";
  }
  const auto refused = [&](const char* why) {
    set_rows(plan, bound.sizes, bound);
    return why;
  };
  if (set_rows(plan, sizes, bound) >= 0) return refused("these sizes give an operation no rows");
  for (const Step& step : bound.steps) {
    if (scratch_of(step, bound) > bound.scratch_floats ||
        (step.op == Op::kAttention && AttentionShape(step, bound).relation_floats() > bound.relation_floats))
      return refused("these sizes need more memory than the state has: make another state");
  }
  for (std::size_t i = 0; i < bound.steps.size(); i += bound.steps[i].chain) {
    const std::span<const Step> chain = std::span(bound.steps).subspan(i, bound.steps[i].chain);
    if (chain.size() > 1 && chain_rows(chain) > bound.block_rows)
      return refused("these sizes need more memory than the state has: make another state");
  }
  std::copy(sizes.begin(), sizes.end(), bound.sizes.begin());
  return nullptr;
}

Result<std::vector<int>> dim_sizes(std::span<const std::string> dims, std::span<const DimSize> sizes) {
  std::vector<int> found(dims.size(), 0);
  for (const DimSize& size : sizes) {
    const auto at = std::find(dims.begin(), dims.end(), size.name);
    if (at == dims.end())
      return Error{ErrorCode::kInvalid, fmt::format("the network has no dimension '{}'", size.name)};
    int& value = found[static_cast<std::size_t>(at - dims.begin())];
    if (value != 0) return Error{ErrorCode::kInvalid, fmt::format("dimension '{}' has two sizes", size.name)};
    if (size.size < 1 || size.size > kMaxSteps) {
      return Error{ErrorCode::kLimit,
                   fmt::format("dimension '{}' is {}: 1 to {} are possible", size.name, size.size, kMaxSteps)};
    }
    value = size.size;
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (found[i] == 0) return Error{ErrorCode::kInvalid, fmt::format("dimension '{}' has no size: state one", dims[i])};
  }
  return found;
}

Result<Graph> bind_dims(const Graph& graph, std::span<const DimSize> sizes) {
  ZOE_TRY(validate(graph));
  ZOE_TRY_ASSIGN(const std::vector<int> numbers, dim_sizes(graph.dims, sizes));
  Graph bound = graph;
  bound.dims.clear();
  const auto bind = [&](RowCount& rows) -> Result<void> {
    if (rows.empty()) return {};
    const int value = rows.evaluate(numbers).value_or(0);
    if (value < 1 || value > kMaxSteps)
      return Error{ErrorCode::kLimit,
                   fmt::format("'{}' is {}: 1 to {} are possible", rows.text(graph.dims), value, kMaxSteps)};
    rows = RowCount(value);
    return {};
  };
  for (Port& port : bound.inputs) {
    ZOE_TRY(bind(port.shape.by_dims));
    port.shape = Shape::of(port.shape.rows(), port.shape.width);
  }
  for (Node& node : bound.nodes) {
    Attributes& a = node.attributes;
    for (RowCount* rows : {&a.rows, &a.over, &a.inner}) ZOE_TRY(bind(*rows));
  }
  ZOE_TRY(set_output_shapes(bound));
  ZOE_TRY(validate(bound));
  return bound;
}

}  // namespace zoe::nn
