// SPDX-License-Identifier: MIT
#include "io/gltf_bench.h"

#include <array>
#include <cmath>
#include <string>

#include "zoe/core/file.h"
#include "zoe/io/gltf.h"

#include "io/assimp_peer.h"

namespace zoe::bench {
namespace {

// Bytes of a file's content: read once from the file, written once.
double decoded_bytes(const io::Asset& asset) {
  std::size_t bytes = 0;
  for (const Mesh& mesh : asset.character->meshes) {
    bytes +=
        mesh.num_vertices() * (sizeof(Vec3) * (mesh.normals.empty() ? 1 : 2) + (mesh.uvs.empty() ? 0 : sizeof(Vec2)));
    bytes += mesh.indices.size() * sizeof(std::uint32_t) + mesh.influence_weights.size() * 6;
  }
  for (const Motion& clip : asset.clips)
    bytes += clip.rotations.size() * (sizeof(Quat) + sizeof(Vec3)) + clip.scales.size() * sizeof(Vec3);
  for (const Image& image : asset.character->images) bytes += image.bytes.size();
  return static_cast<double>(bytes);
}

// A skeleton and a long clip, for machines without the shared data.
std::vector<std::byte> synthetic_glb() {
  std::vector<JointDesc> joints{{"root", kNoJoint, {{0, 1, 0}}}};
  for (int i = 1; i < 60; ++i) joints.push_back({"joint" + std::to_string(i), (i - 1) / 2, {{0.1F, 0.2F, 0}}});
  Character character;
  character.skeleton = Skeleton::create(std::move(joints)).value();
  Motion motion = make_motion(character.skeleton, "synthetic", 60, 1000, false);
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    const float t = static_cast<float>(i) * 0.013F;
    motion.rotations[i] = from_rotation_vector(Vec3{std::sin(t), std::cos(t * 0.7F), std::sin(t * 1.3F)});
  }
  return io::encode_gltf(character, {&motion, 1}).value();
}

void bench_bytes(const Options& options, const std::string& name, std::span<const std::byte> bytes,
                 std::vector<Row>& rows) {
  const auto asset = io::read_gltf(bytes);
  if (!asset) return;
  const bool with_peer = !assimp_name().empty();
  std::vector<std::function<void()>> readers{[&] { keep(io::read_gltf(bytes)); }};
  if (with_peer) readers.push_back([&] { keep(assimp_read(bytes, "glb")); });
  const std::vector<double> seconds = seconds_per_call(options, readers);
  const auto size = static_cast<double>(bytes.size());
  rows.push_back({.name = "gltf/read " + name,
                  .unit = "MB/s",
                  .ours = size / seconds[0] * 1e-6,
                  .peer = with_peer ? size / seconds[1] * 1e-6 : 0,
                  .peer_name = assimp_name(),
                  .limit = copy_bandwidth_bytes_per_s() * size / (size + decoded_bytes(*asset)) * 1e-6,
                  .limit_name = "copy bandwidth"});
}

}  // namespace

void bench_gltf(const Options& options, std::vector<Row>& rows) {
  constexpr std::array<const char*, 6> kFiles{
      "characters/kaykit/Knight.glb",     "characters/ai4animationpy/Geno.glb",
      "characters/khronos/CesiumMan.glb", "characters/robot_expressive/RobotExpressive.glb",
      "creatures/quaternius/Wolf.glb",    "creatures/mesh2motion/fox-animations.glb"};
  if (!options.data_dir) {
    const std::vector<std::byte> glb = synthetic_glb();
    return bench_bytes(options, "synthetic", glb, rows);
  }
  for (const char* file : kFiles) {
    const auto mapped = MappedFile::open(*options.data_dir / file);
    if (mapped) bench_bytes(options, std::filesystem::path(file).filename().string(), mapped->bytes(), rows);
  }
}

}  // namespace zoe::bench
