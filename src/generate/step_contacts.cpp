// SPDX-License-Identifier: MIT
#include "generate/step_contacts.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/math/filter.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::generate {
namespace {

constexpr double kCutoff_hz = 6;         // Steps of small animals are at 3 Hz; jitter is above.
constexpr double kTravelWindow_s = 0.7;  // Half of the time over which the travel is averaged.
constexpr float kLeastSwing = 0.05F;     // Leg lengths a foot goes to and fro under the body, 10th to 90th percentile.
constexpr float kLeastLift = 0.01F;      // Leg lengths that it is higher on its way forwards than backwards.
constexpr float kLeastFroude = 0.05F;    // Speed of a body that travels, over the root of gravity times leg length.
constexpr double kShortest_s = 0.08;     // Of a contact or a swing.

float percentile(std::vector<float> values, double share) {
  const auto rank = static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[idx(static_cast<int>(rank))];
}

// One foot: its path relative to the body, in the axes of the body's facing.
struct FootPath {
  std::vector<Vec3> relative;    // [frames] Metres.
  std::vector<Vec3> own;         // [frames] Velocity of `relative`, m/s, horizontal.
  std::vector<Vec3> velocities;  // [frames] The same in model axes, with the body's turning.
};

FootPath foot_path(const Motion& motion, int foot, const RootTrajectory& roots) {
  FootPath path;
  path.relative = model_positions(motion, {&foot, 1});
  for (std::size_t f = 0; f < path.relative.size(); ++f) {
    const Vec3 p = path.relative[f] - roots.roots[f].position;
    const Vec3 turned = rotate(conjugate(rotation_of(roots.roots[f])), Vec3{p.x, 0, p.z});
    path.relative[f] = {turned.x, path.relative[f].y, turned.z};
  }
  const std::span<float> numbers(&path.relative[0].x, path.relative.size() * 3);
  for (std::size_t k = 0; k < 3; ++k) low_pass_zero_phase(numbers.subspan(k), kCutoff_hz, motion.fps, 3);
  const auto last = path.relative.size() - 1;
  for (std::size_t f = 0; f <= last; ++f) {
    const std::size_t before = f > 0 ? f - 1 : 0, after = std::min(f + 1, last);
    const auto per_s = static_cast<float>(after > before ? motion.fps / static_cast<double>(after - before) : 0);
    // Turning of the body moves the feet under it as well.
    const auto in_model = [&](std::size_t at) {
      const Vec3 p = path.relative[at];
      return rotate(rotation_of(roots.roots[at]), Vec3{p.x, 0, p.z});
    };
    path.velocities.push_back((in_model(after) - in_model(before)) * per_s);
    const Vec3 step = (path.relative[after] - path.relative[before]) * per_s;
    path.own.push_back({step.x, 0, step.z});
  }
  return path;
}

// Replaces runs shorter than `least` frames by their neighbours, except at the ends.
void drop_short_runs(std::vector<std::uint8_t>& track, std::uint8_t value, int least) {
  const int frames = static_cast<int>(track.size());
  for (int begin = 0, end; begin < frames; begin = end) {
    for (end = begin + 1; end < frames && track[idx(end)] == track[idx(begin)];) ++end;
    if (begin > 0 && end < frames && track[idx(begin)] == value && end - begin < least)
      std::fill(track.begin() + begin, track.begin() + end, static_cast<std::uint8_t>(1 - value));
  }
}

// The direction of a gait on the spot in the body's axes: feet are high where they go ahead. Length 0: no gait, 1:
// every foot goes that way whenever it is high, and back whenever it is low.
Vec3 direction_of(std::span<const FootPath> feet) {
  Vec3 sum{};
  float most = 0;
  for (const FootPath& foot : feet) {
    float mean = 0;
    for (const Vec3& p : foot.relative) mean += p.y / static_cast<float>(foot.relative.size());
    for (std::size_t f = 0; f < foot.own.size(); ++f) {
      const Vec3 one = foot.own[f] * (foot.relative[f].y - mean);
      sum += one;
      most += length(one);
    }
  }
  return most > 0 ? sum / most : Vec3{};
}

// Whether the foot steps: it goes to and fro along the gait. On the spot it is also higher where it goes ahead; bodies
// that travel may drag their feet.
bool makes_steps(const FootPath& foot, Vec3 ahead, bool travels, float leg_m) {
  std::vector<float> along;
  double high = 0, low = 0;
  int forwards = 0, backwards = 0;
  for (std::size_t f = 0; f < foot.relative.size(); ++f) {
    along.push_back(dot(foot.relative[f], ahead));
    if (dot(foot.own[f], ahead) > 0)
      high += double{foot.relative[f].y}, ++forwards;
    else
      low += double{foot.relative[f].y}, ++backwards;
  }
  if (forwards == 0 || backwards == 0) return false;
  const float swing = percentile(along, 0.9) - percentile(along, 0.1);
  return swing > kLeastSwing * leg_m && (travels || high / forwards - low / backwards > double{kLeastLift * leg_m});
}

// Backwards and in the lower part of its heights.
std::vector<std::uint8_t> stance_of(const FootPath& foot, Vec3 ahead, double fps) {
  std::vector<float> heights;
  for (const Vec3& p : foot.relative) heights.push_back(p.y);
  const float low = percentile(heights, 0.05), high = percentile(heights, 0.95), most = low + 0.6F * (high - low);
  std::vector<std::uint8_t> touching;
  for (std::size_t f = 0; f < heights.size(); ++f)
    touching.push_back(dot(foot.own[f], ahead) < 0 && heights[f] <= most ? 1 : 0);
  const int least = std::max(2, static_cast<int>(std::lround(kShortest_s * fps)));
  drop_short_runs(touching, 0, least);
  drop_short_runs(touching, 1, least);
  return touching;
}

// Means of what is given over the frames around, where there is any; else the nearest one.
std::vector<Vec3> averaged(const std::vector<Vec3>& sums, const std::vector<float>& counts, int half) {
  std::vector<Vec3> out(sums.size());
  const int frames = static_cast<int>(sums.size());
  for (int f = 0; f < frames; ++f) {
    Vec3 sum{};
    float count = 0;
    for (int reach = half; count == 0 && reach <= 2 * frames; reach *= 2) {
      sum = {}, count = 0;
      for (int k = std::max(0, f - reach); k <= std::min(frames - 1, f + reach); ++k) {
        const float u = static_cast<float>(k - f) / static_cast<float>(reach + 1), weight = 1 - u * u;
        sum += sums[idx(k)] * weight;
        count += counts[idx(k)] * weight;
      }
    }
    if (count > 0) out[idx(f)] = sum / count;
  }
  return out;
}

}  // namespace

