// SPDX-License-Identifier: MIT
// Part of Zoetrope. Operations along rows, and on pictures whose pixels are rows.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "nn/execute.h"
#include "nn/kernels/attention.h"

namespace zoe::nn {

void Executor::move_rows(const Step& step) const {
  const Attributes& a = step.attributes;
  const View x = in(step, 0), y = out(step);
  const std::size_t inner = step.op == Op::kRepeatRows && a.inner.empty() ? x.steps : step.axis.inner;
  const std::size_t begin = static_cast<std::size_t>(a.begin),
                    count = step.op == Op::kSliceRows ? y.steps / (step.axis.outer * inner) : 0;
  const std::size_t bytes = y.width * sizeof(float);
  for (std::size_t item = 0; item < batch_; ++item) {
    if (step.op == Op::kConcatRows) {
      std::size_t r = 0;
      for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const View part = in(step, i);
        for (std::size_t s = 0; s < part.steps; ++s) std::memcpy(y.row(item, r++), part.row(item, s), bytes);
      }
      continue;
    }
    for (std::size_t r = 0; r < y.steps; ++r) {
      std::size_t from = 0;
      if (step.op == Op::kGather) {
        const auto last = static_cast<float>(x.steps - 1);
        const float index = std::nearbyint(in(step, 1).row(item, r)[0]);
        from = index >= 0 ? static_cast<std::size_t>(std::min(index, last)) : 0;
      } else if (step.op == Op::kRepeatRows) {
        from = r / (inner * step.axis.over) * inner + r % inner;
      } else {  // Slice: element i of group (o, k).
        const std::size_t o = r / (count * inner), i = r / inner % count, k = r % inner;
        from = (o * step.axis.over + begin + i) * inner + k;
      }
      std::memcpy(y.row(item, r), x.row(item, from), bytes);
    }
  }
}

void Executor::pool_rows(const Step& step) const {
  const View x = in(step, 0), y = out(step);
  const StepAxis axis = step.axis;
  const bool softmax = step.op == Op::kSoftmaxRows, masked = step.inputs.size() > 1;
  const bool maximum = softmax || step.attributes.maximum;
  const kernels::RowLoops& loops = kernels::row_loops();
  const std::size_t padded = kernels::round_up(x.width, kernels::kPanel);
  for (std::size_t item = 0; item < batch_; ++item) {
    for (std::size_t group = 0; group < axis.outer * axis.inner; ++group) {
      const auto row = [&](std::size_t i) {
        return (group / axis.inner * axis.over + i) * axis.inner + group % axis.inner;
      };
      float* to = softmax ? scratch_ : y.row(item, group);
      std::size_t count = 0;
      std::fill(to, to + padded, 0.0F);
      for (std::size_t i = 0; i < axis.over; ++i) {
        if (masked && !(in(step, 1).row(item, row(i))[0] > 0)) continue;
        const float* from = x.row(item, row(i));
        if (++count == 1) {
          std::memcpy(to, from, x.width * sizeof(float));
        } else {
          maximum ? loops.maximum(from, to, x.width) : loops_.add(from, to, to, x.width);
        }
      }
      if (!maximum && count > 0) loops_.scale(to, 1 / static_cast<float>(count), to, x.width);
      if (!softmax) continue;
      float* sum = scratch_ + padded;
      std::fill(sum, sum + padded, 0.0F);
      for (std::size_t i = 0; i < axis.over; ++i) {
        loops.exponential(x.row(item, row(i)), to, y.row(item, row(i)), x.width);
        loops_.add(y.row(item, row(i)), sum, sum, x.width);
      }
      for (std::size_t i = 0; i < axis.over; ++i) {
        loops_.divide(y.row(item, row(i)), sum, y.row(item, row(i)), x.width);
      }
    }
  }
}

void Executor::group_norm(const Step& step) const {
  const View x = in(step, 0), y = out(step);
  const kernels::RowLoops& loops = kernels::row_loops();
  const auto groups = static_cast<std::size_t>(step.attributes.groups);
  const std::size_t size = x.width / groups, padded = kernels::round_up(x.width, kernels::kPanel);
  float *means = scratch_, *factors = scratch_ + padded;
  const double n = static_cast<double>(size) * static_cast<double>(x.steps);
  for (std::size_t item = 0; item < batch_; ++item) {
    for (std::size_t g = 0; g < groups; ++g) {
      double sum = 0, square = 0;
      for (std::size_t r = 0; r < x.steps; ++r) sum += static_cast<double>(loops.sum(x.row(item, r) + g * size, size));
      const auto mean = static_cast<float>(sum / n);
      for (std::size_t r = 0; r < x.steps; ++r)
        square += static_cast<double>(loops.sum_of_squares(x.row(item, r) + g * size, mean, size));
      const auto inverse = static_cast<float>(1 / std::sqrt(square / n + static_cast<double>(step.attributes.epsilon)));
      for (std::size_t i = g * size; i < (g + 1) * size; ++i) {
        means[i] = mean;
        factors[i] = inverse * table(step, 0)[i];
      }
    }
    for (std::size_t r = 0; r < x.steps; ++r) {
      float* to = y.row(item, r);
      loops_.subtract(x.row(item, r), means, to, x.width);
      loops_.multiply_add(to, factors, table(step, 1), to, x.width);
    }
  }
}

