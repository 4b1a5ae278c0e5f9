// SPDX-License-Identifier: MIT
// Importing never needs more than three times what comes out: peak heap while reading, against what
// the returned Asset still holds. The mapped file is not on the heap; whatever a reader copies out
// of it is.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/io/read.h"

#include "support/allocation.h"
#include "support/data.h"

namespace zoe::io {
namespace {

constexpr std::size_t kMaxRatio = 3;
// What reading takes whatever the file's size: tables of names and templates, the inflater, first
// blocks of growing arrays.
constexpr std::size_t kAllowance = 64 << 10;
// Joints, names and other small things of an asset that content_bytes() does not count.
constexpr std::size_t kSmallThings = 128 << 10;

template <typename T>
std::size_t bytes_of(const std::vector<T>& array) {
  return array.size() * sizeof(T);
}

// Numbers and encoded images of an asset, without the slack of its vectors.
std::size_t content_bytes(const Asset& asset) {
  std::size_t bytes = 0;
  for (const Mesh& mesh : asset.character->meshes) {
    bytes += bytes_of(mesh.positions) + bytes_of(mesh.normals) + bytes_of(mesh.tangents) + bytes_of(mesh.uvs) +
             bytes_of(mesh.uvs1) + bytes_of(mesh.colors) + bytes_of(mesh.indices) + bytes_of(mesh.source_points) +
             bytes_of(mesh.influence_joints) + bytes_of(mesh.influence_weights) + sizeof mesh;
    for (const MorphTarget& target : mesh.morph_targets)
      bytes += bytes_of(target.vertices) + bytes_of(target.position_deltas) + bytes_of(target.normal_deltas);
  }
  for (const Image& image : asset.character->images) bytes += bytes_of(image.bytes);
  for (const Motion& clip : asset.clips) {
    bytes +=
        bytes_of(clip.translations) + bytes_of(clip.rotations) + bytes_of(clip.scales) + bytes_of(clip.morph_weights);
  }
  return bytes;
}

void expect_lean(const std::filesystem::path& file) {
  SCOPED_TRACE(file.string());
  std::size_t peak = 0, decoded = 0, content = 0;
  {
    const test::AllocationMeter meter;
    const auto asset = read_asset(file);
    peak = meter.peak_bytes();
    decoded = meter.live_bytes();
    if (!asset) return;  // Other tests say which files must load.
    content = content_bytes(*asset);
  }
  EXPECT_LE(peak, kMaxRatio * decoded + kAllowance)
      << static_cast<double>(peak) / static_cast<double>(decoded) << " times the " << decoded << " bytes decoded";
  // The measure itself must not be padded with unused capacity.
  EXPECT_LE(decoded, content + content / 4 + kSmallThings);
}

TEST(ImportMemory, OfEveryFormatIsAtMostThreeTimesTheResult) {
  ZOE_NEED_DATA(data);
  for (const char* name :
       {"biped/lafan1/walk4_subject1.bvh", "biped/cmu/09_12.bvh", "biped/style100_npz/WalkingStickLeft_BR.npz",
        "characters/kaykit/Knight.glb", "characters/robot_expressive/RobotExpressive.glb",
        "creatures/mesh2motion/bird-animations.glb", "characters/geno_genoview/Geno.fbx",
        "characters/quaternius/Animated_Human.fbx", "characters/ai4animationpy/Cranberry.fbx",
        "biped/ozz_pab/locomotions.fbx", "biped/ozz_pab/run.fbx",
        "conformance/fbx/ufbx/motionbuilder_sausage_rrss_7700_ascii.fbx"}) {
    ASSERT_TRUE(std::filesystem::exists(data / name)) << name;
    expect_lean(data / name);
  }
}

TEST(ImportMemory, OfEverySharedFileIsAtMostThreeTimesTheResult) {
  ZOE_NEED_DATA(data);
  if (test::kSanitized) GTEST_SKIP() << "the files of the test above do here: a sanitizer takes ten times as long";
  const auto files = test::files_below(data, readable_extensions());
  for (const auto& file : files) expect_lean(file);
  EXPECT_GT(files.size(), 450U);
}

// Sees both guards above fail: memory held while reading, and a result with slack.
TEST(ImportMemory, MeterSeesWhatIsHeldAndReleased) {
  const test::AllocationMeter meter;
  std::vector<char> kept(1 << 20);
  { const std::vector<char> passing(3 << 20); }
  EXPECT_GE(meter.peak_bytes(), std::size_t{4} << 20);
  EXPECT_LT(meter.peak_bytes(), std::size_t{5} << 20);
  EXPECT_GE(meter.live_bytes(), std::size_t{1} << 20);
  EXPECT_LT(meter.live_bytes(), std::size_t{2} << 20);
  EXPECT_EQ(kept.back(), 0);
}

}  // namespace
}  // namespace zoe::io
