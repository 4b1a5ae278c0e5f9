// SPDX-License-Identifier: MIT
// OSC and the Virtual Motion Capture Protocol: a person's bones come back where they were.
#include <cmath>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/stream/link.h"

#include "stream/osc.h"
#include "stream/vmc_bones.h"
#include "stream/vmc_frames.h"

namespace zoe::stream {
namespace {

TEST(OscTest, BytesAreThoseOfTheSpecification) {
  // The example of the OSC 1.0 page: /oscillator/4/frequency with 440.
  const std::vector<std::byte> bytes = OscText("/oscillator/4/frequency").number(440).bytes();
  const unsigned char expected[] = {0x2f, 0x6f, 0x73, 0x63, 0x69, 0x6c, 0x6c, 0x61, 0x74, 0x6f, 0x72,
                                    0x2f, 0x34, 0x2f, 0x66, 0x72, 0x65, 0x71, 0x75, 0x65, 0x6e, 0x63,
                                    0x79, 0x00, 0x2c, 0x66, 0x00, 0x00, 0x43, 0xdc, 0x00, 0x00};
  ASSERT_EQ(bytes.size(), sizeof expected);
  EXPECT_EQ(std::memcmp(bytes.data(), expected, sizeof expected), 0);
}

TEST(OscTest, BundlesComeBackAndDamageIsHarmless) {
  std::vector<std::vector<std::byte>> datagrams;
  OscBundles bundles(200, [&](std::span<const std::byte> one) { datagrams.emplace_back(one.begin(), one.end()); });
  for (int i = 0; i < 20; ++i) bundles.add(OscText("/a").integer(i).text("name").number(0.5F).bytes());
  bundles.flush();
  int count = 0;
  for (const auto& datagram : datagrams) {
    EXPECT_LE(datagram.size(), 200U);
    EXPECT_TRUE(read_osc(datagram, [&](const OscMessage& message) {
      ASSERT_TRUE(message.has("isf"));
      EXPECT_FALSE(message.has("isff"));
      EXPECT_EQ(message.arguments[0].integer, count++);
      EXPECT_EQ(message.arguments[1].text, "name");
      EXPECT_EQ(message.arguments[2].number, 0.5F);
    }));
  }
  EXPECT_EQ(count, 20);
  Random random(5);
  for (int round = 0; round < 50'000; ++round) {
    std::vector<std::byte> damaged = datagrams[0];
    for (int i = 0; i < 3; ++i) damaged[random.below(damaged.size())] = static_cast<std::byte>(random.below(256));
    damaged.resize(random.below(damaged.size() + 1));
    read_osc(damaged, [](const OscMessage&) {});
  }
}

TEST(VmcTest, BonesHaveUnitysNames) {
  std::set<std::string> names;
  for (const VmcBone& bone : vmc_bones()) names.insert(bone.vmc);
  EXPECT_EQ(names.size(), 55U);  // HumanBodyBones without LastBone.
  for (const char* name : {"Hips", "UpperChest", "LeftThumbProximal", "LeftThumbIntermediate", "RightLittleDistal",
                           "Jaw", "RightEye", "LeftToes"})
    EXPECT_EQ(names.count(name), 1U) << name;
  for (std::size_t i = 0; i < vmc_bones().size(); ++i) EXPECT_LT(vmc_bones()[i].parent, static_cast<int>(i));
}

// A person whose joints have odd axes and whose rest pose is no T-pose.
struct Person {
  Subject subject;
  std::vector<Quat> t_pose;

