// SPDX-License-Identifier: MIT
#include "nn/plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "nn/kernels/amx.h"
#include "nn/op_table.h"
#include "nn/shared_products.h"

namespace zoe::nn {
namespace {

using kernels::kPanel;
using kernels::round_up;

class Planner {
 public:
  explicit Planner(const Graph& graph) : graph_(graph) {}

  Plan run(const std::vector<ValueInfo>& values) {
    plan_.inputs = graph_.inputs;
    plan_.outputs = graph_.outputs;
    plan_.metadata = graph_.metadata;
    for (const ValueInfo& value : values) add_slot(value.shape, 0);
    for (const SharedProduct& product : find_shared_products(graph_, values)) {
      const auto shared = std::make_shared<Shared>(Shared{product.part});
      for (std::size_t i = 0; i < product.nodes.size(); ++i) shared_[product.nodes[i]] = {product.concats[i], shared};
      left_out_.insert(product.concats.begin(), product.concats.end());
    }
    // Inputs exist before the first step. Outputs must exist after the last.
    int next = static_cast<int>(graph_.inputs.size());
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) uses_[i] = {-1, -1};
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) next = add_node(static_cast<int>(n), next);
    for (const Port& port : graph_.outputs)
      uses_[static_cast<std::size_t>(port.value)].second = static_cast<int>(plan_.steps.size());
    held_->weights = gather_weights(held_->linears);
    plan_.held = held_;
    plan_.linears = held_->linears;
    plan_.tables = held_->tables;
    plan_.uses = std::move(uses_);
    plan_.dims = graph_.dims;
    find_chains(plan_);
    return std::move(plan_);
  }

 private:
  // Of a shared product: the part of the inputs that it reads, and its value. -1: not computed yet.
  struct Shared {
    int part = 0, slot = -1;
  };

  int add_slot(Shape shape, int step) {
    plan_.slots.push_back({shape, round_up(static_cast<std::size_t>(shape.width), kPanel), 0, nullptr, 0});
    uses_.emplace_back(step, step);
    return static_cast<int>(plan_.slots.size()) - 1;
  }
  const Weight* weight(const Node& node, std::size_t i) const {
    return node.weights[i] < 0 ? nullptr : &graph_.weights[static_cast<std::size_t>(node.weights[i])];
  }

  // Weights used by several nodes are packed once.
  int linear(const Node& node, std::size_t w, std::size_t b, Columns columns = {}) {
    const bool is_conv = node.op == Op::kConv1d;
    const auto [found, fresh] = linear_of_.emplace(std::tuple(node.weights[w], node.weights[b], is_conv, columns),
                                                   static_cast<int>(held_->linears.size()));
    if (fresh) {
      held_->linears.push_back(pack_linear(*weight(node, w), weight(node, b), is_conv, columns));
      plan_.weight_bytes += held_->linears.back().bytes;
    }
    return found->second;
  }
  int table(const Node& node, std::size_t w, std::size_t width, float otherwise) {
    const Weight* source = weight(node, w);
    held_->tables.push_back(
        pad_rows(source == nullptr ? std::vector<float>(width, otherwise) : source->to_floats(), width));
    return static_cast<int>(held_->tables.size()) - 1;
  }

  void conv2d(const Node& node, std::size_t out, Step& step) {
    const Weight& source = *weight(node, 0);
    const std::size_t taps = source.shape[2] * source.shape[3], per_group = source.shape[1],
                      groups = static_cast<std::size_t>(node.attributes.groups);
    step.kernel_lines = source.shape[2], step.kernel_line = source.shape[3];
    if (groups == out && per_group == 1 && groups > 1) {  // Depthwise: [position of the kernel, channel].
      const std::vector<float> values = source.to_floats();
      std::vector<float> turned(values.size());
      for (std::size_t c = 0; c < out; ++c) {
        for (std::size_t tap = 0; tap < taps; ++tap) turned[tap * out + c] = values[c * taps + tap];
      }
      held_->tables.push_back(pad_rows(turned, out));
      step.tables = {static_cast<int>(held_->tables.size()) - 1, table(node, 1, out, 0)};
      return;
    }
    // As a convolution along one axis of all positions of the kernel. Other groups' inputs have the weight 0.
    Weight whole = source;
    whole.shape = {out, per_group * groups, taps};
    if (groups > 1) {
      const std::size_t item = item_bytes(source.type), row = per_group * taps * item;
      whole.bytes.assign(source.bytes.size() * groups, std::byte{});
      for (std::size_t n = 0; n < out; ++n) {
        std::copy_n(source.bytes.begin() + static_cast<long>(n * row), row,
                    whole.bytes.begin() + static_cast<long>((n * groups + n / (out / groups)) * row));
      }
    }
    const auto [found, fresh] =
        linear_of_.emplace(std::tuple(node.weights[0], node.weights[1], true, Columns{groups, 0}),
                           static_cast<int>(held_->linears.size()));
    if (fresh) {
      held_->linears.push_back(pack_linear(whole, weight(node, 1), true));
      plan_.weight_bytes += held_->linears.back().bytes;
    }
    step.linears = {found->second};
  }

