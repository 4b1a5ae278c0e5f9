// SPDX-License-Identifier: MIT
// Words of schemas: roles of joints, every key, names of columns; clips and signals that feed rows.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/features/decode.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/features/runtime_history.h"

#include "features/roles.h"
#include "features/stepping_figure.h"
#include "features/turning_walker.h"

namespace zoe::features {
namespace {

// A body with a node above the hips, fingers, a jaw, toes with an end site, and a tail.
enum Joint : int {
  kWorld,
  kHips,
  kSpine,
  kHead,
  kJaw,
  kArmR,
  kHandR,
  kThumbR,
  kArmL,
  kHandL,
  kThumbL,
  kLegR,
  kFootR,
  kToeR,
  kToeEndR,
  kNailR,
  kLegL,
  kFootL,
  kTail,
  kNub,
  kCount
};

SkeletonPtr odd_skeleton() {
  const auto bone = JointKind::kBone;
  return Skeleton::create({{"World", kNoJoint, {}, bone},
                           {"Hips", kWorld, {{0, 1, 0}}, bone},
                           {"Spine", kHips, {{0, 0.3F, 0}}, bone},
                           {"Head", kSpine, {{0, 0.3F, 0}}, bone},
                           {"Jaw", kHead, {{0, 0, 0.1F}}, bone},
                           {"ArmR", kSpine, {{-0.2F, 0, 0}}, bone},
                           {"HandR", kArmR, {{-0.5F, 0, 0}}, bone},
                           {"ThumbR", kHandR, {{-0.1F, 0, 0}}, bone},
                           {"ArmL", kSpine, {{0.2F, 0, 0}}, bone},
                           {"HandL", kArmL, {{0.5F, 0, 0}}, bone},
                           {"ThumbL", kHandL, {{0.1F, 0, 0}}, bone},
                           {"LegR", kHips, {{-0.1F, 0, 0}}, bone},
                           {"FootR", kLegR, {{0, -0.9F, 0}}, bone},
                           {"ToeR", kFootR, {{0, 0, 0.1F}}, bone},
                           {"ToeEndR", kToeR, {{0, 0, 0.1F}}, JointKind::kEndSite},
                           {"NailR", kFootR, {{0, 0.1F, 0}}, bone},
                           {"LegL", kHips, {{0.1F, 0, 0}}, bone},
                           {"FootL", kLegL, {{0, -0.9F, 0}}, bone},
                           {"Tail", kHips, {{0, 0, -0.2F}}, bone},
                           {"Nub", kTail, {{0, 0, -0.2F}}, JointKind::kNode}})
      .value();
}

SkeletonAnalysis odd_analysis() {
  SkeletonAnalysis a;
  a.family = BodyFamily::kBiped;
  a.root = kWorld;
  a.hips = kHips;
  a.head = kHead;
  a.spine = {kHips, kSpine};
  a.limbs = {{LimbKind::kLeg, Side::kRight, {kLegR, kFootR, kToeR, kToeEndR}},
             {LimbKind::kLeg, Side::kLeft, {kLegL, kFootL}},
             {LimbKind::kArm, Side::kRight, {kArmR, kHandR}},
             {LimbKind::kArm, Side::kLeft, {kArmL, kHandL}}};
  a.feet = {kFootR, kFootL};
  a.hands = {kHandR, kHandL};
  a.tail = {kTail};
  a.pairs = {{kLegL, kLegR}, {kFootL, kFootR}, {kHandL, kHandR}};
  return a;
}

std::vector<int> resolved(std::vector<std::string> words) {
  const auto joints = resolve_joints(words, *odd_skeleton(), odd_analysis());
  EXPECT_TRUE(joints) << joints.error().message;
  return joints.value_or(std::vector<int>{});
}

TEST(Roles, AreTheJointsThatTheyName) {
  using V = std::vector<int>;
  EXPECT_EQ(resolved({"all"}), (V{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18})) << "bones only";
  V everything;
  for (int j = 0; j < kCount; ++j) everything.push_back(j);
  EXPECT_EQ(resolved({"all_with_ends"}), everything);
  EXPECT_EQ(resolved({"bones"}), (V{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18}))
      << "not above the hips";
  EXPECT_EQ(resolved({"body"}),
            (V{kHips, kSpine, kHead, kArmR, kHandR, kArmL, kHandL, kLegR, kFootR, kToeR, kLegL, kFootL, kTail}))
      << "no fingers, no jaw, no nails; toes of the leg itself";
  EXPECT_EQ(resolved({"feet"}), (V{kFootL, kFootR})) << "left first";
  EXPECT_EQ(resolved({"toes"}), (V{kToeR, kFootL})) << "the foot itself where the leg ends with it, no pair";
  EXPECT_EQ(resolved({"hands"}), (V{kHandL, kHandR}));
  EXPECT_EQ(resolved({"head"}), V{kHead});
  EXPECT_EQ(resolved({"hips"}), V{kHips});
  EXPECT_EQ(resolved({"root"}), V{kWorld});
  EXPECT_EQ(resolved({"spine"}), (V{kHips, kSpine}));
  EXPECT_EQ(resolved({"legs"}), (V{kLegR, kFootR, kToeR, kToeEndR, kLegL, kFootL}));
  EXPECT_EQ(resolved({"arms"}), (V{kArmR, kHandR, kArmL, kHandL}));
  EXPECT_EQ(resolved({"tail"}), V{kTail});
  // Each once, in the order of the words; what a minus names is taken away again.
  EXPECT_EQ(resolved({"head", "spine", "head", "#3", "Jaw"}), (V{kHead, kHips, kSpine, kJaw}));
  EXPECT_EQ(resolved({"arms", "-HandL", "-hands", "tail"}), (V{kArmR, kArmL, kTail}));
  EXPECT_EQ(resolved({"#0", "#19"}), (V{0, 19}));
  for (const char* bad : {"#20", "#-1", "#1x", "#", "Heads", "-nobody"}) {
    const std::vector<std::string> words{bad};
    EXPECT_FALSE(resolve_joints(words, *odd_skeleton(), odd_analysis())) << bad;
  }
  SkeletonAnalysis headless = odd_analysis();
  headless.head = headless.hips = kNoJoint;
  headless.tail.clear();
  const std::vector<std::string> head{"head"}, hips{"hips"}, tail{"tail"};
  EXPECT_TRUE(resolve_joints(head, *odd_skeleton(), headless).value().empty());
  EXPECT_EQ(resolve_joints(hips, *odd_skeleton(), headless).value(), V{kWorld}) << "the root where there are none";
  EXPECT_TRUE(resolve_joints(tail, *odd_skeleton(), headless).value().empty());
  SkeletonAnalysis footless = odd_analysis();
  footless.feet = {kFootL};
  const std::vector<std::string> toes{"toes"};
  EXPECT_EQ(resolve_joints(toes, *odd_skeleton(), footless).value(), V{kFootL}) << "a leg without a foot has no toe";
  const std::vector<int> sides = joint_sides(*odd_skeleton(), odd_analysis());
  EXPECT_EQ(sides[kLegL], 1);
  EXPECT_EQ(sides[kLegR], -1);
  EXPECT_EQ(sides[kTail], 0);
  EXPECT_EQ(sides[kArmL], 0) << "not among the pairs";
}

TEST(Roles, ChooseTheRoot) {
  Schema schema;
  SkeletonAnalysis analysis = odd_analysis();
  const auto chosen = [&] { return choose_root(schema, *odd_skeleton(), analysis); };
  ASSERT_TRUE(chosen()) << chosen().error().message;
  EXPECT_EQ(chosen()->joints.hip, kHips);
  EXPECT_EQ(chosen()->facing, RootOptions::Facing::kBiped);
  analysis.up = {0, 0.69F, 0.72F};
  EXPECT_FALSE(chosen()) << "up is not +Y";
  schema.root_joints = {"Spine", "LegL", "LegR", "", "", "Head"};
  ASSERT_TRUE(chosen()) << chosen().error().message;
  EXPECT_EQ(chosen()->joints.hip, kSpine);
  EXPECT_EQ(chosen()->joints.left_hip, kLegL);
  EXPECT_EQ(chosen()->joints.right_hip, kLegR);
  EXPECT_EQ(chosen()->joints.left_shoulder, kNoJoint);
  EXPECT_EQ(chosen()->joints.neck, kHead);
  schema.facing = Schema::Facing::kQuadruped;
  EXPECT_EQ(chosen()->facing, RootOptions::Facing::kQuadruped);
  schema.root_joints = {"Spine", "LegL", "LegR", "", "", ""};
  EXPECT_FALSE(chosen()) << "no neck";
  schema.facing = Schema::Facing::kBiped;
  schema.root_joints = {"Spine", "LegL", "", "", "", "Head"};
  EXPECT_FALSE(chosen()) << "no pair";
}

TEST(SchemaKeys, AllComeBack) {
  Schema s;
  s.name = "mine";
  s.fps = 24;
  s.pose_joints = {"all"};
  s.contact_joints = {"toes"};
  s.tracking_joints = {"head", "hands"};
  s.facing = Schema::Facing::kQuadruped;
  s.root_joints = {"a", "b", "c", "d", "e", "f"};
  s.root.half_window_s = 0.25;
  s.root.num_samples = 15;
  s.root.position_power = 3;
  s.root.ends = RootOptions::Ends::kReflect;
  s.root.ground_height_m = 0.5F;
  s.velocity_over_row = !s.velocity_over_row;
  s.contacts_by_speed = !s.contacts_by_speed;
  s.contact_speed_m_s = 0.75;
  s.guidance_window_s = 1.5;
  s.styles = {"x", "y"};
  s.actions = {"z"};
  s.terrain_lateral_m = {-1, 2};
  s.blocks[0] = {{0, 0.5, 3}, {parse_channel("joint.position").value()}};
  s.blocks[1] = {{0.1, 0.5, 2}, {parse_channel("root.delta").value()}};
  s.blocks[2] = {{0, 0, 1}, {parse_channel("phase.global").value()}};
  const auto back = Schema::parse(s.to_toml());
  ASSERT_TRUE(back) << back.error().format();
  EXPECT_EQ(back->name, s.name);
  EXPECT_EQ(back->fps, s.fps);
  EXPECT_EQ(back->pose_joints, s.pose_joints);
  EXPECT_EQ(back->contact_joints, s.contact_joints);
  EXPECT_EQ(back->tracking_joints, s.tracking_joints);
  EXPECT_EQ(back->facing, s.facing);
  EXPECT_EQ(back->root_joints, s.root_joints);
  EXPECT_EQ(back->root.half_window_s, s.root.half_window_s);
  EXPECT_EQ(back->root.num_samples, s.root.num_samples);
  EXPECT_EQ(back->root.position_power, s.root.position_power);
  EXPECT_EQ(back->root.ends, s.root.ends);
  EXPECT_EQ(back->root.ground_height_m, s.root.ground_height_m);
  EXPECT_EQ(back->velocity_over_row, s.velocity_over_row);
  EXPECT_EQ(back->contacts_by_speed, s.contacts_by_speed);
  EXPECT_EQ(back->contact_speed_m_s, s.contact_speed_m_s);
  EXPECT_EQ(back->guidance_window_s, s.guidance_window_s);
  EXPECT_EQ(back->styles, s.styles);
  EXPECT_EQ(back->actions, s.actions);
  EXPECT_EQ(back->terrain_lateral_m, s.terrain_lateral_m);
  EXPECT_EQ(back->blocks, s.blocks);
  EXPECT_EQ(Schema::parse("[root]\nends = \"hold\"\nfacing = \"biped\"\n").value().root.ends, RootOptions::Ends::kHold);
  const auto reads = [](const char* text) { return Schema::parse(text).has_value(); };
  EXPECT_TRUE(reads("fps = 1000.0\n"));
  for (const char* bad : {"fps = 0.0\n", "fps = 1000.5\n", "fps = -1.0\n", "[guidance]\nwindow_s = -0.1\n",
                          "[guidance]\nwindow_s = 60.5\n", "[root]\nends = \"wrap\"\n", "[root]\nfacing = \"up\"\n",
                          "[root]\njoints = [\"a\"]\n", "[input]\nsteps = \"0\"\n", "[input]\nchannels = [\"\"]\n"}) {
    EXPECT_FALSE(reads(bad)) << bad;
  }
  EXPECT_TRUE(reads("[guidance]\nwindow_s = 0.0\n"));
  EXPECT_TRUE(reads("[guidance]\nwindow_s = 60.0\n"));
  EXPECT_STREQ(to_string(BlockKind::kInput), "input");
  EXPECT_STREQ(to_string(BlockKind::kOutput), "output");
  EXPECT_STREQ(to_string(BlockKind::kCondition), "condition");
}

std::vector<std::string> names_of(const std::string& channel) {
  const auto schema = Schema::parse(
      "[labels]\nstyles = [\"calm\", \"old\"]\nactions = [\"wave\"]\n[terrain]\nlateral_m = [-0.25, 0.5]\n"
      "[input]\nchannels = [\"" +
      channel + "\"]\n");
  EXPECT_TRUE(schema) << channel << ": " << schema.error().message;
  const auto layout = Layout::compile(*schema, *test::walker_skeleton(), test::walker_analysis());
  EXPECT_TRUE(layout) << channel << ": " << layout.error().message;
  return layout ? column_names(*layout, BlockKind::kInput) : std::vector<std::string>{};
}

TEST(ColumnNames, SayWhatEachColumnIs) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of("joint parts=position,contact joints=Head"),
            (Names{"position Head x", "position Head y", "position Head z", "contact Head"}));
  EXPECT_EQ(names_of("joint.velocity joints=feet")[4], "velocity RightFoot y");
  EXPECT_EQ(names_of("root.position"), (Names{"root position x", "root position z"}));
  EXPECT_EQ(names_of("root.height"), Names{"root height"});
  EXPECT_EQ(names_of("root.style"), (Names{"root style calm", "root style old"}));
  EXPECT_EQ(names_of("root.action"), Names{"root action wave"});
  EXPECT_EQ(names_of("root.own_velocity"),
            (Names{"root own_velocity x", "root own_velocity y", "root own_velocity z", "root own_velocity turn x",
                   "root own_velocity turn y", "root own_velocity turn z"}));
  EXPECT_EQ(names_of("goal.direction"), (Names{"goal direction x", "goal direction y", "goal direction z"}));
  EXPECT_EQ(names_of("root.delta"), (Names{"root.delta x", "root.delta turn", "root.delta z"}));
  EXPECT_EQ(names_of("contact"), (Names{"contact LeftFoot", "contact RightFoot"}));
  EXPECT_EQ(names_of("phase.local joints=LeftFoot"), (Names{"phase.local LeftFoot sin", "phase.local LeftFoot cos"}));
  EXPECT_EQ(names_of("guidance joints=Head"), (Names{"guidance Head x", "guidance Head y", "guidance Head z"}));
  EXPECT_EQ(names_of("style"), (Names{"style calm", "style old"}));
  EXPECT_EQ(names_of("action"), Names{"action wave"});
  EXPECT_EQ(names_of("terrain"), (Names{"terrain -0.25m", "terrain 0.5m"}));
  EXPECT_EQ(names_of("phase.global"), Names{"phase.global"});
  EXPECT_EQ(names_of("phase.delta"), Names{"phase.delta"});
  EXPECT_EQ(names_of("signal name=wind width=2"), (Names{"wind 0", "wind 1"}));
  EXPECT_EQ(names_of("gating")[9], "gating 9");
  EXPECT_EQ(names_of("root.height times=-0.5:0.25:2"), (Names{"root height -0.5s", "root height 0.25s"}));
  EXPECT_EQ(names_of("root.position times=0:1:2")[2], "root position x 1s");
}

