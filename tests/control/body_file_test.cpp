// SPDX-License-Identifier: MIT
// Files of bodies: every field comes back, and every field alone is checked.
#include <gtest/gtest.h>

#include "zoe/control/body.h"
#include "zoe/store/safetensors.h"

#include "support/data.h"
#include "walker.h"

namespace zoe::control {
namespace {

class BodyFile : public testing::Test {
 protected:
  BodyFile() : folder_(zoe::test::temporary_dir("body_fields")), path_(folder_ / "body.safetensors") {
    static const Body made = test::walker_body(test::make_walker("mm"));
    body_ = made;
    body_.motion_range = {1.1F, 1.2F, 2.3F, 3.4F, 0.7F, 5.5F};
    body_.legs[0].ball_contact = -1;
    EXPECT_TRUE(save_body(path_, body_));
  }
  template <typename T>
  std::vector<T> array(const char* name) const {
    const Safetensors file = Safetensors::open(path_).value();
    const auto values = file.find(name).value().as<T>().value();
    return {values.begin(), values.end()};
  }
  // The body of the file with one array replaced; empty values remove it.
  template <typename T>
  Result<Body> with(const char* name, const std::vector<T>& values) const {
    const Safetensors file = Safetensors::open(path_).value();
    std::vector<NamedArray> arrays;
    for (const NamedArray& array : file.tensors()) {
      if (array.name != name) arrays.push_back(array);
    }
    if (!values.empty()) arrays.push_back({name, view_of(values)});
    return written(arrays, file.metadata());
  }
  bool reads_with_text(const char* key, const std::string& text) const {
    const Safetensors file = Safetensors::open(path_).value();
    Metadata metadata = file.metadata();
    metadata[key] = text;
    return written(file.tensors(), metadata).has_value();
  }
  // The first file with entry `at` of an array set to `value`.
  template <typename T>
  bool reads(const char* name, std::size_t at, T value) const {
    std::vector<T> values = array<T>(name);
    values[at] = value;
    return with(name, values).has_value();
  }

  std::filesystem::path folder_, path_;
  Body body_;

