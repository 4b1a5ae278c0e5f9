// SPDX-License-Identifier: MIT
#include "zoe/character/palette_job.h"

#include <algorithm>

#include "zoe/math/transform.h"

#include "character/polar.h"
#include "character/skinning_kernels.h"

namespace zoe {
namespace {

// Writes the rigid part and returns the stretch.
Affine split(const Affine& m, DualQuat& rigid) {
  if (is_rigid(m)) {
    rigid = to_dual_quat(rotation_of(m), m.t);
    return {};
  }
  const Affined exact = to_double(m);
  const Affined r = rotation_factor(exact);
  rigid = to_dual_quat(to_float(rotation_of(r)), m.t);
  return to_float(stretch_factor(exact, r));
}

}  // namespace

const char* PaletteJob::validate() const noexcept {
  if (skin == nullptr) return "skin is missing";
  if (skin->joints.size() != skin->joint_from_mesh.size())
    return "skin has another number of bind matrices than joints";
  if (num_characters == 0)
    return palettes.empty() ? nullptr : "palettes does not have one entry per character and skin joint";
  if (model_from_joint.size() % num_characters != 0) {
    return "model_from_joint does not have the same number of joints for every character";
  }
  const auto num_joints = static_cast<std::ptrdiff_t>(model_from_joint.size() / num_characters);
  if (!std::all_of(skin->joints.begin(), skin->joints.end(), [=](int j) { return j >= 0 && j < num_joints; })) {
    return "skin names a joint that model_from_joint does not have";
  }
  if (!target_from_model.empty() && target_from_model.size() != num_characters) {
    return "target_from_model is neither empty nor one entry per character";
  }
  if (palettes.size() != num_characters * skin->joints.size()) {
    return "palettes does not have one entry per character and skin joint";
  }
  return nullptr;
}

bool PaletteJob::run() const noexcept {
  if (validate() != nullptr) return false;
  const std::size_t count = skin->joints.size();
  if (count == 0) return true;
  for (std::size_t character = 0; character < num_characters; ++character) {
    const std::span<Affine> out = palettes.subspan(character * count, count);
    kernels::multiply_palette(count, &model_from_joint[character * (model_from_joint.size() / num_characters)].x.x,
                              skin->joints.data(), &skin->joint_from_mesh[0].x.x, &out[0].x.x);
    if (target_from_model.empty()) continue;
    for (Affine& m : out) m = target_from_model[character] * m;
  }
  return true;
}

const char* DualQuatPaletteJob::validate() const noexcept {
  if (dual_quats.size() != palettes.size()) return "dual_quats is not as long as palettes";
  if (!stretches.empty() && stretches.size() != palettes.size())
    return "stretches is neither empty nor as long as palettes";
  return nullptr;
}

bool DualQuatPaletteJob::run() const noexcept {
  if (validate() != nullptr) return false;
  for (std::size_t i = 0; i < palettes.size(); ++i) {
    const Affine stretch = split(palettes[i], dual_quats[i]);
    if (!stretches.empty()) stretches[i] = stretch;
  }
  return true;
}

bool is_rigid(const Affine& m, float tolerance) {
  const auto off = [tolerance](float value, float target) { return !(std::abs(value - target) <= tolerance); };
  return !off(dot(m.x, m.x), 1) && !off(dot(m.y, m.y), 1) && !off(dot(m.z, m.z), 1) && !off(dot(m.x, m.y), 0) &&
         !off(dot(m.y, m.z), 0) && !off(dot(m.x, m.z), 0) && determinant(m) > 0;
}

}  // namespace zoe