Layout figure_layout(const std::string& channels, const std::string& more = {}) {
  const auto schema =
      Schema::parse("fps = 10.0\n[root]\nhalf_window_s = 0.0\n" + more + "\n[input]\nchannels = [" + channels + "]\n");
  EXPECT_TRUE(schema) << schema.error().format();
  return Layout::compile(*schema, *test::walker_skeleton(), test::walker_analysis()).value();
}

float number_of(const Layout& layout, std::span<const float> rows, int row, Group group, int i) {
  for (const RowSource& source : layout.row_sources()) {
    if (source.group == group) {
      return rows[static_cast<std::size_t>(row * layout.frame_width() + source.offset + i)];
    }
  }
  return NAN;
}

// A straight walk of 1 m/s that gets faster by 0.5 m/s².
Motion speeding(int frames, double fps) {
  Motion motion = make_motion(test::walker_skeleton(), "speeding", fps, frames, false);
  for (int f = 0; f < frames; ++f) {
    const double t = f / fps;
    motion.translations[static_cast<std::size_t>(f * motion.num_joints())] = {0, 1,
                                                                              static_cast<float>(t + 0.25 * t * t)};
  }
  return motion;
}

TEST(FrameRows, GuidanceIsTheMeanAheadAlsoWhereTheClipEnds) {
  const Layout layout = figure_layout("\"guidance joints=Head\"", "[guidance]\nwindow_s = 0.5");
  const Motion motion = speeding(21, 20);  // A second: eleven rows.
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
  ASSERT_EQ(num_rows(layout, motion), 11);
  for (int k = 0; k < 11; ++k) {
    // The head stands over the root all the time: its height is the mean of equal ones.
    EXPECT_NEAR(number_of(layout, rows, k, Group::kGuidance, 1), 1.6F, 1e-5F) << k;
    EXPECT_NEAR(number_of(layout, rows, k, Group::kGuidance, 2), 0, 1e-5F) << k;
  }
  // One that rises: the mean of this row and the five after it, the last one repeated.
  Motion rising = speeding(21, 20);
  for (int f = 0; f < 21; ++f) {
    const double t = f / 20.0;
    rising.translations[static_cast<std::size_t>(f * 6 + 5)].y = static_cast<float>(t * t);
  }
  const std::vector<float> high = build_frame_rows(layout, {.motion = &rising}).value();
  for (int k = 0; k < 11; ++k) {
    double mean = 0;
    for (int i = k; i <= k + 5; ++i) mean += (1 + std::pow(std::min(i, 10) / 10.0, 2)) / 6;
    EXPECT_NEAR(number_of(layout, high, k, Group::kGuidance, 1), mean, 1e-5) << k;
  }
}

