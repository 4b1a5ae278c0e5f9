// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zoe/core/check.h"
#include "zoe/motion/compress.h"

namespace {

zoe::Motion small_motion() {
  const auto skeleton = zoe::Skeleton::create({{"a", -1, {}}, {"b", 0, {{0, 1, 0}}}, {"c", 1, {{0, 1, 0}}}}).value();
  zoe::Motion motion = zoe::make_motion(skeleton, "m", 30, 40, true);
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    const float t = static_cast<float>(i) * 0.1F;
    motion.rotations[i] = zoe::from_axis_angle(zoe::Vec3{1, 0, 0}, std::sin(t));
    motion.translations[i].x = std::cos(t);
    motion.scales[i].y = 1.0F + 0.1F * std::sin(t);
  }
  return motion;
}

void sample_everywhere(const zoe::CompressedMotion& clip, const zoe::Motion& motion) {
  zoe::Pose pose = zoe::make_pose(*motion.skeleton);
  for (const double time_s : {-1.0, 0.0, 0.37, 1.0, 1e9}) {
    const zoe::CompressedSampleJob job{.motion = &clip,
                                       .time_s = time_s,
                                       .translations = pose.translations,
                                       .rotations = pose.rotations,
                                       .scales = pose.scales};
    (void)job.run();
  }
}

}  // namespace

// A hash in the header guards the rest, so blind bytes never get far: an input is a list of edits (place, value) of a
// clip that is good.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const zoe::Motion motion = small_motion();
  static const zoe::CompressedMotion good = zoe::CompressedMotion::compress(motion).value();
  std::vector<std::byte> bytes(good.bytes().begin(), good.bytes().end());
  for (std::size_t i = 0; i + 2 < size; i += 3) {
    const std::size_t place = data[i] | static_cast<std::size_t>(data[i + 1]) << 8;
    if (place < bytes.size()) {
      bytes[place] = std::byte{data[i + 2]};
    } else {
      bytes.resize(place % (good.bytes().size() + 64));
      if (bytes.empty()) break;
    }
  }
  const auto clip = zoe::CompressedMotion::from_bytes(bytes, motion.skeleton);
  if (clip) sample_everywhere(*clip, motion);
  return 0;
}
