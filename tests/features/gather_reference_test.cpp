// SPDX-License-Identifier: MIT
// Gathering against its rules, written out: every kind of channel, at times and samples between rows and outside the
// clip; and the same for a desired trajectory.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/features/gather_job.h"

#include "features/turning_walker.h"

namespace zoe::features {
namespace {

constexpr double kFps = 30;

const char* const kChannels[] = {
    "joint.position joints=feet",                                                         // 0
    "root parts=position,direction,velocity,height,speed,turn_speed times=-0.25:0.35:5",  // 1
    "root parts=position,direction at=2",                                                 // 2
    "root.delta",                                                                         // 3
    "root.delta turn=degrees per=second times=0:0.2:3",                                   // 4
    "phase.global",                                                                       // 5
    "phase.delta",                                                                        // 6
    "phase.delta times=-0.1:0.1:3",                                                       // 7
    "terrain times=-0.1:0.1:3",                                                           // 8
    "root.own_velocity at=1",                                                             // 9
    "signal name=s width=2 times=0:0.1:3",                                                // 10
    "goal parts=position,direction,action times=0:0.05:2",                                // 11
    "root parts=position,height space=goal times=0:0.1:2",                                // 12
    "gating times=-0.05:0:2",                                                             // 13
    "root.style times=-0.05:0.05:3",                                                      // 14
    "contact",                                                                            // 15
};

Layout reference_layout() {
  std::string text =
      "fps = 30.0\n[root]\nhalf_window_s = 0.0\n[labels]\nstyles = [\"a\", \"b\"]\nactions = [\"c\", \"d\"]\n"
      "[terrain]\nlateral_m = [-0.3, 0.0, 0.3]\n[output]\nsteps = \"0:0.1:4\"\n"
      "channels = [\"joint.position joints=Head\", \"root.delta per=second\", \"root.position times=0:0.1:2\"]\n"
      "[input]\nchannels = [";
  for (const char* channel : kChannels) text += "\"" + std::string(channel) + "\", ";
  const auto schema = Schema::parse(text + "]\n");
  EXPECT_TRUE(schema) << schema.error().format();
  auto layout = Layout::compile(*schema, *test::walker_skeleton(), test::walker_analysis());
  EXPECT_TRUE(layout) << layout.error().message;
  return std::move(layout).value();
}

// Any numbers, but directions and phases that are ones.
struct Rows {
  const Layout& layout;
  int count;
  std::vector<float> values;

  Rows(const Layout& of, int num_rows) : layout(of), count(num_rows) {
    Random random(4);
    const auto width = static_cast<std::size_t>(layout.frame_width());
    values.resize(width * static_cast<std::size_t>(count));
    for (float& v : values) v = random.uniform(-1, 1);
    for (int k = 0; k < count; ++k) {
      float* row = &values[static_cast<std::size_t>(k) * width];
      row[row::kFacing] = 0.2F * static_cast<float>(k) + 0.1F * random.uniform(-1, 1);
      row[row::kForwardX] = std::sin(row[row::kFacing]);
      row[row::kForwardZ] = std::cos(row[row::kFacing]);
      const float angle = 1.1F * static_cast<float>(k);
      row[offset(Group::kPhaseGlobal)] = std::sin(angle);
      row[offset(Group::kPhaseGlobal) + 1] = std::cos(angle);
    }
  }
  int offset(Group group, const std::string& name = {}) const {
    for (const RowSource& source : layout.row_sources())
      if (source.group == group && source.name == name) return source.offset;
    ADD_FAILURE() << "no such range";
    return 0;
  }
  // Between two rows; the first and the last go on outside.
  double at(double frame, int i) const {
    const double whole = std::floor(frame + 1e-6);
    const auto row = [&](double k) {
      const auto index = static_cast<std::size_t>(std::clamp(k, 0.0, count - 1.0));
      return double{values[index * static_cast<std::size_t>(layout.frame_width()) + static_cast<std::size_t>(i)]};
    };
    const double t = frame - whole < 1e-6 ? 0 : frame - whole;
    return row(whole) + (t > 0 ? (row(whole + 1) - row(whole)) * t : 0);
  }
};

struct Seen {
  double x, z;
};
// From model axes into those of a facing.
Seen into(double facing, double x, double z) {
  return {std::cos(facing) * x - std::sin(facing) * z, std::sin(facing) * x + std::cos(facing) * z};
}

class Expected {
 public:
  Expected(const Rows& rows, double sample) : rows_(rows), sample_(sample) {}