TEST(FrameRows, GuidanceOfAClipShorterThanItsWindow) {
  const Layout layout = figure_layout("\"guidance joints=Head\"", "[guidance]\nwindow_s = 2.0");
  Motion motion = speeding(7, 20);  // Four rows, a window of twenty.
  for (int f = 0; f < 7; ++f) motion.translations[static_cast<std::size_t>(f * 6 + 5)].y = 0.1F * static_cast<float>(f);
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
  ASSERT_EQ(num_rows(layout, motion), 4);
  for (int k = 0; k < 4; ++k) {
    double mean = 0;
    for (int i = k; i <= k + 20; ++i) mean += (1 + 0.2 * std::min(i, 3)) / 21;
    EXPECT_NEAR(number_of(layout, rows, k, Group::kGuidance, 1), mean, 1e-5) << k;
  }
}

TEST(FrameRows, VelocitiesAreOverAFrameOrARowAndTheFirstIsThatAfterIt) {
  const Motion motion = speeding(41, 20);
  const auto z = [](double t) { return t + 0.25 * t * t; };
  for (const bool over_row : {false, true}) {
    const Layout layout =
        figure_layout("\"joint.velocity joints=Head\"", over_row ? "[velocity]\nover_row = true" : "");
    const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
    const double dt = over_row ? 0.1 : 0.05;
    for (int k = 0; k < num_rows(layout, motion); ++k) {
      const double t = k / 10.0, speed = t < dt - 1e-9 ? (z(t + dt) - z(t)) / dt : (z(t) - z(t - dt)) / dt;
      EXPECT_NEAR(number_of(layout, rows, k, Group::kJoint, 2), speed, 1e-3) << k << over_row;
      EXPECT_NEAR(rows[static_cast<std::size_t>(k * layout.frame_width() + row::kVelocityZ)], speed, 1e-3) << k;
    }
  }
}

