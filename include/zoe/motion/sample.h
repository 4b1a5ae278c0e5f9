// SPDX-License-Identifier: MIT
// Part of Zoetrope. The pose of a motion at any time, also between frames.
#pragma once

#include <span>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

// Meaning of times outside the clip.
enum class Wrap : unsigned char {
  kClamp,       // Holds the first or the last frame.
  kLoop,        // Repeats with the clip's duration: the last frame is the same moment as the first of the next cycle.
  kLoopClosed,  // Repeats with one more frame: the last frame blends into the first (period num_frames / fps).
};

enum class Interpolation : unsigned char {
  // Normalised linear. Deviates from constant speed by at most 0.0042 θ³ radians for a step of θ <= π/2 between two
  // frames (0.002 degrees for 11 degrees per frame), never from the arc.
  kNlerp,
  kSlerp,  // Constant speed; several times slower.
};

// Two consecutive frames and the fraction of the second one, in [0, 1).
struct FramePosition {
  int frame = 0;
  int next_frame = 0;
  float fraction = 0;
};

// Frame position of time_s (the file's own clock, see Motion::start_time_s). Within 1e-6 of a frame it is that frame,
// so that times computed as frame / fps give the stored pose bit for bit. num_frames >= 1, time_s finite.
FramePosition find_frame(int num_frames, double fps, double start_time_s, double time_s, Wrap wrap) noexcept;
inline FramePosition find_frame(const Motion& motion, double time_s, Wrap wrap) noexcept {
  return find_frame(motion.num_frames, motion.fps, motion.start_time_s, time_s, wrap);
}

// Samples one pose. Owns nothing, allocates nothing; one job may run on any thread.
struct SampleJob {
  const Motion* motion = nullptr;  // At least one frame.
  double time_s = 0;               // On the motion's own clock.
  Wrap wrap = Wrap::kClamp;
  Interpolation interpolation = Interpolation::kNlerp;

  std::span<Vec3> translations;    // [joints]
  std::span<Quat> rotations;       // [joints]
  std::span<Vec3> scales;          // [joints], or empty: skipped. Ones when the motion has no scales.
  std::span<float> morph_weights;  // [num_morph_weights], or empty: skipped.

  // Returns why run() would refuse.
  Result<void> validate() const;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

// The same into a pose of the motion's skeleton. Checked.
void sample(const Motion& motion, double time_s, Wrap wrap, Pose& out);

}  // namespace zoe
