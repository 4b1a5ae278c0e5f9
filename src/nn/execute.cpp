// SPDX-License-Identifier: MIT
#include "nn/execute.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "nn/kernels/attention.h"

namespace zoe::nn {

Executor::Executor(const Plan& plan, float* memory, int max_batch, std::size_t batch)
    : plan_(plan), loops_(kernels::table()), max_batch_(static_cast<std::size_t>(max_batch)), batch_(batch) {
  scratch_ = memory;
  relations_ = scratch_ + kernels::round_up(plan.scratch_floats, kernels::kPanel);
  factors_ = relations_ + kernels::round_up(plan.relation_floats, kernels::kPanel);
  row_scales_ = factors_ + kMaxStagedRows;
  staged_ = row_scales_ + kMaxStagedRows;
  quantized_ = reinterpret_cast<std::int16_t*>(staged_ + staged_rows(plan, max_batch) * kernels::kStagedStride);
  arena_ = memory + staging_floats(plan, max_batch);
  local_rows_ = local_rows(plan, max_batch);
  local_ = arena_ - local_rows_ * plan.local_row_floats;
}

Executor::View Executor::view(int slot) const {
  const Slot& s = plan_.slots[static_cast<std::size_t>(slot)];
  const auto steps = static_cast<std::size_t>(s.shape.steps), width = static_cast<std::size_t>(s.shape.width);
  // Constants are never written: validate() lets no operation produce one.
  if (s.constant != nullptr) return {const_cast<float*>(s.constant), steps, width, s.stride, 0};
  if (s.local) return {local_ + s.offset * local_rows_, steps, width, s.stride, steps * s.stride, block_.first};
  return {arena_ + s.offset * max_batch_, steps, width, s.stride, steps * s.stride};
}

void Executor::run(std::span<const std::span<const float>> inputs, std::span<const std::span<float>> outputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const View to = view(plan_.inputs[i].value);
    for (std::size_t r = 0; r < to.num_rows(batch_); ++r) {
      std::memcpy(to.data + r * to.stride, inputs[i].data() + r * to.width, to.width * sizeof(float));
    }
  }
  for (std::size_t i = 0; i < plan_.steps.size(); i += plan_.steps[i].chain) {
    if (plan_.steps[i].chain == 1) {
      run_timed(plan_.steps[i]);
    } else {
      run_chain(std::span(plan_.steps).subspan(i, plan_.steps[i].chain));
    }
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const View from = view(plan_.outputs[i].value);
    for (std::size_t r = 0; r < from.num_rows(batch_); ++r) {
      std::memcpy(outputs[i].data() + r * from.width, from.data + r * from.stride, from.width * sizeof(float));
    }
  }
}

void Executor::run_chain(std::span<const Step> steps) {
  const std::size_t total = out(steps[0]).num_rows(batch_), most = std::min(chain_rows(steps), local_rows_);
  for (std::size_t first = 0; first < total; first += most) {
    block_ = {first, std::min(most, total - first)};
    for (const Step& step : steps) run_timed(step);
  }
  block_ = {};
}

void Executor::run_timed(const Step& step) {
  if (clock_.now == nullptr) return run_step(step);
  const double start_s = clock_.now();
  run_step(step);
  clock_.seconds[static_cast<std::size_t>(&step - plan_.steps.data())] += clock_.now() - start_s;
}

