// SPDX-License-Identifier: MIT
// Repairs of the body's path: its height above the ground, and its travel from the feet.
#include <algorithm>
#include <cmath>

#include "zoe/anatomy/smooth_track.h"

#include "certify/fix_steps.h"

namespace zoe::certify {
namespace {

// [frames] horizontal velocity of the feet that carry the body, m/s; no value in the air, marked by y.
std::vector<Vec3> carrying_velocities(const ClipTrack& track) {
  std::vector<float> lowest(idx(track.frames), 1e30F);
  for (int f = 0; f < track.frames; ++f)
    for (int leg = 0; leg < track.num_legs(); ++leg) lowest[idx(f)] = std::min(lowest[idx(f)], track.sole(f, leg));
  std::vector<float> sorted = lowest;
  std::ranges::sort(sorted);
  const float floor = sorted[sorted.size() / 10];
  std::vector<Vec3> velocities(idx(track.frames), Vec3{0, 1, 0});
  for (int f = 0; f + 1 < track.frames; ++f) {
    if (lowest[idx(f)] > floor + 0.04F * track.size_m) continue;
    Vec3 sum{};
    float weights = 0;
    for (const std::vector<int>& foot : track.feet) {
      for (const int j : foot) {
        // The lowest parts carry; a centimetre of a person's size decides.
        const float above = std::max(track.at(f, j).y, track.at(f + 1, j).y) - lowest[idx(f)];
        const float weight = std::exp(-std::pow(above / (0.006F * track.size_m), 2.0F));
        sum += (track.at(f + 1, j) - track.at(f, j)) * (weight * static_cast<float>(track.fps));
        weights += weight;
      }
    }
    if (weights > 1e-6F) velocities[idx(f)] = {sum.x / weights, 0, sum.z / weights};
  }
  return velocities;
}

// Frames in the air keep the velocity between those before and after.
void fill_gaps(std::vector<Vec3>& velocities) {
  const std::size_t n = velocities.size();
  std::size_t last = n;
  for (std::size_t f = 0; f <= n; ++f) {
    if (f < n && velocities[f].y != 0) continue;
    const std::size_t begin = last == n ? 0 : last + 1;
    for (std::size_t g = begin; g < f; ++g) {
      const Vec3 before = last == n ? (f < n ? velocities[f] : Vec3{}) : velocities[last];
      const Vec3 after = f == n ? before : velocities[f];
      const float t = static_cast<float>(g - begin + 1) / static_cast<float>(f - begin + 1);
      velocities[g] = lerp(before, after, t);
    }
    last = f;
  }
}

}  // namespace

void move_body(const ClipTrack& track, Motion& motion, int frame, Vec3 by_m) {
  const Vec3 by = by_m / static_cast<float>(track.body->metres_per_unit);
  for (int j = 0; j < track.joints; ++j)
    if (track.skeleton().parent(j) == kNoJoint) motion.translations[idx(frame) * idx(track.joints) + idx(j)] += by;
}

double fix_floor(const ClipTrack& track, Motion& motion, double ground_height_m) {
  std::vector<float> lowest;
  const std::vector<int> joints = body_joints(track.skeleton(), *track.body, false);
  for (int f = 0; f < track.frames; ++f) {
    float height = 1e30F;
    for (const int j : joints) height = std::min(height, track.at(f, j).y);
    lowest.push_back(height);
  }
  std::nth_element(lowest.begin(), lowest.begin() + track.frames / 5, lowest.end());
  const double lift = ground_height_m - static_cast<double>(lowest[idx(track.frames / 5)]);
  for (int f = 0; f < track.frames; ++f) move_body(track, motion, f, {0, static_cast<float>(lift), 0});
  return lift;
}

double fix_root(const ClipTrack& track, Motion& motion) {
  std::vector<Vec3> velocities = carrying_velocities(track);
  fill_gaps(velocities);
  anatomy::smooth_track(velocities, track.frames_of(0.05));
  Vec3 offset{};
  double path = 0;
  for (int f = 0; f < track.frames; ++f) {
    move_body(track, motion, f, offset);
    const Vec3 step = velocities[idx(f)] / static_cast<float>(track.fps);
    offset -= step;
    path += static_cast<double>(length(step));
  }
  return path;
}

}  // namespace zoe::certify
