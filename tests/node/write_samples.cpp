// SPDX-License-Identifier: MIT
// Writes GLB and BVH files and, beside each, what another program should see in it: "<name>.json"
// with joint and vertex positions (model space, metres) at some frames of its clips. usage:
// write_samples OUT_FOLDER [SHARED_DATA_FOLDER]
#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/bvh.h"
#include "zoe/io/fbx.h"
#include "zoe/io/gltf.h"

#include "io/gltf_compare.h"
#include "io/gltf_samples.h"
#include "node/sample_truth.h"

namespace {

using namespace zoe;
namespace fs = std::filesystem;

bool write_sample(const fs::path& folder, const std::string& name, const io::Asset& asset,
                  const fs::path& source = {}) {
  const auto written = io::write_gltf(folder / (name + ".glb"), asset);
  if (!written) {
    fmt::print(stderr, "{}: {}\n", name, written.error().format());
    return false;
  }
  return bool(write_file_atomic(folder / (name + ".json"), test::expectations(asset, source).dump()));
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