  std::vector<double> channel(int index) const {
    std::vector<double> out;
    const auto add = [&](std::initializer_list<double> numbers) { out.insert(out.end(), numbers); };
    const auto times = [](double start_s, double end_s, int count, int i) {
      return (start_s + (count > 1 ? (end_s - start_s) * i / (count - 1) : 0)) * kFps;
    };
    switch (index) {
      case 0:
        for (int i = 0; i < 6; ++i) add({at(0, rows_.offset(Group::kJoint) + feet_offset() + i)});
        break;
      case 1:
        for (int i = 0; i < 5; ++i) trajectory(times(-0.25, 0.35, 5, i), out);
        break;
      case 2: {
        // Now is two frames later, for both: it stands there.
        add({0, 0, 0, 1});
        break;
      }
      case 3:
        delta(0, 1, 1, 1, out);
        break;
      case 4:
        for (int i = 0; i < 3; ++i) delta(3 * i, 3, 10, 10 * 180 / std::numbers::pi, out);
        break;
      case 5:
        add({phase(0)});
        break;
      case 6:
        add({shortest(phase(0) - phase(-1))});
        break;
      case 7:
        for (const int i : {-3, 0, 3}) add({shortest(phase(i) - phase(i - 1))});
        break;
      case 8: {
        double mean = 0;
        for (const int i : {-3, 0, 3}) mean += at(i, rows_.offset(Group::kTerrain) + 1) / 3;
        for (const int i : {-3, 0, 3})
          for (int k = 0; k < 3; ++k) add({at(i, rows_.offset(Group::kTerrain) + k) - mean});
        break;
      }
      case 9:
        for (int k = 0; k < 6; ++k) add({at(1, row::kOwnVelocity + k)});
        break;
      case 10:
        for (const double i : {0.0, 1.5, 3.0})
          for (int k = 0; k < 2; ++k) add({at(i, rows_.offset(Group::kSignal, "s") + k)});
        break;
      case 11:
        for (const double i : {0.0, 1.5}) goal(i, out);
        break;
      case 12:
        for (const double i : {0.0, 3.0}) seen_from_goal(i, out);
        break;
      case 13:
        for (const double i : {-1.5, 0.0}) gating(i, out);
        break;
      case 14:
        for (const double i : {-1.5, 0.0, 1.5})
          for (int k = 0; k < 2; ++k) add({at(i, rows_.offset(Group::kStyle) + k)});
        break;
      default:
        for (int k = 0; k < 2; ++k) add({at(0, rows_.offset(Group::kContact) + k)});
        break;
    }
    return out;
  }
  void delta(double frame, double back, double travel, double turn, std::vector<double>& out) const {
    const Seen way = into(at(frame - back, row::kFacing), at(frame, row::kX) - at(frame - back, row::kX),
                          at(frame, row::kZ) - at(frame - back, row::kZ));
    out.insert(out.end(),
               {way.x * travel, (at(frame, row::kFacing) - at(frame - back, row::kFacing)) * turn, way.z * travel});
  }
  double at(double frame, int i) const { return rows_.at(sample_ + frame, i); }

