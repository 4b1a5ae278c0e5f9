// SPDX-License-Identifier: MIT
// Steps of a neural character against their rules, written out: root, trajectory ahead, labels, phases, coasting and
// locks that fade.
#include <algorithm>
#include <map>

#include "zoe/math/spring.h"

#include "control/neural/neural_model.h"
#include "walker.h"

namespace zoe::control {
namespace {

using features::BlockKind;
using features::Group;

constexpr float kDt_s = 1.0F / 30;

struct Probe : NeuralState {
  using NeuralState::has_own_way_;
  using NeuralState::led_;
  using NeuralState::NeuralState;
  using NeuralState::own_;
  using NeuralState::point_;
};

const test::Walker& walker_of(const std::string& type) {
  static std::map<std::string, test::Walker> made;
  const auto found = made.find(type);
  if (found != made.end()) return found->second;
  const author::Labels labels = type == "mann" ? author::Labels{{"calm", "hasty"}, {"sit"}} : author::Labels{};
  return made.emplace(type, test::make_walker(*author::find_type(type).value(), synth::Course::kWeave, 6, labels))
      .first->second;
}

// Shows the network's pose as it is.
NeuralOptions plain() {
  NeuralOptions options;
  options.follow = 1;
  options.lock_feet = false;
  return options;
}

struct Stepper {
  const test::Walker& walker;
  NeuralModel model;
  Probe state;
  CharacterFrame before, now;
  std::vector<float> x, window, y;
  Intent intent = Intent::move({0.7F, 0, 1.1F}, 0.4F);
  bool far_away = false;

  explicit Stepper(const std::string& type, const NeuralOptions& options = plain())
      : walker(walker_of(type)),
        model(make_neural_model(
                  {type, test::walker_body(walker), test::random_network(walker, 0, type == "pfnn"), options})
                  .value()),
        state(model, walker.motion.skeleton),
        before{{}, model.parts.body.start, std::vector<float>(model.parts.body.contact_joints.size())},
        now(before),
        x(model.x_size()),
        window(features::RuntimeHistory::window_size(walker.layout)),
        y(model.y_size()) {
    state.start(model, now);
  }
  StepItem item() { return {&state, &intent, &before, &now, far_away}; }
  // What a perfect network says at that row of the clip.
  void answer(int row) {
    const features::Sample sample{0, row, 0};
    ASSERT_TRUE(
        (features::GatherJob{.layout = &walker.layout, .clips = {&walker.clip, 1}, .samples = {&sample, 1}, .output = y}
             .run()));
  }
  void decode(int row) {
    answer(row);
    state.decode(model, item(), y);
  }
  void coast() { state.coast(model, item()); }
  std::span<const float> encode() {
    state.encode(model, item(), x, nullptr, window);
    return x;
  }
  float phase() {
    float turns = -1;
    state.encode(model, item(), x, &turns, window);
    return turns;
  }
};

// The root after a step by `delta`, and what is kept of it, by the rules.
struct RootReference {
  TrajectoryPoint point, led;

