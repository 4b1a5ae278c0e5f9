// SPDX-License-Identifier: MIT
// Names of columns for every group; a desired trajectory, signals ahead and decoded numbers at their columns.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/features/decode.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/features/runtime_history.h"

#include "features/turning_walker.h"
#include "support/allocation.h"

namespace zoe::features {
namespace {

Layout layout_of(const std::string& block, const std::string& channels, const std::string& more = "") {
  const std::string text =
      "[root]\nhalf_window_s = 0.0\n" + more + "\n[" + block + "]\nchannels = [" + channels + "]\n";
  const auto schema = Schema::parse(text);
  EXPECT_TRUE(schema) << schema.error().message;
  auto layout = Layout::compile(*schema, *test::walker_skeleton(), test::walker_analysis());
  EXPECT_TRUE(layout) << layout.error().message;
  return std::move(layout).value();
}

TEST(LayoutText, ComesBackAndTellsASchemaFromALayout) {
  const Layout layout = layout_of("input", "\"joint.position\", \"root.position times=0:1:3\"");
  const std::string text = layout.to_toml();
  const Layout back = Layout::from_toml(text, *test::walker_skeleton()).value();
  EXPECT_EQ(back.to_toml(), text);
  EXPECT_EQ(back.frame_width(), layout.frame_width());
  const auto schema = Layout::from_toml("[input]\nchannels = [\"joint.position\"]\n", *test::walker_skeleton());
  ASSERT_FALSE(schema);
  EXPECT_NE(schema.error().message.find("this is a schema, not a layout"), std::string::npos);
  const auto changed = [&](std::string from, const std::string& to) {
    std::string other = text;
    const auto at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    other.replace(at, from.size(), to);
    const auto read = Layout::from_toml(other, *test::walker_skeleton());
    return read ? std::string() : read.error().message;
  };
  EXPECT_NE(changed("frame_width = ", "frame_width = 1").find("other widths"), std::string::npos);
  EXPECT_NE(changed("LeftFoot", "LeftFeet").find("is 'LeftFeet' in the layout"), std::string::npos);
  const SkeletonPtr one = Skeleton::create({{"Hips", kNoJoint, {}}}).value();
  EXPECT_NE(Layout::from_toml(text, *one).error().message.find("for 6 joints, the skeleton has 1"), std::string::npos);
}

// Layouts of damaged and hostile files: refused with a reason, before memory is taken.
TEST(LayoutText, HostileNumbersAreRefused) {
  const std::string text = layout_of("input", "\"joint.position\", \"root.position times=0:1:3\"").to_toml();
  const zoe::test::AllocationMeter meter;
  const auto refuses = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const auto at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << text;
    other.replace(at, from.size(), to);
    const auto read = Layout::from_toml(other, *test::walker_skeleton());
    EXPECT_FALSE(read) << to;
  };
  for (const char* times : {"nan:nan:3", "-1e9:1:3", "-inf:1:3", "0:inf:3", "0:1e300:3", "0:1:1e9", "-1000000:1:3"}) {
    refuses("times=0:1:3", std::string("times=") + times);
  }
  refuses("root.position times=0:1:3", "signal name=a width=1000000 times=0:1:100000");
  refuses("root.position times=0:1:3", "signal name=a width=1000000 times=-100:1:2");
  refuses("root.position times=0:1:3", "root.position times=0:1:3 at=-2000000000");
  refuses("steps = '0:0:1'", "steps = '0:1:100000'");
  refuses("steps = '0:0:1'", "steps = 'nan:nan:1'");
  for (const char* fps : {"1e-300", "nan", "inf", "-30.0", "1e9"}) refuses("fps = 30.0", std::string("fps = ") + fps);
  refuses("samples = 31", "samples = 9223372036854775807");
  refuses("samples = 31", "samples = -5");
  refuses("sides = [0", "sides = [7000");
  refuses("lateral_m = [-0.25", "lateral_m = [nan");
  EXPECT_LT(meter.peak_bytes(), std::size_t{32} << 20);
}

TEST(DecoderRefusals, SayWhatIsMissing) {
  const auto why = [](const char* channels) {
    const auto decoder = Decoder::create(layout_of("output", channels), test::walker_skeleton());
    return decoder ? std::string() : decoder.error().message;
  };
  EXPECT_EQ(why("\"root.delta\", \"joint.position\", \"joint.rotation_6d\""), "");
  EXPECT_EQ(why("\"root.own_velocity\", \"joint.position\", \"joint.rotation_log\""), "");
  EXPECT_EQ(why("\"root parts=position,direction times=0.033333333333333333:1:3\", \"joint.position\", "
                "\"joint.rotation_6d\""),
            "");
  EXPECT_NE(why("\"root parts=position,direction times=0.1:1:3\", \"joint.position\", \"joint.rotation_6d\"")
                .find("no root.delta"),
            std::string::npos);
  EXPECT_NE(why("\"joint.position\", \"joint.rotation_6d\"").find("no root.delta"), std::string::npos);
  EXPECT_NE(why("\"root.delta\", \"joint.rotation_6d\"").find("no joint.position"), std::string::npos);
  EXPECT_NE(why("\"root.delta\", \"joint.position\"").find("no rotations"), std::string::npos);
  EXPECT_NE(why("\"root.delta\", \"joint.position\", \"joint.x_axis\"").find("no rotations"), std::string::npos);
}

}  // namespace
}  // namespace zoe::features
