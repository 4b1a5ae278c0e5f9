// SPDX-License-Identifier: MIT
// Part of Zoetrope. Records the frames of a link as a motion.
#pragma once

#include "zoe/motion/motion.h"
#include "zoe/stream/link.h"

namespace zoe::stream {

// Frames of one subject, by their own times. Lost frames are interpolated.
class TakeRecorder {
 public:
  // Frames of other subjects than the first one's are ignored, and so are those after a change of the skeleton.
  void add(const Frame& frame);
  int num_frames() const { return static_cast<int>(times_ns_.size()); }
  // At the subject's rate. Fails without frames, and for takes longer than a day.
  Result<Motion> finish() const;

 private:
  Subject subject_;
  std::vector<std::int64_t> times_ns_;  // Rising.
  std::vector<Pose> poses_;
};

}  // namespace zoe::stream
