// SPDX-License-Identifier: MIT
// The header of a compressed clip: each field at its place in the bytes, and each refused at its border.
#include "motion/compressed/clip_header.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "motion/synthetic.h"

namespace zoe {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Three joints of all kinds, two morph weights.
ClipHeader full_header(const Skeleton& skeleton) {
  ClipHeader h;
  h.name = "ab";
  h.fps = 120;
  h.start_time_s = -2.5;
  h.num_frames = 40;
  h.num_joints = 3;
  h.num_morph_weights = 2;
  h.segment_frames = 7;
  h.has_scales = true;
  h.joints = {{TrackKind::kConstant, TrackKind::kAnimated, TrackKind::kConstant},
              {TrackKind::kAnimated, TrackKind::kConstant, TrackKind::kAnimated},
              {TrackKind::kAnimatedWide, TrackKind::kDefault, TrackKind::kDefault}};
  h.morphs = {TrackKind::kConstant, TrackKind::kAnimated};
  h.constants = make_pose(skeleton);
  for (Vec3& s : h.constants.scales) s = {1, 1, 1};
  h.constants.rotations[0] = normalized(Quat{1, 2, 3, 4});
  h.constants.scales[0] = {1, 2, 3};
  h.constants.translations[1] = {4, 5, 6};
  h.morph_constants = {0.75F, 0};
  h.rotations = {{1, 3, {100, -200, 300}, {10, -20, 30}, {11, 22, 33, 0}}, {2, 4, {-1, 2, -3}, {}, {44, 44, 44, 44}}};
  for (std::uint32_t k = 0; k < 3; ++k) h.scalars.push_back({ScalarTarget::kTranslation, k, 0.5F, 9});
  for (std::uint32_t k = 0; k < 3; ++k) h.scalars.push_back({ScalarTarget::kScale, 3 + k, 1.5F, 8});
  h.scalars.push_back({ScalarTarget::kMorph, 1, 2.5F, 7});
  return h;
}

struct Header : testing::Test {
  SkeletonPtr skeleton = test::random_skeleton(3, 5);
  ClipHeader header = full_header(*skeleton);
  Bytes bytes = write_header(header, *skeleton);
  std::size_t end = 0;

  template <typename T>
  T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
  template <typename T>
  std::string refused_with(std::size_t offset, T value) {
    Bytes changed = bytes;
    std::memcpy(changed.data() + offset, &value, sizeof value);
    const auto read = read_header(changed, *skeleton, &end);
    return read ? "" : read.error().message;
  }
};

// Offsets from the table in clip_header.h.
constexpr std::size_t kFps = 16, kStart = 24, kFrames = 32, kJoints = 36, kMorphs = 40, kSegment = 44, kScales = 45,
                      kName = 46, kKinds = 50, kConstants = 55;

TEST_F(Header, FieldsLieWhereTheTableSays) {
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 4), "ZOEM");
  EXPECT_EQ(at<std::uint32_t>(4), 1U);
  EXPECT_EQ(at<std::uint64_t>(8), skeleton_hash(*skeleton));
  EXPECT_EQ(at<double>(kFps), 120);
  EXPECT_EQ(at<double>(kStart), -2.5);
  EXPECT_EQ(at<std::uint32_t>(kFrames), 40U);
  EXPECT_EQ(at<std::uint32_t>(kJoints), 3U);
  EXPECT_EQ(at<std::uint32_t>(kMorphs), 2U);
  EXPECT_EQ(bytes[kSegment], 7);
  EXPECT_EQ(bytes[kScales], 1);
  EXPECT_EQ(at<std::uint16_t>(kName), 2);
  EXPECT_EQ(std::string(bytes.begin() + 48, bytes.begin() + 50), "ab");
  EXPECT_EQ(bytes[kKinds], 1 | 2 << 2 | 1 << 4);
  EXPECT_EQ(bytes[kKinds + 1], 2 | 1 << 2 | 2 << 4);
  EXPECT_EQ(bytes[kKinds + 2], 3);
  EXPECT_EQ(bytes[kKinds + 3], 1);
  EXPECT_EQ(bytes[kKinds + 4], 2);
  EXPECT_EQ(at<Quat>(kConstants), header.constants.rotations[0]);
  EXPECT_EQ(at<Vec3>(kConstants + 16), (Vec3{1, 2, 3}));
  EXPECT_EQ(at<Vec3>(kConstants + 28), (Vec3{4, 5, 6}));
  EXPECT_EQ(at<float>(kConstants + 40), 0.75F);
  constexpr std::size_t kThree = kConstants + 44, kFour = kThree + 2 + 14;
  EXPECT_EQ(at<std::uint16_t>(kThree), 1);
  EXPECT_EQ(at<std::uint16_t>(kThree + 2), 1);
  EXPECT_EQ(at<std::int16_t>(kThree + 6), -200);
  EXPECT_EQ(at<std::int8_t>(kThree + 11), -20);
  EXPECT_EQ(bytes[kThree + 15], 33);
  EXPECT_EQ(at<std::uint16_t>(kFour), 1);
  EXPECT_EQ(at<std::uint16_t>(kFour + 2), 2);
  EXPECT_EQ(bytes[kFour + 10], 44);
  EXPECT_EQ(at<float>(kFour + 11), 0.5F);
  EXPECT_EQ(bytes[kFour + 15], 9);
  EXPECT_EQ(bytes.size(), kFour + 11 + 7 * 5);
}

