// SPDX-License-Identifier: MIT
#include "zoe/certify/certify.h"

#include <algorithm>

#include "zoe/certify/sabotage.h"
#include "zoe/motion/edit.h"

#include "certify/clips.h"

namespace zoe::certify::test {
namespace {

const Finding* finding_of(const Certificate& certificate, Check check) {
  const auto found = std::ranges::find_if(certificate.findings, [&](const Finding& one) { return one.check == check; });
  return found == certificate.findings.end() ? nullptr : &*found;
}

double value_of(const Certificate& certificate, Check check) {
  const Measure* measure = certificate.measure(check);
  return measure != nullptr ? measure->value : -1;
}

std::string words(const Certificate& certificate) {
  std::string text;
  for (const Finding& one : certificate.findings) text += std::string(to_string(one.check)) + ": " + one.text + "\n";
  return text;
}

TEST(Certify, CleanClipsOfSeveralFamiliesHaveNoFindings) {
  for (const auto& [family, gait] :
       {std::pair{BodyFamily::kBiped, synth::Gait::kWalk}, std::pair{BodyFamily::kBiped, synth::Gait::kRun},
        std::pair{BodyFamily::kQuadruped, synth::Gait::kTrot}, std::pair{BodyFamily::kHexapod, synth::Gait::kTripod},
        std::pair{BodyFamily::kSnake, synth::Gait::kSlither}, std::pair{BodyFamily::kFish, synth::Gait::kSwim}}) {
    const JudgedBody clip = make_body_clip(family, gait);
    const Certificate certificate = certify_clip(clip.motion, clip.body);
    EXPECT_TRUE(certificate.is_clean()) << to_string(family) << ": " << words(certificate);
    EXPECT_FALSE(certificate.measures.empty());
  }
}

// The value is the size of the defect, which is known, not what the judge computes by itself.
TEST(Certify, ValuesAreTheSizesOfTheDefects) {
  const JudgedBody clip = walker();
  SabotageSizes sizes;
  const auto judged = [&](Check way) {
    const std::optional<Sabotaged> bad = sabotage(clip.motion, clip.body, way, 5, sizes);
    EXPECT_TRUE(bad.has_value()) << to_string(way);
    return certify_clip(bad->motion, clip.body);
  };
  sizes.jitter_deg = 3;
  EXPECT_NEAR(value_of(judged(Check::kJitter), Check::kJitter), 3, 0.7);
  sizes.stretch = 1.4;
  EXPECT_NEAR(value_of(judged(Check::kBoneStretch), Check::kBoneStretch), 40, 0.5);
  sizes.spike_deg = 75;
  EXPECT_NEAR(value_of(judged(Check::kSpike), Check::kSpike), 75, 8);
  const double level = value_of(certify_clip(clip.motion, clip.body), Check::kFloating);
  Motion raised = clip.motion;
  for (int f = 0; f < raised.num_frames; ++f)
    raised.translations[static_cast<std::size_t>(f * raised.num_joints())].y += 0.5F;
  EXPECT_NEAR(value_of(certify_clip(raised, clip.body), Check::kFloating), level + 0.5, 0.02);
}

// A body that glides at 0.6 m/s: no foot can be slower for long.
TEST(Certify, AGlidingBodySlidesAtItsSpeed) {
  const JudgedBody clip = make_body_clip(BodyFamily::kBiped, synth::Gait::kIdle);
  Motion glide = clip.motion;
  for (int f = 0; f < glide.num_frames; ++f)
    glide.translations[static_cast<std::size_t>(f * glide.num_joints())].x += 0.6F * static_cast<float>(f) / 30.0F;
  const Certificate certificate = certify_clip(glide, clip.body);
  ASSERT_TRUE(certificate.has(Check::kFootSlide));
  EXPECT_NEAR(value_of(certificate, Check::kFootSlide), 0.6, 0.05);
  EXPECT_FALSE(certify_clip(clip.motion, clip.body).has(Check::kFootSlide));
}

TEST(Certify, EverySabotageIsNamedAndPlaced) {
  for (const auto& [family, gait] :
       {std::pair{BodyFamily::kBiped, synth::Gait::kRun}, std::pair{BodyFamily::kQuadruped, synth::Gait::kTrot}}) {
    const JudgedBody clip = make_body_clip(family, gait);
    int ways = 0;
    for (const Check way :
         {Check::kFootSlide, Check::kPenetration, Check::kFloating, Check::kKneeFlip, Check::kElbowFlip, Check::kTwist,
          Check::kSideSwap, Check::kJitter, Check::kSpike, Check::kLoopSeam, Check::kBoneStretch}) {
      const std::optional<Sabotaged> bad = sabotage(clip.motion, clip.body, way, 4);
      if (!bad) continue;
      ++ways;
      CertifyOptions options;
      options.loop = way == Check::kLoopSeam;
      const Certificate certificate = certify_clip(bad->motion, clip.body, options);
      const Finding* finding = finding_of(certificate, way);
      ASSERT_NE(finding, nullptr) << to_string(family) << " " << to_string(way) << ": " << words(certificate);
      EXPECT_GT(finding->value, finding->limit);
      EXPECT_LE(finding->first_frame, bad->last_frame + 2) << to_string(way);
      EXPECT_GE(finding->last_frame, bad->first_frame - 2) << to_string(way);
      if (bad->joint != kNoJoint) {
        EXPECT_NE(std::ranges::find(finding->joints, bad->joint), finding->joints.end()) << to_string(way);
      }
      EXPECT_FALSE(finding->text.empty());
    }
    EXPECT_GE(ways, 9);
  }
}

TEST(Certify, RigsOfWrongSizeUpFacingAndWeights) {
  const JudgedBody clip = make_body_clip(BodyFamily::kBiped, synth::Gait::kWalk, true);
  const Certificate clean = certify_rig(*clip.character, clip.body, std::span(&clip.motion, 1));
  EXPECT_TRUE(clean.is_clean()) << words(clean);
  const std::optional<Character> painted = sabotage_weights(*clip.character, 1);
  ASSERT_TRUE(painted.has_value());
  EXPECT_TRUE(certify_rig(*painted, clip.body, std::span(&clip.motion, 1)).has(Check::kWeights));
  for (const Check way : {Check::kScale, Check::kUp, Check::kFacing}) {
    const std::optional<Sabotaged> bad = sabotage(clip.motion, clip.body, way, 1);
    ASSERT_TRUE(bad.has_value()) << to_string(way);
    Character bare;
    bare.skeleton = bad->motion.skeleton;
    AnalysisOptions options;
    options.stated_metres_per_unit = 1.0;
    const SkeletonAnalysis body = analyse(*bare.skeleton, std::span(&bad->motion, 1), nullptr, options);
    const Certificate certificate = certify_rig(bare, body, std::span(&bad->motion, 1));
    EXPECT_TRUE(certificate.has(way)) << to_string(way) << ": " << words(certificate);
  }
}

TEST(Certify, WhatTheSourceHasIsNoFinding) {
  const JudgedBody clip = walker();
  const Motion shaky = sabotage(clip.motion, clip.body, Check::kJitter, 2)->motion;
  EXPECT_TRUE(certify_against(shaky, clip.body, clip.motion, clip.body).has(Check::kJitter));
  EXPECT_FALSE(certify_against(shaky, clip.body, shaky, clip.body).has(Check::kJitter));
  const Certificate same = certify_against(clip.motion, clip.body, clip.motion, clip.body);
  EXPECT_TRUE(same.is_clean()) << words(same);
  EXPECT_NEAR(value_of(same, Check::kSource), 0, 1e-3);
}

TEST(Certify, ToleranceMultipliesLimits) {
  const JudgedBody clip = walker();
  const Motion shaky = sabotage(clip.motion, clip.body, Check::kJitter, 2)->motion;
  CertifyOptions options;
  options.tolerance = 10;
  EXPECT_FALSE(certify_clip(shaky, clip.body, options).has(Check::kJitter));
}

TEST(Certify, ShortAndStrangeClipsAreSkippedNotRefused) {
  const JudgedBody clip = walker();
  for (const int frames : {1, 2, 3, 5, 9, 25}) {
    const Motion part = *trim(clip.motion, 0, frames - 1);
    CertifyOptions options;
    options.loop = true;
    const Certificate certificate = certify_clip(part, clip.body, options);
    if (frames < 12) {
      EXPECT_FALSE(certificate.skipped.empty()) << frames;
    }
    for (int way = 0; way < kNumChecks; ++way) sabotage(part, clip.body, static_cast<Check>(way), 1);
  }
  const SkeletonPtr one = *Skeleton::create({JointDesc{"alone", kNoJoint, {}, JointKind::kBone}});
  const Motion still = make_motion(one, "still", 30, 40, false);
  const SkeletonAnalysis body = analyse(*one, std::span(&still, 1));
  certify_clip(still, body);
  Character bare;
  bare.skeleton = one;
  certify_rig(bare, body, {});
  for (int way = 0; way < kNumChecks; ++way) sabotage(still, body, static_cast<Check>(way), 1);
  SUCCEED();
}

}  // namespace
}  // namespace zoe::certify::test
