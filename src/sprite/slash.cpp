// SPDX-License-Identifier: MIT
#include "sprite/slash.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::sprite {
namespace {

constexpr double kWindow_s = 0.11;
constexpr int kSteps = 12;
constexpr float kSlow = 0.4F, kFast = 0.9F;  // Heights in the window: no arc, the full arc.
constexpr float kInner = 0.45F;              // Of the blade: where the arc begins.
constexpr int kFine = 3;                     // Samples per pixel, each way.
constexpr float kHardLimit = 0.35F;          // Strength from which whole pixels are drawn.

struct Sweep {
  std::array<Vec2, kSteps + 1> inner, outer;  // Samples of the canvas.
};

double side_of(Vec2 a, Vec2 b, double x, double y) {
  return static_cast<double>(b.x - a.x) * (y - static_cast<double>(a.y)) -
         static_cast<double>(b.y - a.y) * (x - static_cast<double>(a.x));
}

// The strongest value of each sample inside of the triangle.
void fill(std::vector<float>& strengths, int width, int height, Vec2 a, Vec2 b, Vec2 c, float strength) {
  const int left = std::max(0, static_cast<int>(std::floor(std::min({a.x, b.x, c.x})))),
            right = std::min(width - 1, static_cast<int>(std::ceil(std::max({a.x, b.x, c.x})))),
            top = std::max(0, static_cast<int>(std::floor(std::min({a.y, b.y, c.y})))),
            bottom = std::min(height - 1, static_cast<int>(std::ceil(std::max({a.y, b.y, c.y}))));
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      const double s0 = side_of(a, b, x + 0.5, y + 0.5), s1 = side_of(b, c, x + 0.5, y + 0.5),
                   s2 = side_of(c, a, x + 0.5, y + 0.5);
      const bool inside = (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
      float& value = strengths[idx(y) * idx(width) + idx(x)];
      if (inside) value = std::max(value, strength);
    }
  }
}

// A rigid mesh below a hand.
bool is_held(const MeshInstance& instance, const Skeleton& skeleton, const SkeletonAnalysis& body) {
  if (instance.skin >= 0 || instance.joint < 0) return false;
  for (int joint = skeleton.parent(instance.joint); joint != kNoJoint; joint = skeleton.parent(joint)) {
    if (std::find(body.hands.begin(), body.hands.end(), joint) != body.hands.end()) return true;
  }
  return false;
}

}  // namespace

std::vector<Blade> find_blades(const Request& request, bool limbs) {
  std::vector<Blade> blades;
  const Character& character = *request.character;
  const std::size_t own = character.instances.size() - idx(request.num_weapon_instances);
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const MeshInstance& instance = character.instances[i];
    if (i < own && !is_held(instance, *character.skeleton, request.body)) continue;
    Blade blade{instance.joint, instance.joint_from_mesh.t, {}, true};
    float farthest = -1;
    for (const Vec3 position : character.meshes[idx(instance.mesh)].positions) {
      const Vec3 p = instance.joint_from_mesh.apply_point(position);
      if (length(p - blade.base) > farthest) farthest = length(p - blade.base), blade.tip = p;
    }
    if (farthest > 0) blades.push_back(blade);
  }
  if (!blades.empty() && !limbs) return blades;
  // The joint before the hand carries a line to it.
  const std::span<const Affine> rest = character.skeleton->rest_model();
  for (const std::vector<int>* ends : {&request.body.hands, &request.body.feet}) {
    for (const int end : *ends) {
      const int parent = character.skeleton->parent(end);
      if (parent == kNoJoint) continue;
      const Vec3 tip = inverse(rest[idx(parent)]).apply_point(rest[idx(end)].t);
      blades.push_back({parent, tip * 0.4F, tip * 1.25F, false});
    }
  }
  return blades;
}