  void step(const RootDelta& delta, const Intent& intent, const NeuralOptions& options, bool far_away) {
    const PlanarRoot moved = moved_by(point.root, delta);
    const Vec3 velocity = (moved.position - point.root.position) / kDt_s;
    const float turn_speed = delta.turn_rad / kDt_s;
    const float speed = std::max(length(velocity), std::min(length(led.velocity_mps), 0.3F));
    point.root = lead(led, intent, moved, far_away ? 3.0F : speed, turn_speed, kDt_s, options.trajectory,
                      far_away ? RootCorrection{0.05F, 0.2F, 1} : options.correction);
    point.velocity_mps = far_away ? (velocity + led.velocity_mps) * 0.5F : velocity;
    point.turn_speed_rad_s = turn_speed;
  }
};

void expect_same_root(const Stepper& made, const RootReference& expected, int step) {
  const TrajectoryPoint& found = made.state.point_;
  EXPECT_LT(distance(found.root.position, expected.point.root.position), 1e-4F) << step;
  EXPECT_NEAR(found.root.facing_rad, expected.point.root.facing_rad, 1e-4F) << step;
  EXPECT_LT(distance(found.velocity_mps, expected.point.velocity_mps), 1e-3F) << step;
  EXPECT_NEAR(found.turn_speed_rad_s, expected.point.turn_speed_rad_s, 1e-3F) << step;
  EXPECT_EQ(found.acceleration_mps2, Vec3{}) << step;
  EXPECT_LT(distance(made.now.root.position, found.root.position), 1e-6F) << step;
  EXPECT_EQ(made.now.root.facing_rad, found.root.facing_rad) << step;
}

// The fixed point of a closed loop: the same pose again and again, with a step of the root and feet in contact.
TEST(NeuralStep, FeetInContactStopTheRootOfAPoseThatStandsStill) {
  const auto speed_after = [](float feet_lead, float contact) {
    NeuralOptions options = plain();
    options.feet_lead = feet_lead;
    Stepper stepper("mann", options);
    stepper.answer(20);
    const auto& channels = stepper.walker.layout.schema().block(BlockKind::kOutput).channels;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      if (channels[c].group != Group::kContact) continue;
      const features::Column& column = stepper.walker.layout.columns(BlockKind::kOutput)[c];
      std::fill_n(stepper.y.begin() + column.begin, column.width, contact);
    }
    for (int i = 0; i < 20; ++i) stepper.state.decode(stepper.model, stepper.item(), stepper.y);
    return length(stepper.state.point_.velocity_mps);
  };
  const float free = speed_after(0, 1);
  EXPECT_GT(free, 0.3F);
  EXPECT_LT(speed_after(1, 1), 0.1F * free);
  EXPECT_NEAR(speed_after(0.5F, 1), 0.5F * free, 0.1F * free);
  EXPECT_NEAR(speed_after(1, 0), free, 1e-3F) << "no foot is in contact";
}

TEST(NeuralStep, RootMovesByTheOutputAndIsLedByTheIntent) {
  for (const bool far_away : {false, true}) {
    Stepper stepper("mann");
    stepper.far_away = far_away;
    RootReference reference;
    for (int i = 0; i < 12; ++i) {
      if (i == 6) stepper.intent = Intent::move({-1, 0, 0.2F}, -1.5F);
      stepper.answer(20 + 5 * i);
      reference.step(stepper.model.decoder.root_step(stepper.y), stepper.intent, stepper.model.parts.options, far_away);
      stepper.state.decode(stepper.model, stepper.item(), stepper.y);
      expect_same_root(stepper, reference, i);
    }
    EXPECT_GT(length(reference.point.root.position), 0.1F);
  }
}

TEST(NeuralStep, ShowsTheDecodedPoseAtItsRootWithContactsFromZeroToOne) {
  Stepper stepper("mann");
  stepper.decode(30);
  stepper.answer(41);
  const features::Layout& layout = stepper.walker.layout;
  const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (channels[c].group != Group::kContact) continue;
    float* contacts = stepper.y.data() + layout.columns(BlockKind::kOutput)[c].begin;
    contacts[0] = -0.5F;
    contacts[1] = 1.5F;
    contacts[2] = 0.25F;
  }
  stepper.state.decode(stepper.model, stepper.item(), stepper.y);
  features::DecodedFrame frame = stepper.model.decoder.make_frame();
  Pose pose = stepper.model.parts.body.start;
  const PlanarRoot root = stepper.now.root;
  stepper.model.decoder.decode(stepper.y, root, root, frame);
  stepper.model.decoder.to_pose(frame, pose);
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    EXPECT_GT(std::abs(dot(pose.rotations[j], stepper.now.pose.rotations[j])), 0.999999F) << j;
    EXPECT_LT(distance(pose.translations[j], stepper.now.pose.translations[j]), 1e-5F) << j;
  }
  EXPECT_EQ(stepper.now.contacts[0], 0);
  EXPECT_EQ(stepper.now.contacts[1], 1);
  EXPECT_NEAR(stepper.now.contacts[2], 0.25F, 1e-6F);
}