 private:
  // Joints of the feet lie behind those of the output, which come first.
  int feet_offset() const {
    int first = -1;
    for (const RowSource& source : rows_.layout.row_sources()) {
      if (source.group != Group::kJoint) continue;
      if (first < 0) first = source.offset;
      if (source.joints.size() == 2) return source.offset - first;
    }
    return 0;
  }
  void trajectory(double frame, std::vector<double>& out) const {
    const double facing = at(0, row::kFacing), there = at(frame, row::kFacing);
    const Seen way = into(facing, at(frame, row::kX) - at(0, row::kX), at(frame, row::kZ) - at(0, row::kZ));
    const double vx = at(frame, row::kVelocityX), vz = at(frame, row::kVelocityZ);
    const Seen velocity = into(facing, vx, vz);
    out.insert(out.end(), {way.x, way.z, std::sin(there - facing), std::cos(there - facing), velocity.x, velocity.z,
                           at(frame, row::kY) - at(0, row::kY), std::hypot(vx, vz), at(frame, row::kTurnSpeed)});
  }
  double phase(double frame) const {
    const int offset = rows_.offset(Group::kPhaseGlobal);
    const double turns = std::atan2(at(frame, offset), at(frame, offset + 1)) / (2 * std::numbers::pi);
    return turns < 0 ? turns + 1 : turns;
  }
  static double shortest(double turns) { return turns - std::round(turns); }
  void goal(double frame, std::vector<double>& out) const {
    const int g = rows_.offset(Group::kGoal);
    const double facing = at(0, row::kFacing);
    const Seen way = into(facing, at(frame, g) - at(0, row::kX), at(frame, g + 2) - at(0, row::kZ));
    const double length = std::hypot(at(frame, g + 3), at(frame, g + 4), at(frame, g + 5));
    const Seen direction = into(facing, at(frame, g + 3) / length, at(frame, g + 5) / length);
    out.insert(out.end(),
               {way.x, at(frame, g + 1) - at(0, row::kY), way.z, direction.x, at(frame, g + 4) / length, direction.z,
                at(frame, rows_.offset(Group::kAction)), at(frame, rows_.offset(Group::kAction) + 1)});
  }
  void seen_from_goal(double frame, std::vector<double>& out) const {
    const int g = rows_.offset(Group::kGoal);
    const double facing = std::atan2(at(0, g + 3), at(0, g + 5));
    const Seen way = into(facing, at(frame, row::kX) - at(0, g), at(frame, row::kZ) - at(0, g + 2));
    out.insert(out.end(), {way.x, way.z, at(frame, row::kY) - at(0, g + 1)});
  }
  void gating(double frame, std::vector<double>& out) const {
    const int p = rows_.offset(Group::kPhaseGlobal), g = rows_.offset(Group::kGoal);
    const double phase[2] = {at(frame, p), at(frame, p + 1)};
    for (int k = 0; k < 2; ++k)
      for (const double one : phase) out.push_back((2 * at(frame, rows_.offset(Group::kStyle) + k) - 1) * one);
    const double x = at(frame, g) - at(frame, row::kX), y = at(frame, g + 1) - at(frame, row::kY),
                 z = at(frame, g + 2) - at(frame, row::kZ);
    const double length = std::hypot(at(frame, g + 3), at(frame, g + 4), at(frame, g + 5));
    const Seen direction = into(at(frame, row::kFacing), at(frame, g + 3) / length, at(frame, g + 5) / length);
    const double angle = std::atan2(std::hypot(direction.x, at(frame, g + 4) / length), direction.z);
    for (int k = 0; k < 2; ++k)
      for (const double factor : {1.0, std::hypot(x, y, z), angle})
        for (const double one : phase)
          out.push_back((2 * at(frame, rows_.offset(Group::kAction) + k) - 1) * factor * one);
  }

