// SPDX-License-Identifier: MIT
#include "zoe/motion/phase_trust.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/check.h"

namespace zoe {
namespace {

constexpr std::size_t kPoints = 16;  // Points at which a cycle is sampled.
using Cycle = std::array<double, kPoints>;

double correlation(const Cycle& a, const Cycle& b) {
  double mean_a = 0, mean_b = 0;
  for (std::size_t i = 0; i < kPoints; ++i) {
    mean_a += a[i] / kPoints;
    mean_b += b[i] / kPoints;
  }
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < kPoints; ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0.0;
}

// Whole cycles from the first frame on. turns: [frames], never falling.
std::vector<Cycle> cycles_of(std::span<const float> values, std::span<const double> turns) {
  std::vector<Cycle> cycles;
  const auto count = static_cast<std::size_t>(std::max(0.0, turns.back() - turns.front()));
  std::size_t frame = 0;
  for (std::size_t c = 0; c < count; ++c) {
    Cycle cycle{};
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double at = turns.front() + static_cast<double>(c) + static_cast<double>(i) / kPoints;
      while (frame + 2 < turns.size() && turns[frame + 1] < at) ++frame;
      const double gap = turns[frame + 1] - turns[frame];
      const double t = gap > 0 ? std::clamp((at - turns[frame]) / gap, 0.0, 1.0) : 0.0;
      const double a = values[frame], b = values[frame + 1];
      cycle[i] = a + (b - a) * t;
    }
    cycles.push_back(cycle);
  }
  return cycles;
}

}  // namespace

PhaseTrust judge_phase(std::span<const float> values, std::span<const PhaseSample> phases) {
  ZOE_CHECK(values.size() == phases.size(), "judge_phase: not as many phases as values");
  PhaseTrust trust;
  const std::size_t frames = phases.size();
  if (frames < 3) return trust;
  std::vector<double> turns(frames);  // The largest value so far: steps backward count as standing still.
  std::vector<float> envelope(frames);
  double whole = phases[0].phase;
  int back = 0;
  turns[0] = whole;
  for (std::size_t i = 0; i < frames; ++i) {
    envelope[i] = phases[i].amplitude;
    if (i == 0) continue;
    const double step =
        std::remainder(static_cast<double>(phases[i].phase) - static_cast<double>(phases[i - 1].phase), 1.0);
    back += step > 0 ? 0 : 1;
    whole += step;
    turns[i] = std::max(turns[i - 1], whole);
  }
  trust.backward = static_cast<float>(back) / static_cast<float>(frames - 1);
  trust.num_cycles = static_cast<float>(turns.back() - turns.front());
  std::sort(envelope.begin(), envelope.end());
  const float median = envelope[frames / 2];
  trust.envelope = median > 0 ? envelope[frames / 10] / median : 0.0F;
  const std::vector<Cycle> cycles = cycles_of(values, turns);
  double sum = cycles.size() < 2 ? 1 : 0;
  for (std::size_t c = 1; c < cycles.size(); ++c) {
    sum += correlation(cycles[c - 1], cycles[c]) / static_cast<double>(cycles.size() - 1);
  }
  trust.likeness = static_cast<float>(sum);
  return trust;
}

}  // namespace zoe
