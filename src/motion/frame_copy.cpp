// SPDX-License-Identifier: MIT
#include "motion/frame_copy.h"

namespace zoe {
namespace {

template <typename T>
void append_rows(std::vector<T>& to, const std::vector<T>& from, int first, int count, int width) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first) * width;
  to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count) * width);
}

}  // namespace

Motion empty_like(const Motion& like) {
  Motion motion;
  motion.name = like.name;
  motion.fps = like.fps;
  motion.start_time_s = like.start_time_s;
  motion.skeleton = like.skeleton;
  motion.num_morph_weights = like.num_morph_weights;
  return motion;
}

void append_frames(Motion& to, const Motion& from, int first, int count) {
  const int n = from.num_joints();
  ZOE_CHECK(first >= 0 && count >= 0 && first + count <= from.num_frames, "frames outside the motion");
  ZOE_CHECK(to.num_joints() == n && to.num_morph_weights == from.num_morph_weights, "motions of different layout");
  if (!from.scales.empty() && to.scales.empty()) to.scales.assign(to.translations.size(), Vec3{1, 1, 1});
  append_rows(to.translations, from.translations, first, count, n);
  append_rows(to.rotations, from.rotations, first, count, n);
  if (!from.scales.empty()) {
    append_rows(to.scales, from.scales, first, count, n);
  } else if (!to.scales.empty()) {
    to.scales.resize(to.translations.size(), Vec3{1, 1, 1});
  }
  append_rows(to.morph_weights, from.morph_weights, first, count, from.num_morph_weights);
  to.num_frames += count;
}

}  // namespace zoe
