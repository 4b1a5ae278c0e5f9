// SPDX-License-Identifier: MIT
#include "anatomy/scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "zoe/character/deform.h"
#include "zoe/core/index.h"

namespace zoe::anatomy {

Extent extent_of(const Body& body, const Character* character) {
  const double standing = body.clip >= 0 ? body.standing_height : 0.0;
  Extent joints{body.low, std::max(body.high, body.low + standing), false};
  if (character == nullptr || character->skeleton.get() != body.skeleton || body.model.empty()) return joints;
  Extent mesh;
  const std::array<Vec3, 2> axes = level_axes(body.up);
  std::array<double, 2> near{1e30, 1e30}, far{-1e30, -1e30};
  for (std::size_t i = 0; i < character->instances.size(); ++i) {
    if (character->instances[i].skin < 0) continue;  // Props and scenery are rigid.
    for (const Vec3 p : deform_instance(*character, i, body.model).positions) {
      const double height = dot(p, body.up);
      mesh.low = mesh.of_mesh ? std::min(mesh.low, height) : height;
      mesh.high = mesh.of_mesh ? std::max(mesh.high, height) : height;
      mesh.of_mesh = true;
      for (std::size_t a = 0; a < axes.size(); ++a) {
        near[a] = std::min<double>(near[a], dot(p, axes[a]));
        far[a] = std::max<double>(far[a], dot(p, axes[a]));
      }
    }
  }
  if (mesh.of_mesh) mesh.length = std::max(far[0] - near[0], far[1] - near[1]);
  // For robots of rigid parts, the skin may be the hands alone.
  const bool covers = mesh.of_mesh && mesh.high - mesh.low > 0.6 * (joints.high - joints.low);
  return covers ? mesh : joints;
}

void leave_out_arms(const Body& body, std::span<const Limb> limbs, std::span<const Motion> clips, Extent& extent) {
  constexpr int kMaxFrames = 48;
  std::vector<char> is_arm(idx(body.num_joints()), 0);
  for (const Limb& limb : limbs)
    if (limb.kind == LimbKind::kArm)
      for (const int joint : limb.joints) is_arm[idx(joint)] = 1;
  double arms = -1e30, rest = -1e30;
  for (int j = 0; j < body.num_joints(); ++j) {
    const int parent = body.skeleton->parent(j);
    if (parent != kNoJoint && is_arm[idx(parent)] != 0) is_arm[idx(j)] = 1;  // Fingers.
    if (!body.has_size(j)) continue;
    double& high = is_arm[idx(j)] != 0 ? arms : rest;
    high = std::max(high, body.height(j));
  }
  if (arms < -1e29 || rest < -1e29) return;
  if (body.clip < 0 || body.standing_height <= 0) {
    extent.high -= std::max(0.0, arms - rest);  // Hands have as much flesh above their joints as heads.
    return;
  }
  // The reference pose is a frame: the height in at most 9 of 10 frames, as Body::standing_height.
  std::vector<double> heights;
  std::vector<Affine> model(idx(body.num_joints()));
  for (const Motion& clip : clips) {
    if (clip.num_joints() != body.num_joints() || clip.num_frames < 1) continue;
    for (int i = 0; i < kMaxFrames; ++i) {
      compute_model_from_joint(*body.skeleton,
                               clip.frame(static_cast<int>(std::int64_t{clip.num_frames - 1} * i / (kMaxFrames - 1))),
                               model);
      double low = 1e30, high = -1e30;
      for (int j = 0; j < body.num_joints(); ++j) {
        if (!body.has_size(j)) continue;
        const double height = dot(model[idx(j)].t, body.up);
        low = std::min(low, height);
        if (is_arm[idx(j)] == 0) high = std::max(high, height);
      }
      heights.push_back(high - low);
    }
  }
  if (heights.empty()) return;
  const auto tall = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() * 9 / 10);
  std::nth_element(heights.begin(), tall, heights.end());
  extent.high = std::max(rest, extent.low + *tall);
}

ScaleFinding find_scale(BodyFamily family, double height, std::optional<double> stated_metres_per_unit) {
  if (stated_metres_per_unit) {
    const double height_m = height * *stated_metres_per_unit;
    if (height_m > 0.02 && height_m < 30) return {*stated_metres_per_unit, {0.95, EvidenceSource::kStated}};
  }
  if (!(height > 0)) return {};
  // Metres, centimetres, millimetres, inches, and the unit of the CMU collection (inches over
  // 0.45).
  struct Unit {
    double metres, doubt;  // Rare units must fit better.
  };
  constexpr Unit kUnits[] = {{1, 0}, {0.01, 0}, {0.001, 0.3}, {0.0254, 0.25}, {0.0254 / 0.45, 0.2}};
  const bool biped = family == BodyFamily::kBiped;
  // Joints end below the crown. People are 1.3 to 2.1 m, animals range from a bird to a horse.
  const double low = std::log(biped ? 1.3 : 0.15), high = std::log(biped ? 2.1 : 2.2),
               typical = std::log(biped ? 1.65 : 0.6);
  ScaleFinding best;
  double least = 1e9;
  for (const Unit& unit : kUnits) {
    const double size = std::log(height * unit.metres);
    const double outside = std::max({0.0, low - size, size - high});
    const double cost = 3 * outside + 0.2 * std::abs(size - typical) + unit.doubt;
    if (cost >= least) continue;
    least = cost;
    best = {unit.metres, {std::clamp(0.9 - cost, 0.1, 0.9), EvidenceSource::kGeometry}};
  }
  return best;
}

}  // namespace zoe::anatomy