TEST_F(Header, ComesBackAsItWas) {
  const ClipHeader h = read_header(bytes, *skeleton, &end).value();
  EXPECT_EQ(end, bytes.size());
  EXPECT_EQ(h.name, "ab");
  EXPECT_EQ(h.fps, 120);
  EXPECT_EQ(h.start_time_s, -2.5);
  EXPECT_EQ(h.num_frames, 40);
  EXPECT_EQ(h.segment_frames, 7);
  EXPECT_TRUE(h.has_scales);
  EXPECT_EQ(h.constants.rotations[0], header.constants.rotations[0]);
  EXPECT_EQ(h.constants.rotations[2], skeleton->rest_local(2).rotation);
  EXPECT_EQ(h.constants.scales, header.constants.scales);
  EXPECT_EQ(h.constants.translations[1], (Vec3{4, 5, 6}));
  EXPECT_EQ(h.morph_constants, header.morph_constants);
  ASSERT_EQ(h.rotations.size(), 2U);
  EXPECT_EQ(h.rotations[0].joint, 1);
  EXPECT_EQ(h.rotations[0].axes_code, header.rotations[0].axes_code);
  EXPECT_EQ(h.rotations[0].step_codes, header.rotations[0].step_codes);
  EXPECT_EQ(h.rotations[1].step_codes, header.rotations[1].step_codes) << "one step for all four lanes";
  EXPECT_EQ(h.rotations[1].num_lanes, 4);
  ASSERT_EQ(h.scalars.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(h.scalars[i].target, header.scalars[i].target) << i;
    EXPECT_EQ(h.scalars[i].index, header.scalars[i].index) << i;
    EXPECT_EQ(h.scalars[i].base, header.scalars[i].base) << i;
    EXPECT_EQ(h.scalars[i].step_code, header.scalars[i].step_code) << i;
  }
  EXPECT_EQ(write_header(h, *skeleton), bytes);
}

TEST_F(Header, EveryFieldIsRefusedAtItsBorder) {
  EXPECT_EQ(refused_with<std::uint8_t>(kSegment, 1), "");
  EXPECT_EQ(refused_with<std::uint8_t>(kSegment, 32), "");
  const std::string counts = "compressed motion: bad frame counts";
  EXPECT_EQ(refused_with<std::uint8_t>(kSegment, 0), counts);
  EXPECT_EQ(refused_with<std::uint8_t>(kSegment, 33), counts);
  EXPECT_EQ(refused_with<std::uint32_t>(kFrames, 1), "");
  EXPECT_EQ(refused_with<std::uint32_t>(kFrames, 0), counts);
  EXPECT_EQ(refused_with<std::uint32_t>(kFrames, 1U << 28), "");
  EXPECT_EQ(refused_with<std::uint32_t>(kFrames, (1U << 28) + 1), counts);
  EXPECT_EQ(refused_with<std::uint8_t>(kScales, 2), counts);
  const std::string rate = "compressed motion: bad frame rate or time";
  for (const double fps : {0.0, -1.0, double(NAN), double(INFINITY)}) EXPECT_EQ(refused_with(kFps, fps), rate) << fps;
  EXPECT_EQ(refused_with<double>(kStart, INFINITY), rate);
  EXPECT_NE(refused_with<std::uint32_t>(kJoints, 4), "");
  EXPECT_NE(refused_with<std::uint64_t>(8, 1), "");
  const std::string kind = "compressed motion: bad track kind";
  EXPECT_EQ(refused_with<std::uint8_t>(kKinds, 1 | 2 << 2 | 1 << 4 | 1 << 6), kind);
  EXPECT_EQ(refused_with<std::uint8_t>(kKinds, 1 | 3 << 2 | 1 << 4), kind);
  EXPECT_EQ(refused_with<std::uint8_t>(kKinds, 1 | 2 << 2 | 3 << 4), kind);
  EXPECT_EQ(refused_with<std::uint8_t>(kKinds + 3, 3), kind);
  EXPECT_EQ(refused_with<std::uint8_t>(kScales, 0), kind) << "a scale track without scales";
  const std::string finite = "compressed motion: a constant is not finite";
  EXPECT_EQ(refused_with<float>(kConstants + 20, NAN), finite);
  EXPECT_EQ(refused_with<float>(kConstants + 32, INFINITY), finite);
  EXPECT_EQ(refused_with<float>(kConstants + 40, NAN), finite);
  const std::string unit = "compressed motion: a constant rotation is not a unit quaternion";
  const Quat q = header.constants.rotations[0];
  const auto scaled = [&](float s) { return Quat{q.x * s, q.y * s, q.z * s, q.w * s}; };
  EXPECT_EQ(refused_with(kConstants, scaled(1.0004F)), "");
  EXPECT_EQ(refused_with(kConstants, scaled(1.0007F)), unit);
  EXPECT_EQ(refused_with(kConstants, scaled(0.9993F)), unit);
  constexpr std::size_t kThree = kConstants + 44, kFour = kThree + 2 + 14;
  const std::string count = "compressed motion: the number of rotation tracks contradicts the joints";
  EXPECT_EQ(refused_with<std::uint16_t>(kThree, 2), count);
  EXPECT_EQ(refused_with<std::uint16_t>(kFour, 0), count);
  const std::string joint = "compressed motion: rotation track 0 names a wrong joint";
  for (const std::uint16_t wrong : {0, 2, 3}) EXPECT_EQ(refused_with(kThree + 2, wrong), joint) << wrong;
  EXPECT_EQ(refused_with<float>(kFour + 11, NAN), "compressed motion: bad translation or scale track");
  EXPECT_EQ(refused_with<float>(kFour + 11 + 30, NAN), "compressed motion: bad morph track");
}

