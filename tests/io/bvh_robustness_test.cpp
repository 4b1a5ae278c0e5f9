// SPDX-License-Identifier: MIT
// Damaged and hostile BVH files: refused or mended, never a crash, a hang or memory out of
// proportion.
#include <fstream>

#include "io/bvh_support.h"
#include "support/allocation.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::test {
namespace {

void read_and_check(std::span<const std::byte> bytes) {
  const auto asset = io::read_bvh(bytes, "damaged.bvh");
  if (!asset) return;
  for (const Motion& clip : asset->clips) EXPECT_TRUE(validate(clip));
}

TEST(BvhRobustness, SurvivesDamageOfASmallFile) {
  std::string text =
      "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 9 Xposition Yposition Zposition Zrotation "
      "Xrotation "
      "Yrotation Xscale Yscale Zscale\n JOINT Leg\n {\n  OFFSET 0 -1 0\n  CHANNELS 3 Zrotation "
      "Xrotation "
      "Zrotation\n  End Site\n  {\n   OFFSET 0 -0.5 0\n  }\n }\n}\nMOTION\nFrames: 40\nFrame Time: "
      "0.01\n";
  for (int i = 0; i < 40; ++i) text += "1.5 -2.25e1 3 90.125 0 0.5 1 1,5 1 10 20 nan\n";
  expect_survives_damage("small file", as_bytes(text), read_and_check, {.flips = 20000});
}

TEST(BvhRobustness, SurvivesDamageOfRealFiles) {
  ZOE_NEED_DATA(data);
  for (const char* name : {"pybvh_test1_mixed_orders.bvh", "bvhtoolbox_walk01.bvh", "momentum_simple.bvh",
                           "synthetic/s01_crlf_tabs_trailing_spaces.bvh", "synthetic/s02_scientific_and_plus_signs.bvh",
                           "synthetic/s06_translations_on_every_joint.bvh"}) {
    const auto file = MappedFile::open(data / "conformance/bvh" / name);
    ASSERT_TRUE(file);
    expect_survives_damage(name, file->bytes(), read_and_check);
  }
}

std::string chain(int joints, const std::string& motion) {
  std::string text = "HIERARCHY\n";
  for (int i = 0; i < joints; ++i)
    text += i == 0 ? "ROOT a{OFFSET 0 0 0 CHANNELS 1 Xrotation " : "JOINT a{OFFSET 0 0 0 ";
  return text + std::string(static_cast<std::size_t>(joints), '}') + motion;
}

TEST(BvhRobustness, HostileSizesAreRefused) {
  const auto deep = read_text(chain(100000, ""));
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().code, ErrorCode::kLimit);

  std::string wide = "HIERARCHY\nROOT a{OFFSET 0 0 0\n";
  for (int i = 0; i < 1000000; ++i) wide += "JOINT b{OFFSET 0 0 0}\n";
  const auto many = read_text(wide + "}\n");
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, ErrorCode::kLimit);

  // Each frame is two bytes of text, and 5,000 joints of memory.
  std::string rows = "MOTION\nFrames: 100000\nFrame Time: 0.01\n";
  for (int i = 0; i < 100000; ++i) rows += "1\n";
  const auto expanding = read_text(chain(5000, rows));
  ASSERT_FALSE(expanding);
  EXPECT_EQ(expanding.error().code, ErrorCode::kLimit);

  const auto limited = read_text(chain(5, "MOTION\nFrames: 2\nFrame Time: 0.1\n1\n2\n"), {.limits = {.max_joints = 4}});
  ASSERT_FALSE(limited);
  EXPECT_EQ(limited.error().code, ErrorCode::kLimit);
}

TEST(BvhRobustness, DeepButLawfulNestingIsRead) {
  const auto asset = read_text(chain(20000, "MOTION\nFrames: 1\nFrame Time: 0.01\n1\n"));
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_EQ(asset->character->skeleton->num_joints(), 20000);
  EXPECT_LE(asset->warnings.size(), 10U);  // 19,999 equal names.
}

TEST(BvhRobustness, AFrameCountAloneAllocatesNothing) {
  const std::string text = chain(100, "MOTION\nFrames: 1000000000000\nFrame Time: 0.01\n1\n2\n");
  const MutateReport report = mutate(as_bytes(text), read_and_check, {.flips = 10, .allowance = std::size_t{64} << 10});
  EXPECT_TRUE(report.failure.empty()) << report.failure;
}

TEST(BvhRobustness, MemoryStaysBelowThreeTimesTheClip) {
  ZOE_NEED_DATA(data);
  const auto file = MappedFile::open(data / "biped/lafan1/walk4_subject1.bvh");
  ASSERT_TRUE(file);
  // With the count right, too small, and absent: the last two have to guess.
  std::string too_small(file->text()), absent = too_small;
  too_small.replace(too_small.find("Frames: 4918"), 12, "Frames: 7");
  absent.erase(absent.find("Frames: 4918"), 12);
  for (const std::string_view text : {file->text(), std::string_view(too_small), std::string_view(absent)}) {
    const AllocationMeter meter;
    const auto asset = io::read_bvh(as_bytes(text), "clip.bvh");
    ASSERT_TRUE(asset) << asset.error().format();
    const std::size_t decoded = asset->clips.at(0).rotations.size() * (sizeof(Quat) + sizeof(Vec3));
    EXPECT_LE(meter.peak_bytes(), 3 * decoded);
  }
}

}  // namespace
}  // namespace zoe::test