void Executor::run_step(const Step& step) {
  switch (step.op) {
    case Op::kLinear: {
      const auto& packed = plan_.linears[static_cast<std::size_t>(step.linears[0])].packed;
      const int source = step.inputs[0];
      if (step.inputs.size() == 1) return linear(packed, in(step, 0), {.source = source}, out(step), step.attributes);
      const View addend = in(step, 1);
      return linear(packed, in(step, 0), {.addend = &addend, .source = source}, out(step), step.attributes);
    }
    case Op::kExpertLinear: {
      const auto& packed = plan_.linears[static_cast<std::size_t>(step.linears[0])].packed;
      const View gate = in(step, 1);
      return linear(packed, in(step, 0), {.gate = &gate, .source = step.inputs[0]}, out(step), step.attributes);
    }
    case Op::kConv1d: {
      const auto& packed = plan_.linears[static_cast<std::size_t>(step.linears[0])].packed;
      return linear(packed, in(step, 0), {.conv = &step.attributes}, out(step), step.attributes);
    }
    case Op::kGruCell:
    case Op::kLstmCell:
      return cell(step);
    case Op::kAttention:
      return attention(step);
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kAtan2:
    case Op::kFilm:
      return elementwise(step);
    case Op::kConcat:
    case Op::kSlice:
    case Op::kReshape:
    case Op::kTranspose:
      return rearrange(step);
    case Op::kConstant:
      return;
    case Op::kGather:
    case Op::kConcatRows:
    case Op::kSliceRows:
    case Op::kRepeatRows:
      return move_rows(step);
    case Op::kPoolRows:
    case Op::kSoftmaxRows:
      return pool_rows(step);
    case Op::kGroupNorm:
      return group_norm(step);
    case Op::kSinusoidal:
    case Op::kRotary:
      return waves(step);
    case Op::kGlu:
    case Op::kPositions:
      return row_by_row(step);
    case Op::kConv2d: {
      if (step.linears.empty()) return depthwise(step);
      const Picture picture = picture_of(step);
      return linear(plan_.linears[static_cast<std::size_t>(step.linears[0])].packed, in(step, 0),
                    {.conv = &step.attributes, .picture = &picture}, out(step), step.attributes);
    }
    case Op::kUpsample:
      return upsample(step);
    default:
      return by_row(step);
  }
}

void Executor::cell(const Step& step) {
  const View from_x = view(step.temporaries[0]), from_h = view(step.temporaries[1]);
  const Attributes none;
  linear(plan_.linears[static_cast<std::size_t>(step.linears[0])].packed, in(step, 0), {}, from_x, none);
  linear(plan_.linears[static_cast<std::size_t>(step.linears[1])].packed, in(step, 1), {}, from_h, none);
  const View state = in(step, step.op == Op::kGruCell ? 1 : 2), h = out(step);
  for (std::size_t item = 0; item < batch_; ++item) {
    if (step.op == Op::kGruCell) {
      loops_.gru_gates(from_x.row(item, 0), from_h.row(item, 0), state.row(item, 0), h.row(item, 0), h.width);
    } else {
      loops_.lstm_gates(from_x.row(item, 0), from_h.row(item, 0), state.row(item, 0), h.row(item, 0),
                        out(step, 1).row(item, 0), h.width);
    }
  }
}

void Executor::elementwise(const Step& step) const {
  const View a = in(step, 0), b = in(step, 1), c = step.op == Op::kFilm ? in(step, 2) : View{}, y = out(step);
  const Block rows = rows_of(y);
  const auto apply = [&](const float* left, const float* right, const float* third, float* to, std::size_t n) {
    switch (step.op) {
      case Op::kAdd:
        return loops_.add(left, right, to, n);
      case Op::kSubtract:
        return loops_.subtract(left, right, to, n);
      case Op::kMultiply:
        return loops_.multiply(left, right, to, n);
      case Op::kDivide:
        return loops_.divide(left, right, to, n);
      case Op::kAtan2:
        return loops_.atan2(left, right, to, n);
      default:
        return loops_.multiply_add(left, right, third, to, n);
    }
  };
  const auto whole = [&](const View& v) { return v.data == nullptr || (v.follows(y.steps) && v.stride == y.stride); };
  if (whole(a) && whole(b) && whole(c)) {  // Rows follow each other in all of them.
    apply(a.at(rows.first), b.at(rows.first), c.data == nullptr ? nullptr : c.at(rows.first), y.at(rows.first),
          (rows.count - 1) * y.stride + y.width);
  } else {
    for (std::size_t r = rows.first; r < rows.end(); ++r) {
      apply(a.beside(r, y.steps), b.beside(r, y.steps), c.data == nullptr ? nullptr : c.beside(r, y.steps), y.at(r),
            y.width);
    }
  }
  loops_.activate({y.at(rows.first), rows.count, y.width, y.stride}, step.attributes.activation, step.attributes.alpha);
}