TEST(FrameRows, LieAtTheirOwnRateBetweenFrames) {
  // 24 frames a second, rows at ten: most lie between frames.
  const Motion motion = speeding(49, 24);
  const Layout layout =
      figure_layout("\"joint.position joints=Head\", \"contact\", \"signal name=s width=1\", \"style\"",
                    "[labels]\nstyles = [\"calm\"]\n[contacts]\nby_speed = true\nspeed_m_s = 1.5");
  std::vector<float> signal(49), label(49);
  for (std::size_t f = 0; f < 49; ++f) {
    signal[f] = static_cast<float>(f * f);
    label[f] = static_cast<float>(f) / 48;
  }
  const SignalTrack track{"s", signal};
  const LabelTrack calm{"calm", 1, label};
  const std::vector<float> rows =
      build_frame_rows(layout, {.motion = &motion, .labels = {&calm, 1}, .signals = {&track, 1}}).value();
  ASSERT_EQ(num_rows(layout, motion), 21);
  for (int k = 0; k < 21; ++k) {
    const double frame = k * 2.4, whole = std::floor(frame + 1e-9), t = frame - whole;
    const auto at = [](double f) { return f / 24 + 0.25 * f * f / 576; };
    const double z = at(whole) + (at(whole + 1) - at(whole)) * t;
    EXPECT_NEAR(rows[static_cast<std::size_t>(k * layout.frame_width() + row::kZ)], z, 1e-4) << k;
    EXPECT_NEAR(number_of(layout, rows, k, Group::kSignal, 0), whole * whole + (2 * whole + 1) * t, 1e-2) << k;
    EXPECT_NEAR(number_of(layout, rows, k, Group::kStyle, 0), frame / 48, 1e-4) << k;
    const float contact = number_of(layout, rows, k, Group::kContact, 0);
    EXPECT_TRUE(contact == 0 || contact == 1) << "never between";
  }
  // Slower than 1.5 m/s in the first second.
  EXPECT_EQ(number_of(layout, rows, 3, Group::kContact, 0), 1);
  EXPECT_EQ(number_of(layout, rows, 17, Group::kContact, 0), 0);
  Motion none = make_motion(test::walker_skeleton(), "none", 24, 0, false);
  EXPECT_EQ(num_rows(layout, none), 0);
  EXPECT_FALSE(build_frame_rows(layout, {.motion = &none}));
  Motion one = make_motion(test::walker_skeleton(), "one", 24, 1, false);
  EXPECT_EQ(num_rows(layout, one), 1);
  Motion other = make_motion(test::figure_skeleton(), "other", 24, 3, false);
  EXPECT_FALSE(build_frame_rows(layout, {.motion = &other}));
  const LabelTrack few{"calm", 1, std::span<const float>(label).first(5)};
  EXPECT_FALSE(build_frame_rows(layout, {.motion = &motion, .labels = {&few, 1}}));
}

