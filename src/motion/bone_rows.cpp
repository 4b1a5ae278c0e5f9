// SPDX-License-Identifier: MIT
#include "zoe/motion/bone_rows.h"

#include <array>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/math/rotation_6d.h"

namespace zoe {
namespace {

using Axes = std::array<Vec3, 3>;  // Columns of a rotation matrix.

Vec3 read(std::span<const float> row, std::size_t at) { return {row[at], row[at + 1], row[at + 2]}; }
Axes axes_of(std::span<const float> row, std::size_t bone) {
  const Vec3 x = read(row, bone * kBoneRowWidth + 3), y = read(row, bone * kBoneRowWidth + 6);
  return {x, y, cross(x, y)};
}
// In the frame of these axes.
Vec3 into(const Axes& axes, Vec3 v) { return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)}; }

struct Writer {
  std::span<float> out;
  std::size_t at = 0;
  void add(Vec3 v) {
    for (const float value : {v.x, v.y, v.z}) out[at++] = value;
  }
};

}  // namespace

void write_bone_row(std::span<const BoneMotion> bones, std::span<float> out) {
  ZOE_CHECK(out.size() == bones.size() * kBoneRowWidth, "write_bone_row: wrong size");
  Writer writer{out};
  for (const BoneMotion& bone : bones) {
    const Rotation6d axes = to_6d(normalized(bone.rotation));
    for (const Vec3d& v : {bone.position_m, axes.x, axes.y, bone.velocity_m_s, bone.spin_rad_s})
      writer.add(to_float(v));
  }
}

void write_bone_view(std::span<const float> body, std::span<const float> target, std::span<float> out) {
  const std::size_t num_bones = body.size() / kBoneRowWidth;
  ZOE_CHECK(num_bones > 0 && body.size() == target.size() && body.size() == num_bones * kBoneRowWidth,
            "write_bone_view: rows of other bodies");
  ZOE_CHECK(out.size() == idx(bone_view_width(static_cast<int>(num_bones))), "write_bone_view: wrong size");
  const Axes root = axes_of(body, 0);
  const Vec3 origin = read(body, 0);
  Writer writer{out};
  writer.add(into(root, Vec3{0, 1, 0}));
  for (std::size_t b = 0; b < num_bones; ++b) out[writer.at++] = body[b * kBoneRowWidth + 1];
  for (std::size_t b = 0; b < num_bones; ++b) {
    const std::size_t at = b * kBoneRowWidth;
    writer.add(into(root, read(body, at) - origin));
    for (const std::size_t part : {3, 6, 9, 12}) writer.add(into(root, read(body, at + part)));
  }
  for (std::size_t b = 0; b < num_bones; ++b) {
    const std::size_t at = b * kBoneRowWidth;
    const Axes own = axes_of(body, b);
    writer.add(into(root, read(target, at) - read(body, at)));
    for (const std::size_t part : {3, 6}) writer.add(into(own, read(target, at + part)));
    for (const std::size_t part : {9, 12}) writer.add(into(root, read(target, at + part) - read(body, at + part)));
  }
}

void write_bone_change(std::span<const float> body, std::span<const float> next, std::span<float> out) {
  const std::size_t num_bones = body.size() / kBoneRowWidth;
  ZOE_CHECK(body.size() == next.size() && out.size() == 6 * num_bones, "write_bone_change: wrong size");
  const Axes root = axes_of(body, 0);
  Writer writer{out};
  for (std::size_t b = 0; b < num_bones; ++b) {
    const std::size_t at = b * kBoneRowWidth;
    for (const std::size_t part : {9, 12}) writer.add(into(root, read(next, at + part) - read(body, at + part)));
  }
}

}  // namespace zoe
