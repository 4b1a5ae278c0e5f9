// SPDX-License-Identifier: MIT
// Noise and jumps between frames.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "certify/angle.h"
#include "certify/judge.h"

namespace zoe::certify {
namespace {

// Mean of products, without the largest ones: jumps are no noise.
double trimmed_mean(std::vector<double> products) {
  std::ranges::sort(products, {}, [](double p) { return std::abs(p); });
  const std::size_t kept =
      products.size() - std::min(products.size() / 2, std::max<std::size_t>(products.size() / 20, 8));
  double sum = 0;
  for (std::size_t i = 0; i < kept; ++i) sum += products[i];
  return sum / static_cast<double>(std::max<std::size_t>(kept, 1));
}

// Standard deviation of white noise in the rotations of a joint, degrees. Second differences d of white noise have
// E[d(f) · d(f+1)] = -4 σ² and E[d(f) · d(f+2)] = σ² per axis. Those of smooth motion are positive, however fast it is;
// a gait of three or four frames a cycle has both negative.
double noise_deg(const ClipTrack& track, int joint) {
  std::vector<Vec3> bends;
  Vec3 last_step{};
  for (int f = 0; f + 1 < track.frames; ++f) {
    const Vec3 step = to_rotation_vector(conjugate(track.local(f, joint)) * track.local(f + 1, joint));
    if (f > 0) bends.push_back(step - last_step);
    last_step = step;
  }
  std::vector<double> next, after_next;
  for (std::size_t i = 0; i + 2 < bends.size(); ++i) {
    next.push_back(static_cast<double>(dot(bends[i], bends[i + 1])));
    after_next.push_back(static_cast<double>(dot(bends[i], bends[i + 2])));
  }
  const double variance = -trimmed_mean(std::move(next)) / 12;
  const bool is_white = trimmed_mean(std::move(after_next)) / 3 > 0.25 * variance;
  return is_white ? kDegrees * std::sqrt(std::max(0.0, variance)) : 0.0;
}

struct Jump {
  double value_deg = 0;
  int frame = 0;
  bool comes_back = false;  // In the next frame.
};

// The largest jump of one joint: a step far above the steps around it.
Jump find_jump(const ClipTrack& track, int joint) {
  const std::vector<double> steps = steps_deg(track, joint);
  const int count = static_cast<int>(steps.size());
  Jump worst;
  for (int f = 0; f < count; ++f) {
    if (const double single = single_jump_deg(track, joint, steps, f + 1); single > worst.value_deg)
      worst = {single, f + 1, true};
    // The ends of a clip have steps on one side only.
    if (f < 2 || f + 2 >= count) continue;
    const double around = std::max({steps[idx(f - 1)], steps[idx(f - 2)], steps[idx(f + 1)], steps[idx(f + 2)]});
    if (steps[idx(f)] > 6 * around && steps[idx(f)] > worst.value_deg) worst = {steps[idx(f)], f + 1, false};
  }
  return worst;
}

}  // namespace

std::vector<double> steps_deg(const ClipTrack& track, int joint) {
  std::vector<double> steps;
  for (int f = 0; f + 1 < track.frames; ++f)
    steps.push_back(angle_deg(track.local(f, joint), track.local(f + 1, joint)));
  return steps;
}

double single_jump_deg(const ClipTrack& track, int joint, const std::vector<double>& steps, int frame) {
  const int count = static_cast<int>(steps.size());
  if (frame < 1 || frame >= count) return 0;
  const auto at = [&](int f) { return f < 0 || f >= count ? 0.0 : steps[idx(f)]; };
  // It has a step to it and one away; the steps beyond them are compared.
  const double jump = std::min(at(frame - 1), at(frame));
  const double around = std::max({at(frame - 2), at(frame - 3), at(frame + 1), at(frame + 2)});
  const double returns = angle_deg(track.local(frame - 1, joint), track.local(frame + 1, joint));
  return jump > 1.8 * std::max(around, 0.5 * returns) ? jump : 0.0;
}

std::vector<int> spike_joints(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  const std::vector<float> levers = levers_m(skeleton, analysis);
  const float least = 0.07F * body_size_m(skeleton, analysis);
  std::vector<int> joints;
  for (const int j : moving_joints(skeleton))
    if (levers[idx(j)] >= least) joints.push_back(j);
  return joints;
}

void check_jitter(const ClipTrack& track, Judge& judge) {
  if (track.frames < 24) return judge.skip(Check::kJitter, "the clip has fewer than 24 frames");
  std::vector<std::pair<double, int>> noise;
  for (const int j : moving_joints(track.skeleton())) noise.emplace_back(noise_deg(track, j), j);
  if (noise.empty()) return judge.skip(Check::kJitter, "the body has no moving joints");
  std::ranges::sort(noise, [](const auto& a, const auto& b) { return a.first > b.first; });
  // Fast noise of one finger is no defect of the clip: a quarter of the joints, three at most.
  const std::size_t rank = std::min<std::size_t>(2, noise.size() / 4);
  std::vector<int> joints;
  for (std::size_t i = 0; i <= rank; ++i) joints.push_back(noise[i].second);
  judge.add(Check::kJitter, noise[rank].first, 0, track.frames - 1, joints,
            fmt::format("Rotations have {:.1f} degrees of noise from frame to frame, {} most. Filter the clip, or use "
                        "a cleaner source.",
                        noise[rank].first, track.skeleton().name(noise[0].second)));
}

void check_spikes(const ClipTrack& track, Judge& judge) {
  if (track.frames < 8) return judge.skip(Check::kSpike, "the clip has fewer than 8 frames");
  for (const int j : spike_joints(track.skeleton(), *track.body)) {
    const Jump jump = find_jump(track, j);
    judge.add(Check::kSpike, jump.value_deg, jump.frame, jump.frame, {j},
              fmt::format("{} jumps by {:.0f} degrees within one frame. {}", track.skeleton().name(j), jump.value_deg,
                          jump.comes_back ? "`zoe fix` replaces single frames by their neighbours."
                                          : "It stays there: look for a cut, or angles that wrap, at this frame."));
  }
}

}  // namespace zoe::certify
