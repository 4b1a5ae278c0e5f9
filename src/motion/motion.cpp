// SPDX-License-Identifier: MIT
#include "zoe/motion/motion.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/math/finite.h"

namespace zoe {

PoseView Motion::frame(int index) const {
  ZOE_CHECK(index >= 0 && index < num_frames, "frame outside the motion");
  const auto n = static_cast<std::size_t>(num_joints());
  const std::size_t first = static_cast<std::size_t>(index) * n;
  return {std::span(translations).subspan(first, n), std::span(rotations).subspan(first, n),
          scales.empty() ? std::span<const Vec3>() : std::span(scales).subspan(first, n)};
}

std::span<const float> Motion::frame_morph_weights(int index) const {
  ZOE_CHECK(index >= 0 && index < num_frames, "frame outside the motion");
  const auto n = static_cast<std::size_t>(num_morph_weights);
  return std::span(morph_weights).subspan(static_cast<std::size_t>(index) * n, n);
}

namespace {

constexpr float kUnitTolerance = 1e-3F;

// The usual case; a second, slower pass finds the element at fault.
bool transforms_are_good(const Motion& motion) {
  return all_unit(motion.rotations, kUnitTolerance) && all_finite(motion.translations) && all_finite(motion.scales);
}

}  // namespace

Result<void> validate(const Motion& motion) {
  const auto fail = [&](std::string message) {
    return Error{ErrorCode::kInvalid, fmt::format("motion '{}': {}", motion.name, message), {}};
  };
  if (motion.skeleton == nullptr) return fail("has no skeleton");
  if (!(motion.fps > 0.0) || !std::isfinite(motion.fps)) return fail(fmt::format("frame rate {}", motion.fps));
  if (motion.num_frames < 0) return fail("negative frame count");
  const auto n = static_cast<std::size_t>(motion.num_joints());
  const std::size_t count = static_cast<std::size_t>(motion.num_frames) * n;
  if (motion.translations.size() != count || motion.rotations.size() != count ||
      (!motion.scales.empty() && motion.scales.size() != count)) {
    return fail("arrays do not have frames × joints entries");
  }
  if (motion.morph_weights.size() !=
      static_cast<std::size_t>(motion.num_frames) * static_cast<std::size_t>(motion.num_morph_weights)) {
    return fail("morph weights do not have frames × weights entries");
  }
  if (transforms_are_good(motion)) return {};
  for (std::size_t i = 0; i < count; ++i) {
    const Quat q = motion.rotations[i];
    const float norm = dot(q, q);
    const bool good = is_finite(motion.translations[i]) && std::abs(norm - 1.0F) < kUnitTolerance &&
                      (motion.scales.empty() || is_finite(motion.scales[i]));
    if (!good) {
      const auto joint = static_cast<int>(i % n);
      return Error{ErrorCode::kInvalid,
                   fmt::format("motion '{}': frame {} has a non-finite or non-unit transform", motion.name, i / n),
                   {.joint = motion.skeleton->name(joint)}};
    }
  }
  return {};
}

void make_continuous(Motion& motion) {
  const auto n = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t i = n; i < motion.rotations.size(); ++i) {
    motion.rotations[i] = nearest_to(motion.rotations[i - n], motion.rotations[i]);
  }
}

namespace {

// Appends `frames` copies of one frame, because resize() would write everything once more.
template <typename T>
std::vector<T> repeat_frame(const std::vector<T>& frame, std::size_t frames) {
  std::vector<T> out;
  out.reserve(frame.size() * frames);
  for (std::size_t i = 0; i < frames; ++i) out.insert(out.end(), frame.begin(), frame.end());
  return out;
}

}  // namespace

Motion make_motion(SkeletonPtr skeleton, std::string name, double fps, int num_frames, bool with_scales) {
  Motion motion;
  motion.name = std::move(name);
  motion.fps = fps;
  motion.num_frames = num_frames;
  const Pose rest = make_pose(*skeleton);
  const auto frames = static_cast<std::size_t>(num_frames);
  motion.translations = repeat_frame(rest.translations, frames);
  motion.rotations = repeat_frame(rest.rotations, frames);
  if (with_scales) motion.scales = repeat_frame(rest.scales, frames);
  motion.skeleton = std::move(skeleton);
  return motion;
}

}  // namespace zoe
