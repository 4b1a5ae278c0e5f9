// SPDX-License-Identifier: MIT
#include "zoe/author/show_deed.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/synth/interaction.h"

namespace zoe::author {
namespace {

Quat about_y(float angle_rad) { return from_axis_angle(Vec3{0, 1, 0}, angle_rad); }

// The parts of a prop that turn with its leaf, or the others, in the own space.
Prop part_of(Prop prop, bool leaf) {
  int kept = 0;
  for (int i = 0; i < prop.num_parts; ++i)
    if (prop.parts[idx(i)].on_leaf == leaf) prop.parts[idx(kept++)] = prop.parts[idx(i)];
  prop.num_parts = kept;
  prop.position = {};
  prop.facing_rad = prop.open_rad = 0;
  return prop;
}

// Bones as bars, for bodies without a mesh: a skeleton beside meshes is not drawn.
void add_bars(const Skeleton& skeleton, Character& character) {
  Material skin;
  skin.name = "bones";
  skin.base_color = {0.85F, 0.65F, 0.4F, 1};
  const int material = static_cast<int>(character.materials.size());
  character.materials.push_back(skin);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    const Vec3 bone = skeleton.rest_local(j).translation;
    const float long_m = length(bone);
    // A first joint on the floor is no bone.
    if (parent == kNoJoint || long_m < 0.01F || (parent == 0 && skeleton.rest_model()[0].t.y < 0.02F)) continue;
    const float half = std::clamp(0.13F * long_m, 0.008F, 0.035F);
    Prop bar;
    bar.num_parts = 1;
    bar.parts[0] = {{0, 0.5F * long_m, 0}, {half, 0.5F * long_m, half}};
    // Turns +Y onto the bone.
    const Vec3 along = bone / long_m, axis = cross(Vec3{0, 1, 0}, along);
    const float s = length(axis);
    const Quat turn = s > 1e-5F ? from_axis_angle(axis / s, std::atan2(s, along.y))
                                : from_axis_angle(Vec3{1, 0, 0}, along.y > 0 ? 0.0F : 3.14159265F);
    Mesh mesh = synth::mesh_of({&bar, 1});
    for (auto& submesh : mesh.submeshes) submesh.material = material;
    MeshInstance instance;
    instance.mesh = static_cast<int>(character.meshes.size());
    instance.joint = parent;
    instance.joint_from_mesh = to_affine(turn);
    character.instances.push_back(instance);
    character.meshes.push_back(std::move(mesh));
  }
}

}  // namespace

Result<DisplayedDeed> show_deed(const CharacterPtr& body, const eval::DeedRecording& deed) {
  const Motion& motion = deed.recording.motion;
  const std::size_t frames = idx(motion.num_frames), num_props = frames > 0 ? deed.props.size() / frames : 0;
  auto character = std::make_shared<Character>(body ? *body : Character{});
  std::vector<JointDesc> joints(motion.skeleton->joints().begin(), motion.skeleton->joints().end());
  const std::size_t own = joints.size();
  if (character->instances.empty()) add_bars(*motion.skeleton, *character);
  struct Moved {
    std::size_t prop;
    bool leaf;
  };
  std::vector<Moved> moved;
  Material wood;
  wood.name = "props";
  wood.base_color = {0.55F, 0.42F, 0.3F, 1};
  const int material = static_cast<int>(character->materials.size());
  character->materials.push_back(wood);
  for (std::size_t i = 0; i < num_props; ++i) {
    for (const bool leaf : {false, true}) {
      const Prop part = part_of(deed.props[i], leaf);
      if (part.num_parts == 0) continue;
      Mesh mesh = synth::mesh_of({&part, 1});
      for (auto& submesh : mesh.submeshes) submesh.material = material;
      character->instances.push_back(
          {.mesh = static_cast<int>(character->meshes.size()), .joint = static_cast<int>(joints.size())});
      character->meshes.push_back(std::move(mesh));
      joints.push_back({fmt::format("prop_{}{}", i, leaf ? "_leaf" : ""), kNoJoint, {}, JointKind::kNode});
      moved.push_back({i, leaf});
    }
  }
  ZOE_TRY_ASSIGN(character->skeleton, Skeleton::create(std::move(joints)));
  Motion out = make_motion(character->skeleton, "deed", motion.fps, motion.num_frames, false);
  const std::size_t all = own + moved.size();
  for (std::size_t f = 0; f < frames; ++f) {
    const PoseView pose = motion.frame(static_cast<int>(f));
    std::copy(pose.translations.begin(), pose.translations.end(),
              out.translations.begin() + static_cast<std::ptrdiff_t>(f * all));
    std::copy(pose.rotations.begin(), pose.rotations.end(),
              out.rotations.begin() + static_cast<std::ptrdiff_t>(f * all));
    for (std::size_t k = 0; k < moved.size(); ++k) {
      const Prop& prop = deed.props[f * num_props + moved[k].prop];
      out.translations[f * all + own + k] = prop.position;
      out.rotations[f * all + own + k] = about_y(prop.facing_rad - (moved[k].leaf ? prop.open_rad : 0.0F));
    }
  }
  return DisplayedDeed{std::move(character), std::make_shared<const Motion>(std::move(out))};
}

}  // namespace zoe::author
