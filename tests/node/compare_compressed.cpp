// SPDX-License-Identifier: MIT
// Our decoding of compressed GLB files against that of other programs (compress.mjs): the same joints, vertices and
// clips as in the decoded copy, and the original within quantisation. usage: compare_compressed FOLDER
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"
#include "zoe/io/gltf.h"

#include "io/gltf_compare.h"

namespace zoe::test {
namespace {

namespace fs = std::filesystem;

fs::path folder;

std::vector<Vec3> points_at_rest(const io::Asset& asset) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < asset.character->instances.size(); ++i) {
    const auto deformed = deform_instance(*asset.character, i, asset.character->skeleton->rest_model()).positions;
    points.insert(points.end(), deformed.begin(), deformed.end());
  }
  return points;
}

// Largest distance from a point to the nearest of the others.
float largest_gap(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  float largest = 0;
  for (std::size_t i = 0; i < from.size(); i += from.size() / 500 + 1) {
    float nearest = 1e9F;
    for (const Vec3 p : to) nearest = std::min(nearest, distance(p, from[i]));
    largest = std::max(largest, nearest);
  }
  return largest;
}

// Names are those of the file, and of extras that gltf-transform moves.
void take_names(const io::Asset& from, io::Asset& to) {
  auto character = std::make_shared<Character>(*to.character);
  character->name = from.character->name;
  for (std::size_t i = 0; i < std::min(character->meshes.size(), from.character->meshes.size()); ++i) {
    auto& targets = character->meshes[i].morph_targets;
    const auto& names = from.character->meshes[i].morph_targets;
    for (std::size_t t = 0; t < std::min(targets.size(), names.size()); ++t) targets[t].name = names[t].name;
  }
  to.character = std::move(character);
}

TEST(Compressed, EqualsOtherDecodersAndTheOriginal) {
  int compared = 0;
  for (const fs::path& plain : gltf_files_below(folder)) {
    const std::string name = plain.filename().string();
    if (!name.ends_with(".plain.glb")) continue;
    SCOPED_TRACE(name);
    const fs::path compressed = folder / (name.substr(0, name.size() - 10) + ".glb");
    const auto expected = io::read_gltf(plain);
    auto actual = io::read_gltf(compressed);
    const auto original = io::read_gltf(folder / (name.substr(0, name.find('.')) + ".original.glb"));
    ASSERT_TRUE(expected) << expected.error().format();
    ASSERT_TRUE(actual) << actual.error().format();
    ASSERT_TRUE(original) << original.error().format();
    take_names(*expected, *actual);
    // Decoders round the 16-bit numbers of filters each in their own way.
    expect_same(*expected, *actual, 5e-5);
    const std::vector<Vec3> before = points_at_rest(*original), after = points_at_rest(*actual);
    ASSERT_FALSE(before.empty());
    Vec3 low = before[0], high = low;
    for (const Vec3 p : before) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    // 11 bits or more per coordinate, and weights of 8 bits.
    const float box = distance(low, high), gap = std::max(largest_gap(before, after), largest_gap(after, before));
    EXPECT_LT(gap, 0.003F * box);
    std::cout << name << ": " << after.size() << " vertices, " << gap / box << " of the box from the original\n";
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace zoe::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
    std::cout << "skipped: no compressed files; run compress.mjs\n";
    return 77;
  }
  zoe::test::folder = argv[1];
  return RUN_ALL_TESTS();
}
