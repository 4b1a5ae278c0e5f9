// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/features/decode.h"
#include "zoe/motion/frame_span.h"

namespace zoe::features {
namespace {

// A float's last digit is a micrometre at ten metres, and there are thousands of steps.
struct ExactRoot {
  double x, y, z, facing_rad;

  void move(const RootDelta& step) {
    const double s = std::sin(facing_rad), c = std::cos(facing_rad);
    const double right = step.translation.x, up = step.translation.y, forward = step.translation.z;
    x += c * right + s * forward;
    y += up;
    z += c * forward - s * right;
    facing_rad += double{step.turn_rad};
  }
  PlanarRoot rounded() const {
    return {{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)}, static_cast<float>(facing_rad)};
  }
};

}  // namespace

Motion decode_motion(const Decoder& decoder, std::span<const float> values, const PlanarRoot& before,
                     const DecodeMotionOptions& options) {
  const std::size_t width = idx(decoder.width());
  ZOE_CHECK(values.size() % width == 0, "decode_motion: values are not frames x width");
  const int num_frames = static_cast<int>(values.size() / width);
  const std::span<const JointDesc> descs = decoder.skeleton()->joints();
  const bool scaled = std::any_of(descs.begin(), descs.end(), [](const JointDesc& j) {
    return !(j.rest_local.scale == Vec3{1, 1, 1});
  });
  // Features have no scales: those of the rest pose stay.
  Motion motion = make_motion(decoder.skeleton(), options.name, options.fps, num_frames, scaled);
  DecodedFrame frame = decoder.make_frame();
  Pose pose = make_pose(*decoder.skeleton());
  ExactRoot root{before.position.x, before.position.y, before.position.z, before.facing_rad};
  for (int f = 0; f < num_frames; ++f) {
    const std::span<const float> step = values.subspan(idx(f) * width, width);
    const PlanarRoot root_before = root.rounded();
    root.move(decoder.root_step(step));
    decoder.decode(step, root_before, root.rounded(), frame);
    decoder.to_pose(frame, pose, options.use_positions);
    copy_pose(pose.view(), frame_span(motion, f));
  }
  return motion;
}

}  // namespace zoe::features
