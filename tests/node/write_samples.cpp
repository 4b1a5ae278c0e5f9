// SPDX-License-Identifier: MIT
// Writes GLB and BVH files and, beside each, what another program should see in it: "<name>.json" with joint and vertex
// positions (model space, metres) at some frames of the first clip.
// usage: write_samples OUT_FOLDER [SHARED_DATA_FOLDER]
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/gltf_compare.h"
#include "io/gltf_samples.h"
#include "zoe/character/deform.h"
#include "zoe/core/file.h"
#include "zoe/io/bvh.h"
#include "zoe/io/gltf.h"

namespace {

using namespace zoe;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json to_json(Vec3 p) { return {p.x, p.y, p.z}; }

// three.js skins with four influences at most; where there are more, vertices are not compared.
bool comparable(const Mesh& mesh) { return mesh.influences_per_vertex <= 4 && mesh.num_vertices() > 0; }

Json expectations(const io::Asset& asset) {
  const Character& character = *asset.character;
  const Motion* motion = asset.clips.empty() ? nullptr : asset.clips.data();
  Json out{{"joints", Json::array()}, {"fps", motion != nullptr ? motion->fps : 0}, {"clip", motion != nullptr ? motion->name : ""}};
  for (int j = 0; j < character.skeleton->num_joints(); ++j) out["joints"].push_back(character.skeleton->name(j));
  const int last = motion != nullptr ? motion->num_frames - 1 : 0;
  for (const int f : {0, last / 3, last / 2, last}) {
    const auto model = test::model_pose(asset, motion, f);
    Json frame{{"frame", f}, {"time_s", motion != nullptr ? motion->start_time_s + f / motion->fps : 0.0}, {"joints", Json::array()}, {"instances", Json::array()}};
    for (const Affine& joint : model) frame["joints"].push_back(to_json(joint.t));
    for (std::size_t i = 0; i < character.instances.size(); ++i) {
      const Mesh& mesh = character.meshes[static_cast<std::size_t>(character.instances[i].mesh)];
      if (!comparable(mesh) || character.instances[i].joint < 0) continue;
      const auto weights = motion != nullptr && motion->num_morph_weights > 0 ? motion->frame_morph_weights(f) : std::span<const float>();
      const auto deformed = deform_instance(character, i, model, weights).positions;
      Json vertices;
      for (std::size_t v = 0; v < deformed.size(); v += deformed.size() / 20 + 1) vertices[std::to_string(v)] = to_json(deformed[v]);
      frame["instances"].push_back({{"node", character.instances[i].joint}, {"vertices", vertices}});
    }
    out["frames"].push_back(std::move(frame));
  }
  return out;
}

bool write_sample(const fs::path& folder, const std::string& name, const io::Asset& asset) {
  const auto written = io::write_gltf(folder / (name + ".glb"), asset);
  if (!written) {
    fmt::print(stderr, "{}: {}\n", name, written.error().format());
    return false;
  }
  return bool(write_file_atomic(folder / (name + ".json"), expectations(asset).dump()));
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
  good &= bool(io::write_gltf(folder / "weights8.glb", test::make_everything(), {.weights = io::GltfWeights::kUnsigned8, .reduce_keys = true}));
  int count = 0;
  for (const char* part : {"conformance/gltf", "characters", "creatures", "quadruped"}) {
    if (argc < 3) break;  // The made-up samples have to do.
    if (!fs::is_directory(fs::path(argv[2]) / part)) continue;
    for (const fs::path& file : test::gltf_files_below(fs::path(argv[2]) / part)) {
      const auto asset = io::read_gltf(file);
      if (asset) good &= write_sample(folder, fmt::format("shared_{:02}_{}", count++, file.stem().string()), *asset);
    }
  }
  return good ? 0 : 1;
}