 private:
  Result<Body> written(const std::vector<NamedArray>& arrays, Metadata metadata) const {
    metadata.erase(kChecksumKey);  // Else the checksum is what is wrong.
    EXPECT_TRUE(write_safetensors(folder_ / "changed.safetensors", arrays, metadata));
    return load_body(folder_ / "changed.safetensors");
  }
};

TEST_F(BodyFile, DamageIsSeenByItsChecksum) {
  const Safetensors file = Safetensors::open(path_).value();
  ASSERT_TRUE(file.metadata().contains(kChecksumKey));
  std::vector<float> rest = array<float>("rest");
  rest[0] += 0.01F;  // A body like any other.
  std::vector<NamedArray> arrays;
  for (const NamedArray& one : file.tensors()) {
    if (one.name != "rest") arrays.push_back(one);
  }
  arrays.push_back({"rest", view_of(rest)});
  ASSERT_TRUE(write_safetensors(folder_ / "damaged.safetensors", arrays, file.metadata()));
  const auto damaged = load_body(folder_ / "damaged.safetensors");
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find("checksum"), std::string::npos) << damaged.error().format();
  EXPECT_TRUE(with("rest", rest)) << "without a checksum";
  EXPECT_FALSE(reads("rest", 0, 1e9F));
  EXPECT_FALSE(reads("start", 0, 1e9F));
}

TEST_F(BodyFile, EveryFieldComesBack) {
  const Body back = load_body(path_).value();
  const Skeleton &a = *body_.skeleton, &b = *back.skeleton;
  ASSERT_EQ(a.num_joints(), b.num_joints());
  for (int j = 0; j < a.num_joints(); ++j) {
    EXPECT_EQ(a.name(j), b.name(j));
    EXPECT_EQ(a.parent(j), b.parent(j));
    EXPECT_EQ(a.kind(j), b.kind(j));
    EXPECT_EQ(a.rest_local(j).translation, b.rest_local(j).translation);
    EXPECT_EQ(a.rest_local(j).rotation, b.rest_local(j).rotation);
    EXPECT_EQ(a.rest_local(j).scale, b.rest_local(j).scale);
  }
  EXPECT_EQ(back.start.translations, body_.start.translations);
  EXPECT_EQ(back.start.rotations, body_.start.rotations);
  EXPECT_EQ(back.contact_joints, body_.contact_joints);
  EXPECT_EQ(back.motion_range, body_.motion_range);
  ASSERT_EQ(back.legs.size(), body_.legs.size());
  for (std::size_t l = 0; l < back.legs.size(); ++l) {
    const BodyLeg &x = body_.legs[l], &y = back.legs[l];
    EXPECT_EQ(x.leg.hip, y.leg.hip);
    EXPECT_EQ(x.leg.knee, y.leg.knee);
    EXPECT_EQ(x.leg.ankle, y.leg.ankle);
    EXPECT_EQ(x.leg.ball, y.leg.ball);
    EXPECT_EQ(x.ankle_contact, y.ankle_contact);
    EXPECT_EQ(x.ball_contact, y.ball_contact);
    EXPECT_EQ(x.leg.knee_axis, y.leg.knee_axis);
    EXPECT_EQ(x.leg.ankle_height_m, y.leg.ankle_height_m);
    EXPECT_EQ(x.leg.ball_height_m, y.leg.ball_height_m);
  }
  // A body without legs and contacts has none afterwards.
  Body bare = body_;
  bare.legs.clear();
  bare.contact_joints.clear();
  ASSERT_TRUE(save_body(folder_ / "bare.safetensors", bare));
  const Body back_bare = load_body(folder_ / "bare.safetensors").value();
  EXPECT_TRUE(back_bare.legs.empty());
  EXPECT_TRUE(back_bare.contact_joints.empty());
}

TEST_F(BodyFile, JointsAndPosesAreChecked) {
  EXPECT_FALSE(reads_with_text("format", "zoe"));
  EXPECT_FALSE(reads_with_text("version", "2"));
  EXPECT_FALSE(reads_with_text("joint_names", "hips\n"));
  EXPECT_FALSE(reads<std::int32_t>("joints", 1, -1));
  EXPECT_FALSE(reads<std::int32_t>("joints", 1, static_cast<int>(JointKind::kNode) + 1));
  EXPECT_TRUE(reads<std::int32_t>("joints", 1, static_cast<int>(JointKind::kNode)));
  EXPECT_FALSE(reads<std::int32_t>("joints", 2, 99)) << "a parent";
  EXPECT_FALSE(reads<float>("start", 0, NAN));
  EXPECT_FALSE(reads<float>("start", 6, 1.5F)) << "not of length one";
  for (const char* name : {"joints", "rest", "start"}) {
    if (std::string(name) == "joints") {
      std::vector<std::int32_t> values = array<std::int32_t>(name);
      values.pop_back();
      EXPECT_FALSE(with(name, values)) << name;
    } else {
      std::vector<float> values = array<float>(name);
      values.pop_back();
      EXPECT_FALSE(with(name, values)) << name;
    }
  }
}

TEST_F(BodyFile, LegsAndContactsAreChecked) {
  const int joints = body_.skeleton->num_joints(), contacts = static_cast<int>(body_.contact_joints.size());
  EXPECT_TRUE(reads<std::int32_t>("contacts", 0, joints - 1));
  EXPECT_TRUE(reads<std::int32_t>("contacts", 0, 0));
  EXPECT_FALSE(reads<std::int32_t>("contacts", 0, joints));
  EXPECT_FALSE(reads<std::int32_t>("contacts", 0, -1));
  for (std::size_t i = 0; i < 3; ++i) {  // Hip, knee, ankle.
    EXPECT_TRUE(reads<std::int32_t>("legs", i, 0)) << i;
    EXPECT_FALSE(reads<std::int32_t>("legs", i, -1)) << i;
    EXPECT_FALSE(reads<std::int32_t>("legs", i, joints)) << i;
  }
  EXPECT_TRUE(reads<std::int32_t>("legs", 3, -1)) << "no ball";
  EXPECT_FALSE(reads<std::int32_t>("legs", 3, -2));
  EXPECT_FALSE(reads<std::int32_t>("legs", 3, joints));
  for (const std::size_t i : {4U, 5U}) {  // Contacts of ankle and ball.
    EXPECT_TRUE(reads<std::int32_t>("legs", i, -1)) << i;
    EXPECT_FALSE(reads<std::int32_t>("legs", i, -2)) << i;
    EXPECT_TRUE(reads<std::int32_t>("legs", i, contacts - 1)) << i;
    EXPECT_FALSE(reads<std::int32_t>("legs", i, contacts)) << i;
  }
  std::vector<std::int32_t> legs = array<std::int32_t>("legs");
  legs.pop_back();
  EXPECT_FALSE(with("legs", legs));
  std::vector<float> numbers = array<float>("leg_numbers");
  numbers.pop_back();
  EXPECT_FALSE(with("leg_numbers", numbers));
  EXPECT_FALSE(with("leg_numbers", std::vector<float>{}));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_FALSE(reads<float>("leg_numbers", i, NAN)) << i;
  EXPECT_FALSE(reads<float>("leg_numbers", 0, 1.5F)) << "an axis of length one";
  EXPECT_TRUE(reads<float>("leg_numbers", 3, 0.25F));
}

TEST_F(BodyFile, SpeedsAreCheckedAndOlderFilesHaveFewer) {
  EXPECT_TRUE(reads<float>("pace", 0, 19.9F));
  for (const float bad : {0.0F, -1.0F, 20.0F, NAN}) EXPECT_FALSE(reads<float>("pace", 0, bad)) << bad;
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_TRUE(reads<float>("speeds", i, 49.9F)) << i;
    EXPECT_FALSE(reads<float>("speeds", i, 0.0F)) << i;
    EXPECT_EQ(reads<float>("speeds", i, 50.0F), i == 4) << i;
  }
  EXPECT_TRUE(reads<float>("speeds", 4, 99.0F));
  EXPECT_FALSE(reads<float>("speeds", 4, 100.0F));
  EXPECT_FALSE(with("speeds", std::vector<float>(4, 1.0F)));
  EXPECT_FALSE(with("speeds", std::vector<float>(6, 1.0F)));
  EXPECT_EQ(with("speeds", std::vector<float>{}).value().motion_range, MotionRange::measured(1.1F));
  EXPECT_EQ(with("pace", std::vector<float>{}).value().motion_range, MotionRange{});
}

}  // namespace
}  // namespace zoe::control
