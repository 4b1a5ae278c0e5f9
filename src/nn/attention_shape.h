// SPDX-License-Identifier: MIT
// Part of Zoetrope. The sizes of an attention step, once its rows are numbers.
#pragma once

#include "zoe/core/index.h"

#include "nn/kernels/attention.h"
#include "nn/plan.h"

namespace zoe::nn {

struct AttentionShape {
  std::size_t heads = 1, kv_heads = 1, d = 0, dv = 0;
  std::size_t rows = 0, keys = 0;  // Of a group.
  std::size_t classes = 0, columns = 0;
  // Positions of optional inputs; 0: absent. Terms of queries, of keys, relations and their values follow each other.
  std::size_t bias = 0, mask = 0, terms = 0, relation_values = 0;

  AttentionShape(const Step& step, const Plan& plan) {
    const Attributes& a = step.attributes;
    const auto shape = [&](std::size_t i) { return plan.slots[static_cast<std::size_t>(step.inputs[i])].shape; };
    heads = idx(a.heads), kv_heads = a.kv_heads == 0 ? heads : idx(a.kv_heads);
    d = idx(shape(0).width) / heads, dv = idx(shape(2).width) / kv_heads;
    rows = step.axis.over;
    keys = idx(shape(1).steps) / (a.shared_keys ? 1 : step.axis.outer * step.axis.inner);
    std::size_t next = 3;
    if (a.bias) bias = next++;
    if (a.mask) mask = next++;
    if (a.relations) {
      terms = next, next += 3;
      classes = idx(shape(terms).width) / heads, columns = idx(shape(terms + 2).width);
    }
    if (a.relation_values) relation_values = next;
  }

  std::size_t call_floats() const {
    const kernels::AttentionCall call{
        .heads = heads, .kv_heads = kv_heads, .rows = rows, .keys = keys, .d = d, .dv = dv, .classes = classes};
    return kernels::round_up(call.floats(), kernels::kPanel);
  }
  std::size_t bias_floats() const { return bias == 0 ? 0 : heads * rows * kernels::round_up(keys, kernels::kPanel); }
  std::size_t relation_ints() const { return terms == 0 ? 0 : rows * keys * columns; }
  std::size_t entry_ints() const {
    const kernels::AttentionCall call{.keys = keys, .columns = columns};
    return terms == 0 ? 0 : rows * call.relation_stride();
  }
  std::size_t floats() const { return call_floats() + bias_floats(); }
  // Beside the scratch: several steps read the same ones.
  std::size_t relation_floats() const { return relation_ints() + entry_ints(); }
  std::size_t multiply_adds(const StepAxis& axis) const {
    return axis.outer * axis.inner * rows * keys * heads * (d + dv);
  }
};

}  // namespace zoe::nn
