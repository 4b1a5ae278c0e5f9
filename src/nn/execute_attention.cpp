// SPDX-License-Identifier: MIT
// Part of Zoetrope. Attention, group by group.
#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/attention_shape.h"
#include "nn/execute.h"

namespace zoe::nn {
namespace {

// AttentionCall::entries of all queries.
void pack_entries(const kernels::AttentionCall& call, const std::int32_t* relations, std::uint32_t* entries) {
  for (std::size_t i = 0; i < call.rows; ++i) {
    std::uint32_t* to = entries + i * call.relation_stride();
    for (std::size_t first = 0; first < call.keys; first += kernels::kRelationKeys) {
      std::uint32_t* const count = to++;
      const std::size_t end = std::min(first + kernels::kRelationKeys, call.keys);
      for (std::size_t c = 0; c < call.columns; ++c) {
        std::uint32_t* const of_column = to;
        for (std::size_t j = first; j < end; ++j) {
          const auto at = static_cast<std::uint32_t>(relations[(i * call.keys + j) * call.columns + c]);
          std::uint32_t* entry = std::find_if(of_column, to, [&](std::uint32_t e) { return (e & 0xffffU) == at; });
          if (entry == to) *to++ = at;
          *entry |= 1U << (16 + j - first);
        }
      }
      *count = static_cast<std::uint32_t>(to - count - 1);
    }
  }
}

}  // namespace

void Executor::pack_relations(const Step& step, std::size_t item, kernels::AttentionCall& call) {
  const AttentionShape shape(step, plan_);
  const View relations = in(step, shape.terms + 2);
  auto* classes = reinterpret_cast<std::int32_t*>(relations_);
  auto* entries = reinterpret_cast<std::uint32_t*>(classes + shape.relation_ints());
  call.relations = classes, call.entries = entries;
  const PackedRelations needed{step.inputs[shape.terms + 2], item, shape.classes, shape.rows};
  if (packed_ == needed) return;
  packed_ = needed;
  const auto last = static_cast<float>(shape.classes - 1);
  for (std::size_t r = 0; r < shape.rows * shape.keys; ++r) {
    for (std::size_t c = 0; c < shape.columns; ++c) {
      const float value = std::nearbyint(relations.row(item, r)[c]);
      classes[r * shape.columns + c] = value >= 0 ? static_cast<std::int32_t>(std::min(value, last)) : 0;
    }
  }
  pack_entries(call, classes, entries);
}

void Executor::attention(const Step& step) {
  const Attributes& a = step.attributes;
  const AttentionShape shape(step, plan_);
  const View q = in(step, 0), k = in(step, 1), v = in(step, 2), y = out(step);
  const auto optional = [&](std::size_t i) { return i == 0 ? View{} : in(step, i); };
  const View bias = optional(shape.bias), mask = optional(shape.mask), terms = optional(shape.terms),
             key_terms = optional(shape.terms == 0 ? 0 : shape.terms + 1), values = optional(shape.relation_values);
  const kernels::RowLoops& loops = kernels::row_loops();
  const std::size_t inner = step.axis.inner;
  kernels::AttentionCall call{.heads = shape.heads,
                              .kv_heads = shape.kv_heads,
                              .rows = shape.rows,
                              .keys = shape.keys,
                              .d = shape.d,
                              .dv = shape.dv,
                              .scale = 1 / std::sqrt(static_cast<float>(shape.d)),
                              .scratch = scratch_};
  constexpr std::int64_t kAll = std::numeric_limits<std::int32_t>::max();
  call.windowed = a.causal || a.before >= 0 || a.after >= 0;
  call.before = a.before < 0 ? kAll : a.before, call.after = a.causal ? 0 : a.after < 0 ? kAll : a.after;
  call.first = a.first;
  call.columns = shape.columns, call.classes = shape.classes;
  const std::size_t padded = call.padded_keys();
  float* packed_bias = scratch_ + shape.call_floats();
  const std::size_t key_inner = a.shared_keys ? 1 : inner;
  call.q_stride = inner * q.stride, call.y_stride = inner * y.stride;
  call.k_stride = key_inner * k.stride, call.v_stride = key_inner * v.stride;
  call.mask_stride = key_inner * mask.stride;
  call.query_terms_stride = inner * terms.stride, call.key_terms_stride = key_inner * key_terms.stride;
  call.relation_values_stride = values.stride;
  if (block_.count > 0) {  // Groups of whole rows; of what belongs to an item only relations: see find_chains().
    for (std::size_t row = block_.first; row < block_.first + block_.count; row += shape.rows) {
      call.q = q.at(row), call.k = k.at(row), call.v = v.at(row), call.y = y.at(row);
      if (shape.terms != 0) {
        pack_relations(step, row / y.steps, call);
        call.query_terms = terms.at(row), call.key_terms = key_terms.at(row);
      }
      loops.attention(call);
    }
    return;
  }
  for (std::size_t item = 0; item < batch_; ++item) {
    // Both are the same for all groups of an item.
    for (std::size_t i = 0; shape.bias != 0 && i < shape.rows; ++i) {
      for (std::size_t j = 0; j < padded; ++j) {
        for (std::size_t head = 0; head < shape.heads; ++head) {
          packed_bias[(head * shape.rows + i) * padded + j] =
              j < shape.keys ? bias.row(item, i * shape.keys + j)[bias.width == 1 ? 0 : head] : 0;
        }
      }
    }
    if (shape.terms != 0) pack_relations(step, item, call);
    const auto first_row = [&](std::size_t group) { return group / inner * shape.rows * inner + group % inner; };
    const auto first_key = [&](std::size_t group) {
      return a.shared_keys ? 0 : group / inner * shape.keys * inner + group % inner;
    };
    const std::size_t groups = step.axis.outer * inner;
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t row = first_row(group), key = first_key(group);
      call.q = q.row(item, row), call.y = y.row(item, row);
      call.k = k.row(item, key), call.v = v.row(item, key);
      if (shape.bias != 0) call.bias = packed_bias;
      if (shape.mask != 0) call.mask = mask.row(item, key);
      if (shape.terms != 0) call.query_terms = terms.row(item, row), call.key_terms = key_terms.row(item, key);
      if (shape.relation_values != 0) call.relation_values = values.row(item, 0);
      // Rows that follow each other are prefetched by the machine.
      const bool ahead = inner > 1 && !a.shared_keys && group + 1 < groups;
      call.next[0] = ahead ? q.row(item, first_row(group + 1)) : nullptr;
      call.next[1] = ahead ? k.row(item, first_key(group + 1)) : nullptr;
      call.next[2] = ahead ? v.row(item, first_key(group + 1)) : nullptr;
      loops.attention(call);
    }
  }
}

}  // namespace zoe::nn
