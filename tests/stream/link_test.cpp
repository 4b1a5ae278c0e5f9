// SPDX-License-Identifier: MIT
// Packets, pieces, links and takes: what is sent comes back, and damage is refused.
#include "zoe/stream/link.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/stream/take.h"

#include "stream/pieces.h"

namespace zoe::stream {
namespace {

Subject chain_of(int joints, std::uint32_t id = 0) {
  std::vector<JointDesc> list;
  for (int j = 0; j < joints; ++j) {
    list.push_back({.name = "joint \"" + std::to_string(j) + "\" \xC3\xA4",
                    .parent = j - 1,
                    .rest_local = {{0, 0.25F * static_cast<float>(j), 0}, {}, {1, 1, 1}}});
  }
  return {.id = id, .name = "chain", .fps = 50, .skeleton = Skeleton::create(std::move(list)).value()};
}

Pose pose_at(const Subject& subject, int frame) {
  Pose pose = make_pose(*subject.skeleton);
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    const float angle = 0.1F * static_cast<float>(frame) + 0.01F * static_cast<float>(j);
    pose.rotations[j] = {0, std::sin(angle), 0, std::cos(angle)};
    pose.translations[j].x = static_cast<float>(frame);
  }
  return pose;
}

std::vector<std::byte> packet_of(const Subject& subject, int frame, std::uint64_t sequence) {
  std::vector<std::byte> out;
  write_pose_packet({.subject = subject.id, .skeleton_hash = packet_hash(subject), .sequence = sequence},
                    pose_at(subject, frame).view(), out);
  return out;
}

TEST(PacketTest, PosesComeBackBitByBit) {
  const Subject subject = chain_of(40);
  PacketDecoder decoder;
  Frame frame;
  EXPECT_EQ(decoder.decode(packet_of(subject, 1, 0), frame), PacketDecoder::Got::kNothing);  // No skeleton yet.
  EXPECT_EQ(decoder.counts().early, 1U);
  decoder.decode(skeleton_packet(subject), frame);
  ASSERT_EQ(decoder.decode(packet_of(subject, 3, 5), frame), PacketDecoder::Got::kPose);
  EXPECT_EQ(frame.subject.name, "chain");
  EXPECT_EQ(frame.subject.fps, 50);
  EXPECT_EQ(frame.subject.skeleton->name(7), subject.skeleton->name(7));
  EXPECT_EQ(frame.subject.skeleton->rest_local(7).translation.y, subject.skeleton->rest_local(7).translation.y);
  const Pose expected = pose_at(subject, 3);
  for (std::size_t j = 0; j < 40; ++j) EXPECT_NEAR(frame.pose.rotations[j].y, expected.rotations[j].y, 1e-6F);
  EXPECT_EQ(std::memcmp(frame.pose.translations.data(), expected.translations.data(), 40 * sizeof(Vec3)), 0);
  // Older ones, and the same again, are late.
  EXPECT_EQ(decoder.decode(packet_of(subject, 2, 4), frame), PacketDecoder::Got::kNothing);
  EXPECT_EQ(decoder.decode(packet_of(subject, 3, 5), frame), PacketDecoder::Got::kNothing);
  EXPECT_EQ(decoder.counts().late, 2U);
  std::vector<std::byte> end;
  write_end_packet(0, end);
  EXPECT_EQ(decoder.decode(end, frame), PacketDecoder::Got::kEnd);
}

TEST(PacketTest, DamageIsRefusedOrHarmless) {
  const Subject subject = chain_of(5);
  Random random(7);
  const std::vector<std::byte> skeleton = skeleton_packet(subject), pose = packet_of(subject, 1, 1);
  for (int round = 0; round < 20000; ++round) {
    PacketDecoder decoder;
    Frame frame;
    std::vector<std::byte> first = skeleton, second = pose;
    std::vector<std::byte>& damaged = round % 2 == 0 ? first : second;
    for (int i = 0; i < 1 + round % 3; ++i)
      damaged[random.below(damaged.size())] = static_cast<std::byte>(random.below(256));
    if (round % 5 == 0) damaged.resize(random.below(damaged.size() + 1));
    decoder.decode(first, frame);
    if (decoder.decode(second, frame) != PacketDecoder::Got::kPose) continue;
    ASSERT_EQ(frame.pose.rotations.size(), static_cast<std::size_t>(frame.subject.skeleton->num_joints()));
    for (const Quat& q : frame.pose.rotations) ASSERT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-3F);
    for (const Vec3& t : frame.pose.translations) ASSERT_TRUE(std::isfinite(t.x + t.y + t.z));
  }
}