TEST(NeuralStep, TheWayAheadBlendsTheModelsOwnWithTheIntents) {
  NeuralOptions options = plain();
  options.own_way_now = 0.8F;
  options.own_way_far = 0.3F;
  Stepper stepper("mann", options);
  for (int row = 30; row < 36; ++row) stepper.decode(row);
  ASSERT_TRUE(stepper.state.has_own_way_);
  Random random(3);
  features::ControlSeries& own = stepper.state.own_;
  for (std::size_t i = 0; i < own.roots.size(); ++i) {
    own.roots[i].position += Vec3{random.uniform(-1, 1), 0, random.uniform(-1, 1)};
    own.roots[i].facing_rad += random.uniform(-3, 3) + (i % 2 == 0 ? 6.2831853F : 0.0F);
    own.velocities[i] += Vec3{random.uniform(-1, 1), 0, random.uniform(-1, 1)};
  }
  for (const bool has_own_way : {true, false}) {
    stepper.state.has_own_way_ = has_own_way;
    features::ControlSeries way = features::ControlSeries::standing(stepper.model.way_times, {});
    predict(stepper.state.point_, stepper.intent, way, options.trajectory);
    const auto n = static_cast<float>(way.roots.size());
    for (std::size_t i = 0; i < way.roots.size(); ++i) {
      // From 0.8 now to 0.3 at the far end.
      const float share = has_own_way ? 0.8F - 0.5F * static_cast<float>(i) / (n - 1) : 0;
      PlanarRoot& root = way.roots[i];
      root.position += (own.roots[i].position - root.position) * share;
      root.facing_rad += std::remainder(own.roots[i].facing_rad - root.facing_rad, 6.2831853F) * share;
      way.velocities[i] += (own.velocities[i] - way.velocities[i]) * share;
    }
    way.roots[0] = stepper.state.point_.root;
    std::vector<float> expected(stepper.x.size());
    // Labels: the usual ones, none.
    way.styles.assign(way.roots.size() * 2, 0.0F);
    way.actions.assign(way.roots.size(), 0.0F);
    stepper.state.encode_input(way, expected, stepper.window);
    stepper.encode();
    for (std::size_t c = 0; c < expected.size(); ++c) ASSERT_NEAR(stepper.x[c], expected[c], 2e-4F) << c;
  }
}

// The columns of x with the three labels at the times of their channel.
struct LabelColumns {
  int first = -1;
  features::SampleTimes times;
  int now = -1;  // Which of the times is now.
};

LabelColumns label_columns(const features::Layout& layout) {
  LabelColumns out;
  const auto& channels = layout.schema().block(BlockKind::kInput).channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const auto& parts = channels[c].parts;
    if (std::find(parts.begin(), parts.end(), features::Part::kStyle) == parts.end()) continue;
    out.first = layout.columns(BlockKind::kInput)[c].begin;
    out.times = channels[c].times;
  }
  for (int i = 0; i < out.times.count; ++i)
    if (std::abs(out.times.at(i)) < 1e-6) out.now = i;
  return out;
}

TEST(NeuralStep, LabelsHalveTheirDistanceEveryHalfLife) {
  NeuralOptions options = plain();
  options.usual_style = "calm";
  options.usual_action = "sit";
  options.label_half_life_s = 0.25F;
  Stepper stepper("mann", options);
  const LabelColumns columns = label_columns(stepper.walker.layout);
  ASSERT_EQ(columns.first, 0);
  ASSERT_GE(columns.now, 1);
  const auto label = [&](int time, int which) { return stepper.x[static_cast<std::size_t>(time * 3 + which)]; };
  stepper.intent.styles = {0.25F, 0.75F};
  stepper.intent.actions = {0.5F};
  const float usual[] = {1, 0, 1}, desired[] = {0.25F, 0.75F, 0.5F};
  for (int steps = 0; steps < 12; ++steps) {
    stepper.encode();
    for (int time = columns.now; time < columns.times.count; ++time) {
      const float after_s = static_cast<float>(steps) * kDt_s + static_cast<float>(columns.times.at(time));
      const float left = std::exp2(-after_s / 0.25F);
      for (int which = 0; which < 3; ++which) {
        ASSERT_NEAR(label(time, which), desired[which] + (usual[which] - desired[which]) * left, 1e-4F)
            << steps << " " << time << " " << which;
      }
    }
    // Coasting moves them too.
    if (steps % 3 == 2) {
      stepper.coast();
    } else {
      stepper.decode(30);
    }
  }
  // Without any desired label they go back to the usual ones; one of a kind is enough to leave those of its kind.
  for (int i = 0; i < 60; ++i) stepper.decode(30);
  stepper.intent.styles = {};
  for (int i = 0; i < 100; ++i) stepper.decode(30);
  stepper.encode();
  EXPECT_NEAR(label(columns.now, 0), 1, 1e-3F);
  EXPECT_NEAR(label(columns.now, 1), 0, 1e-3F);
  EXPECT_NEAR(label(columns.now, 2), 0.5F, 1e-3F);
}

