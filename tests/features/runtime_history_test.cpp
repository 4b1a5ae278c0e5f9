// SPDX-License-Identifier: MIT
// A clip replayed tick by tick gives the inputs that training saw.
#include "zoe/features/runtime_history.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"

#include "features/turning_walker.h"
#include "support/allocation.h"

namespace zoe::features {
namespace {

// Looks back and ahead, with everything that a tick brings.
Layout a_layout() {
  const Schema schema = Schema::parse(R"(
fps = 30.0
[root]
half_window_s = 0.0
[contacts]
by_speed = true
speed_m_s = 1.0
[labels]
styles = ["calm"]
[input]
channels = [
  "joint.position", "joint.velocity", "joint.z_axis at=-1",
  "root parts=position,direction,velocity,speed times=-0.5:0.5:11",
  "guidance", "contact", "style", "terrain times=-0.5:0.5:3", "phase.global",
  "goal parts=position,direction times=-0.2:0:3", "joint.position space=goal", "signal name=sonar width=2", "gating",
  "joint parts=position,rotation_6d,contact space=canonical", "joint.velocity space=parent",
]
)")
                            .value();
  return Layout::compile(schema, *test::walker_skeleton(), test::walker_analysis()).value();
}

std::span<const float> source_values(const Layout& layout, Group group, const float* row) {
  for (const RowSource& source : layout.row_sources())
    if (source.group == group) return {row + source.offset, static_cast<std::size_t>(source.width)};
  return {};
}

PlanarRoot root_of(const float* row) { return {{row[row::kX], row[row::kY], row[row::kZ]}, row[row::kFacing]}; }

TEST(RuntimeHistory, ReplayedClipGivesTheInputsOfTraining) {
  const Layout layout = a_layout();
  const test::Circle circle;
  Motion motion = test::circling(circle, 181);
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    if (i % 6 != 0)
      motion.rotations[i] = from_rotation_vector(Vec3{0.4F * std::sin(0.05F * static_cast<float>(i)), 0, 0.1F});
  }
  const GroundPtr hills = Ground::function([](float x, float z) { return 0.2F * std::sin(x) + 0.1F * z; });
  const LabelTrack label{"calm", 0.75F, {}};
  std::vector<Goal> goals(181);
  std::vector<float> sonar(2 * 181);
  for (std::size_t f = 0; f < 181; ++f) {
    const float s = static_cast<float>(f) / 60;
    goals[f] = {{s, 0.5F, 2 - s}, {std::sin(s), 0, std::cos(s)}};
    sonar[2 * f] = s;
    sonar[2 * f + 1] = 1 - s;
  }
  const SignalTrack track{"sonar", sonar};
  const std::vector<float> rows =
      build_frame_rows(
          layout,
          {.motion = &motion, .labels = {&label, 1}, .ground = hills.get(), .goals = goals, .signals = {&track, 1}})
          .value();
  const ClipRows clip{rows.data(), num_rows(layout, motion)};
  const auto row_at = [&](int k) { return rows.data() + static_cast<std::size_t>(k * layout.frame_width()); };

