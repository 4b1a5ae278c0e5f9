// SPDX-License-Identifier: MIT
#include "motion/compressed/analyse.h"

#include <algorithm>
#include <cmath>

namespace zoe {
namespace {

constexpr double kSmallestW =
    0.35;  // Below this, the root 1 - |v|² loses too many digits: all four numbers are stored.

struct Extent {
  Vec3 min, max;
};

Extent extent(const std::vector<Vec3>& values, std::size_t joint, std::size_t n) {
  Extent e{values[joint], values[joint]};
  for (std::size_t i = joint; i < values.size(); i += n) {
    for (std::size_t k = 0; k < 3; ++k) {
      e.min[k] = std::min(e.min[k], values[i][k]);
      e.max[k] = std::max(e.max[k], values[i][k]);
    }
  }
  return e;
}

// Type of a translation or scale track. A constant value is written to *constant.
TrackKind classify(const Extent& e, Vec3 rest, double tolerance, Vec3* constant) {
  const auto within = [&](Vec3 a, Vec3 b) {
    const Vec3 d = a - b;
    return std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= tolerance;
  };
  if (within(e.min, rest) && within(e.max, rest)) return TrackKind::kDefault;
  *constant = (e.min + e.max) * 0.5F;
  return within(e.min, e.max) ? TrackKind::kConstant : TrackKind::kAnimated;
}

Quatd mean_rotation(const Motion& motion, std::size_t joint) {
  const auto n = static_cast<std::size_t>(motion.num_joints());
  const Quatd first = to_double(motion.rotations[joint]);
  Quatd sum{0, 0, 0, 0};
  for (std::size_t i = joint; i < motion.rotations.size(); i += n) {
    const Quatd q = nearest_to(first, to_double(motion.rotations[i]));
    sum = {sum.x + q.x, sum.y + q.y, sum.z + q.z, sum.w + q.w};
  }
  return dot(sum, sum) > 1e-12 ? normalized(sum) : first;
}

void add_scalars(ClipHeader& header, ScalarTarget target, std::uint32_t joint, const Extent& e) {
  for (std::uint32_t k = 0; k < 3; ++k) {
    header.scalars.push_back({target, 3 * joint + k, (e.min[k] + e.max[k]) * 0.5F, 0});
  }
}

}  // namespace

ClipHeader analyse_tracks(const Motion& motion, int segment_frames, double tolerance_m, double morph_tolerance) {
  ClipHeader header;
  header.name = motion.name;
  header.fps = motion.fps;
  header.start_time_s = motion.start_time_s;
  header.num_frames = motion.num_frames;
  header.num_joints = motion.num_joints();
  header.num_morph_weights = motion.num_morph_weights;
  header.segment_frames = segment_frames;
  header.has_scales = !motion.scales.empty();
  header.constants = make_pose(*motion.skeleton);
  std::fill(header.constants.scales.begin(), header.constants.scales.end(), Vec3{1, 1, 1});
  const auto n = static_cast<std::size_t>(header.num_joints);
  header.joints.resize(n);
  std::vector<RotationTrack> wide;
  for (std::size_t joint = 0; joint < n; ++joint) {
    const Quatd rest = to_double(motion.skeleton->rest_local(static_cast<int>(joint)).rotation);
    const Quatd mean = mean_rotation(motion, joint);
    RotationTrack track;
    track.joint = static_cast<int>(joint);
    track.reference_code = vector_part_code<std::int16_t>(mean, 32767.0);
    const Quatd reference = track.reference();
    double from_mean = 0, from_rest = 0, smallest_w = 1;
    for (std::size_t i = joint; i < motion.rotations.size(); i += n) {
      const Quatd q = normalized(to_double(motion.rotations[i]));
      from_mean = std::max(from_mean, angle_between(mean, q));
      from_rest = std::max(from_rest, angle_between(rest, q));
      smallest_w = std::min(smallest_w, std::abs(dot(reference, q)));
    }
    TrackKind& kind = header.joints[joint].rotation;
    if (from_rest <= tolerance_m) {
      kind = TrackKind::kDefault;
    } else if (from_mean <= tolerance_m) {
      kind = TrackKind::kConstant;
      header.constants.rotations[joint] = normalized(to_float(mean));
    } else if (smallest_w >= kSmallestW) {
      kind = TrackKind::kAnimated;
      header.rotations.push_back(track);
    } else {
      kind = TrackKind::kAnimatedWide;
      track.num_lanes = 4;
      wide.push_back(track);
    }
  }
  header.rotations.insert(header.rotations.end(), wide.begin(), wide.end());
  for (std::size_t joint = 0; joint < n; ++joint) {
    const Extent e = extent(motion.translations, joint, n);
    const Vec3 rest = motion.skeleton->rest_local(static_cast<int>(joint)).translation;
    TrackKind& kind = header.joints[joint].translation;
    kind = classify(e, rest, tolerance_m, &header.constants.translations[joint]);
    if (kind == TrackKind::kDefault) header.constants.translations[joint] = rest;
    if (kind == TrackKind::kAnimated)
      add_scalars(header, ScalarTarget::kTranslation, static_cast<std::uint32_t>(joint), e);
  }
  for (std::size_t joint = 0; header.has_scales && joint < n; ++joint) {
    const Extent e = extent(motion.scales, joint, n);
    TrackKind& kind = header.joints[joint].scale;
    kind = classify(e, {1, 1, 1}, tolerance_m, &header.constants.scales[joint]);
    if (kind == TrackKind::kDefault) header.constants.scales[joint] = {1, 1, 1};
    if (kind == TrackKind::kAnimated) add_scalars(header, ScalarTarget::kScale, static_cast<std::uint32_t>(joint), e);
  }
  const auto weights = static_cast<std::size_t>(header.num_morph_weights);
  header.morphs.resize(weights);
  header.morph_constants.assign(weights, 0.0F);
  for (std::size_t w = 0; w < weights; ++w) {
    float low = motion.morph_weights[w], high = low;
    for (std::size_t i = w; i < motion.morph_weights.size(); i += weights) {
      low = std::min(low, motion.morph_weights[i]);
      high = std::max(high, motion.morph_weights[i]);
    }
    const float middle = (low + high) * 0.5F;
    if (std::max(std::abs(low), std::abs(high)) <= morph_tolerance) continue;
    if (high - low <= morph_tolerance) {
      header.morphs[w] = TrackKind::kConstant;
      header.morph_constants[w] = middle;
    } else {
      header.morphs[w] = TrackKind::kAnimated;
      header.scalars.push_back({ScalarTarget::kMorph, static_cast<std::uint32_t>(w), middle, 0});
    }
  }
  return header;
}

}  // namespace zoe