Cel draw_slashes(const ClipStage& stage, const Clip& clip, const std::vector<Blade>& blades, double time_s,
                 const SlashView& view) {
  const double length_s = clip.motion->duration_s();
  const int width = view.framing.width * kFine, height = view.framing.height * kFine;
  std::vector<Sweep> sweeps(blades.size());
  std::vector<float> travelled(blades.size(), 0);
  std::vector<Vec3> before(blades.size());
  std::vector<Affine> joints;
  const Affine view_from_model = view.view_from_sprite * stage.sprite_from_model(time_s);
  for (int k = 0; k <= kSteps; ++k) {
    double at_s = time_s - kWindow_s * (1 - static_cast<double>(k) / kSteps);
    // Before the first pose of a loop is its end, without the travel.
    const Vec3 back = at_s < 0 && clip.loop ? stage.travel() : Vec3{};
    if (at_s < 0) at_s = clip.loop ? at_s + length_s : 0;
    stage.joints(std::clamp(at_s, 0.0, length_s), joints);
    for (std::size_t b = 0; b < blades.size(); ++b) {
      const Affine& joint = joints[idx(blades[b].joint)];
      const Vec3 tip = joint.apply_point(blades[b].tip) - back,
                 inner = joint.apply_point(blades[b].base * (1 - kInner) + blades[b].tip * kInner) - back;
      if (k > 0) travelled[b] += length(tip - before[b]);
      before[b] = tip;
      const auto on_canvas = [&](Vec3 p) {
        const Vec3 v = view_from_model.apply_point(p);
        return Vec2{(static_cast<float>(view.framing.pivot_x) + v.x * view.framing.pixels_per_unit) * kFine,
                    (static_cast<float>(view.framing.pivot_y) - v.y * view.framing.pixels_per_unit) * kFine};
      };
      sweeps[b].outer[idx(k)] = on_canvas(tip);
      sweeps[b].inner[idx(k)] = on_canvas(inner);
    }
  }
  std::vector<float> strengths;
  for (std::size_t b = 0; b < blades.size(); ++b) {
    const float speed = std::clamp((travelled[b] / view.height - kSlow) / (kFast - kSlow), 0.0F, 1.0F);
    if (!(speed > 0)) continue;
    if (strengths.empty()) strengths.assign(idx(width) * idx(height), 0);
    const Sweep& sweep = sweeps[b];
    for (std::size_t k = 0; k < kSteps; ++k) {
      // The arc is thin where it is old: its inner side moves outwards.
      const float young = static_cast<float>(k + 1) / kSteps;
      const auto thin = [&](std::size_t i) {
        const float t = 1 - static_cast<float>(i) / kSteps;
        return Vec2{sweep.inner[i].x + (sweep.outer[i].x - sweep.inner[i].x) * t,
                    sweep.inner[i].y + (sweep.outer[i].y - sweep.inner[i].y) * t};
      };
      const float strength = young * (0.35F + 0.6F * speed);
      fill(strengths, width, height, thin(k), sweep.outer[k], sweep.outer[k + 1], strength);
      fill(strengths, width, height, thin(k), sweep.outer[k + 1], thin(k + 1), strength);
    }
  }
  if (strengths.empty()) return {};
  render::Picture out = render::make_picture(view.framing.width, view.framing.height, 0, 0, 0, 0);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      float sum = 0;
      for (int k = 0; k < kFine * kFine; ++k)
        sum += strengths[idx(y * kFine + k / kFine) * idx(width) + idx(x * kFine + k % kFine)];
      const float strength = sum / (kFine * kFine);
      if (!(strength > 0)) continue;
      std::uint8_t* pixel = out.pixel(x, y);
      const float white = std::clamp(strength * 1.4F, 0.0F, 1.0F);
      pixel[0] = static_cast<std::uint8_t>(view.hard ? 255 : 170 + 85 * white);
      pixel[1] = static_cast<std::uint8_t>(view.hard ? 255 : 215 + 40 * white);
      pixel[2] = 255;
      pixel[3] =
          static_cast<std::uint8_t>(view.hard ? (strength > kHardLimit ? 255 : 0) : 255 * std::min(strength, 1.0F));
      if (pixel[3] == 0) std::fill_n(pixel, 4, std::uint8_t{0});
    }
  }
  return trim(out);
}

}  // namespace zoe::sprite
