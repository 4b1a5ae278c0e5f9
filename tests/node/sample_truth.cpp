// SPDX-License-Identifier: MIT
#include "node/sample_truth.h"

#include <algorithm>
#include <set>

#include "zoe/character/deform.h"

#include "io/gltf_compare.h"

namespace zoe::test {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(Vec3 p) { return {p.x, p.y, p.z}; }

// three.js skins with four influences at most; where there are more, vertices are not compared.
bool comparable(const Mesh& mesh) { return mesh.influences_per_vertex <= 4 && mesh.num_vertices() > 0; }

Json frame_json(const io::Asset& asset, const Motion* motion, int f) {
  const Character& character = *asset.character;
  const auto model = model_pose(asset, motion, f);
  Json frame{{"frame", f},
             {"time_s", motion != nullptr ? std::max(motion->start_time_s, 0.0) + f / motion->fps : 0.0},
             {"joints", Json::array()},
             {"instances", Json::array()}};
  for (const Affine& joint : model) frame["joints"].push_back(to_json(joint.t));
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(character.instances[i].mesh)];
    if (!comparable(mesh) || character.instances[i].joint < 0) continue;
    const auto weights =
        motion != nullptr && motion->num_morph_weights > 0 ? motion->frame_morph_weights(f) : std::span<const float>();
    const auto deformed = deform_instance(character, i, model, weights).positions;
    Json vertices;
    for (std::size_t v = 0; v < deformed.size(); v += deformed.size() / 20 + 1)
      vertices[std::to_string(v)] = to_json(deformed[v]);
    frame["instances"].push_back({{"node", character.instances[i].joint}, {"vertices", vertices}});
  }
  return frame;
}

}  // namespace

Json expectations(const io::Asset& asset, const std::filesystem::path& source) {
  Json out{{"source", source.extension() == ".glb" ? source.string() : ""},
           {"joints", Json::array()},
           {"clips", Json::array()}};
  out["follows"] = std::any_of(asset.character->instances.begin(), asset.character->instances.end(),
                               [](const MeshInstance& instance) { return instance.skin_follows_joint; });
  const auto parents = asset.character->skeleton->parents();
  out["roots"] = std::count(parents.begin(), parents.end(), kNoJoint);
  out["morphs"] = asset.character->num_morph_weights() > 0;
  std::set<int> meshes_used;
  for (const MeshInstance& instance : asset.character->instances) {
    if (!asset.character->meshes[static_cast<std::size_t>(instance.mesh)].indices.empty())
      meshes_used.insert(instance.mesh);
  }
  out["meshes"] = meshes_used.size();
  const auto joints = asset.character->skeleton->joints();
  out["bones"] =
      std::any_of(joints.begin(), joints.end(), [](const JointDesc& joint) { return joint.kind == JointKind::kBone; });
  // Other programs number the vertices as we do where none of them shares a point.
  const auto& meshes = asset.character->meshes;
  out["vertices_as_written"] =
      std::all_of(meshes.begin(), meshes.end(), [](const Mesh& mesh) { return mesh.source_points.empty(); });
  for (const JointDesc& joint : asset.character->skeleton->joints()) out["joints"].push_back(joint.name);
  const std::size_t num_clips = std::max<std::size_t>(std::min<std::size_t>(asset.clips.size(), 10), 1);
  for (std::size_t c = 0; c < num_clips; ++c) {
    const Motion* motion = asset.clips.empty() ? nullptr : &asset.clips[c];
    Json clip{{"name", motion != nullptr ? motion->name : ""}, {"fps", motion != nullptr ? motion->fps : 0}};
    const int last = motion != nullptr ? motion->num_frames - 1 : 0;
    for (const int f : std::set<int>{0, last / 3, last / 2, last})
      clip["frames"].push_back(frame_json(asset, motion, f));
    out["clips"].push_back(std::move(clip));
  }
  return out;
}

}  // namespace zoe::test
