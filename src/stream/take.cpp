// SPDX-License-Identifier: MIT
#include "zoe/stream/take.h"

#include <algorithm>
#include <cmath>

namespace zoe::stream {

void TakeRecorder::add(const Frame& frame) {
  if (times_ns_.empty()) subject_ = frame.subject;
  if (frame.subject.id != subject_.id || frame.subject.skeleton != subject_.skeleton) return;
  if (!times_ns_.empty() && frame.time_ns <= times_ns_.back()) return;
  times_ns_.push_back(frame.time_ns);
  poses_.push_back(frame.pose);
}

Result<Motion> TakeRecorder::finish() const {
  if (times_ns_.empty()) return Error{ErrorCode::kInvalid, "no pose came: is the sender running?", {}};
  const double seconds = static_cast<double>(times_ns_.back() - times_ns_.front()) * 1e-9;
  if (!(seconds <= 86'400)) return Error{ErrorCode::kLimit, "the take is longer than a day", {}};
  const int count = static_cast<int>(std::lround(seconds * subject_.fps)) + 1;
  if (std::int64_t{count} * subject_.skeleton->num_joints() > 500'000'000)
    return Error{ErrorCode::kLimit, "the take has too many frames", {}};
  Motion motion = make_motion(subject_.skeleton, subject_.name, subject_.fps, count, true);
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  std::size_t after = 0;
  for (int f = 0; f < count; ++f) {
    const double at_ns = static_cast<double>(times_ns_.front()) + 1e9 * f / subject_.fps;
    while (after + 1 < times_ns_.size() && static_cast<double>(times_ns_[after]) < at_ns) ++after;
    const std::size_t before = after > 0 ? after - 1 : 0;
    const auto from_ns = static_cast<double>(times_ns_[before]), to_ns = static_cast<double>(times_ns_[after]);
    auto t = static_cast<float>(to_ns > from_ns ? std::clamp((at_ns - from_ns) / (to_ns - from_ns), 0.0, 1.0) : 1.0);
    // Times are rounded to nanoseconds: a frame that was sent is taken as it is.
    if (t < 1e-4F || t > 1 - 1e-4F) t = std::round(t);
    const Pose &a = poses_[before], &b = poses_[after];
    for (std::size_t j = 0; j < joints; ++j) {
      const std::size_t i = static_cast<std::size_t>(f) * joints + j;
      motion.translations[i] = t == 1 ? b.translations[j] : a.translations[j] * (1 - t) + b.translations[j] * t;
      motion.scales[i] = t == 1 ? b.scales[j] : a.scales[j] * (1 - t) + b.scales[j] * t;
      motion.rotations[i] = t == 0   ? a.rotations[j]
                            : t == 1 ? b.rotations[j]
                                     : nlerp(a.rotations[j], b.rotations[j], t);
    }
  }
  make_continuous(motion);
  const auto is_one = [](const Vec3& s) { return s.x == 1 && s.y == 1 && s.z == 1; };
  if (std::all_of(motion.scales.begin(), motion.scales.end(), is_one)) motion.scales.clear();
  ZOE_TRY(validate(motion));
  return motion;
}

}  // namespace zoe::stream