  const Rows& rows_;
  double sample_;
};

TEST(GatherReference, EveryKindOfChannelAtAnySample) {
  const Layout layout = reference_layout();
  const Rows rows(layout, 40);
  const ClipRows clip{rows.values.data(), rows.count};
  for (const Sample sample : {Sample{0, 20, 0}, {0, 0, 0}, {0, 39, 0}, {0, 3, 0}, {0, 21, 0.25F}, {0, 38, 0.5F}}) {
    std::vector<float> input(layout.size(BlockKind::kInput)), output(layout.size(BlockKind::kOutput));
    ASSERT_TRUE(
        (GatherJob{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .input = input, .output = output}
             .run()));
    const Expected expected(rows, sample.frame + double{sample.fraction});
    int column = 0;
    for (int c = 0; c < static_cast<int>(std::size(kChannels)); ++c) {
      const std::vector<double> wanted = expected.channel(c);
      ASSERT_EQ(layout.columns(BlockKind::kInput)[static_cast<std::size_t>(c)].begin, column) << kChannels[c];
      for (std::size_t i = 0; i < wanted.size(); ++i, ++column) {
        ASSERT_NEAR(input[static_cast<std::size_t>(column)], wanted[i], 5e-4)
            << kChannels[c] << " [" << i << "] at " << sample.frame << " + " << sample.fraction;
      }
    }
    EXPECT_EQ(column, layout.width(BlockKind::kInput));
    // Four steps of one frame each.
    ASSERT_EQ(layout.width(BlockKind::kOutput), 3 + 3 + 4);
    for (int step = 0; step < 4; ++step) {
      const float* out = output.data() + 10 * step;
      std::vector<double> wanted;
      const int head = rows.offset(Group::kJoint);
      for (int k = 0; k < 3; ++k) wanted.push_back(expected.at(step, head + k));
      expected.delta(step, 1, 30, 30, wanted);
      for (int k = 0; k < 6; ++k) ASSERT_NEAR(out[k], wanted[static_cast<std::size_t>(k)], 2e-3) << step << " " << k;
    }
  }
}

TEST(GatherReference, ManySamplesOfManyClipsOneByOne) {
  const Layout layout = reference_layout();
  const Rows rows(layout, 40), others(layout, 7);
  const ClipRows clips[] = {{rows.values.data(), 40}, {others.values.data(), 7}};
  const std::vector<Sample> samples{{0, 4, 0}, {1, 6, 0}, {0, 39, 0.5F}, {1, 0, 0.75F}};
  const std::size_t width = layout.size(BlockKind::kInput);
  std::vector<float> all(samples.size() * width), one(width);
  ASSERT_TRUE((GatherJob{.layout = &layout, .clips = clips, .samples = samples, .input = all}.run()));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_TRUE((GatherJob{.layout = &layout, .clips = clips, .samples = {&samples[i], 1}, .input = one}.run()));
    for (std::size_t c = 0; c < width; ++c) ASSERT_EQ(all[i * width + c], one[c]) << i << " " << c;
  }
}

TEST(GatherReference, DesiredTrajectoriesAreSeenFromTheRoot) {
  const Layout layout = reference_layout();
  Random random(6);
  ControlSeries control = ControlSeries::standing({0, 0.5, 6}, {});
  for (std::size_t i = 0; i < 6; ++i) {
    control.roots[i] = {{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                        0.3F * static_cast<float>(i) - 1};
    control.velocities[i] = {random.uniform(-1, 1), 0, random.uniform(-1, 1)};
  }
  const PlanarRoot root{{2, 0.5F, -1}, 0.8F};
  std::vector<float> out(layout.size(BlockKind::kInput), 99.0F);
  encode_trajectory(layout, BlockKind::kInput, root, control, out);
  const int begin = layout.columns(BlockKind::kInput)[1].begin;
  for (int i = 0; i < 5; ++i) {
    const double time_s = -0.25 + 0.15 * i;
    const float* found = &out[static_cast<std::size_t>(begin + 9 * i)];
    if (time_s < 0) {
      for (int k = 0; k < 9; ++k) EXPECT_EQ(found[k], 99) << "the past is not desired";
      continue;
    }
    const PlanarRoot there = control.root_at(time_s), before = control.root_at(time_s - 1 / kFps);
    const Vec3 v = control.velocity_at(time_s);
    const Seen way = into(0.8, there.position.x - 2, there.position.z + 1), velocity = into(0.8, v.x, v.z);
    const double wanted[9] = {way.x,
                              way.z,
                              std::sin(there.facing_rad - 0.8),
                              std::cos(there.facing_rad - 0.8),
                              velocity.x,
                              velocity.z,
                              there.position.y - 0.5,
                              std::hypot(v.x, v.z),
                              (there.facing_rad - before.facing_rad) * kFps};
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(found[k], wanted[k], 1e-4) << i << " " << k;
  }
  // Nothing else is touched: joints, deltas, goals and what is seen from them.
  for (const int c : {0, 3, 4, 5, 8, 9, 10, 11, 12, 13, 15}) {
    const Column& column = layout.columns(BlockKind::kInput)[static_cast<std::size_t>(c)];
    for (int k = 0; k < column.width; ++k)
      EXPECT_EQ(out[static_cast<std::size_t>(column.begin + k)], 99) << column.name;
  }
}

TEST(GatherReference, OnlyThePastIsNotDesired) {
  const Schema schema =
      Schema::parse(
          "fps = 30.0\n[input]\nchannels = [\"root.height times=-0.0005:0.0005:3\", \"root.height times=-0.1:0:2\"]\n")
          .value();
  const Layout layout = Layout::compile(schema, *test::walker_skeleton(), test::walker_analysis()).value();
  ControlSeries control = ControlSeries::standing({0, 1, 2}, {{0, 3, 0}, 0});
  std::vector<float> out(5, 99.0F);
  encode_trajectory(layout, BlockKind::kInput, {}, control, out);
  EXPECT_EQ(out, (std::vector<float>{99, 3, 3, 99, 3})) << "half a millisecond ago is past";
}

TEST(LayoutReference, WidthsRangesGroupsAndReach) {
  const Layout layout = reference_layout();
  EXPECT_EQ(layout.frame_width() % 16, 0);
  // Ranges lie one behind the other, from the root's sixteen numbers on, and fit the row.
  int next = row::kRootWidth;
  for (const RowSource& source : layout.row_sources()) {
    EXPECT_EQ(source.offset, next);
    next += source.width;
  }
  EXPECT_LE(next, layout.frame_width());
  EXPECT_GT(next, layout.frame_width() - 16);
  EXPECT_EQ(layout.past_frames(), 8) << "a quarter of a second";
  EXPECT_EQ(layout.future_frames(), 11) << "0.35 s";
  // Columns of a part share a group: positions of the trajectory at all times, then its directions, …
  const auto groups = layout.column_groups(BlockKind::kInput);
  const int begin = layout.columns(BlockKind::kInput)[1].begin;
  const auto group = [&](int i) { return groups[static_cast<std::size_t>(begin + i)]; };
  const int parts[9] = {0, 0, 1, 1, 2, 2, 3, 4, 5};
  for (int i = 0; i < 45; ++i)
    for (int k = 0; k < 45; ++k) ASSERT_EQ(group(i) == group(k), parts[i % 9] == parts[k % 9]) << i << " " << k;
  // Of a delta the turn is apart; of the own velocity the turns.
  const int delta = layout.columns(BlockKind::kInput)[3].begin, own = layout.columns(BlockKind::kInput)[9].begin;
  const auto at = [&](int i) { return groups[static_cast<std::size_t>(i)]; };
  EXPECT_EQ(at(delta), at(delta + 2));
  EXPECT_NE(at(delta), at(delta + 1));
  EXPECT_EQ(at(own), at(own + 2));
  EXPECT_EQ(at(own + 3), at(own + 5));
  EXPECT_NE(at(own), at(own + 3));
  // No two channels share one.
  for (std::size_t c = 0; c + 1 < layout.columns(BlockKind::kInput).size(); ++c) {
    const Column &a = layout.columns(BlockKind::kInput)[c], &b = layout.columns(BlockKind::kInput)[c + 1];
    int last = 0, first = 1 << 20;
    for (int i = 0; i < a.width; ++i) last = std::max(last, at(a.begin + i));
    for (int i = 0; i < b.width; ++i) first = std::min(first, at(b.begin + i));
    EXPECT_LT(last, first) << b.name;
  }
}

TEST(LayoutReference, PartsOfJointsAlternateInTheirGroups) {
  const Schema schema =
      Schema::parse("[input]\nchannels = [\"joint parts=position,contact,velocity joints=feet\", \"contact\"]\n")
          .value();
  const Layout layout = Layout::compile(schema, *test::walker_skeleton(), test::walker_analysis()).value();
  const auto groups = layout.column_groups(BlockKind::kInput);
  ASSERT_EQ(groups.size(), 16U);
  const int parts[7] = {0, 0, 0, 1, 2, 2, 2};
  for (std::size_t i = 0; i < 14; ++i) EXPECT_EQ(groups[i], parts[i % 7]) << i;
  EXPECT_EQ(groups[14], 3);
  EXPECT_EQ(groups[15], 3);
  // Both contacts are copied to their places among the parts.
  ASSERT_EQ(layout.contact_copies().size(), 2U);
  int contacts = 0, joints = 0;
  for (const RowSource& source : layout.row_sources())
    (source.group == Group::kContact ? contacts : joints) = source.offset;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(layout.contact_copies()[static_cast<std::size_t>(i)].to, joints + 7 * i + 3);
    EXPECT_EQ(layout.contact_copies()[static_cast<std::size_t>(i)].from, contacts + i);
  }
}

TEST(LayoutReference, RangesAreSharedAndCopiesJoined) {
  const auto compiled = [](const char* channels) {
    const Schema schema = Schema::parse("[input]\nchannels = [" + std::string(channels) +
                                        "]\n[output]\nchannels = [\"joint.position\"]\n")
                              .value();
    return Layout::compile(schema, *test::walker_skeleton(), test::walker_analysis()).value();
  };
  EXPECT_EQ(compiled("\"joint.position\"").row_sources().size(), 1U) << "the same content";
  EXPECT_EQ(compiled("\"joint.velocity\"").row_sources().size(), 2U);
  EXPECT_EQ(compiled("\"joint.position space=parent\"").row_sources().size(), 2U);
  EXPECT_EQ(compiled("\"joint.position joints=feet\"").row_sources().size(), 2U);
  // One behind the other in row and block: one copy.
  EXPECT_EQ(compiled("\"joint.velocity\", \"joint.z_axis\"").ops(BlockKind::kInput).size(), 1U);
  EXPECT_EQ(compiled("\"joint.velocity\", \"joint.z_axis at=1\"").ops(BlockKind::kInput).size(), 2U);
  EXPECT_EQ(compiled("\"joint.velocity\", \"joint.position\"").ops(BlockKind::kInput).size(), 2U);
  EXPECT_EQ(compiled("\"joint.velocity times=0:1:2\", \"joint.z_axis\"").ops(BlockKind::kInput).size(), 2U);
  const Layout two = compiled("\"joint.position joints=feet\", \"joint.position joints=Head\", \"joint.velocity\"");
  EXPECT_FALSE(two.find_column(BlockKind::kInput, "joint.position")) << "more than one";
  EXPECT_EQ(two.find_column(BlockKind::kInput, "joint.velocity").value().begin, 9);
  EXPECT_FALSE(two.find_column(BlockKind::kInput, "joint.z_axis"));
  EXPECT_EQ(two.find_column(BlockKind::kInput, two.columns(BlockKind::kInput)[1].name).value().begin, 6);
}

}  // namespace
}  // namespace zoe::features