// Joints without a decoded joint above them are placed; those below one keep their bone.
TEST(DecodePlaces, TopmostDecodedJointsTakeTheirPositions) {
  const auto schema = Schema::parse(
      "fps = 20.0\n[root]\nhalf_window_s = 0.0\n[output]\nchannels = [\"root.delta\", \"joint.position "
      "joints=Head,LeftUpLeg,LeftFoot\", \"joint.rotation_6d joints=Head,LeftUpLeg,LeftFoot\"]\n");
  ASSERT_TRUE(schema) << schema.error().message;
  const Layout layout = Layout::compile(*schema, *test::walker_skeleton(), test::walker_analysis()).value();
  Motion motion = speeding(21, 20);
  for (std::size_t f = 0; f < 21; ++f) {
    motion.translations[6 * f + 5] = {0.2F, 0.9F, 0.1F};  // The head, off its bone.
    motion.translations[6 * f + 1] = {0.3F, 0.1F, 0};     // A thigh and its foot, too.
    motion.translations[6 * f + 2] = {0, -0.7F, 0.2F};
  }
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
  const ClipRows clip{rows.data(), num_rows(layout, motion)};
  const Sample sample{0, 10, 0};
  std::vector<float> y(layout.size(BlockKind::kOutput));
  ASSERT_TRUE((GatherJob{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .output = y}.run()));
  const Decoder decoder = Decoder::create(layout, motion.skeleton).value();
  DecodedFrame frame = decoder.make_frame();
  const float z = motion.translations[60].z;
  const PlanarRoot root{{0, 0, z}, 0};
  Pose pose = make_pose(*motion.skeleton);
  pose.translations[0] = {0, 1, z};
  for (const bool use_positions : {false, true}) {
    decoder.decode(y, root, root, frame);
    decoder.to_pose(frame, pose, use_positions);
    EXPECT_LT(distance(pose.translations[5], {0.2F, 0.9F, 0.1F}), 1e-5F);
    EXPECT_LT(distance(pose.translations[1], {0.3F, 0.1F, 0}), 1e-5F);
    EXPECT_LT(distance(pose.translations[2], use_positions ? Vec3{0, -0.7F, 0.2F} : Vec3{0, -0.9F, 0.05F}), 1e-5F);
    EXPECT_LT(distance(pose.translations[0], {0, 1, z}), 1e-6F) << "not decoded: as it was";
  }
}

