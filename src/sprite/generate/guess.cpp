// SPDX-License-Identifier: MIT
#include "sprite/generate/guess.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sprite/generate/puppet_pose.h"

namespace zoe::sprite {
namespace {

std::uint32_t color_number(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2];
}

std::uint8_t coverage_of(std::uint8_t alpha) {
  return static_cast<std::uint8_t>((alpha * paint::kFullCoverage + 127) / 255);
}

}  // namespace

bool has_whole_pixels(std::span<const std::uint8_t> rgba) {
  constexpr std::size_t kFewColors = 64;
  std::set<std::uint32_t> colors;
  for (std::size_t i = 0; i < rgba.size(); i += 4) {
    if (rgba[i + 3] != 0 && rgba[i + 3] != 255) return false;
    if (rgba[i + 3] == 255) colors.insert(color_number(rgba.data() + i));
  }
  return colors.size() <= kFewColors;
}

paint::SoftPicture soft_picture(const render::Picture& picture, std::span<const Rgb> palette) {
  std::vector<Vec3d> looks;
  for (const Rgb color : palette) looks.push_back(oklab_from(color));
  std::map<std::uint32_t, std::uint8_t> known;
  paint::SoftPicture out;
  out.pixels.resize(picture.rgba.size() / 4);
  out.coverage.resize(out.pixels.size());
  for (std::size_t i = 0; i < out.pixels.size(); ++i) {
    const std::uint8_t* p = picture.rgba.data() + 4 * i;
    out.coverage[i] = palette.empty() ? std::uint8_t{0} : coverage_of(p[3]);
    if (out.coverage[i] == 0) continue;
    const auto [entry, is_new] = known.try_emplace(color_number(p), std::uint8_t{1});
    if (is_new) {
      const Vec3d look = oklab_from({p[0], p[1], p[2]});
      double best = 1e30;
      for (std::size_t c = 0; c < looks.size(); ++c) {
        const Vec3d d = looks[c] - look;
        const double square = d.x * d.x + d.y * d.y + d.z * d.z;
        if (square < best) best = square, entry->second = static_cast<std::uint8_t>(c + 1);
      }
    }
    out.pixels[i] = entry->second;
  }
  return out;
}

std::vector<std::uint8_t> rgba_of(const paint::SoftPicture& picture, std::span<const Rgb> palette) {
  std::vector<std::uint8_t> rgba(4 * picture.pixels.size());
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    if (picture.pixels[i] == 0) continue;
    const Rgb color = palette[picture.pixels[i] - 1u];
    const std::array<std::uint8_t, 4> bytes{
        color.r, color.g, color.b,
        static_cast<std::uint8_t>((picture.coverage[i] * 255 + paint::kFullCoverage / 2) / paint::kFullCoverage)};
    std::copy(bytes.begin(), bytes.end(), rgba.begin() + static_cast<std::ptrdiff_t>(4 * i));
  }
  return rgba;
}

PosedPuppet::PosedPuppet(const render::Picture& drawing, const paint::Pose& drawn) : drawing_(drawing) {
  if (!has_all_joints(drawn)) return;
  puppet_.emplace(drawing, rig_of_pose(drawn, drawing.width));
  painter_.emplace(*puppet_, has_whole_pixels(drawing.rgba));
}

const render::Picture& PosedPuppet::draw(const paint::Pose& target) {
  if (!puppet_ || !has_all_joints(target)) return drawing_;
  const int size = drawing_.width;
  const PuppetPose pose = puppet_pose_of(*puppet_, target, size);
  puppet_->deform(pose, vertices_);
  painter_->draw(vertices_, puppet_->draw_order(pose), {}, size, size, canvas_);
  return canvas_;
}

}  // namespace zoe::sprite
