// SPDX-License-Identifier: MIT
// Saving, restoring and hashing a crowd; rollback.
#include <gtest/gtest.h>

#include "zoe/control/crowd.h"

#include "control/every_type.h"
#include "control/toy_controller.h"
#include "support/allocation.h"
#include "support/pool.h"

namespace zoe::control {
namespace {

constexpr int kSize = 64;

std::vector<PlanarRoot> roots() {
  std::vector<PlanarRoot> out;
  for (int i = 0; i < kSize; ++i) {
    const auto k = static_cast<float>(i);
    out.push_back({{1.1F * std::fmod(k, 8.0F), 0, 1.3F * std::floor(k / 8)}, k});
  }
  return out;
}

// Some near, some far, the eye moves; they are in each other's way.
CrowdOptions busy() {
  CrowdOptions options;
  for (int i = 0; i < kSize; ++i) options.proportions.push_back({0.8F + 0.005F * static_cast<float>(i), 1});
  options.avoidance.emplace();
  options.detail = DetailOptions{.half_from_m = 4, .third_from_m = 7, .max_full = 20};
  return options;
}

// What everybody wants in a frame, by its number alone.
void wish(int frame, std::span<Intent> intents) {
  for (std::size_t i = 0; i < intents.size(); ++i) {
    Random random = Random(3).split(static_cast<std::uint64_t>(frame / 20) * 1000 + i);
    intents[i] = Intent::move({random.uniform(-1.5F, 1.5F), 0, random.uniform(-1.5F, 1.5F)});
    if (i % 9 == 0) {
      intents[i] = {};
      intents[i].goal = WantedPlace{{4, 0, 20}, {}};
    }
  }
}
void advance(Crowd& crowd, int frame, ThreadPool& pool) {
  std::vector<Intent> intents(kSize);
  wish(frame, intents);
  crowd.set_eye({0.05F * static_cast<float>(frame % 100), 0, 3});
  crowd.tick(intents, frame % 3 == 0 ? 1.0 / 30 : 1.0 / 60, pool);
}

// Everything that is displayed and kept.
std::vector<std::uint64_t> bits_of(const Crowd& crowd) {
  std::vector<std::uint64_t> bits{crowd.hash()};
  for (int i = 0; i < crowd.size(); ++i) {
    bits.push_back(test::bits_of(crowd.state(i)));
    bits.push_back(static_cast<std::uint64_t>(crowd.steps_an_answer(i)));
  }
  return bits;
}

class EveryCrowd : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Types, EveryCrowd, testing::ValuesIn(test::kEveryType), test::NameOfType());

TEST_P(EveryCrowd, ContinuesBitByBit) {
  const ControllerPtr& controller = test::controller_of(GetParam());
  Crowd crowd(controller, roots(), busy()), other(controller, std::vector<PlanarRoot>(kSize), busy());
  ThreadPool none(0);
  for (int frame = 0; frame < 40; ++frame) advance(crowd, frame, none);
  for (int frame = 0; frame < 9; ++frame) advance(other, frame, none);
  int coasting = 0;
  for (int i = 0; i < crowd.size(); ++i) coasting += crowd.steps_an_answer(i) > 1 ? 1 : 0;
  EXPECT_GT(coasting, 10);
  EXPECT_LT(coasting, kSize);
  const std::vector<std::byte> bytes = crowd.save_state();
  ASSERT_EQ(bytes.size(), crowd.state_bytes());
  EXPECT_EQ(crowd.hash(), hash64(bytes));
  const std::vector<std::uint64_t> now = bits_of(crowd);
  std::vector<std::vector<std::uint64_t>> expected;
  for (int frame = 40; frame < 80; ++frame) {
    advance(crowd, frame, none);
    expected.push_back(bits_of(crowd));
  }
  for (Crowd* target : {&crowd, &other}) {
    const Result<void> restored = target->restore_state(bytes);
    ASSERT_TRUE(restored) << restored.error().format();
    ASSERT_EQ(bits_of(*target), now);
    for (int frame = 40; frame < 80; ++frame) {
      advance(*target, frame, none);
      ASSERT_EQ(bits_of(*target), expected[static_cast<std::size_t>(frame - 40)]) << frame;
    }
  }
}

// Rollback netcode: intents of others arrive 8 frames late. Each frame is guessed; when the true intents come, the
// crowd goes back and makes the 8 frames again.
TEST(CrowdState, RollbacksOfEightFramesChangeNothing) {
  constexpr int kFrames = 96, kBack = 8;
  for (const char* type : {"mann", "mm", "lmp"}) {
    const ControllerPtr& controller = test::controller_of(type);
    ThreadPool none(0), pool(2);
    Crowd straight(controller, roots(), busy()), predicted(controller, roots(), busy());
    std::vector<std::byte> saved(predicted.state_bytes());
    std::vector<Intent> guesses(kSize, Intent::move({0, 0, 1}));
    for (int frame = 0; frame < kFrames; frame += kBack) {
      predicted.save_state(saved);
      for (int i = 0; i < kBack; ++i) predicted.tick(guesses, 1.0 / 60, pool);
      for (int i = 0; i < kBack; ++i) advance(straight, frame + i, none);
      ASSERT_NE(predicted.hash(), straight.hash());
      ASSERT_TRUE(predicted.restore_state(saved));
      for (int i = 0; i < kBack; ++i) advance(predicted, frame + i, pool);
      ASSERT_EQ(bits_of(predicted), bits_of(straight)) << type << " " << frame;
    }
  }
}

TEST(CrowdState, NothingAllocates) {
  Crowd crowd(test::controller_of("mann"), roots(), busy());
  ThreadPool none(0);
  advance(crowd, 0, none);
  std::vector<std::byte> bytes(crowd.state_bytes());
  const zoe::test::AllocationMeter meter;
  crowd.save_state(bytes);
  ASSERT_TRUE(crowd.restore_state(bytes));
  (void)crowd.hash();
  EXPECT_EQ(meter.allocations(), 0U);
}

TEST(CrowdState, OneCharacterCanBeRestoredAlone) {
  const ControllerPtr& controller = test::controller_of("mann");
  Crowd crowd(controller, roots());
  ThreadPool none(0);
  for (int frame = 0; frame < 20; ++frame) advance(crowd, frame, none);
  const auto alone = controller->make_state();
  ASSERT_TRUE(controller->restore_state(*alone, controller->save_state(crowd.state(3))));
  EXPECT_EQ(test::bits_of(*alone), test::bits_of(crowd.state(3)));
}

TEST(CrowdState, OtherCrowdsAreRefused) {
  const ControllerPtr& controller = test::controller_of("mann");
  Crowd crowd(controller, roots(), busy());
  const std::vector<std::byte> bytes = crowd.save_state();
  const auto words = [](Crowd& target, std::span<const std::byte> given) {
    const std::uint64_t before = target.hash();
    const Result<void> restored = target.restore_state(given);
    if (restored) return std::string();
    EXPECT_EQ(target.hash(), before);
    return restored.error().format();
  };
  EXPECT_EQ(words(crowd, bytes), "");
  Crowd smaller(controller, std::vector<PlanarRoot>(10)), plain(controller, roots());
  Crowd other(test::controller_of("pfnn"), roots(), busy());
  EXPECT_NE(words(smaller, bytes).find("bytes where there should be"), std::string::npos);
  EXPECT_NE(words(plain, bytes).find("bytes where there should be"), std::string::npos);
  EXPECT_NE(words(other, bytes).find("type 'mann', this one is 'pfnn'"), std::string::npos);
  EXPECT_NE(words(crowd, controller->save_state(crowd.state(0))).find("no crowd"), std::string::npos);
  std::vector<std::byte> changed = bytes;
  changed[32] = std::byte{1};  // The number of characters.
  EXPECT_NE(words(crowd, changed).find("range"), std::string::npos);
  for (const std::size_t flag : {36U, 37U}) {  // Whether it avoids, and whether it has detail levels: each alone.
    changed = bytes;
    changed[flag] = std::byte{0};
    EXPECT_NE(words(crowd, changed).find("other options"), std::string::npos) << flag;
  }
  // Damaged bytes are refused, or the crowd goes on.
  Random random(8);
  ThreadPool none(0);
  int accepted = 0;
  for (int i = 0; i < (zoe::test::kSanitized ? 20 : 100); ++i) {
    changed = bytes;
    for (int k = 0; k < 20; ++k)
      changed[32 + random.below(bytes.size() - 32)] = static_cast<std::byte>(random.below(256));
    if (!crowd.restore_state(changed)) continue;
    ++accepted;
    for (int frame = 0; frame < 4; ++frame) advance(crowd, frame, none);
    for (int c = 0; c < crowd.size(); ++c) ASSERT_TRUE(is_finite(crowd.state(c).root().position));
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace zoe::control