Vec3 own_velocity(const RootTrajectory& roots) {
  Vec3 sum{};
  for (std::size_t f = 0; f < roots.roots.size(); ++f)
    sum += rotate(conjugate(rotation_of(roots.roots[f])), Vec3{roots.velocities[f].x, 0, roots.velocities[f].z});
  return sum / static_cast<float>(roots.roots.size());
}

StepContacts find_step_contacts(const Motion& motion, std::span<const int> feet, const RootTrajectory& roots,
                                float leg_length_m) {
  ZOE_CHECK(leg_length_m > 0 && roots.roots.size() == idx(motion.num_frames),
            "find_step_contacts(): roots of the motion");
  StepContacts out;
  const auto frames = idx(motion.num_frames);
  out.contacts.num_frames = motion.num_frames;
  out.contacts.num_joints = static_cast<int>(feet.size());
  out.contacts.leg_length_m = leg_length_m;
  out.contacts.touching.assign(frames * feet.size(), 0);
  out.contacts.weights.assign(frames * feet.size(), 0);
  out.is_step.assign(feet.size(), 0);
  if (motion.num_frames < 3) return out;
  std::vector<FootPath> paths;
  for (const int foot : feet) paths.push_back(foot_path(motion, foot, roots));
  const Vec3 velocity = own_velocity(roots);
  out.swing_direction = direction_of(paths);
  const bool travels = length(velocity) > kLeastFroude * std::sqrt(9.81F * leg_length_m);
  const auto count_steps = [&](Vec3 direction, bool lenient, std::vector<std::uint8_t>& is_step) {
    int count = 0;
    for (std::size_t leg = 0; leg < feet.size(); ++leg) {
      is_step[leg] = makes_steps(paths[leg], direction, lenient, leg_length_m) ? 1 : 0;
      count += is_step[leg];
    }
    return count;
  };
  Vec3 ahead = travels ? normalized(velocity) : normalized(out.swing_direction, Vec3{});
  out.num_stepping = count_steps(ahead, travels, out.is_step);
  if (travels) {
    // A body that drifts aside may step on the spot in another direction.
    std::vector<std::uint8_t> others(feet.size(), 0);
    const Vec3 other = normalized(out.swing_direction, Vec3{});
    if (const int count = count_steps(other, false, others); count > out.num_stepping) {
      ahead = other;
      out.num_stepping = count;
      out.is_step = others;
    }
  }
  // A kick or a raised paw is no gait.
  if (2 * idx(out.num_stepping) <= feet.size()) {
    out.is_step.assign(feet.size(), 0);
    out.num_stepping = 0;
    return out;
  }
  std::vector<Vec3> sums(frames);
  std::vector<float> counts(frames, 0);
  for (std::size_t leg = 0; leg < feet.size(); ++leg) {
    if (out.is_step[leg] == 0) continue;
    const std::vector<std::uint8_t> touching = stance_of(paths[leg], ahead, motion.fps);
    for (std::size_t f = 0; f < frames; ++f) {
      out.contacts.touching[f * feet.size() + leg] = touching[f];
      if (touching[f] == 0) continue;
      sums[f] = sums[f] - paths[leg].velocities[f];
      counts[f] += 1;
    }
  }
  out.contacts.weights.assign(out.contacts.touching.begin(), out.contacts.touching.end());
  out.velocities = averaged(sums, counts, std::max(1, static_cast<int>(std::lround(kTravelWindow_s * motion.fps))));
  return out;
}

