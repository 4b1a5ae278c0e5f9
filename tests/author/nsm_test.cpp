// SPDX-License-Identifier: MIT
// Type nsm: a replayed clip perceives at run time what the network was trained on.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/author/show_deed.h"
#include "zoe/author/types.h"
#include "zoe/control/deed_state.h"
#include "zoe/core/index.h"
#include "zoe/synth/interaction.h"

#include "author/nsm/deed_signals.h"
#include "author/nsm/deed_trial.h"

namespace zoe::author {
namespace {

struct Made {
  synth::InteractionClip clip;
  dataset::PropTrack track;
  RootTrajectory roots;
};

Made make(synth::Deed deed, std::uint64_t seed) {
  // Bodies with a tail do not sit.
  synth::Body body;
  for (std::uint64_t of_body = 5; body.arms.empty() || !body.tail.empty(); ++of_body)
    body = synth::make_body(BodyFamily::kBiped, Random(of_body), {.mesh = false});
  Made made;
  made.clip =
      synth::make_interaction(body, synth::draw_interaction(body, deed, 30, Random(seed)), Random(seed).split(1))
          .value();
  made.track.fps = 30;
  for (int i = 0; i < synth::kNumDeeds; ++i) made.track.deeds.emplace_back(to_string(static_cast<synth::Deed>(i)));
  made.track.num_props = made.clip.num_props;
  made.track.props = made.clip.props;
  for (const synth::Deed one : made.clip.deeds) made.track.deed.push_back(static_cast<int>(one));
  for (const synth::DeedGoal& goal : made.clip.goals)
    made.track.goals.push_back({static_cast<int>(goal.deed), goal.position, goal.facing_rad});
  const Motion& motion = made.clip.clip.motion;
  const SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
  const features::Layout layout =
      features::Layout::compile(schema_of(*find_type("nsm").value()).value(), *motion.skeleton, analysis).value();
  made.roots = extract_root(motion, layout.root_joints(), layout.root_options()).value();
  return made;
}

TEST(Nsm, AReplayedClipPerceivesTrainingsInputs) {
  using namespace control;
  const DeedColumns columns{0, kDeedStateWidth, kDeedStateWidth + kSurroundingsWidth, 0};
  const DeedSenses senses;
  for (const synth::Deed deed : {synth::Deed::kSit, synth::Deed::kCarry, synth::Deed::kOpen}) {
    SCOPED_TRACE(to_string(deed));
    const Made made = make(deed, 3);
    const auto signals = deed_signals_of(made.track, made.clip.clip.motion, made.roots.roots, 0).value();
    const auto goals = anchored_goals(made.track).value();
    DeedState state;
    std::vector<float> x(idx(kDeedStateWidth + kSurroundingsWidth + kInteractionWidth));
    int seen_deeds = 0;
    for (std::size_t f = 0; f < made.roots.roots.size(); ++f) {
      const PlanarRoot& root = made.roots.roots[f];
      const auto props = std::span(made.track.props).subspan(f * made.track.num_props, made.track.num_props);
      // A step later the runtime has the deed that the network predicts for this frame.
      const auto next = std::span(signals[3].values).subspan(f * idx(kDeedNextWidth), idx(kDeedNextWidth));
      if (f > 0) state.follow(next, 1.0F / 30);
      state.set_goal({goals[f], true}, root);
      // The path ahead is the intent's at run time: here the clip's, in the root's space as training has it.
      const float* trained = signals[0].values.data() + f * idx(kDeedStateWidth);
      const Vec3 ahead{trained[kDeedGoalBegin - 2], 0, trained[kDeedGoalBegin - 1]};
      const Vec3 way = rotate(rotation_of(root), normalized(ahead, Vec3{}));
      state.write(columns, senses, props, root, way, x);
      seen_deeds += f > 0 && state.progress().deed_s == 0 ? 1 : 0;
      std::size_t at = 0;
      for (const auto& [signal, width] :
           {std::pair{0, kDeedStateWidth}, {1, kSurroundingsWidth}, {2, kInteractionWidth}}) {
        for (std::size_t i = 0; i < idx(width); ++i, ++at) {
          ASSERT_NEAR(x[at], signals[idx(signal)].values[f * idx(width) + i], 2e-4F)
              << "frame " << f << " signal " << signal << " column " << i;
        }
      }
    }
    EXPECT_GE(seen_deeds, 3) << "the clip has several deeds";
  }
}

TEST(Nsm, GoalsAreAnchorsOfProps) {
  const Made made = make(synth::Deed::kCarry, 4);
  const auto goals = anchored_goals(made.track).value();
  EXPECT_EQ(goals.front().deed, control::Deed::kLift);
  EXPECT_NEAR(distance(goals.front().place.position, made.track.props.front().position), 0, 1e-5F);
  const auto put =
      std::find_if(goals.begin(), goals.end(), [](const auto& g) { return g.deed == control::Deed::kPutDown; });
  ASSERT_NE(put, goals.end());
  const Prop& last = made.track.props[(made.track.num_frames() - 1) * made.track.num_props];
  EXPECT_NEAR(distance(put->place.position, last.position), 0, 1e-3F) << "where the box is at the end";
  const auto signals = deed_signals_of(made.track, made.clip.clip.motion, made.roots.roots, 0).value();
  int held = 0;
  for (std::size_t f = 0; f < goals.size(); ++f) held += signals[3].values[f * idx(control::kDeedNextWidth) + 7] > 0.5F;
  EXPECT_GT(held, 60) << "the box is held for seconds";
  EXPECT_LT(held, static_cast<int>(goals.size()) - 60);
}

// Weights are chosen by what is done; bodies inside of props cost less than tasks that fail.
TEST(Nsm, WeightsThatDoMoreCostLess) {
  const DeedsDone good{.sit = 0.9, .carry = 0.9, .open = 0.9, .avoid = 0.9};
  DeedsDone clumsy = good, lazy = good;
  clumsy.touching = 0.3;
  lazy.sit = 0.7;
  EXPECT_LT(good.cost(), clumsy.cost());
  EXPECT_LT(clumsy.cost(), lazy.cost());
  const Trial trial = deed_trial({});
  EXPECT_EQ(trial.columns.size(), 5U);
}

TEST(Nsm, RefusesDeedsWithoutAName) {
  Made made = make(synth::Deed::kSit, 5);
  made.track.deeds[2] = "fly";
  EXPECT_FALSE(deed_signals_of(made.track, made.clip.clip.motion, made.roots.roots, 0));
}

}  // namespace
}  // namespace zoe::author
