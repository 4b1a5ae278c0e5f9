// SPDX-License-Identifier: MIT
#include "zoe/control/body.h"

#include <fstream>

#include "zoe/control/load.h"
#include "zoe/core/file.h"

#include "support/data.h"
#include "support/mutate.h"
#include "walker.h"

namespace zoe::control {
namespace {

TEST(Body, FileKeepsItAndDamageIsRefused) {
  const Body body = test::walker_body(test::make_walker("mm"));
  const auto folder = zoe::test::temporary_dir("body_file");
  const auto path = folder / "body.safetensors";
  ASSERT_TRUE(save_body(path, body));
  const Body back = load_body(path).value();
  EXPECT_TRUE(check_same_skeleton(*body.skeleton, *back.skeleton));
  EXPECT_EQ(back.contact_joints, body.contact_joints);
  ASSERT_EQ(back.legs.size(), body.legs.size());
  EXPECT_EQ(back.legs[1].leg.knee, body.legs[1].leg.knee);
  EXPECT_EQ(back.legs[1].leg.knee_axis, body.legs[1].leg.knee_axis);
  EXPECT_EQ(back.start.rotations, body.start.rotations);
  EXPECT_EQ(back.motion_range.pace_mps, body.motion_range.pace_mps);
  ASSERT_FALSE(body.stand.rotations.empty());
  EXPECT_EQ(back.stand.rotations, body.stand.rotations);
  EXPECT_EQ(back.stand.translations, body.stand.translations);
  EXPECT_EQ(back.stand_source, body.stand_source);
  // Files of earlier versions have no standing pose.
  Body earlier = body;
  earlier.stand = {};
  earlier.stand_source = StandSource::kStart;
  ASSERT_TRUE(save_body(folder / "earlier.safetensors", earlier));
  const Body old = load_body(folder / "earlier.safetensors").value();
  EXPECT_TRUE(old.stand.rotations.empty());
  EXPECT_EQ(old.stand_source, StandSource::kStart);

  const MappedFile file = MappedFile::open(path).value();
  const auto damaged = folder / "damaged.safetensors";
  zoe::test::MutateOptions few;
  few.flips = 200;
  few.max_ratio = 64;
  zoe::test::expect_survives_damage(
      "body", file.bytes(),
      [&](std::span<const std::byte> bytes) {
        std::ofstream(damaged, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        (void)load_body(damaged);
      },
      few);
}

TEST(ControllerConfig, ComesBackAndRefusesNonsense) {
  const auto folder = zoe::test::temporary_dir("controller_config");
  ControllerConfig config;
  config.type = "mann";
  config.licence = "CC0";
  config.neural.own_way_now = 0.25F;
  config.neural.lock_feet = false;
  ASSERT_TRUE(save_controller_config(folder, config));
  const ControllerConfig back = load_controller_config(folder).value();
  EXPECT_EQ(back.type, "mann");
  EXPECT_EQ(back.licence, "CC0");
  EXPECT_EQ(back.neural.own_way_now, 0.25F);
  EXPECT_FALSE(back.neural.lock_feet);

  const auto missing = load_controller(folder);  // No body there.
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().format().find("body.safetensors"), std::string::npos);
  EXPECT_FALSE(load_controller(folder / "nowhere"));
  ASSERT_TRUE(write_file_atomic(folder / "controller.toml", std::string_view("kind = \"man\"\n")));
  const auto unknown = load_controller(folder);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("mann"), std::string::npos);
}

}  // namespace
}  // namespace zoe::control
