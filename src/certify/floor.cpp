// SPDX-License-Identifier: MIT
// Heights above the ground: feet below it, bodies that never reach it, bodies that hang in the air.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "certify/judge.h"

namespace zoe::certify {
namespace {

struct Lowest {
  std::vector<float> heights_m;  // [frames] of the lowest joint.
  std::vector<int> joints;       // [frames]
};

Lowest find_lowest(const ClipTrack& track) {
  const std::vector<int> joints = body_joints(track.skeleton(), *track.body, false);
  Lowest lowest;
  for (int f = 0; f < track.frames; ++f) {
    float height = 1e30F;
    int joint = kNoJoint;
    for (const int j : joints)
      if (track.at(f, j).y < height) height = track.at(f, j).y, joint = j;
    lowest.heights_m.push_back(height);
    lowest.joints.push_back(joint);
  }
  return lowest;
}

// Standing in the ground is a defect at once; single limbs of falls and rolls may dip into it.
void check_penetration(const ClipTrack& track, const Lowest& lowest, float ground, Judge& judge) {
  constexpr double kDip = 3.5;  // Times the limit.
  const double limit = judge.limit(Check::kPenetration);
  const auto add = [&](double depth, double allowance, int first, int last, int joint) {
    judge.add(Check::kPenetration, std::max(0.0, depth), first, last,
              joint == kNoJoint ? std::vector<int>{} : std::vector<int>{joint},
              fmt::format("The body is {:.3f} m below the ground{}. `zoe fix` lifts it; or the ground is not at height "
                          "{:g} (--ground).",
                          depth, allowance > 1 ? " for a moment" : " most of the time", ground),
              allowance);
  };
  std::vector<float> sorted = lowest.heights_m;
  std::ranges::sort(sorted);
  add(static_cast<double>(ground - sorted[sorted.size() / 2]), 1, 0, track.frames - 1, lowest.joints[0]);

  // Deep for a tenth of a second: single frames are spikes.
  const int window = std::min(track.frames_of(0.1, 2), track.frames);
  double worst = -1e30;
  int first = -1, last = -1, joint = kNoJoint;
  for (int f = 0; f + window <= track.frames; ++f) {
    const auto begin = lowest.heights_m.begin() + f;
    const double depth = static_cast<double>(ground - *std::max_element(begin, begin + window));
    if (depth > worst) worst = depth, joint = lowest.joints[idx(f)];
    if (depth <= kDip * limit) continue;
    first = first < 0 ? f : first;
    last = f + window - 1;
  }
  add(worst, kDip, std::max(first, 0), std::max(last, 0), joint);
}

// Above everything that could carry the body, and not falling.
void check_hanging(const ClipTrack& track, const Lowest& lowest, float floor, Judge& judge) {
  const int hips = track.body->hips;
  if (hips == kNoJoint) return;
  const int least = track.frames_of(0.6, 4);
  int begin = -1;
  for (int f = 0; f <= track.frames; ++f) {
    bool airborne = f < track.frames && lowest.heights_m[idx(f)] > floor + 0.06F * track.size_m;
    for (int leg = 0; airborne && leg < track.num_legs(); ++leg) airborne = track.speed(f, leg) > 0.15F * track.size_m;
    if (airborne && begin < 0) begin = f;
    if (airborne || begin < 0) continue;
    const int frames = f - begin;
    if (frames >= least) {
      const double seconds = (frames - 1) / track.fps;
      // Second difference over the thirds of the flight.
      const int third = (frames - 1) / 2;
      const double h0 = track.at(begin, hips).y, h1 = track.at(begin + third, hips).y,
                   h2 = track.at(begin + 2 * third, hips).y;
      const double step = third / track.fps;
      const double acceleration = (h2 - 2 * h1 + h0) / (step * step);
      float height = 1e30F;
      for (int g = begin; g < f; ++g) height = std::min(height, lowest.heights_m[idx(g)]);
      const bool falls = acceleration < -3;
      judge.add(Check::kFloating, falls ? 0.0 : static_cast<double>(height - floor), begin, f - 1, {},
                fmt::format("The body hangs in the air for {:.2f} s without falling. Root heights may be missing, or "
                            "the clip flies.",
                            seconds));
    }
    begin = -1;
  }
}

}  // namespace

void check_floor(const ClipTrack& track, Judge& judge) {
  const CertifyOptions& options = judge.options();
  const char* reason = nullptr;
  if (!uses_ground(track.body->family)) reason = "the body flies or swims";
  if (!options.ground_is_flat) reason = "the ground is not flat";
  if (track.frames < 1) reason = "no frames";
  if (reason != nullptr) {
    judge.skip(Check::kPenetration, reason);
    judge.skip(Check::kFloating, reason);
    return;
  }
  const Lowest lowest = find_lowest(track);
  const auto ground = static_cast<float>(options.ground_height_m);
  check_penetration(track, lowest, ground, judge);
  if (track.body->family == BodyFamily::kBird) return judge.skip(Check::kFloating, "birds may fly");
  std::vector<float> sorted = lowest.heights_m;
  std::ranges::sort(sorted);
  const float floor = sorted[sorted.size() / 20];
  judge.add(
      Check::kFloating, static_cast<double>(std::max(0.0F, floor - ground)), 0, track.frames - 1, {},
      fmt::format("The body never comes closer than {:.3f} m to the ground. `zoe fix` lowers it; or the ground is "
                  "not at height {:g} (--ground).",
                  floor - ground, ground));
  check_hanging(track, lowest, std::max(floor, ground), judge);
}

}  // namespace zoe::certify
