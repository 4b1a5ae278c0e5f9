// SPDX-License-Identifier: MIT
#include "zoe/author/phase_check.h"

#include <gtest/gtest.h>

#include "zoe/dataset/build.h"

#include "author/walks.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

dataset::DatasetPtr build(const fs::path& folder, const char* type, bool mirror = false) {
  dataset::BuildOptions options;
  options.inputs = {folder};
  options.output = folder.parent_path() / (std::string("dataset_") + type);
  options.schema = schema_of(*find_type(type).value()).value();
  options.mirror = mirror;
  EXPECT_TRUE(dataset::build(options));
  return dataset::Dataset::open(options.output).value();
}

void write(const fs::path& file, const Motion& motion) {
  io::Asset asset;
  auto character = std::make_shared<Character>();
  character->skeleton = motion.skeleton;
  asset.character = std::move(character);
  asset.clips.push_back(motion);
  ASSERT_TRUE(io::write_asset(file, asset));
}

// Walks of one body, and clips in which one foot never leaves the ground.
fs::path mixed(const std::string& name, int num_walks, int num_hops) {
  const fs::path folder = zoe::test::temporary_dir(name) / "clips";
  fs::create_directories(folder);
  const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(3), {.mesh = false});
  for (int i = 0; i < num_walks + num_hops; ++i) {
    const synth::Gait gait = i < num_walks ? synth::Gait::kWalk : synth::Gait::kIdle;
    const Motion motion =
        synth::make_clip(body, {.gait = gait, .seconds = 6, .fps = 30}, Random(static_cast<std::uint64_t>(i)))
            .value()
            .motion;
    write(folder / ((i < num_walks ? "walk_" : "stand_") + std::to_string(i) + ".bvh"), motion);
  }
  return folder;
}

TEST(PhaseCheck, WalksCanBeTrusted) {
  const dataset::DatasetPtr data = build(mixed("phase_walks", 3, 0), "pfnn");
  const auto found = check_contact_phases(*data, data->groups()[0]);
  ASSERT_TRUE(found);
  EXPECT_GT(found->trusted_share, 0.6);
  EXPECT_LE(found->warned_share, 1 - found->trusted_share + 1e-9);
}

TEST(PhaseCheck, StandingLowersTheTrustedShare) {
  const dataset::DatasetPtr data = build(mixed("phase_stands", 2, 2), "pfnn");
  const auto found = check_contact_phases(*data, data->groups()[0]);
  ASSERT_TRUE(found);
  EXPECT_LT(found->trusted_share, 0.8);
  EXPECT_GE(found->trusted_share, 0);
  if (found->warned_share >= 0.1) {
    EXPECT_NE(found->warning.find("stand_"), std::string::npos) << found->warning;
    EXPECT_NE(found->warning.find("deepphase"), std::string::npos) << found->warning;
  } else {
    EXPECT_TRUE(found->warning.empty());
  }
}

TEST(PhaseCheck, MirroredClipsAreNotCounted) {
  const fs::path folder = mixed("phase_mirrored", 2, 1);
  const dataset::DatasetPtr plain = build(folder, "pfnn"), both = build(folder, "lmp", true);
  const auto a = check_contact_phases(*plain, plain->groups()[0]), b = check_contact_phases(*both, both->groups()[0]);
  ASSERT_TRUE(a && b);
  EXPECT_NEAR(a->trusted_share, b->trusted_share, 1e-9);
}

TEST(PhaseCheck, TypesWithoutAPhaseOfContactsAreLeftAlone) {
  const dataset::DatasetPtr data = build(mixed("phase_none", 1, 0), "mann");
  EXPECT_FALSE(check_contact_phases(*data, data->groups()[0]));
}

}  // namespace
}  // namespace zoe::author
