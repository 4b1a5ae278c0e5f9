// SPDX-License-Identifier: MIT
#include "io/gltf/track.h"

#include <array>

namespace zoe::io::gltf {

double TrackCursor::seek(double frame) {
  const std::span<const double> keys = track_.key_frames;
  while (key_ + 1 < keys.size() && keys[key_ + 1] <= frame) ++key_;
  if (key_ + 1 >= keys.size() || frame <= keys[key_]) return 0.0;
  return (frame - keys[key_]) / (keys[key_ + 1] - keys[key_]);
}

// Cubic Hermite spline. Tangents are per second, hence the factor of the step's length.
void TrackCursor::cubic(double t, std::span<double> out) const {
  const double step_s = double(track_.key_times_s[key_ + 1]) - double(track_.key_times_s[key_]);
  const double t2 = t * t, t3 = t2 * t;
  const float* from = track_.key(key_);
  const float* to = track_.key(key_ + 1);
  const float* out_tangent = from + track_.width;
  const float* in_tangent = to - track_.width;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = (2 * t3 - 3 * t2 + 1) * double(from[i]) + step_s * (t3 - 2 * t2 + t) * double(out_tangent[i]) +
             (-2 * t3 + 3 * t2) * double(to[i]) + step_s * (t3 - t2) * double(in_tangent[i]);
  }
}

void TrackCursor::sample(double frame, std::span<double> out) {
  const double t = seek(frame);
  const float* from = track_.key(key_);
  if (t == 0.0 || track_.interpolation == Interpolation::kStep) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = from[i];
  } else if (track_.interpolation == Interpolation::kCubicSpline) {
    cubic(t, out);
  } else {
    const float* to = track_.key(key_ + 1);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = double(from[i]) + (double(to[i]) - double(from[i])) * t;
  }
}

Quatd TrackCursor::sample_rotation(double frame) {
  const double t = seek(frame);
  const auto quat_at = [&](std::size_t key) {
    const float* v = track_.key(key);
    return normalized(Quatd{v[0], v[1], v[2], v[3]});
  };
  if (t == 0.0 || track_.interpolation == Interpolation::kStep) return quat_at(key_);
  if (track_.interpolation == Interpolation::kLinear) return slerp(quat_at(key_), quat_at(key_ + 1), t);
  std::array<double, 4> v{};
  cubic(t, v);
  return normalized(Quatd{v[0], v[1], v[2], v[3]});
}

}  // namespace zoe::io::gltf