  int add_node(int n, int next) {
    if (left_out_.contains(n)) return next + 1;  // Its parts are read one by one.
    const Node& node = graph_.nodes[static_cast<std::size_t>(n)];
    const auto found = shared_.find(n);
    if (found == shared_.end()) return add_step(node, next);
    return add_shared(node, graph_.nodes[static_cast<std::size_t>(found->second.first)], *found->second.second, next);
  }

  // One of several layers that share a product: adds its own part to the common one.
  int add_shared(const Node& node, const Node& concat, Shared& shared, int next) {
    const auto slot = [&](int i) -> const Slot& { return plan_.slots[static_cast<std::size_t>(i)]; };
    const Shape out = slot(next).shape;
    const auto product = [&](int part, std::vector<int> inputs, int output, const Attributes& attributes) {
      const auto width = [&](int i) {
        return static_cast<std::size_t>(slot(concat.inputs[static_cast<std::size_t>(i)]).shape.width);
      };
      const auto at = static_cast<int>(plan_.steps.size());
      uses_[static_cast<std::size_t>(output)] = {at, at};
      for (const int input : inputs) uses_[static_cast<std::size_t>(input)].second = at;
      Step step;
      step.attributes = attributes;
      step.inputs = std::move(inputs);
      step.outputs = {output};
      step.linears = {linear(node, 0, 1, {part == 0 ? 0 : width(0), width(part)})};
      plan_.steps.push_back(std::move(step));
    };
    const int same = concat.inputs[static_cast<std::size_t>(shared.part)],
              own = concat.inputs[static_cast<std::size_t>(1 - shared.part)];
    if (shared.slot < 0) {
      shared.slot = add_slot(out, 0);
      product(shared.part, {same}, shared.slot, {});
    }
    product(1 - shared.part, {own, shared.slot}, next, node.attributes);
    return next + 1;
  }

  int add_step(const Node& node, int next) {
    const auto at = static_cast<int>(plan_.steps.size());
    Step step;
    step.op = node.op;
    step.attributes = node.attributes;
    step.inputs = node.inputs;
    for (int i = 0; i < op_info(node.op).num_outputs; ++i) {
      step.outputs.push_back(next);
      uses_[static_cast<std::size_t>(next++)] = {at, at};
    }
    for (const int input : node.inputs) uses_[static_cast<std::size_t>(input)].second = at;
    const Shape out = plan_.slots[static_cast<std::size_t>(step.outputs[0])].shape;
    const auto width = static_cast<std::size_t>(out.width);
    switch (node.op) {
      case Op::kLinear:
      case Op::kExpertLinear:
      case Op::kConv1d:
        step.linears = {linear(node, 0, 1)};
        break;
      case Op::kGruCell:
      case Op::kLstmCell: {
        const int gates = node.op == Op::kGruCell ? 3 : 4;
        step.linears = {linear(node, 0, 2), linear(node, 1, 3)};
        step.temporaries = {add_slot({1, gates * out.width}, at), add_slot({1, gates * out.width}, at)};
        break;
      }
      case Op::kEmbedding:
        step.tables = {table(node, 0, width, 0)};
        break;
      case Op::kRmsNorm:
        step.tables = {table(node, 0, width, 1)};
        break;
      case Op::kSinusoidal:
      case Op::kRotary: {
        const std::size_t half =
            width / (node.op == Op::kRotary ? static_cast<std::size_t>(node.attributes.heads) : 1) / 2;
        std::vector<float> frequencies(half);
        for (std::size_t i = 0; i < half; ++i) {
          frequencies[i] = static_cast<float>(std::pow(static_cast<double>(node.attributes.period),
                                                       -static_cast<double>(i) / static_cast<double>(half)));
        }
        held_->tables.push_back(pad_rows(frequencies, half));
        step.tables = {static_cast<int>(held_->tables.size()) - 1};
        break;
      }
      case Op::kConv2d:
        conv2d(node, width, step);
        break;
      case Op::kGroupNorm:
      case Op::kLayerNorm:
        step.tables = {table(node, 0, width, 1), table(node, 1, width, 0)};
        break;
      case Op::kNormalize:
      case Op::kDenormalize:
        step.tables = {table(node, 0, width, 0), table(node, 1, width, 1)};
        break;
      case Op::kConstant:
        step.tables = {table(node, 0, width, 0)};
        plan_.slots[static_cast<std::size_t>(step.outputs[0])].constant = held_->tables.back().row(0);
        break;
      default:
        break;
    }
    plan_.steps.push_back(std::move(step));
    return next;
  }

