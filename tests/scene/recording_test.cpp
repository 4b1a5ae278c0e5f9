// SPDX-License-Identifier: MIT
#include "zoe/scene/recording.h"

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/core/random.h"

#include "support/data.h"
#include "support/mutate.h"

namespace zoe::scene {
namespace {

TEST(Input, KnowsWhatIsHeldAndWhatHappened) {
  Input input;
  input.apply(key_event('W', true));
  input.apply(key_event('W', true));  // A repeat.
  EXPECT_TRUE(input.key('W') && input.key_pressed('W') && !input.key_released('W'));
  input.begin();
  EXPECT_TRUE(input.key('W') && !input.key_pressed('W'));
  input.apply(key_event('W', false));
  input.apply(key_event('W', true));
  input.apply(key_event('W', false));
  EXPECT_TRUE(!input.key('W') && input.key_pressed('W') && input.key_released('W'));
  input.apply(axis_event(3, -0.5F));
  EXPECT_EQ(input.axis(3), -0.5F);
  input.apply({InputEvent::Kind::kPointer, 0, 10, 20});  // The first place is no movement.
  EXPECT_EQ(input.pointer_moved(), (Vec2{0, 0}));
  input.apply({InputEvent::Kind::kPointer, 0, 13, 18});
  input.apply({InputEvent::Kind::kScroll, 0, 0, 2});
  input.apply({InputEvent::Kind::kButton, 1, 1, 0});
  EXPECT_EQ(input.pointer_moved(), (Vec2{3, -2}));
  EXPECT_EQ(input.scrolled(), (Vec2{0, 2}));
  EXPECT_TRUE(input.button(1) && input.button_pressed(1) && !input.button(0));
  input.begin();
  EXPECT_EQ(input.pointer_moved(), (Vec2{0, 0}));
  EXPECT_EQ(input.pointer(), (Vec2{13, 18}));
  EXPECT_EQ(input.axis(3), -0.5F);
  input.apply(axis_event(60000, 1));  // Out of range: ignored.
  input.apply(key_event(60000, true));
}

InputRecording make_recording() {
  InputRecording recording;
  recording.step_s = 1.0 / 50;
  recording.num_steps = 200;
  Random random(2);
  for (std::uint64_t i = 0; i < 100; ++i) {
    InputEvent event{static_cast<InputEvent::Kind>(random.below(5)), static_cast<std::uint16_t>(random.below(300)),
                     random.uniform(-1, 1) / 3, random.uniform(-1000, 1000)};
    recording.events.push_back({2 * i, event});
  }
  return recording;
}

TEST(Recording, ComesBackBitForBit) {
  const InputRecording recording = make_recording();
  const Result<InputRecording> read = parse_recording(to_text(recording), "memory");
  ASSERT_TRUE(read) << read.error().format();
  EXPECT_EQ(*read, recording);
  const std::filesystem::path file = test::temporary_dir("recording") / "zoe_recording_test.zin";
  ASSERT_TRUE(write_recording(file, recording));
  EXPECT_EQ(read_recording(file).value(), recording);
  std::filesystem::remove(file);
  const Result<InputRecording> gone = read_recording(file);
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().format().find("zoe_recording_test"), std::string::npos);
}

TEST(Recording, ErrorsNameTheLineAndTheRemedy) {
  const auto error = [](const char* text) {
    const Result<InputRecording> result = parse_recording(text, "a.zin");
    return result ? std::string("no error") : result.error().format();
  };
  const std::string head = "zoe-input 1\nstep_s 0.02\nsteps 10\n";
  EXPECT_NE(error("").find("ends before"), std::string::npos);
  EXPECT_NE(error("HIERARCHY\n").find("a.zin:1"), std::string::npos);
  EXPECT_NE(error("zoe-input 2\n").find("another version"), std::string::npos);
  EXPECT_NE(error("zoe-input 1\nstep_s -1\n").find("a.zin:2"), std::string::npos);
  EXPECT_NE(error("zoe-input 1\nstep_s nan\nsteps 1\n").find("a.zin:2"), std::string::npos);
  EXPECT_NE(error((head + "3 key 87 1\n").c_str()).find("a.zin:4"), std::string::npos);
  EXPECT_NE(error((head + "3 kex 87 1 0\n").c_str()).find("12 key 87 1 0"), std::string::npos);
  EXPECT_NE(error((head + "3 axis 0 inf 0\n").c_str()).find("a.zin:4"), std::string::npos);
  EXPECT_NE(error((head + "3 key 87 1 0\n2 key 87 0 0\n").c_str()).find("in order"), std::string::npos);
  EXPECT_NE(error((head + "10 key 87 1 0\n").c_str()).find("within the recorded"), std::string::npos);
  EXPECT_EQ(error((head + "9 key 87 1 0\n").c_str()), "no error");
}

TEST(Recording, DamagedFilesAreRefusedOrRead) {
  const std::string text = to_text(make_recording());
  test::expect_survives_damage("recording", as_bytes(text), [](std::span<const std::byte> bytes) {
    (void)parse_recording(as_text(bytes), "damaged");
  });
}

}  // namespace
}  // namespace zoe::scene
