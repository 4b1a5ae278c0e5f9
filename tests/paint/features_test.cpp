// SPDX-License-Identifier: MIT
#include "zoe/paint/features.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/allocation.h"

namespace zoe::paint {
namespace {

// A body that stands upright in the middle.
Pose standing_pose() {
  Pose pose;
  const auto put = [&](Joint joint, float x, float y) { pose.points[joint] = {x, y, 0, 1}; };
  put(kHips, 0.5F, 0.6F);
  put(kNeck, 0.5F, 0.35F);
  put(kHead, 0.5F, 0.2F);
  put(kRightShoulder, 0.4F, 0.36F);
  put(kRightElbow, 0.35F, 0.45F);
  put(kRightHand, 0.33F, 0.55F);
  put(kLeftShoulder, 0.6F, 0.36F);
  put(kLeftElbow, 0.65F, 0.45F);
  put(kLeftHand, 0.67F, 0.55F);
  put(kRightHip, 0.45F, 0.6F);
  put(kRightKnee, 0.44F, 0.75F);
  put(kRightFoot, 0.43F, 0.9F);
  put(kLeftHip, 0.55F, 0.6F);
  put(kLeftKnee, 0.56F, 0.75F);
  put(kLeftFoot, 0.57F, 0.9F);
  return pose;
}

SoftPicture no_guess(std::size_t num_pixels) {
  return {std::vector<std::uint8_t>(num_pixels), std::vector<std::uint8_t>(num_pixels)};
}

TEST(BoneWarp, CarriesBothEndsAndKeepsTheThickness) {
  // Long bones of equal length: the ends are carried to the ends, up to the bias of short bones.
  const Bone target{0.2F, 0.2F, 0.2F, 0.7F, 0, 0, true}, reference{0.5F, 0.3F, 0.9F, 0.6F, 0, 0, true};
  const BoneWarp w = warp_between(target, reference, false);
  const auto x = [&](float a, float b) { return w.xx * a + w.xy * b + w.x0; };
  const auto y = [&](float a, float b) { return w.yx * a + w.yy * b + w.y0; };
  EXPECT_NEAR(x(0.2F, 0.2F), 0.5F, 1e-5F);
  EXPECT_NEAR(y(0.2F, 0.2F), 0.3F, 1e-5F);
  EXPECT_NEAR(x(0.2F, 0.7F), 0.9F, 0.03F);
  EXPECT_NEAR(y(0.2F, 0.7F), 0.6F, 0.03F);
  // A step across the bone is as long in the reference.
  const float dx = x(0.25F, 0.4F) - x(0.2F, 0.4F), dy = y(0.25F, 0.4F) - y(0.2F, 0.4F);
  EXPECT_NEAR(std::hypot(dx, dy), 0.05F, 1e-4F);
  // A bone that is drawn half as long is stretched along, not across.
  const Bone shorter{0.2F, 0.2F, 0.2F, 0.45F, 0, 0, true};
  const BoneWarp s = warp_between(shorter, target, false);
  EXPECT_NEAR(std::hypot(s.xy, s.yy), kMostStretch, 1e-3F);
  EXPECT_NEAR(std::hypot(s.xx, s.yx), 1, 1e-3F);
}

TEST(BoneWarp, IsTheIdentityBetweenEqualBones) {
  const Bone bone{0.3F, 0.3F, 0.31F, 0.3F, 0, 0, true};  // Short ones too.
  const BoneWarp w = warp_between(bone, bone, true);
  EXPECT_NEAR(w.xx, 1, 1e-4F);
  EXPECT_NEAR(w.yy, 1, 1e-4F);
  EXPECT_NEAR(w.xy, 0, 1e-4F);
  EXPECT_NEAR(w.x0, 0, 1e-4F);
}

TEST(Reference, InItsOwnPoseEveryLayerCarriesThePictureItself) {
  constexpr int kSize = 32;
  IndexedPicture picture{kSize, std::vector<std::uint8_t>(kSize * kSize)};
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) picture.pixels[i] = static_cast<std::uint8_t>(i % 4);
  const Pose pose = standing_pose();
  const Reference reference(picture, {{10, 20, 30}, {200, 100, 0}, {255, 255, 255}}, pose);
  std::vector<float> features(picture.pixels.size() * kNumFeatures);
  std::vector<std::uint8_t> carried(picture.pixels.size() * kNumLayers);
  SoftPicture guess = no_guess(picture.pixels.size());
  guess.pixels[2] = 3;
  guess.coverage[2] = 21;
  reference.describe(pose, guess, features, carried);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < picture.pixels.size(); ++i)
    for (std::size_t l = 0; l < kNumLayers; ++l) equal += carried[i * kNumLayers + l] == picture.pixels[i] ? 1 : 0;
  EXPECT_EQ(equal, carried.size());
  // Colours as they are: index 2 is (200, 100, 0).
  const float* row = features.data() + 2 * kNumFeatures;
  EXPECT_NEAR(row[0], 200 / 127.5F - 1, 1e-5F);
  EXPECT_NEAR(row[1], 100 / 127.5F - 1, 1e-5F);
  EXPECT_EQ(row[3], 1);
  // The guess: index 3 is white, a third covered.
  EXPECT_EQ(row[kLayerFeatures * kNumLayers], 1);
  EXPECT_NEAR(row[kLayerFeatures * kNumLayers + 3], 1 / 3.0F, 1e-5F);
  // A third of the drawn pixels each.
  EXPECT_NEAR(reference.color_features()[3], std::sqrt(1 / 3.0F), 0.01F);
}

