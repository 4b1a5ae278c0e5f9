// SPDX-License-Identifier: MIT
// Writes FBX and USD files and, beside each, what another program should see in it: "<name>.json".
// usage: write_link_samples OUT_FOLDER [SHARED_DATA_FOLDER]
#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"

#include "io/gltf_samples.h"
#include "node/sample_truth.h"

namespace {

using namespace zoe;
namespace fs = std::filesystem;

bool write_sample(const fs::path& folder, const std::string& name, const io::Asset& asset) {
  for (const char* extension : {".fbx", ".usda", ".usdz"}) {
    const auto written = io::write_asset(folder / (name + extension), asset);
    if (!written) {
      fmt::print(stderr, "{}{}: {}\n", name, extension, written.error().format());
      return false;
    }
  }
  return bool(write_file_atomic(folder / (name + ".json"), test::expectations(asset, {}).dump()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const fs::path folder = argv[1];
  bool good = true;
  good &= write_sample(folder, "bare", test::make_bare_skeleton(1));
  good &= write_sample(folder, "many_roots", test::make_bare_skeleton(3));
  io::Asset everything = test::make_everything();
  good &= write_sample(folder, "everything", everything);
  if (argc < 3) return good ? 0 : 1;
  // Skinned, several takes, scaled joints, many joints, morph targets.
  for (const char* name :
       {"characters/khronos/Fox.glb", "characters/khronos/CesiumMan.glb", "characters/khronos/RiggedFigure.glb",
        "characters/kaykit/Knight.glb", "characters/robot_expressive/RobotExpressive.glb",
        "characters/quaternius/Animated_Human.fbx", "biped/ozz_pab/run.fbx", "characters/geno_genoview/Geno.fbx",
        "conformance/gltf/khronos/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb",
        "characters/ai4animationpy/Cranberry.glb", "biped/lafan1/walk4_subject1.bvh"}) {
    const fs::path file = fs::path(argv[2]) / name;
    if (!fs::exists(file)) continue;
    auto asset = io::read_asset(file);
    if (!asset) {
      fmt::print(stderr, "{}\n", asset.error().format());
      good = false;
      continue;
    }
    if (asset->clips.size() > 3) asset->clips.resize(3);
    for (Motion& clip : asset->clips) {
      constexpr int kFrames = 120;
      if (clip.num_frames <= kFrames) continue;
      clip.num_frames = kFrames;
      const auto numbers = static_cast<std::size_t>(kFrames) * static_cast<std::size_t>(clip.num_joints());
      clip.translations.resize(numbers);
      clip.rotations.resize(numbers);
      if (!clip.scales.empty()) clip.scales.resize(numbers);
      clip.morph_weights.resize(static_cast<std::size_t>(kFrames * clip.num_morph_weights));
    }
    good &= write_sample(folder, file.stem().string(), *asset);
  }
  return good ? 0 : 1;
}
