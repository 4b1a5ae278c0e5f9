// SPDX-License-Identifier: MIT
// Part of Zoetrope. One animation sampler, evaluated at frames (glTF 2.0, appendix C).
#pragma once

#include <span>
#include <vector>

#include "zoe/math/quat.h"

#include "io/gltf/document.h"

namespace zoe::io::gltf {

// Keys of one sampler. Owns nothing.
struct Track {
  std::span<const double> key_frames;  // Key times in frames, ascending.
  std::span<const float> key_times_s;  // The same in seconds, for tangents.
  std::span<const float> values;       // `width` numbers per key. CUBICSPLINE: in-tangent, value, out-tangent.
  std::size_t width = 3;
  Interpolation interpolation = Interpolation::kLinear;

  // Value of a key.
  const float* key(std::size_t index) const {
    return values.data() + (interpolation == Interpolation::kCubicSpline ? index * 3 + 1 : index) * width;
  }
};

// Visits frames in ascending order. Times before the first and after the last key take that key's value.
class TrackCursor {
 public:
  explicit TrackCursor(const Track& track) : track_(track) {}

  // Writes `width` numbers.
  void sample(double frame, std::span<double> out);
  Quatd sample_rotation(double frame);

 private:
  // Moves key_ to the last key at or before the frame. Returns the fraction towards the next key, 0..1.
  double seek(double frame);
  void cubic(double t, std::span<double> out) const;

  const Track& track_;
  std::size_t key_ = 0;
};

}  // namespace zoe::io::gltf