  const Graph& graph_;
  Plan plan_;
  std::shared_ptr<PlanWeights> held_ = std::make_shared<PlanWeights>();
  // Layers that share a product, by node: the node that makes the input, and the common part.
  std::map<int, std::pair<int, std::shared_ptr<Shared>>> shared_;
  std::set<int> left_out_;  // Nodes without a step.
  std::vector<std::pair<int, int>> uses_;
  std::map<std::tuple<int, int, bool, Columns>, int> linear_of_;
};

}  // namespace

Result<std::unique_ptr<const Plan>> make_plan(const Graph& graph) {
  ZOE_TRY_ASSIGN(const std::vector<ValueInfo> values, validate(graph));
  auto plan = std::make_unique<Plan>(Planner(graph).run(values));
  plan->fingerprint = fingerprint_of(graph);
  if (plan->dims.empty()) place_plan(*plan);
  return std::unique_ptr<const Plan>(std::move(plan));
}

std::size_t staged_rows(const Plan& plan, int max_batch) {
  return std::min(static_cast<std::size_t>(max_batch) * plan.max_rows, kMaxStagedRows);
}

std::size_t staged_rows(const kernels::PackedLinear& linear) {
  if (linear.type != WeightType::kI8) return kMaxStagedRows;
  // Up to 16 blocks, about 3 MB, in full. Wider ones have fewer rows at a time.
  const std::size_t blocks = (linear.in + kernels::kBlock - 1) / kernels::kBlock;
  return std::clamp<std::size_t>(kMaxStagedRows * 16 / blocks / 12 * 12, 12, kMaxStagedRows);
}

std::size_t staging_floats(const Plan& plan, int max_batch) {
  const std::size_t all = static_cast<std::size_t>(max_batch) * plan.max_rows;
  const std::size_t rows = staged_rows(plan, max_batch);
  std::size_t rounded = 0;
  bool staged = rows > 1;
  for (const OwnedLinear& linear : plan.linears) {
    const kernels::PackedLinear& packed = linear.packed;
    if (packed.type == WeightType::kI8) {
      const std::size_t blocks = (packed.in + kernels::kBlock - 1) / kernels::kBlock;
      rounded = std::max(rounded, blocks * std::min(rows, staged_rows(packed)) * kernels::kStagedStride / 2);
    } else if (packed.type == WeightType::kBF16 && kernels::has_amx()) {
      rounded = std::max(rounded, kernels::amx_scratch(packed, all));
      staged = true;  // Also for one row.
    }
  }
  const std::size_t product = 2 * kMaxStagedRows + rows * kernels::kStagedStride + rounded;
  return (staged ? round_up(product, kPanel) : 0) + round_up(plan.scratch_floats, kPanel) +
         round_up(plan.relation_floats, kPanel) + local_rows(plan, max_batch) * plan.local_row_floats;
}

}  // namespace zoe::nn
