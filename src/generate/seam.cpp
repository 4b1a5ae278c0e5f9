// SPDX-License-Identifier: MIT
#include "zoe/generate/seam.h"

#include <algorithm>
#include <array>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/generate/ground_move.h"
#include "zoe/generate/in_between.h"
#include "zoe/generate/least_acceleration.h"

namespace zoe::generate {
namespace {

// Weights of value and slope of a cubic that ends in rest, at `at` of `window` frames.
struct EaseWeights {
  float value = 0, slope = 0;
};
EaseWeights ease_weights(int at, int window) {
  const float u = static_cast<float>(at) / static_cast<float>(window), r = 1 - u;
  return {r * r * (1 + 2 * u), static_cast<float>(at) * r * r};
}

// direction: of time away from the seam, -1 or 1; sign: of the difference.
void ease(Motion& motion, int frame, int window, int direction, float sign, const SeamDifference& d) {
  const std::size_t joints = idx(motion.num_joints()), weights = idx(motion.num_morph_weights);
  for (int k = 0; k < std::max(1, window); ++k) {
    const int f = frame + k * direction;
    if (f < 0 || f >= motion.num_frames) break;
    EaseWeights w = ease_weights(k, std::max(1, window));
    w.value *= sign, w.slope *= sign * static_cast<float>(direction);
    for (std::size_t j = 0; j < joints; ++j) {
      const std::size_t at = idx(f) * joints + j;
      motion.translations[at] = motion.translations[at] + d.position[j] * w.value + d.velocity[j] * w.slope;
      const Vec3 turn = d.rotation[j] * w.value + d.spin[j] * w.slope;
      motion.rotations[at] = normalized(from_rotation_vector(turn) * motion.rotations[at]);
      if (!d.scale.empty()) motion.scales[at] = motion.scales[at] + d.scale[j] * w.value;
    }
    for (std::size_t i = 0; i < weights; ++i)
      motion.morph_weights[idx(f) * weights + i] += d.morph_weights[i] * w.value;
  }
}

constexpr double kLeastJump_m = 1e-5;  // Rounding of rotations along a chain of some metres is no jump.

// Largest jump at the seams and beside them, metres per frame.
double worst_jump(const Motion& made, std::span<const int> seams, std::span<const std::uint8_t> known) {
  const std::vector<double> jumps = velocity_jumps(made);
  const auto is_own = [&](int f) {
    return !known.empty() && known[idx(f - 1)] != 0 && known[idx(f)] != 0 && known[idx(f + 1)] != 0;
  };
  double worst = 0;
  for (const int seam : seams)
    for (const int f : {seam - 1, seam, seam + 1})
      if (f > 0 && f + 1 < made.num_frames && !is_own(f)) worst = std::max(worst, jumps[idx(f)]);
  return worst;
}

}  // namespace

SeamDifference seam_difference(const Motion& before, int frame_before, const Motion& after, int frame_after) {
  ZOE_CHECK(before.num_joints() == after.num_joints(), "a seam needs one skeleton on both sides");
  const std::size_t joints = idx(before.num_joints()), weights = idx(before.num_morph_weights);
  // Rows of the last three frames before and the first three after, the nearest to the seam first.
  std::array<std::size_t, 3> a{}, b{};
  for (int k = 0; k < 3; ++k) {
    a[idx(k)] = idx(std::max(0, frame_before - k)) * joints;
    b[idx(k)] = idx(std::min(after.num_frames - 1, frame_after + k)) * joints;
  }
  const bool has_before = frame_before >= 2, has_after = frame_after + 2 < after.num_frames;
  // The change of a velocity that is the motion's own: what it was before and will be after, in the mean.
  const auto own_change = [&](Vec3 change_before, Vec3 change_after) {
    const Vec3 sum = (has_before ? change_before : Vec3{}) + (has_after ? change_after : Vec3{});
    return has_before || has_after ? sum * (has_before && has_after ? 0.5F : 1.0F) : Vec3{};
  };
  const auto spin = [](Quat from, Quat to) { return to_rotation_vector(to * conjugate(from)); };
  SeamDifference d;
  for (std::size_t j = 0; j < joints; ++j) {
    const auto &p = before.translations, &p2 = after.translations;
    const auto &q = before.rotations, &q2 = after.rotations;
    const Vec3 last = p[a[0] + j] - p[a[1] + j], earlier = p[a[1] + j] - p[a[2] + j];
    const Vec3 first = p2[b[1] + j] - p2[b[0] + j], later = p2[b[2] + j] - p2[b[1] + j];
    d.position.push_back(p2[b[0] + j] - p[a[0] + j]);
    d.velocity.push_back(first - last - own_change(last - earlier, later - first));
    const Vec3 last_spin = spin(q[a[1] + j], q[a[0] + j]), earlier_spin = spin(q[a[2] + j], q[a[1] + j]);
    const Vec3 first_spin = spin(q2[b[0] + j], q2[b[1] + j]), later_spin = spin(q2[b[1] + j], q2[b[2] + j]);
    d.rotation.push_back(spin(q[a[0] + j], q2[b[0] + j]));
    d.spin.push_back(first_spin - last_spin - own_change(last_spin - earlier_spin, later_spin - first_spin));
    if (!before.scales.empty() && !after.scales.empty())
      d.scale.push_back(after.scales[b[0] + j] - before.scales[a[0] + j]);
  }
  for (std::size_t i = 0; i < weights; ++i)
    d.morph_weights.push_back(after.morph_weights[idx(frame_after) * weights + i] -
                              before.morph_weights[idx(frame_before) * weights + i]);
  return d;
}

void ease_end(Motion& motion, int frame, int window, const SeamDifference& difference, float share) {
  ease(motion, frame, window, -1, share, difference);
}
void ease_start(Motion& motion, int frame, int window, const SeamDifference& difference, float share) {
  ease(motion, frame, window, 1, -share, difference);
}

std::vector<double> velocity_jumps(const Motion& motion) {
  const std::size_t joints = idx(motion.num_joints());
  const std::vector<Vec3> positions = all_positions(motion);
  std::vector<double> jumps(idx(motion.num_frames), 0);
  for (std::size_t f = 1; f + 1 < jumps.size(); ++f) {
    for (std::size_t j = 0; j < joints; ++j) {
      const auto at = [&](std::size_t frame) { return positions[frame * joints + j]; };
      jumps[f] = std::max(jumps[f], double{length(at(f + 1) - at(f) * 2.0F + at(f - 1))});
    }
  }
  return jumps;
}

double usual_jump(const Motion& motion) {
  if (motion.num_frames < 3) return 0;
  const std::vector<double> jumps = velocity_jumps(motion);
  std::vector<double> usual(jumps.begin() + 1, jumps.end() - 1);
  std::sort(usual.begin(), usual.end());
  return usual[std::min(usual.size() - 1, usual.size() * 99 / 100)];
}

double seam_ratio(const Motion& own, const Motion& made, std::span<const int> seams,
                  std::span<const std::uint8_t> known) {
  return worst_jump(made, seams, known) / std::max(usual_jump(own), kLeastJump_m);
}

SoftSeams soften_seams(const Motion& own, const Motion& made, std::span<const int> seams,
                       std::span<const std::uint8_t> known) {
  ZOE_CHECK(idx(made.num_frames) == known.size(), "a flag for each frame");
  const double usual = std::max(usual_jump(own), kLeastJump_m);
  SoftSeams best{made, worst_jump(made, seams, known) / usual, 0};
  // Half of a spline's reach first, then twice as many frames each time.
  const auto most = static_cast<int>(known.size());
  for (int frames = std::max(2, static_cast<int>(kTangentSeconds / 2 * made.fps)); best.seam_ratio > 1; frames *= 2) {
    std::vector<std::uint8_t> fixed(known.size(), 1);
    for (const int seam : seams)
      for (int f = std::max(0, seam - frames); f <= std::min(most - 1, seam + frames); ++f)
        fixed[idx(f)] = known[idx(f)];
    for (const TrackOptions& tracks : {TrackOptions{10, 0}, {2, 0}, {2, 0.02}, {2, 0.004}, {2, 0.1}, {2, 0.4}}) {
      Motion soft = least_acceleration(made, fixed, tracks);
      const double ratio = worst_jump(soft, seams, known) / usual;
      if (ratio < best.seam_ratio) best = {std::move(soft), ratio, frames};
      if (best.seam_ratio <= 1) break;
    }
    if (frames >= most) break;
  }
  return best;
}

}  // namespace zoe::generate