TEST(PiecesTest, JoinsInAnyOrderAndForgets) {
  std::vector<std::byte> packet(5000), scratch;
  for (std::size_t i = 0; i < packet.size(); ++i) packet[i] = static_cast<std::byte>(i * 7);
  std::vector<std::vector<std::byte>> pieces;
  const auto keep = [&](std::span<const std::byte> one) { pieces.emplace_back(one.begin(), one.end()); };
  cut_into_pieces(packet, 9, scratch, keep);
  ASSERT_EQ(pieces.size(), 4U);
  for (const auto& piece : pieces) EXPECT_LE(piece.size(), kDatagramBytes);
  PieceJoiner joiner;
  for (const std::size_t i : {2, 0, 0, 3}) EXPECT_TRUE(joiner.add(pieces[i]).empty());
  const std::span<const std::byte> joined = joiner.add(pieces[1]);
  ASSERT_EQ(joined.size(), packet.size());
  EXPECT_TRUE(std::equal(joined.begin(), joined.end(), packet.begin()));
  // Incomplete messages give way to newer ones.
  for (std::uint32_t message = 0; message < 100; ++message) {
    pieces.clear();
    cut_into_pieces(packet, message, scratch, keep);
    EXPECT_TRUE(joiner.add(pieces[0]).empty());
  }
  Random random(3);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> damaged = pieces[random.below(pieces.size())];
    for (int i = 0; i < 4; ++i) damaged[4 + random.below(8)] = static_cast<std::byte>(random.below(256));
    damaged.resize(random.below(damaged.size() + 1));
    joiner.add(damaged);
  }
}

TEST(LinkTest, UdpBringsLargeFramesOfSeveralSubjects) {
  const auto receiver = open_receiver("udp://127.0.0.1:0").value();
  const auto sender = open_sender("udp://localhost:" + std::to_string(receiver->port())).value();
  const Subject small = chain_of(20, 0), large = chain_of(300, 1);  // 300 joints are several datagrams.
  Frame frame;
  ASSERT_TRUE(sender->add(small));
  ASSERT_TRUE(sender->add(large));
  std::map<std::uint32_t, TakeRecorder> takes;
  for (int i = 0; i < 20; ++i) {
    for (const Subject* subject : {&small, &large}) {
      sender->send(subject->id, i * 20'000'000LL, pose_at(*subject, i).view());
      ASSERT_EQ(receiver->receive(frame, 10'000), PoseReceiver::Got::kPose);
      EXPECT_EQ(frame.subject.id, subject->id);
      EXPECT_EQ(frame.sequence, static_cast<std::uint64_t>(i));
      if (i != 7) takes[subject->id].add(frame);  // One frame is lost.
    }
  }
  sender->end();
  EXPECT_EQ(receiver->receive(frame, 10'000), PoseReceiver::Got::kEnd);
  const Motion motion = takes[1].finish().value();
  ASSERT_EQ(motion.num_frames, 20);
  EXPECT_EQ(motion.fps, 50);
  for (int i = 0; i < 20; ++i) {
    EXPECT_NEAR(motion.frame(i).translations[299].x, static_cast<float>(i), i == 7 ? 1e-3F : 0.F);
    EXPECT_NEAR(motion.frame(i).rotations[3].y, pose_at(large, i).rotations[3].y, 1e-3F);
  }
}

TEST(LinkTest, AddressesAreChecked) {
  for (const char* wrong : {"", "udp://", "udp://127.0.0.1", "udp://127.0.0.1:70000", "udp://example:1",
                            "ftp://1.2.3.4:5", "udp://127.0.0.1:12x", "tcp://127.0.0.1:-1"}) {
    EXPECT_FALSE(parse_link(wrong)) << wrong;
  }
  EXPECT_FALSE(open_receiver("tcp://127.0.0.1:1"));
  EXPECT_FALSE(TakeRecorder().finish());
}

}  // namespace
}  // namespace zoe::stream