TEST(Reference, ALiftedArmIsCarriedAndTheTrunkStays) {
  constexpr int kSize = 64;
  const Pose pose = standing_pose();
  const auto bones = bones_of(pose);
  IndexedPicture picture{kSize, std::vector<std::uint8_t>(kSize * kSize)};
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    const float x = (static_cast<float>(i % kSize) + 0.5F) / kSize, y = (static_cast<float>(i / kSize) + 0.5F) / kSize;
    if (distance_to(bones[0], x, y) < 0.08F) picture.pixels[i] = 1;
    if (distance_to(bones[5], x, y) < 0.03F) picture.pixels[i] = 2;  // The left forearm.
  }
  const Reference reference(picture, {{255, 0, 0}, {0, 255, 0}}, pose);
  Pose lifted = pose;
  lifted.points[kLeftElbow] = {0.72F, 0.36F, 0.1F, 1};
  lifted.points[kLeftHand] = {0.76F, 0.25F, 0.1F, 1};
  std::vector<float> features(picture.pixels.size() * kNumFeatures);
  std::vector<std::uint8_t> carried(picture.pixels.size() * kNumLayers);
  const SoftPicture guess = no_guess(picture.pixels.size());
  reference.describe(lifted, guess, features, carried);
  const auto at = [&](float x, float y, std::size_t layer) {
    const auto pixel = static_cast<std::size_t>(y * kSize) * kSize + static_cast<std::size_t>(x * kSize);
    return carried[pixel * kNumLayers + layer];
  };
  EXPECT_EQ(at(0.74F, 0.31F, 5), 2);  // The middle of the new forearm.
  EXPECT_EQ(at(0.66F, 0.5F, 5), 0);   // Where it was.
  EXPECT_EQ(at(0.5F, 0.5F, 0), 1);
  const auto pixel = std::size_t{20} * kSize + 47;  // (0.74, 0.32)
  EXPECT_GT(features[pixel * kNumFeatures + 5 * kLayerFeatures + 4], 0.6F);
  EXPECT_NEAR(features[pixel * kNumFeatures + 5 * kLayerFeatures + 6],
              0.1F * features[pixel * kNumFeatures + 5 * kLayerFeatures + 4], 0.02F);
  const zoe::test::AllocationMeter meter;
  reference.describe(pose, guess, features, carried);
  EXPECT_EQ(meter.allocations(), 0U);
}

TEST(Reference, BodiesWithoutLegsHangFromTheNeck) {
  Pose ghost = standing_pose();
  ghost.points[kHips] = {};
  for (std::size_t j = kRightHip; j < kNumJoints; ++j) ghost.points[j] = {};
  const auto layers = shared_layers(ghost, standing_pose());
  EXPECT_TRUE(layers[0] && layers[1] && layers[5]);
  EXPECT_FALSE(layers[6] || layers[9]);
}

TEST(SoftPicture, HardEdgesAreAtHalf) {
  SoftPicture picture{{1, 2, 3, 0}, {kFullCoverage, 32, 31, 0}};
  harden(picture);
  EXPECT_EQ(picture.pixels, (std::vector<std::uint8_t>{1, 2, 0, 0}));
  EXPECT_EQ(picture.coverage, (std::vector<std::uint8_t>{kFullCoverage, kFullCoverage, 0, 0}));
}

TEST(Pose, ComesBackFromItsNumbers) {
  Pose pose = standing_pose();
  pose.facing_cos = 0.6F;
  pose.facing_sin = -0.8F;
  pose.points[kHead].depth = 0.25F;
  std::array<float, kPoseSize> numbers;
  write_pose(pose, numbers);
  const Pose again = read_pose(numbers);
  EXPECT_EQ(again.points[kHead].depth, 0.25F);
  EXPECT_EQ(again.points[kLeftFoot].y, pose.points[kLeftFoot].y);
  EXPECT_EQ(again.facing_sin, -0.8F);
}

}  // namespace
}  // namespace zoe::paint
