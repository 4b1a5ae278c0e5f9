// SPDX-License-Identifier: MIT
// Writes GLB and BVH files and, beside each, what another program should see in it: "<name>.json"
// with joint and vertex positions (model space, metres) at some frames of its clips. usage:
// write_samples OUT_FOLDER [SHARED_DATA_FOLDER]
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/character/deform.h"
#include "zoe/core/file.h"
#include "zoe/io/bvh.h"
#include "zoe/io/fbx.h"
#include "zoe/io/gltf.h"

#include "io/gltf_compare.h"
#include "io/gltf_samples.h"

namespace {

using namespace zoe;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json to_json(Vec3 p) { return {p.x, p.y, p.z}; }

// three.js skins with four influences at most; where there are more, vertices are not compared.
bool comparable(const Mesh& mesh) { return mesh.influences_per_vertex <= 4 && mesh.num_vertices() > 0; }

Json frame_json(const io::Asset& asset, const Motion* motion, int f) {
  const Character& character = *asset.character;
  const auto model = test::model_pose(asset, motion, f);
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

// The rest pose alone when there is no clip.
Json expectations(const io::Asset& asset, const fs::path& source) {
  Json out{{"source", source.extension() == ".glb" ? source.string() : ""},
           {"joints", Json::array()},
           {"clips", Json::array()}};
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

bool write_sample(const fs::path& folder, const std::string& name, const io::Asset& asset,
                  const fs::path& source = {}) {
  const auto written = io::write_gltf(folder / (name + ".glb"), asset);
  if (!written) {
    fmt::print(stderr, "{}: {}\n", name, written.error().format());
    return false;
  }
  return bool(write_file_atomic(folder / (name + ".json"), expectations(asset, source).dump()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const fs::path folder = argv[1];
  bool good = true;
  const io::Asset bare = test::make_bare_skeleton(1);
  good &= write_sample(folder, "bare", bare);
  good &= write_sample(folder, "many_roots", test::make_bare_skeleton(3));
  good &= write_sample(folder, "everything", test::make_everything());
  good &= bool(io::write_bvh(folder / "bare.bvh", bare.clips[0]));
  good &= bool(io::write_gltf(folder / "separate.gltf", bare));
  good &= bool(io::write_gltf(folder / "weights8.glb", test::make_everything(),
                              {.weights = io::GltfWeights::kUnsigned8, .reduce_keys = true}));
  int count = 0;
  for (const char* part : {"conformance/gltf", "characters", "creatures", "quadruped"}) {
    if (argc < 3) break;  // The made-up samples have to do.
    if (!fs::is_directory(fs::path(argv[2]) / part)) continue;
    for (const fs::path& file : test::gltf_files_below(fs::path(argv[2]) / part)) {
      const auto asset = io::read_gltf(file);
      if (asset)
        good &= write_sample(folder, fmt::format("shared_{:02}_{}", count++, file.stem().string()), *asset, file);
    }
  }
  if (argc >= 3 && fs::is_directory(fs::path(argv[2]) / "conformance" / "fbx")) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(argv[2]) / "conformance" / "fbx")) {
      if (entry.path().extension() != ".fbx") continue;
      const auto asset = io::read_fbx(entry.path());
      if (asset && asset->character->skeleton->num_joints() > 0) {
        good &= write_sample(folder, "fbx_" + entry.path().stem().string(), *asset);
      }
    }
  }
  return good ? 0 : 1;
}