  explicit Person(std::uint32_t id) {
    const Quat odd = normalized(Quat{0.3F, -0.5F, 0.2F, 0.8F});
    std::vector<JointDesc> joints = {{.name = "world", .parent = -1, .rest_local = {{0.5F, 0, 0}, odd, {1, 1, 1}}}};
    const auto add = [&](const char* name, int parent, Vec3 offset) {
      joints.push_back({.name = name, .parent = parent, .rest_local = {offset, odd, {1, 1, 1}}});
    };
    add("hips", 0, {0, 1, 0});
    add("spine", 1, {0, 0.1F, 0});
    add("twist", 2, {0, 0.1F, 0});  // Has no name in VMC.
    add("head", 3, {0, 0.4F, 0.1F});
    add("leftUpperLeg", 1, {0.1F, 0, 0});
    add("leftLowerLeg", 5, {0, -0.5F, 0});
    subject = {.id = id, .name = "person", .fps = 60, .skeleton = Skeleton::create(std::move(joints)).value()};
    auto humanoid = std::make_shared<Humanoid>();
    for (int j = 1; j < 7; ++j)
      if (j != 3) humanoid->bones.push_back({subject.skeleton->name(j), j});
    for (int j = 0; j < 7; ++j)
      humanoid->t_pose.push_back(normalized(Quat{0.1F * static_cast<float>(j), 0.2F, -0.3F, 0.9F}));
    t_pose = humanoid->t_pose;
    subject.humanoid = humanoid;
  }
};

TEST(VmcTest, ActorsComeBackWhereTheyWere) {
  const auto receiver = open_receiver("vmc://127.0.0.1:0", {.actors = 2});
  if (!receiver) GTEST_SKIP() << "the next port is taken: " << receiver.error().message;
  const auto sender = open_sender("vmc://127.0.0.1:" + std::to_string((*receiver)->port())).value();
  const Person people[] = {Person(10), Person(20)};
  for (const Person& person : people) ASSERT_TRUE(sender->add(person.subject));
  EXPECT_FALSE(sender->add({.id = 3, .name = "dog", .skeleton = people[0].subject.skeleton}));
  int came = 0;
  for (int i = 0; i < 6; ++i) {
    for (std::uint32_t actor = 0; actor < 2; ++actor) {
      const Subject& subject = people[actor].subject;
      Pose pose = make_pose(*subject.skeleton);
      for (std::size_t j = 0; j < pose.rotations.size(); ++j)
        pose.rotations[j] =
            normalized(pose.rotations[j] * from_axis_angle(Vec3{0.6F, 0.8F, 0}, 0.1F * static_cast<float>(i) + 0.2F));
      pose.translations[0] = {static_cast<float>(i), 0, static_cast<float>(actor)};
      sender->send(subject.id, i * 20'000'000LL, pose.view());
      Frame frame;
      const auto got = (*receiver)->receive(frame, i == 0 ? 20 : 10'000);
      if (i == 0) continue;  // The first may have begun in its middle.
      ASSERT_EQ(got, PoseReceiver::Got::kPose);
      ++came;
      EXPECT_EQ(frame.subject.id, actor);
      EXPECT_NEAR(static_cast<double>(frame.time_ns), i * 2e7, 1e4);
      std::vector<Affine> sent(7), received(idx(frame.subject.skeleton->num_joints()));
      compute_model_from_joint(*subject.skeleton, pose.view(), sent);
      compute_model_from_joint(*frame.subject.skeleton, frame.pose.view(), received);
      ASSERT_EQ(received.size(), 6U);  // The root, and five bones.
      for (const HumanBone& bone : subject.humanoid->bones) {
        const int joint = frame.subject.skeleton->find(bone.name);
        ASSERT_GE(joint, 0) << bone.name;
        EXPECT_LT(distance(received[idx(joint)].t, sent[idx(bone.joint)].t), 1e-5F) << bone.name;
        // Rotations are those from the T-pose: what a character with other axes there needs.
        const Quat turned = rotation_of(received[idx(joint)]);
        const Quat expected = rotation_of(sent[idx(bone.joint)]) * conjugate(people[actor].t_pose[idx(bone.joint)]);
        EXPECT_LT(angle_between(turned, normalized(expected)), 1e-3F) << bone.name;
      }
    }
  }
  EXPECT_EQ(came, 10);
  sender->end();
  Frame frame;
  EXPECT_EQ((*receiver)->receive(frame, 10'000), PoseReceiver::Got::kEnd);
}

TEST(VmcTest, FramesWithoutTimesEndWithARepeatedBone) {
  VmcFrames frames(0);
  Frame frame;
  const auto say = [&](const char* bone, float x, std::int64_t now_ns) {
    OscText text("/VMC/Ext/Bone/Pos");
    text.text(bone).number(x).number(1).number(0).number(0).number(0).number(0).number(1);
    frames.add(text.bytes(), now_ns);
  };
  for (int i = 0; i < 4; ++i) {
    say("Hips", static_cast<float>(i), 100 * i);
    say("Spine", 0, 100 * i);
    say("Tail", 0, 100 * i);  // Unknown bones are ignored.
    EXPECT_EQ(frames.take(frame), i >= 2) << i;
  }
  EXPECT_EQ(frame.pose.translations[1].x, -2);  // Mirrored; the frame before the last.
  EXPECT_EQ(frame.time_ns, 300);
  frames.add(OscText("/VMC/Ext/Bone/Pos").text("Hips").number(1).bytes(), 0);  // Too short.
  say("Hips", std::nanf(""), 0);
  EXPECT_EQ(frames.counts().refused, 2U);
}

}  // namespace
}  // namespace zoe::stream