// What lies ahead of a tick: roots and labels of the series, ground below them, signals at their own times.
TEST(RuntimeAhead, SignalsLabelsAndGroundAreThoseOfTheirTimes) {
  const Layout layout = figure_layout(
      "\"signal name=s width=2 times=0:0.3:4\", \"signal name=other width=1 times=0:0.3:4\", "
      "\"root.style times=0:0.3:4\", \"root.action times=0:0.3:4\", \"terrain times=0:0.3:4\"",
      "[labels]\nstyles = [\"a\"]\nactions = [\"b\", \"c\"]\n[terrain]\nlateral_m = [-0.5, 0.0, 0.5]");
  RuntimeHistory history(layout, test::walker_skeleton());
  const Pose pose = make_pose(*test::walker_skeleton());
  const auto height = [](float x, float z) { return 0.3F * x - 0.2F * z; };
  const GroundPtr slope = Ground::function(height);
  const float now[2] = {5, 7}, other[1] = {3}, style[1] = {0.25F}, actions[2] = {0.5F, 0.75F};
  const SignalTrack tracks[] = {{"s", now}, {"other", other}};
  history.push(pose.view(), {{1, 0, 2}, 0.4F}, 0.1,
               {.styles = style, .actions = actions, .ground = slope.get(), .signals = tracks});
  ControlSeries control = ControlSeries::standing({0, 0.3, 3}, {});
  for (std::size_t i = 0; i < 3; ++i)
    control.roots[i] = {{1 + 0.2F * static_cast<float>(i), 0, 2 + 0.5F * static_cast<float>(i)},
                        0.4F + 0.3F * static_cast<float>(i)};
  control.styles = {0.1F, 0.4F, 0.7F};
  // Every 0.2 s from 0.05 s on: 0.1 s is a quarter of the way, 0.3 s the last one and beyond.
  const std::vector<float> ahead{1, 10, 2, 20};
  const SignalAhead signal{"s", {0.05, 0.25, 2}, ahead};
  std::vector<float> out(layout.size(BlockKind::kInput)), window(RuntimeHistory::window_size(layout), -77.0F);
  history.encode(BlockKind::kInput, &control, out, window, {&signal, 1});
  const auto at = [&](std::size_t channel, int i) {
    return out[static_cast<std::size_t>(layout.columns(BlockKind::kInput)[channel].begin + i)];
  };
  // Now is the character's own.
  const float signals[4] = {5, 1.25F, 1.75F, 2}, seconds[4] = {7, 12.5F, 17.5F, 20},
              styles[4] = {0.25F, 0.3F, 0.5F, 0.7F};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(at(0, 2 * i), signals[i], 1e-5F) << i;
    EXPECT_NEAR(at(0, 2 * i + 1), seconds[i], 1e-4F) << i;
    EXPECT_EQ(at(1, i), 3) << "not named: as it is now";
    EXPECT_NEAR(at(2, i), styles[i], 1e-5F) << i;
    EXPECT_EQ(at(3, 2 * i), 0.5F) << "not desired: as they are";
    EXPECT_EQ(at(3, 2 * i + 1), 0.75F);
  }
  // Heights relative to the mean of the middle ones.
  double mean = 0, heights[4][3];
  for (int i = 0; i < 4; ++i) {
    const PlanarRoot root = control.root_at(0.1 * i);
    for (int k = 0; k < 3; ++k) {
      const float side = 0.5F * static_cast<float>(k - 1);
      heights[i][k] = height(root.position.x + side * std::cos(root.facing_rad),
                             root.position.z - side * std::sin(root.facing_rad));
    }
    mean += heights[i][1] / 4;
  }
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(at(4, 3 * i + k), heights[i][k] - mean, 1e-4) << i << " " << k;
}