TEST_F(Header, EndsAreNoticedAtEveryByte) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(read_header(std::span(bytes).first(size), *skeleton, &end)) << size;
  }
}

TEST_F(Header, SegmentsShareTheirEnds) {
  // 40 frames by sevens: 0..7, 7..14, … 35..39.
  EXPECT_EQ(header.num_segments(), 6);
  EXPECT_EQ(header.segment_points(0), 8);
  EXPECT_EQ(header.segment_points(4), 8);
  EXPECT_EQ(header.segment_points(5), 5);
  header.num_frames = 36;
  EXPECT_EQ(header.num_segments(), 5);
  EXPECT_EQ(header.segment_points(4), 8);
  header.num_frames = 1;
  EXPECT_EQ(header.num_segments(), 1);
  EXPECT_EQ(header.segment_points(0), 1);
}

TEST_F(Header, CodesAreEighthsOfOctaves) {
  EXPECT_EQ(step_of(0), 1);
  EXPECT_EQ(step_of(8), 0.5);
  EXPECT_NEAR(step_of(4), std::sqrt(0.5), 1e-12);
  EXPECT_EQ(segment_scale_of(128), 1);
  EXPECT_EQ(segment_scale_of(136), 2);
  EXPECT_EQ(segment_scale_of(112), 0.25);
  RotationTrack track;
  track.reference_code = {16384, -8192, 0};
  track.axes_code = {64, 0, -32};
  EXPECT_NEAR(track.reference().x, 16384 / 32767.0, 1e-9);
  EXPECT_NEAR(track.reference().y, -8192 / 32767.0, 1e-9);
  EXPECT_GT(track.reference().w, 0.8);
  EXPECT_NEAR(dot(track.reference(), track.reference()), 1, 1e-12);
  EXPECT_NEAR(track.axes().x, 64 / 127.0, 1e-9);
  EXPECT_NEAR(track.axes().z, -32 / 127.0, 1e-9);
}

// Eight lanes to a group; three or four groups a run of rotations; a run ends where the kind changes.
TEST_F(Header, LanesAreGroupedByEight) {
  ClipHeader h;
  for (int i = 0; i < 10; ++i) h.rotations.push_back({i, 3});
  for (int i = 0; i < 2; ++i) h.rotations.push_back({10 + i, 4});
  for (std::uint32_t i = 0; i < 9; ++i) h.scalars.push_back({ScalarTarget::kTranslation, i});
  for (std::uint32_t i = 0; i < 3; ++i) h.scalars.push_back({ScalarTarget::kScale, i});
  const std::vector<LaneGroup> groups = lane_groups(h);
  struct Expected {
    int first, lanes, component;
    bool rotation;
  };
  const std::vector<Expected> expected{{0, 8, 0, true},  {0, 8, 1, true},  {0, 8, 2, true},  {8, 2, 0, true},
                                       {8, 2, 1, true},  {8, 2, 2, true},  {10, 2, 0, true}, {10, 2, 1, true},
                                       {10, 2, 2, true}, {10, 2, 3, true}, {0, 8, 0, false}, {8, 1, 0, false},
                                       {9, 3, 0, false}};
  ASSERT_EQ(groups.size(), expected.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(groups[i].first_track, expected[i].first) << i;
    EXPECT_EQ(groups[i].lanes, expected[i].lanes) << i;
    EXPECT_EQ(groups[i].component, expected[i].component) << i;
    EXPECT_EQ(groups[i].is_rotation, expected[i].rotation) << i;
  }
}

TEST_F(Header, TheHashSeesEveryNumberOfTheRestPose) {
  const std::uint64_t before = skeleton_hash(*skeleton);
  for (int number = 0; number < 7; ++number) {
    std::vector<JointDesc> joints(skeleton->joints().begin(), skeleton->joints().end());
    Transform& t = joints[2].rest_local;
    float* numbers[] = {&t.translation.x, &t.translation.y, &t.translation.z, &t.rotation.x,
                        &t.rotation.y,    &t.rotation.z,    &t.rotation.w};
    *numbers[number] += 1e-4F;
    EXPECT_NE(skeleton_hash(*Skeleton::create(std::move(joints)).value()), before) << number;
  }
}

}  // namespace
}  // namespace zoe
