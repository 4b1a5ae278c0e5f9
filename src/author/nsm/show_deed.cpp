// SPDX-License-Identifier: MIT
#include "zoe/author/show_deed.h"

#include <algorithm>

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

}  // namespace

Result<DisplayedDeed> show_deed(const CharacterPtr& body, const eval::DeedRecording& deed) {
  const Motion& motion = deed.recording.motion;
  const std::size_t frames = idx(motion.num_frames), num_props = frames > 0 ? deed.props.size() / frames : 0;
  auto character = std::make_shared<Character>(body ? *body : Character{});
  std::vector<JointDesc> joints(motion.skeleton->joints().begin(), motion.skeleton->joints().end());
  const std::size_t own = joints.size();
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
