// SPDX-License-Identifier: MIT
// Part of Zoetrope. Chains of steps that run block by block: see find_chains().
#include <algorithm>

#include "nn/plan.h"

namespace zoe::nn {
namespace {

bool is_row_wise(Op op) {
  switch (op) {
    case Op::kLinear:
    case Op::kExpertLinear:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kAtan2:
    case Op::kFilm:
    case Op::kConcat:
    case Op::kSlice:
    case Op::kActivation:
    case Op::kSoftmax:
    case Op::kLayerNorm:
    case Op::kRmsNorm:
    case Op::kNormalize:
    case Op::kDenormalize:
      return true;
    default:
      return false;
  }
}

class ChainFinder {
 public:
  explicit ChainFinder(Plan& plan) : plan_(plan) {}

  // Steps of the longest chain from a step on.
  std::size_t length_from(std::size_t first) {
    if (plan_.steps[first].op == Op::kConstant) return 1;
    rows_ = rows_of(plan_.steps[first].outputs[0]), unit_ = {}, first_ = first;
    if (rows_.is(1)) return 1;  // Its items are few enough already: see batch.cpp.
    std::size_t end = first, last = first;
    for (; end < plan_.steps.size() && fits(plan_.steps[end]); ++end) {
      if (plan_.steps[end].op != Op::kConstant) last = end;
    }
    return last - first + 1;
  }

 private:
  RowCount rows_of(int slot) const { return plan_.slots[static_cast<std::size_t>(slot)].shape.rows(); }

  bool fits(const Step& step) {
    if (step.op == Op::kConstant) return true;
    if (rows_of(step.outputs[0]) != rows_) return false;
    if (is_row_wise(step.op)) return rows_of(step.inputs[0]) == rows_ || step.op == Op::kConcat || reads_beside(step);
    // Attention within groups of neighbouring rows. Biases and masks belong to items, not to rows; so do relations, but
    // these are the same for many groups.
    const Attributes& a = step.attributes;
    if (step.op != Op::kAttention || a.bias || a.mask || a.relation_values || a.shared_keys) return false;
    if (a.over.empty() || !(a.inner.empty() || a.inner.is(1))) return false;
    if (!unit_.empty() && unit_ != a.over) return false;
    // Relations are whole before the chain begins, and the rest has the chain's rows.
    const std::size_t num_rows = a.relations ? step.inputs.size() - 1 : step.inputs.size();
    for (std::size_t i = 0; i < num_rows; ++i) {
      if (rows_of(step.inputs[i]) != rows_) return false;
    }
    if (a.relations && made_since(first_, step.inputs[num_rows], step)) return false;
    unit_ = a.over;
    return true;
  }
  // True if a step of the chain before `end` makes this value.
  bool made_since(std::size_t first, int slot, const Step& end) const {
    for (const Step* step = &plan_.steps[first]; step != &end; ++step) {
      if (std::find(step->outputs.begin(), step->outputs.end(), slot) != step->outputs.end()) return true;
    }
    return false;
  }
  // Single rows and constants are broadcast.
  static bool reads_beside(const Step& step) {
    return step.op != Op::kLinear && step.op != Op::kExpertLinear && step.inputs.size() > 1;
  }

  Plan& plan_;
  std::size_t first_ = 0;
  RowCount rows_, unit_;  // Rows of all values of the chain, and of a group of its attention.
};

}  // namespace

void find_chains(Plan& plan) {
  for (std::size_t first = 0; first < plan.steps.size();) {
    const std::size_t count = ChainFinder(plan).length_from(first);
    plan.steps[first].chain = count;
    const int begin = static_cast<int>(first), last = static_cast<int>(first + count) - 1;
    for (std::size_t i = first; count > 1 && i < first + count; ++i) {
      for (const int output : plan.steps[i].outputs) {
        auto& use = plan.uses[static_cast<std::size_t>(output)];
        Slot& slot = plan.slots[static_cast<std::size_t>(output)];
        slot.local = slot.constant == nullptr && use.second <= last;
        if (!slot.local) use.first = begin;
      }
      for (const int input : plan.steps[i].inputs) {
        auto& use = plan.uses[static_cast<std::size_t>(input)];
        if (!plan.slots[static_cast<std::size_t>(input)].local) use.second = std::max(use.second, last);
      }
    }
    first += count;
  }
}

std::size_t chain_rows(std::span<const Step> chain) {
  std::size_t unit = 1;
  for (const Step& step : chain) {
    if (step.op == Op::kAttention) unit = step.axis.over;
  }
  return std::max<std::size_t>(kChainRows / unit, 1) * unit;
}

std::size_t local_rows(const Plan& plan, int max_batch) {
  return std::min(plan.block_rows, static_cast<std::size_t>(max_batch) * plan.max_chain_rows);
}

}  // namespace zoe::nn