// Sines and cosines of rows, and what they rotate.
void Executor::waves(const Step& step) const {
  const Attributes& a = step.attributes;
  const View x = in(step, 0), t = in(step, step.op == Op::kRotary ? 1 : 0), y = out(step);
  const kernels::RowLoops& loops = kernels::row_loops();
  const std::size_t heads = step.op == Op::kRotary ? static_cast<std::size_t>(a.heads) : 1, d = y.width / heads,
                    half = d / 2;
  float *sines = scratch_, *cosines = scratch_ + kernels::round_up(half, kernels::kPanel);
  for (std::size_t item = 0; item < batch_; ++item) {
    for (std::size_t r = 0; r < y.steps; ++r) {
      loops.sine_cosine(t.row(item, r)[0], table(step, 0), sines, cosines, half);
      float* to = y.row(item, r);
      if (step.op == Op::kSinusoidal) {
        std::memcpy(to, cosines, half * sizeof(float));
        std::memcpy(to + half, sines, half * sizeof(float));
        continue;
      }
      for (std::size_t head = 0; head < heads; ++head) {
        const float* from = x.row(item, r) + head * d;
        float* turned = to + head * d;
        const std::size_t step_of = a.interleaved ? 2 : 1, second = a.interleaved ? 1 : half;
        for (std::size_t i = 0; i < half; ++i) {
          const float p = from[i * step_of], q = from[i * step_of + second];
          turned[i * step_of] = p * cosines[i] - q * sines[i];
          turned[i * step_of + second] = p * sines[i] + q * cosines[i];
        }
      }
    }
  }
}

void Executor::row_by_row(const Step& step) const {
  const View x = in(step, 0), y = out(step);
  for (std::size_t r = 0; r < y.num_rows(batch_); ++r) {
    const float* from = x.data + r * x.stride;
    float* to = y.data + r * y.stride;
    if (step.op == Op::kPositions) {
      to[0] = static_cast<float>(r % y.steps / step.axis.inner % step.axis.over);
    } else {
      std::memcpy(to, from + y.width, y.width * sizeof(float));
      loops_.activate({to, 1, y.width, y.stride}, step.attributes.activation, step.attributes.alpha);
      loops_.multiply(from, to, to, y.width);
    }
  }
}

// One weight for each channel and position of the kernel.
void Executor::depthwise(const Step& step) const {
  const Attributes& a = step.attributes;
  const View x = in(step, 0), y = out(step);
  const Picture picture = picture_of(step);
  const PaddedRows& taps = plan_.tables[static_cast<std::size_t>(step.tables[0])];
  for (std::size_t item = 0; item < batch_; ++item) {
    for (std::size_t r = 0; r < y.steps; ++r) {
      float* to = y.row(item, r);
      std::memcpy(to, table(step, 1), y.width * sizeof(float));
      for (std::size_t tap = 0; tap < taps.count; ++tap) {
        const long from = picture.source(r, tap, a);
        if (from >= 0) loops_.multiply_add(x.row(item, static_cast<std::size_t>(from)), taps.row(tap), to, to, y.width);
      }
    }
  }
  loops_.activate({y.data, y.num_rows(batch_), y.width, y.stride}, a.activation, a.alpha);
}

void Executor::upsample(const Step& step) const {
  const View x = in(step, 0), y = out(step);
  const auto times = static_cast<std::size_t>(step.attributes.stride);
  const std::size_t lines = step.axis.over, line = step.axis.inner, wide = line * times;
  // The two nearest pixels and the weight of the second, between centres.
  struct Between {
    std::size_t low, high;
    float weight;
  };
  const auto between = [&](std::size_t i, std::size_t count) {
    const float at = (static_cast<float>(i) + 0.5F) / static_cast<float>(times) - 0.5F;
    const float source = std::clamp(at, 0.0F, static_cast<float>(count - 1));
    const auto low = static_cast<std::size_t>(source);
    return Between{low, std::min(low + 1, count - 1), source - static_cast<float>(low)};
  };
  for (std::size_t item = 0; item < batch_; ++item) {
    for (std::size_t r = 0; r < y.steps; ++r) {
      float* to = y.row(item, r);
      const auto pixel = [&](std::size_t py, std::size_t px) { return x.row(item, py * line + px); };
      if (!step.attributes.bilinear) {
        std::memcpy(to, pixel(r / wide / times, r % wide / times), y.width * sizeof(float));
        continue;
      }
      const Between v = between(r / wide, lines), h = between(r % wide, line);
      loops_.scale(pixel(v.low, h.low), (1 - v.weight) * (1 - h.weight), to, y.width);
      loops_.scale_add(pixel(v.low, h.high), (1 - v.weight) * h.weight, to, y.width);
      loops_.scale_add(pixel(v.high, h.low), v.weight * (1 - h.weight), to, y.width);
      loops_.scale_add(pixel(v.high, h.high), v.weight * h.weight, to, y.width);
    }
  }
}

}  // namespace zoe::nn