  RuntimeHistory history(layout, motion.skeleton);
  std::vector<float> expected(layout.size(BlockKind::kInput)), found(expected.size());
  ControlSeries control = ControlSeries::standing({0, 0.5, 16}, {});
  double worst = 0;
  int compared = 0;
  for (int f = 0; f < motion.num_frames; ++f) {
    // The character's root, and what its state says: contacts, phase and guidance that training took from the clip.
    const int k = f / 2;
    const float* here = row_at(k);
    const double t = f / circle.fps;
    const PlanarRoot root{{static_cast<float>(circle.x(t)), 0, static_cast<float>(circle.z(t))},
                          static_cast<float>(circle.facing(t))};
    const auto phase = source_values(layout, Group::kPhaseGlobal, here);
    const SignalTrack ping{"sonar", std::span(sonar).subspan(2 * static_cast<std::size_t>(f), 2)};
    const test::AllocationMeter meter;
    history.push(motion.frame(f), root, 1 / circle.fps,
                 {.contacts = source_values(layout, Group::kContact, here),
                  .guidance = source_values(layout, Group::kGuidance, here),
                  .styles = source_values(layout, Group::kStyle, here),
                  .global_phase = {phase[0], phase[1]},
                  .ground = hills.get(),
                  .goal = &goals[static_cast<std::size_t>(f)],
                  .signals = {&ping, 1}});
    if (f % 2 != 0 || k < layout.past_frames() + 1 || k + layout.future_frames() >= clip.num_rows) continue;
    for (int i = 0; i < 16; ++i) {
      control.roots[static_cast<std::size_t>(i)] = root_of(row_at(k + i));
      const float* ahead = row_at(k + i);
      control.velocities[static_cast<std::size_t>(i)] = {ahead[row::kVelocityX], ahead[row::kVelocityY],
                                                         ahead[row::kVelocityZ]};
    }
    history.encode(BlockKind::kInput, &control, found);
    EXPECT_EQ(meter.allocations(), 0U) << "ticks must not allocate";
    const Sample sample{0, k, 0};
    ASSERT_TRUE((GatherJob{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .input = expected}.run()));
    for (std::size_t i = 0; i < found.size(); ++i) worst = std::max(worst, double{std::abs(found[i] - expected[i])});
    ++compared;
  }
  EXPECT_GT(compared, 50);
  EXPECT_LT(worst, 1e-4);
}

TEST(RuntimeHistory, ControlNeedNotBeginAtTheCharacter) {
  const Layout layout = a_layout();
  const SkeletonPtr skeleton = test::walker_skeleton();
  RuntimeHistory history(layout, skeleton);
  const Pose pose = make_pose(*skeleton);
  history.push(pose.view(), {{0, 0, 0}, 0}, 0.02);
  ControlSeries control = ControlSeries::standing({0, 0.5, 16}, {{0, 0, 1}, 0});
  std::vector<float> input(layout.size(BlockKind::kInput));
  history.encode(BlockKind::kInput, &control, input);
  const Column trajectory = layout.find_column(BlockKind::kInput, "root").value();
  const auto z_at = [&](int i) { return input[static_cast<std::size_t>(trajectory.begin + 7 * i + 1)]; };
  EXPECT_NEAR(z_at(4), 0, 1e-6) << "the past is the character's";
  EXPECT_NEAR(z_at(5), 1, 1e-6) << "now and later are wanted";
  EXPECT_NEAR(z_at(10), 1, 1e-6);
  // The pose is still in the character's own root.
  EXPECT_NEAR(input[1], 1, 1e-6);
  EXPECT_NEAR(input[2], 0, 1e-6);
  // Without control the root stands where it is.
  history.encode(BlockKind::kInput, nullptr, input);
  EXPECT_NEAR(z_at(10), 0, 1e-6);
}

// 24 ticks a second, rows at 30: what lies between ticks is interpolated.
TEST(RuntimeHistory, TicksNeedNotComeAtTheLayoutsRate) {
  const Layout layout = a_layout();
  const SkeletonPtr skeleton = test::walker_skeleton();
  RuntimeHistory history(layout, skeleton, 24);
  const Pose pose = make_pose(*skeleton);
  for (int i = 0; i <= 48; ++i) history.push(pose.view(), {{0, 0, static_cast<float>(i) / 24}, 0}, 1 / 24.0);
  std::vector<float> input(layout.size(BlockKind::kInput));
  history.encode(BlockKind::kInput, nullptr, input);
  const Column trajectory = layout.find_column(BlockKind::kInput, "root").value();
  for (int i = 0; i < 5; ++i) {
    const double t = -0.5 + 0.1 * i;  // One metre a second.
    EXPECT_NEAR(input[static_cast<std::size_t>(trajectory.begin + 7 * i + 1)], t, 1e-5);
  }
}

// Rings whose newest rows lie in different places, one that had more than it holds and one that had less.
TEST(RuntimeHistory, ContinuesInAnotherOne) {
  const Layout layout = a_layout();
  const SkeletonPtr skeleton = test::walker_skeleton();
  Pose pose = make_pose(*skeleton);
  const auto push = [&](RuntimeHistory& history, int i) {
    pose.rotations[1] = from_rotation_vector(Vec3{0.03F * static_cast<float>(i), 0, 0});
    history.push(pose.view(), {{0, 0, 0.1F * static_cast<float>(i)}, 0.05F * static_cast<float>(i)}, 1 / 30.0);
  };
  const auto bytes_of = [](RuntimeHistory& history) {
    StateArchive measure = StateArchive::measuring();
    history.describe(measure);
    std::vector<std::byte> bytes(measure.num_bytes());
    StateArchive archive = StateArchive::writing(bytes);
    history.describe(archive);
    return bytes;
  };
  std::vector<float> expected(layout.size(BlockKind::kInput)), found(expected.size());
  for (const int before : {1, 5, 100}) {
    RuntimeHistory history(layout, skeleton, 30), other(layout, skeleton, 30);
    for (int i = 0; i < before; ++i) push(history, i);
    for (int i = 0; i < 31; ++i) push(other, 7 * i);
    const std::vector<std::byte> bytes = bytes_of(history);
    ASSERT_EQ(bytes.size(), bytes_of(other).size());
    StateArchive archive = StateArchive::reading(bytes);
    other.describe(archive);
    EXPECT_EQ(bytes_of(other), bytes);
    for (int i = before; i < before + 40; ++i) {
      history.encode(BlockKind::kInput, nullptr, expected);
      other.encode(BlockKind::kInput, nullptr, found);
      ASSERT_EQ(found, expected) << i;
      push(history, i);
      push(other, i);
    }
  }
}

// A history for inputs only keeps less of the past, and gives the same inputs, also after its space moved.
TEST(RuntimeHistory, ForInputsOnlyIsSmallerAndTheSame) {
  const SkeletonPtr skeleton = test::walker_skeleton();
  const Schema schema = Schema::parse(R"(
fps = 30.0
[root]
half_window_s = 0.0
[input]
channels = ["joint.position", "joint.velocity", "root parts=position,direction,velocity times=-0.5:0.5:11"]
[output]
channels = ["joint.position at=-3", "joint.z_axis at=-10"]
)")
                            .value();
  const Layout layout = Layout::compile(schema, *skeleton, test::walker_analysis()).value();
  RuntimeHistory whole(layout, skeleton, 30), lean(layout, skeleton, 30, false);
  Pose pose = make_pose(*skeleton);
  std::vector<float> expected(layout.size(BlockKind::kInput)), found(expected.size()),
      window(RuntimeHistory::window_size(layout), 1e9F);
  for (int i = 0; i < 80; ++i) {
    pose.rotations[1] = from_rotation_vector(Vec3{0.03F * static_cast<float>(i), 0, 0});
    const PlanarRoot root{{300, 0, 0.1F * static_cast<float>(i)}, 0.05F * static_cast<float>(i)};
    const PlanarRoot offset{{256, 0, 2}, 0};
    const bool moved = i >= 40;
    for (RuntimeHistory* history : {&whole, &lean}) {
      history->push(pose.view(), {moved ? root.position - offset.position : root.position, root.facing_rad}, 1 / 30.0);
      if (i == 39) history->move_space(offset);
    }
    whole.encode(BlockKind::kInput, nullptr, expected);
    lean.encode(BlockKind::kInput, nullptr, found, window);
    ASSERT_EQ(found, expected) << i;
  }
  StateArchive lean_bytes = StateArchive::measuring(), whole_bytes = StateArchive::measuring();
  lean.describe(lean_bytes);
  whole.describe(whole_bytes);
  EXPECT_LT(lean_bytes.num_bytes(), whole_bytes.num_bytes() / 2);
}

}  // namespace
}  // namespace zoe::features
