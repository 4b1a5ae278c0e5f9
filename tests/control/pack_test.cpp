// SPDX-License-Identifier: MIT
// One .zoe file instead of a run folder: the same controller from both, and from bytes.
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/control/config.h"
#include "zoe/control/load.h"
#include "zoe/control/parts.h"
#include "zoe/core/file.h"

#include "support/data.h"
#include "support/mutate.h"

namespace zoe::control {
namespace {

namespace fs = std::filesystem;

fs::path shipped(const char* name) { return fs::path(std::getenv("ZOE_SOURCE_DIR")) / "models" / name; }

fs::path packed(const char* name) {
  const fs::path file = test::temporary_dir(std::string("pack_") + name) / "controller.zoe";
  const auto done = pack_controller(shipped(name), file);
  EXPECT_TRUE(done) << done.error().format();
  return file;
}

std::uint64_t hash_after_a_walk(const Controller& controller) {
  const auto state = controller.make_state();
  for (int f = 0; f < 240; ++f) {
    const float turn = 0.01F * static_cast<float>(f);
    controller.tick(*state, Intent::move({std::sin(turn), 0, std::cos(turn)}), 1.0 / 60);
  }
  return state->hash();
}

TEST(Pack, ShippedControllersAreTheSameFromFolderFileAndBytes) {
  for (const char* name : {"walker", "dog"}) {
    const auto folder = load_controller(shipped(name));
    ASSERT_TRUE(folder) << folder.error().format();
    const fs::path file = packed(name);
    const auto single = load_controller(file);
    ASSERT_TRUE(single) << single.error().format();
    const std::uint64_t expected = hash_after_a_walk(**folder);
    EXPECT_EQ(hash_after_a_walk(**single), expected) << name;

    ControllerPtr from_memory;
    {
      const MappedFile mapped = MappedFile::open(file).value();
      std::vector<std::byte> bytes(mapped.bytes().begin(), mapped.bytes().end());
      from_memory = load_controller(bytes, "archive:walker").value();
      std::fill(bytes.begin(), bytes.end(), std::byte{0xFF});  // The bytes are not needed any more.
    }
    EXPECT_EQ(hash_after_a_walk(*from_memory), expected) << name;
    EXPECT_EQ(load_controller_config(file).value().licence, load_controller_config(shipped(name)).value().licence);
  }
}

TEST(Pack, ListsItsTensorsToAnySafetensorsReader) {
  const Safetensors pack = Safetensors::open(packed("dog")).value();
  EXPECT_TRUE(pack.find("body/joints"));
  EXPECT_TRUE(pack.metadata().contains("model/layout"));
  EXPECT_TRUE(pack.metadata().contains("licence"));
  EXPECT_TRUE(matches_its_checksum(pack));
  EXPECT_TRUE(matches_its_checksum(pack.part("model/")));  // Of the network's own file.
}

TEST(Pack, ErrorsNameTheFileAndTheRemedy) {
  const auto part = load_controller(shipped("dog") / "body.safetensors");
  ASSERT_FALSE(part);
  EXPECT_NE(part.error().format().find("name the run's folder instead"), std::string::npos) << part.error().format();
  EXPECT_NE(part.error().format().find("body.safetensors"), std::string::npos);

  // A run whose network is missing is not packed, and leaves no file.
  const fs::path folder = test::temporary_dir("pack_incomplete");
  fs::copy(shipped("dog") / "controller.toml", folder / "controller.toml");
  fs::copy(shipped("dog") / "body.safetensors", folder / "body.safetensors");
  const auto incomplete = pack_controller(folder, folder / "dog.zoe");
  ASSERT_FALSE(incomplete);
  EXPECT_NE(incomplete.error().format().find("model.safetensors"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "dog.zoe"));

  // A file without one of its parts says which.
  const Safetensors whole = Safetensors::open(packed("dog")).value();
  std::vector<NamedArray> tensors;
  for (const NamedArray& tensor : whole.tensors())
    if (tensor.name.starts_with("body/")) tensors.push_back(tensor);
  ASSERT_TRUE(write_safetensors(folder / "half.zoe", tensors,
                                {{kPackSettingsKey, whole.metadata().find(kPackSettingsKey)->second},
                                 {"body/format", "zoe body"},
                                 {"body/version", "1"},
                                 {"body/joint_names", whole.metadata().find("body/joint_names")->second}}));
  const auto half = load_controller(folder / "half.zoe");
  ASSERT_FALSE(half);
  EXPECT_NE(half.error().format().find("'model/'"), std::string::npos) << half.error().format();
}

TEST(Pack, SurvivesDamage) {
  // The body and settings alone keep the sweep short; the network's own damage is swept in tests/nn.
  const MappedFile mapped = MappedFile::open(packed("dog")).value();
  test::MutateOptions few;
  few.flips = 60;
  few.max_ratio = 64;
  test::expect_survives_damage(
      "pack", mapped.bytes().first(std::min<std::size_t>(mapped.bytes().size(), 60'000)),
      [&](std::span<const std::byte> bytes) { (void)load_controller(bytes, "damaged.zoe"); }, few);
}

}  // namespace
}  // namespace zoe::control
