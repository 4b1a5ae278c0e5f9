// SPDX-License-Identifier: MIT
#include "zoe/certify/fix.h"

#include "zoe/certify/certify.h"
#include "zoe/certify/sabotage.h"
#include "zoe/motion/joint_tracks.h"

#include "certify/clips.h"

namespace zoe::certify::test {
namespace {

// Mean distance of all joints between two clips of the same frames, metres.
double apart(const Motion& a, const Motion& b) {
  std::vector<int> joints;
  for (int j = 0; j < a.num_joints(); ++j) joints.push_back(j);
  const std::vector<Vec3> p = model_positions(a, joints), q = model_positions(b, joints);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += static_cast<double>(distance(p[i], q[i]));
  return sum / static_cast<double>(p.size());
}

TEST(Fix, LeavesACleanClipNearlyAsItIs) {
  const JudgedBody clip = walker();
  FixReport report;
  const Motion fixed = *fix_clip(clip.motion, clip.body, {}, &report);
  EXPECT_EQ(report.num_spikes, 0);
  EXPECT_EQ(report.num_flipped, 0);
  EXPECT_FALSE(report.root_moved);
  EXPECT_LT(apart(clip.motion, fixed), 0.005);
}

// What was damaged comes back: the original is the reference.
TEST(Fix, BringsSpikesFlipsAndHeightsBack) {
  const JudgedBody clip = make_body_clip(BodyFamily::kBiped, synth::Gait::kRun);
  for (const Check way : {Check::kSpike, Check::kKneeFlip, Check::kElbowFlip, Check::kPenetration, Check::kFloating}) {
    const std::optional<Sabotaged> bad = sabotage(clip.motion, clip.body, way, 6);
    if (!bad) continue;
    ASSERT_TRUE(certify_clip(bad->motion, clip.body).has(way)) << to_string(way);
    FixOptions options;
    options.feet = false;
    options.root = FixOptions::Root::kNever;
    const Motion fixed = *fix_clip(bad->motion, clip.body, options);
    EXPECT_FALSE(certify_clip(fixed, clip.body).has(way)) << to_string(way);
    EXPECT_LT(apart(clip.motion, fixed), 0.5 * apart(clip.motion, bad->motion)) << to_string(way);
  }
}

TEST(Fix, RootMotionComesFromTheFeet) {
  const JudgedBody clip = walker();
  const Motion glides = sabotage(clip.motion, clip.body, Check::kFootSlide, 2)->motion;
  const double before = certify_clip(glides, clip.body).measure(Check::kFootSlide)->value;
  FixReport report;
  const Motion fixed = *fix_clip(glides, clip.body, {}, &report);
  const Certificate certificate = certify_clip(fixed, clip.body);
  EXPECT_TRUE(report.root_moved);
  EXPECT_FALSE(certificate.has(Check::kFootSlide));
  EXPECT_LT(certificate.measure(Check::kFootSlide)->value, 0.5 * before);
  EXPECT_LT(report.mean_pose_change_m, 0.01);
  EXPECT_LT(report.slide_after_m_s, 0.5 * report.slide_before_m_s);
}

TEST(Fix, ClosesLoops) {
  const JudgedBody clip = walker();
  const Motion cut = sabotage(clip.motion, clip.body, Check::kLoopSeam, 2)->motion;
  CertifyOptions judged;
  judged.loop = true;
  ASSERT_TRUE(certify_clip(cut, clip.body, judged).has(Check::kLoopSeam));
  FixOptions options;
  options.loop = true;
  const Motion fixed = *fix_clip(cut, clip.body, options);
  EXPECT_FALSE(certify_clip(fixed, clip.body, judged).has(Check::kLoopSeam));
}

TEST(Fix, RefusesAClipWithoutFrames) {
  const JudgedBody clip = walker();
  const Motion empty = make_motion(clip.motion.skeleton, "empty", 30, 0, false);
  EXPECT_FALSE(fix_clip(empty, clip.body).has_value());
}

}  // namespace
}  // namespace zoe::certify::test