void Executor::rearrange(const Step& step) const {
  const View x = in(step, 0), y = out(step);
  const Block rows = rows_of(y);
  for (std::size_t r = rows.first; r < rows.end(); ++r) {
    float* to = y.at(r);
    const std::size_t item = r / y.steps, t = r % y.steps;
    if (step.op == Op::kSlice) {
      std::memcpy(to, x.beside(r, y.steps) + step.attributes.begin, y.width * sizeof(float));
    } else if (step.op == Op::kConcat) {
      for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const View part = in(step, i);
        std::memcpy(to, part.beside(r, y.steps), part.width * sizeof(float));
        to += part.width;
      }
    } else if (step.op == Op::kTranspose) {
      for (std::size_t i = 0; i < y.width; ++i) to[i] = x.row(item, i)[t];
    } else {
      for (std::size_t i = 0; i < y.width;) {
        const std::size_t at = t * y.width + i, column = at % x.width, n = std::min(x.width - column, y.width - i);
        std::memcpy(to + i, x.row(item, at / x.width) + column, n * sizeof(float));
        i += n;
      }
    }
  }
}

void Executor::by_row(const Step& step) const {
  const View x = in(step, 0), y = out(step);
  const Block rows = rows_of(y);
  const Attributes& a = step.attributes;
  // In place on rows that are still in the first cache.
  const auto finish = [&](std::size_t first, std::size_t count) {
    const kernels::RowsCall some{y.at(first), count, y.width, y.stride};
    if (step.op == Op::kActivation) loops_.activate(some, a.activation, a.alpha);
    if (step.op == Op::kSoftmax) loops_.softmax(some, a.group > 0 ? static_cast<std::size_t>(a.group) : y.width);
    if (step.op == Op::kLayerNorm) loops_.layer_norm(some, table(step, 0), table(step, 1), a.epsilon);
    if (step.op == Op::kRmsNorm) kernels::row_loops().rms_norm(some, table(step, 0), a.epsilon);
  };
  constexpr std::size_t kRowsAtOnce = 16;
  for (std::size_t r = rows.first; r < rows.end(); ++r) {
    const float* from = x.at(r);
    float* to = y.at(r);
    switch (step.op) {
      case Op::kNormalize:
        loops_.subtract(from, table(step, 0), to, y.width);
        for (std::size_t i = 0; i < y.width; ++i) to[i] /= table(step, 1)[i];
        break;
      case Op::kDenormalize:
        loops_.multiply_add(from, table(step, 1), table(step, 0), to, y.width);
        break;
      case Op::kEmbedding: {
        const PaddedRows& rows_of = plan_.tables[static_cast<std::size_t>(step.tables[0])];
        const auto last = static_cast<float>(rows_of.count - 1);
        const float index = std::nearbyint(from[0]);
        std::memcpy(to, rows_of.row(index >= 0 ? static_cast<std::size_t>(std::min(index, last)) : 0),
                    y.width * sizeof(float));
        break;
      }
      case Op::kArgmin:
        to[0] = static_cast<float>(std::min_element(from, from + x.width) - from);
        break;
      case Op::kPhaseWeights: {
        // Cyclic Catmull-Rom over four points; see reference.cpp. A phase that is not finite gives weights that are
        // not.
        const float at = 4 * (from[0] - std::floor(from[0])), mu = at - std::floor(at);
        const std::size_t k1 = at >= 0 && at < 4 ? static_cast<std::size_t>(at) : 0;
        to[(k1 + 3) % 4] = mu * (-0.5F + mu * (1 - 0.5F * mu));
        to[k1] = 1 + mu * mu * (-2.5F + 1.5F * mu);
        to[(k1 + 1) % 4] = mu * (0.5F + mu * (2 - 1.5F * mu));
        to[(k1 + 2) % 4] = mu * mu * (-0.5F + 0.5F * mu);
        break;
      }
      default:
        std::memcpy(to, from, y.width * sizeof(float));
        break;
    }
    const std::size_t done = (r - rows.first) % kRowsAtOnce + 1;
    if (done == kRowsAtOnce || r + 1 == rows.end()) finish(r + 1 - done, done);
  }
}

}  // namespace zoe::nn
