// SPDX-License-Identifier: MIT
// Type hybrid: who moves the character, and hand-overs; the file of its confidence; mixtures of styles.
#include "zoe/control/hybrid.h"

#include <gtest/gtest.h>

#include "zoe/control/style_mix.h"
#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/store/safetensors.h"

#include "control/every_type.h"
#include "support/data.h"

namespace zoe::control::test {
namespace {

// The network sees what the network alone sees, so the character does the same, bit by bit.
TEST(Hybrid, TrustedNetworkMovesAsAlone) {
  HybridParts parts = hybrid_parts();
  const ControllerPtr alone = make_neural_controller(parts.neural).value();
  const ControllerPtr hybrid = make_hybrid_controller(std::move(parts)).value();
  const auto a = alone->make_state(), b = hybrid->make_state();
  force_hybrid(*b, HybridMode::kNetwork);
  for (int tick = 0; tick < 200; ++tick) {
    alone->tick(*a, intent_at(Wish::kSticks, tick), 1.0 / 30);
    hybrid->tick(*b, intent_at(Wish::kSticks, tick), 1.0 / 30);
    ASSERT_EQ(a->root().position, b->root().position) << tick;
    for (std::size_t j = 0; j < a->pose().rotations.size(); ++j)
      ASSERT_EQ(a->pose().rotations[j], b->pose().rotations[j]) << tick;
  }
  EXPECT_FALSE(hybrid_report(*b).matching);
}

float largest_step_m(const Controller& controller, ControllerState& state, int ticks, int* hand_overs) {
  std::vector<Affine> now(idx(controller.skeleton()->num_joints())), before(now);
  float largest = 0;
  for (int tick = 0; tick < ticks; ++tick) {
    controller.tick(state, intent_at(Wish::kSticks, tick), 1.0 / 30);
    compute_model_from_joint(*controller.skeleton(), state.pose(), now);
    for (std::size_t j = 0; tick > 0 && j < now.size(); ++j)
      largest = std::max(largest, distance(now[j].t, before[j].t));
    std::swap(now, before);
  }
  *hand_overs = hybrid_report(state).num_hand_overs;
  return largest;
}

TEST(Hybrid, HandsOverBothWaysWithoutAJump) {
  const ControllerPtr hybrid = controller_of("hybrid");
  float largest[2];
  int hand_overs = 0;
  for (const HybridMode mode : {HybridMode::kNetwork, HybridMode::kMatching}) {
    const auto state = hybrid->make_state();
    force_hybrid(*state, mode);
    largest[mode == HybridMode::kMatching ? 1 : 0] = largest_step_m(*hybrid, *state, 600, &hand_overs);
  }
  const auto state = hybrid->make_state();
  const float both = largest_step_m(*hybrid, *state, 600, &hand_overs);
  EXPECT_GE(hand_overs, 4);
  EXPECT_LT(both, 1.5F * std::max(largest[0], largest[1]) + 0.05F);
}

// A change of the stick makes the network doubtful; matching stays for its least time, then the network returns.
TEST(Hybrid, FollowsItsThreshold) {
  const ControllerPtr hybrid = controller_of("hybrid");
  const auto state = hybrid->make_state();
  const auto walk = [&](Vec3 velocity, int ticks) {
    int matching = 0;
    for (int tick = 0; tick < ticks; ++tick) {
      hybrid->tick(*state, Intent::move(velocity), 1.0 / 30);
      matching += hybrid_report(*state).matching ? 1 : 0;
    }
    return matching;
  };
  walk({0, 0, 1}, 120);
  EXPECT_FALSE(hybrid_report(*state).matching);
  EXPECT_GT(hybrid_report(*state).confidence, 0.9F);
  const int after_turn = walk({0, 0, -1}, 90);
  EXPECT_GE(after_turn, static_cast<int>(HybridOptions{}.least_match_s * 30));
  EXPECT_FALSE(hybrid_report(*state).matching) << "it returns";
}

TEST(Hybrid, RefusesPartsThatDoNotFit) {
  HybridParts parts = hybrid_parts();
  parts.options.threshold = 1.5F;
  EXPECT_FALSE(make_hybrid_controller(std::move(parts)));
  parts = hybrid_parts();
  const Walker cxm = make_walker("cxm");
  parts.neural.network = random_network(cxm, 0.02F);
  EXPECT_FALSE(make_hybrid_controller(std::move(parts))) << "a network of sequences";
}

TEST(Confidence, FileRoundTripsAndDamageIsRefused) {
  const Confidences saved = hybrid_parts().confidence;
  const std::filesystem::path file = zoe::test::temporary_dir("confidence") / "confidence.safetensors";
  ASSERT_TRUE(save_confidences(file, saved));
  const Confidences read = load_confidences(Safetensors::open(file).value()).value();
  PoseSigns signs{};
  for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = 0.1F * static_cast<float>(i);
  EXPECT_EQ(read.network.of(signs), saved.network.of(signs));
  EXPECT_EQ(read.matching.of(signs), saved.matching.of(signs));
  signs[3] = std::nanf("");
  EXPECT_EQ(read.network.of(signs), 0) << "what is not a number is not trusted";
  std::string bytes(MappedFile::open(file).value().text());
  int refused = 0;
  const std::size_t begin = bytes.size() - 200;  // Within the numbers.
  for (std::size_t at = begin; at < bytes.size(); at += 7) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    ASSERT_TRUE(write_file_atomic(file, damaged));
    const auto opened = Safetensors::open(file);
    refused += !opened || !load_confidences(*opened) ? 1 : 0;
  }
  EXPECT_EQ(refused, static_cast<int>((200 + 6) / 7));
}

TEST(StyleMix, ReadsSums) {
  const std::vector<std::string> styles{"injured", "stealth", "old"};
  const auto mix = [&](const char* text) { return parse_style_mix(text, styles); };
  EXPECT_FLOAT_EQ(mix("0.6*injured+0.4*stealth").value()[0], 0.6F);
  EXPECT_FLOAT_EQ(mix("0.6*injured + 0.4*stealth").value()[1], 0.4F);
  EXPECT_FLOAT_EQ(mix("old").value()[2], 1);
  EXPECT_FLOAT_EQ(mix("1.5*old-0.5*injured").value()[0], -0.5F);
  EXPECT_FLOAT_EQ(mix("-0.25*old").value()[2], -0.25F);
  EXPECT_EQ(mix("none").value(), StyleMix{});
  for (const char* wrong :
       {"", "+", "0.5*", "x*old", "older", "old+old", "3*old", "-2*old", "0.5*none", "old++injured"})
    EXPECT_FALSE(mix(wrong)) << wrong;
  EXPECT_NE(mix("olf").error().message.find("old"), std::string::npos) << "suggests";
  // Names may have signs themselves.
  const std::vector<std::string> signs{"walk", "walk-back", "back"};
  EXPECT_EQ(parse_style_mix("walk-back", signs).value(), (StyleMix{0, 1, 0}));
  EXPECT_EQ(parse_style_mix("0.5*walk-back-0.25*back", signs).value(), (StyleMix{0, 0.5F, -0.25F}));
  EXPECT_EQ(parse_style_mix("-0.5*back + walk-back", signs).value(), (StyleMix{0, 1, -0.5F}));
  EXPECT_EQ(parse_style_mix("walk-0.5*back", signs).value(), (StyleMix{1, 0, -0.5F}));
  const auto source = with_style_mix(parse_script("0 move 0 1\n1 style old\n", "", {.styles = styles}).value(),
                                     mix("0.5*stealth").value());
  EXPECT_EQ(source->next({}, 0.1).styles[1], 0.5F);
  source->next({}, 2);
  EXPECT_EQ(source->next({}, 2).styles[2], 1) << "the script's own style";
}

}  // namespace
}  // namespace zoe::control::test