void add_swing(const Motion& motion, int joint, const RootTrajectory& roots, PathSwing& sum) {
  const std::vector<Vec3> smooth = foot_path(motion, joint, roots).relative,
                          model = model_positions(motion, {&joint, 1});
  std::vector<float> xs, zs;
  double noise = 0;
  for (std::size_t f = 0; f < smooth.size(); ++f) {
    xs.push_back(smooth[f].x);
    zs.push_back(smooth[f].z);
    const Vec3 p = model[f] - roots.roots[f].position;
    const Vec3 own = rotate(conjugate(rotation_of(roots.roots[f])), Vec3{p.x, 0, p.z});
    noise += std::hypot(double{own.x} - double{smooth[f].x}, double{own.z} - double{smooth[f].z});
  }
  sum.swing_m +=
      std::hypot(double{percentile(xs, 0.9) - percentile(xs, 0.1)}, double{percentile(zs, 0.9) - percentile(zs, 0.1)});
  sum.noise_m += noise / static_cast<double>(smooth.size());
}

std::vector<Vec3> standing_velocities(const Motion& motion, std::span<const int> feet, const RootTrajectory& roots,
                                      float leg_length_m) {
  constexpr float kLow = 0.1F;  // Leg lengths above the lowest heights of a foot.
  if (motion.num_frames < 3) return {};
  std::vector<Vec3> sums(idx(motion.num_frames));
  std::vector<float> counts(sums.size(), 0);
  std::vector<FootPath> paths;
  float ground = 1e9F;
  for (const int foot : feet) {
    std::vector<float> heights;
    for (const Vec3& p : paths.emplace_back(foot_path(motion, foot, roots)).relative) heights.push_back(p.y);
    ground = std::min(ground, percentile(heights, 0.05));
  }
  bool stands = false;
  for (const FootPath& path : paths) {
    for (std::size_t f = 0; f < sums.size(); ++f) {
      if (path.relative[f].y > ground + kLow * leg_length_m) continue;
      sums[f] = sums[f] - path.velocities[f];
      counts[f] += 1;
      stands = true;
    }
  }
  if (!stands) return {};
  return averaged(sums, counts, std::max(1, static_cast<int>(std::lround(kTravelWindow_s * motion.fps))));
}

Motion with_shifts(const Motion& motion, std::span<const Vec3> shifts) {
  ZOE_CHECK(shifts.size() == idx(motion.num_frames), "with_shifts(): one shift per frame");
  const Skeleton& skeleton = *motion.skeleton;
  std::vector<int> topmost;  // Bones that carry all others: nodes above them stay where the file has them.
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    int above = skeleton.parent(j);
    while (above != kNoJoint && skeleton.kind(above) != JointKind::kBone) above = skeleton.parent(above);
    if (skeleton.kind(j) == JointKind::kBone && above == kNoJoint) topmost.push_back(j);
  }
  Motion out = motion;
  const auto n = idx(skeleton.num_joints());
  std::vector<Affine> models(n);
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_from_joint(skeleton, motion.frame(f), models);
    for (const int joint : topmost) {
      const int parent = skeleton.parent(joint);
      const Vec3 place = models[idx(joint)].t + shifts[idx(f)];
      out.translations[idx(f) * n + idx(joint)] =
          parent == kNoJoint ? place : inverse(models[idx(parent)]).apply_point(place);
    }
  }
  return out;
}

Motion with_travel(const Motion& motion, const RootTrajectory& roots, std::span<const Vec3> velocities) {
  ZOE_CHECK(velocities.size() == idx(motion.num_frames) && roots.roots.size() == velocities.size(),
            "with_travel(): one velocity per frame");
  std::vector<Vec3> shifts(velocities.size());
  for (std::size_t f = 1; f < shifts.size(); ++f) {
    const Vec3 step = roots.roots[f].position - roots.roots[f - 1].position;
    const Vec3 desired = (velocities[f] + velocities[f - 1]) * static_cast<float>(0.5 / motion.fps);
    shifts[f] = shifts[f - 1] + Vec3{desired.x - step.x, 0, desired.z - step.z};
  }
  return with_shifts(motion, shifts);
}

}  // namespace zoe::generate