TEST(NeuralStep, PhasesOnlyAdvanceAndByAtMostFourCyclesASecond) {
  Stepper stepper("pfnn");
  features::DecodedFrame frame = stepper.model.decoder.make_frame();
  const auto delta_of = [&](std::span<const float> y) {
    stepper.model.decoder.decode(y, {}, PlanarRoot{}, frame);
    return frame.phase_delta;
  };
  stepper.answer(40);
  std::size_t column = 0;
  for (std::size_t c = 0; c < stepper.y.size(); ++c) {
    std::vector<float> changed = stepper.y;
    changed[c] += 0.01F;
    if (delta_of(changed) != delta_of(stepper.y)) column = c;
  }
  ASSERT_NEAR(delta_of(stepper.y), stepper.y[column], 1e-6F);
  double expected = 0;
  int cycles = 0;
  for (const float delta :
       {0.05F, 0.1F, -0.2F, 9.0F, 0.1333F, 0.1334F, 0.12F, 0.13F, 0.1F, 0.13F, 0.11F, 0.0F, 0.02F}) {
    stepper.y[column] = delta;
    stepper.state.decode(stepper.model, stepper.item(), stepper.y);
    const double advance = std::clamp(static_cast<double>(delta), 0.0, 4.0 / 30);
    expected += advance;
    cycles += expected >= 1 ? 1 : 0;
    expected -= std::floor(expected);
    ASSERT_NEAR(stepper.phase(), expected, 1e-5) << delta;
    // Coasting goes on at the same pace.
    stepper.coast();
    expected += advance;
    cycles += expected >= 1 ? 1 : 0;
    expected -= std::floor(expected);
    ASSERT_NEAR(stepper.phase(), expected, 1e-5) << delta;
  }
  EXPECT_EQ(cycles, 2);
}

// Where `values` stand in a row, one after the other; -1: nowhere.
int place_of(std::span<const float> values, std::span<const float> in) {
  const auto found = std::search(in.begin(), in.end(), values.begin(), values.end(),
                                 [](float a, float b) { return std::abs(a - b) < 1e-5F; });
  return found == in.end() ? -1 : static_cast<int>(found - in.begin());
}

TEST(NeuralStep, PhasesOfFeetAreFedBackAndCoastByTheirLastChange) {
  Stepper stepper("lmp");
  const features::Layout& layout = stepper.walker.layout;
  const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
  features::Column column{};
  for (std::size_t c = 0; c < channels.size(); ++c)
    if (channels[c].group == Group::kPhaseLocal) column = layout.columns(BlockKind::kOutput)[c];
  ASSERT_GT(column.width, 1);
  const auto predicted = [&] {
    return std::vector<float>(stepper.y.begin() + column.begin, stepper.y.begin() + column.begin + column.width);
  };
  stepper.decode(30);
  const std::vector<float> first = predicted();
  EXPECT_GE(place_of(first, stepper.encode()), 0);
  stepper.decode(33);
  const std::vector<float> second = predicted();
  EXPECT_GE(place_of(second, stepper.encode()), 0);
  std::vector<float> expected = second;
  for (int i = 0; i < 3; ++i) {
    stepper.coast();
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] += second[k] - first[k];
    EXPECT_GE(place_of(expected, stepper.encode()), 0) << i;
  }
  // Then by the mean change from answer to answer: four steps, whatever was coasted in between.
  stepper.decode(37);
  const std::vector<float> third = predicted();
  stepper.coast();
  expected = third;
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] += (third[k] - second[k]) / 4;
  EXPECT_GE(place_of(expected, stepper.encode()), 0);
}

// A pose seen from its root.
Pose in_root(const Stepper& made) {
  Pose pose = made.now.pose;
  const Quat root_from_model = conjugate(rotation_of(made.now.root));
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    if (made.walker.motion.skeleton->parent(static_cast<int>(j)) != kNoJoint) continue;
    pose.rotations[j] = root_from_model * pose.rotations[j];
    pose.translations[j] = rotate(root_from_model, pose.translations[j] - made.now.root.position);
  }
  return pose;
}

// a + (b - c) * share, rotation by rotation as vectors of four, with equal signs.
Pose drifted(const Pose& a, const Pose& b, const Pose& c, float share) {
  Pose out = a;
  for (std::size_t j = 0; j < a.rotations.size(); ++j) {
    const Quat q = a.rotations[j], x = nearest_to(q, b.rotations[j]), y = nearest_to(q, c.rotations[j]);
    out.rotations[j] = {q.x + (x.x - y.x) * share, q.y + (x.y - y.y) * share, q.z + (x.z - y.z) * share,
                        q.w + (x.w - y.w) * share};
    out.translations[j] = a.translations[j] + (b.translations[j] - c.translations[j]) * share;
  }
  return out;
}

