// SPDX-License-Identifier: MIT
// Part of Zoetrope. The frames of a track that need keys.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace zoe::io::gltf {

// Frames to keep so that interpolation reproduces every other frame. error(first, last, frame) is the deviation at
// `frame` when only `first` and `last` have keys. Greedy. Spans have at most kMaxSpan frames, which bounds the work.
inline std::vector<std::size_t> reduced_keys(
    std::size_t num_frames, double tolerance,
    const std::function<double(std::size_t, std::size_t, std::size_t)>& error) {
  constexpr std::size_t kMaxSpan = 64;
  std::vector<std::size_t> keys{0};
  const auto straight = [&](std::size_t first, std::size_t last) {
    for (std::size_t f = first + 1; f < last; ++f) {
      if (!(error(first, last, f) <= tolerance)) return false;
    }
    return true;
  };
  while (keys.back() + 1 < num_frames) {
    const std::size_t first = keys.back();
    std::size_t last = first + 1;
    while (last + 1 < num_frames && last + 1 - first <= kMaxSpan && straight(first, last + 1)) ++last;
    keys.push_back(last);
  }
  return keys;
}

}  // namespace zoe::io::gltf