// Ticks of uneven length: rows of the past lie between them, the oldest one before all.
TEST(RuntimePast, RowsBetweenUnevenTicks) {
  const Layout layout = figure_layout("\"root.position times=-0.5:0:6\", \"joint.velocity joints=Head\"");
  RuntimeHistory history(layout, test::walker_skeleton(), 60);
  Pose pose = make_pose(*test::walker_skeleton());
  std::vector<double> times{0}, places{0};
  double t = 0;
  Random random(3);
  std::vector<float> out(layout.size(BlockKind::kInput));
  for (int i = 0; i < 60; ++i) {
    const double dt = random.uniform(0.02F, 0.09F);
    t = i == 0 ? 0 : t + dt;
    const double z = t * t;
    if (i > 0) times.push_back(t), places.push_back(z);
    pose.translations[0].z = static_cast<float>(z);
    history.push(pose.view(), {{0, 0, static_cast<float>(z)}, 0}, i == 0 ? 0.05 : dt);
    history.encode(BlockKind::kInput, nullptr, out);
    for (int k = 0; k < 6; ++k) {
      const double at = t - 0.1 * (5 - k);
      double expected = places[0];
      for (std::size_t n = 1; n < times.size(); ++n) {
        if (at < times[n - 1] || at > times[n]) continue;
        expected = places[n - 1] + (places[n] - places[n - 1]) * (at - times[n - 1]) / (times[n] - times[n - 1]);
      }
      ASSERT_NEAR(out[static_cast<std::size_t>(2 * k + 1)], expected - z, 2e-4) << i << " " << k;
    }
    const std::size_t n = times.size();
    const double speed = i == 0 ? 0 : (places[n - 1] - places[n - 2]) / (times[n - 1] - times[n - 2]);
    EXPECT_NEAR(out[14], speed, 1e-3) << "over the last tick";
  }
  EXPECT_GT(history.num_ticks(), 30);
  history.reset();
  EXPECT_EQ(history.num_ticks(), 0);
  pose.translations[0].z = 9;
  history.push(pose.view(), {{0, 0, 9}, 0}, 0.05);
  history.encode(BlockKind::kInput, nullptr, out);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(out[static_cast<std::size_t>(2 * k + 1)], 0, 1e-5) << "nothing was before";
}

}  // namespace
}  // namespace zoe::features