void expect_same_pose(const Pose& found, const Pose& expected, const char* when) {
  for (std::size_t j = 0; j < found.rotations.size(); ++j) {
    const Quat a = normalized(expected.rotations[j]), b = nearest_to(a, found.rotations[j]);
    EXPECT_LT(std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z) + std::abs(a.w - b.w), 2e-4F)
        << when << ", joint " << j;
    EXPECT_LT(distance(found.translations[j], expected.translations[j]), 1e-4F) << when << ", joint " << j;
  }
}

TEST(NeuralStep, CoastingGoesOnByTheMeanOfTheLastChangeAndThatSinceTheLastAnswer) {
  Stepper stepper("mann");
  const NeuralOptions& options = stepper.model.parts.options;
  RootReference root;
  RootDelta delta;
  const auto decode = [&](int row) {
    stepper.answer(row);
    delta = stepper.model.decoder.root_step(stepper.y);
    root.step(delta, stepper.intent, options, false);
    stepper.state.decode(stepper.model, stepper.item(), stepper.y);
    return in_root(stepper);
  };
  const auto coast = [&] {
    stepper.coast();
    root.step(delta, stepper.intent, options, false);
    expect_same_root(stepper, root, 0);
    return in_root(stepper);
  };
  decode(28);
  const Pose first = decode(30);
  // The first time it only holds the pose.
  expect_same_pose(coast(), first, "first");
  expect_same_pose(coast(), first, "second");
  const Pose second = decode(36);
  // Three steps since the last answer, and the pose stood until now.
  const float both = 0.3F + 0.7F / 3;
  Pose expected = drifted(second, second, first, both);
  expect_same_pose(coast(), expected, "after the second answer");
  const Pose once = in_root(stepper);
  expected = drifted(once, second, first, both);
  expect_same_pose(coast(), expected, "and on");
  const Pose twice = in_root(stepper);
  const Pose third = decode(45);
  // 0.3 of the last change (from where it coasted to), 0.7 / 3 of the change since the last answer.
  expected = drifted(drifted(third, third, twice, 0.3F), third, second, 0.7F / 3);
  expect_same_pose(coast(), expected, "after the third answer");
  const Pose coasted = in_root(stepper);
  const Pose fourth = decode(47);
  expected = drifted(drifted(fourth, fourth, coasted, 0.3F), fourth, third, 0.7F / 2);
  expect_same_pose(coast(), expected, "after the fourth answer");
}

// The locks of feet are those of FootLockJob on the predicted contacts. Far away they fade out within 0.3 seconds, and
// near they come back as slowly.
TEST(NeuralStep, LocksFadeFarAwayAndComeBack) {
  NeuralOptions locking = plain();
  locking.lock_feet = true;
  Stepper locked("mann", locking), free("mann");
  const Body& body = locked.model.parts.body;
  const std::vector<Leg> legs = legs_of(body);
  FootLockState feet = make_foot_lock_state(body.legs.size());
  int share_of_nine = 9;  // A step of a thirtieth is a ninth of the fade.
  float changed = 0;
  for (int i = 0; i < 40; ++i) {
    locked.far_away = free.far_away = i >= 10 && i < 22;
    share_of_nine = std::clamp(share_of_nine + (locked.far_away ? -1 : 1), 0, 9);
    locked.decode(20 + i);
    free.decode(20 + i);
    CharacterFrame expected = free.now;
    if (share_of_nine == 0) {
      feet = make_foot_lock_state(body.legs.size());
    } else {
      std::vector<float> ankles, balls;
      for (const BodyLeg& leg : body.legs) {
        ankles.push_back(leg.ankle_contact < 0 ? 0 : expected.contacts[static_cast<std::size_t>(leg.ankle_contact)]);
        balls.push_back(leg.ball_contact < 0 ? 0 : expected.contacts[static_cast<std::size_t>(leg.ball_contact)]);
      }
      ASSERT_TRUE((FootLockJob{.skeleton = body.skeleton.get(),
                               .legs = legs,
                               .ankle_contacts = ankles,
                               .ball_contacts = balls,
                               .dt_s = kDt_s,
                               .pose = ik_pose(expected.pose),
                               .state = &feet}
                       .run()));
      const float share = static_cast<float>(share_of_nine) / 9;
      for (std::size_t j = 0; j < expected.pose.rotations.size(); ++j) {
        Quat& q = expected.pose.rotations[j];
        const Quat from = nearest_to(q, free.now.pose.rotations[j]);
        changed += 1 - std::abs(dot(q, from));
        q = {from.x + (q.x - from.x) * share, from.y + (q.y - from.y) * share, from.z + (q.z - from.z) * share,
             from.w + (q.w - from.w) * share};
        Vec3& t = expected.pose.translations[j];
        t = free.now.pose.translations[j] + (t - free.now.pose.translations[j]) * share;
      }
    }
    expect_same_pose(locked.now.pose, expected.pose, ("step " + std::to_string(i)).c_str());
  }
  EXPECT_GT(changed, 1e-5F) << "locking changes something";
}

