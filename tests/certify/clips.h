// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Synthetic clips to be judged.
#pragma once

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/synth/draw.h"

namespace zoe::certify::test {

struct JudgedBody {
  CharacterPtr character;
  Motion motion;
  SkeletonAnalysis body;
};

inline JudgedBody make_body_clip(BodyFamily family, synth::Gait gait, bool mesh = false, std::uint64_t seed = 3) {
  synth::DrawOptions options;
  options.families = {family};
  options.gaits = {gait};
  options.styles = {synth::Style::kNeutral};
  options.courses = {synth::Course::kStraight};
  options.names = {synth::Names::kPlain};
  options.seconds = 4;
  options.fps = 30;
  options.mesh = mesh;
  auto drawn = synth::draw_clip(options, seed, 0);
  EXPECT_TRUE(drawn.has_value());
  JudgedBody out{drawn->body.character, std::move(drawn->clip.motion), {}};
  AnalysisOptions analysis;
  analysis.stated_metres_per_unit = 1.0;
  out.body = analyse(*out.motion.skeleton, std::span(&out.motion, 1), mesh ? out.character.get() : nullptr, analysis);
  return out;
}

inline JudgedBody walker() { return make_body_clip(BodyFamily::kBiped, synth::Gait::kWalk); }

}  // namespace zoe::certify::test