// A start forgets whatever was before: the same steps follow.
TEST(NeuralStep, AStartForgetsEverything) {
  for (const char* type : {"mann", "pfnn", "lmp", "deepphase"}) {
    SCOPED_TRACE(type);
    NeuralOptions options;
    options.usual_style = "calm";
    Stepper used(type, options), fresh(type, options);
    used.intent.styles[1] = used.intent.actions[0] = 1;
    for (int i = 0; i < 20; ++i) {
      used.far_away = i > 12;
      used.decode(20 + 3 * i);
      if (i > 10) used.coast();
    }
    used.intent = fresh.intent;
    used.far_away = false;
    used.state.start(used.model, used.now);
    EXPECT_EQ(used.now.root.position, Vec3{});
    EXPECT_EQ(used.now.root.facing_rad, 0);
    EXPECT_EQ(used.now.pose.rotations, used.model.parts.body.start.rotations);
    EXPECT_EQ(used.now.pose.translations, used.model.parts.body.start.translations);
    for (const float contact : used.now.contacts) EXPECT_EQ(contact, 1);
    for (int i = 0; i < 8; ++i) {
      used.encode();
      fresh.encode();
      // The history's clock runs on: the last bits of times differ.
      for (std::size_t c = 0; c < used.x.size(); ++c) ASSERT_NEAR(used.x[c], fresh.x[c], 1e-4F) << i << " " << c;
      for (Stepper* stepper : {&used, &fresh}) {
        if (i == 1 || i == 5) {
          stepper->coast();
        } else {
          stepper->decode(40 + i);
        }
      }
      ASSERT_EQ(used.now.pose.rotations, fresh.now.pose.rotations) << i;
      ASSERT_EQ(used.now.pose.translations, fresh.now.pose.translations) << i;
      ASSERT_EQ(used.now.contacts, fresh.now.contacts) << i;
    }
  }
}

// An alpha-beta filter of rotations: extrapolated, then corrected by a part of what is left.
TEST(PoseFilterReference, IsAnAlphaBetaFilterOfRotations) {
  for (const float follow : {0.1F, 0.55F, 0.9F, 1.0F}) {
    const float gain = 2 * (2 - follow) - 4 * std::sqrt(1 - follow);
    PoseFilter filter(1);
    Quat last;
    Vec3 step;
    Random random(8);
    Quat given = from_rotation_vector(Vec3{0.4F, -0.2F, 0.1F});
    for (int i = 0; i < 60; ++i) {
      // Mostly small turns, sometimes ones of up to two radians.
      const float size = i % 7 == 3 ? 1.2F : i % 5 == 2 ? 0.3F : 0.05F;
      given = normalized(from_rotation_vector(Vec3{random.uniform(-size, size), random.uniform(-size, size),
                                                   random.uniform(-size, size)}) *
                         given);
      Quat shown = given;
      filter.apply(follow, {&shown, 1});
      if (i == 0) {
        last = given;
      } else {
        const Quat guess = from_rotation_vector(step) * last;
        const Vec3 left = to_rotation_vector(canonical(given * conjugate(guess)));
        step += left * gain;
        last = normalized(from_rotation_vector(left * follow) * guess);
      }
      const Quat off = canonical(shown * conjugate(last));
      ASSERT_LT(length(Vec3{off.x, off.y, off.z}), 2e-5F) << i << " " << follow;
      last = shown;  // Only the step is compared, not what rounding adds up to.
    }
  }
}

}  // namespace
}  // namespace zoe::control
