// SPDX-License-Identifier: MIT
#include "zoe/author/planned_action.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/math/smooth_step.h"
#include "zoe/synth/gait_numbers.h"

#include "author/alive/body_hull.h"
#include "author/alive/strike.h"

namespace zoe::author {
namespace {

using control::GaitPart;
using control::GaitPosture;
using control::GaitRhythm;
using control::GaitSettings;
using control::Locomotion;
using Role = GaitPart::Role;

constexpr float kBreath_hz = 0.25F;
// A body of this length takes the times below; others take the root of the ratio, as pendulums do.
constexpr float kUsualBody_m = 1.7F;

float slowness(const Alive& alive) {
  return std::sqrt(std::clamp(alive.plan.settings.body_length_m / kUsualBody_m, 0.15F, 6.0F));
}
float ease(float t) { return smoother_step(static_cast<double>(t)); }

// One action at one moment.
class Scene {
 public:
  Scene(const Alive& alive, const PlannedActionOptions& options)
      : alive_(alive), seconds_(static_cast<float>(options.seconds)), random_(Random(options.seed).split(11)) {
    for (float& phase : phases_) phase = random_.uniform();
  }
  virtual ~Scene() = default;

  // Makes the action weaker at this time: it would go through the ground.
  virtual void weaken(float /*time_s*/) {}
  // In the end the body lies on the ground.
  virtual bool falls() const { return false; }
  // How far the trunk of a body that folds comes down in the end.
  virtual void set_sunk(float /*trunk_m*/) {}
  // Its legs stay where they are, and bend.
  virtual bool folds() const { return false; }

  void pose(float time_s, GaitPosture& posture, GaitRhythm& rhythm) {
    const GaitSettings& s = alive_.plan.settings;
    posture = {};
    posture.bend_rad.assign(alive_.plan.parts.size(), Vec3{});
    posture.foot_move_m.assign(alive_.plan.legs.size(), Vec3{});
    rhythm = {phases_[0], phases_[1] + kBreath_hz * time_s, phases_[2] + s.beat_hz * time_s, 0};
    if (alive_.plan.locomotion == Locomotion::kSwim) rhythm.phase += 0.4F * s.stride_hz * time_s;
    add(time_s, posture, rhythm);
  }

 protected:
  virtual void add(float time_s, GaitPosture& posture, GaitRhythm& rhythm) = 0;

  void bend(Role role, Vec3 angles, GaitPosture& posture) const {
    for (std::size_t i = 0; i < alive_.plan.parts.size(); ++i)
      if (alive_.plan.parts[i].role == role) posture.bend_rad[i] += angles * alive_.plan.parts[i].share;
  }
  void arms_out(float angle, GaitPosture& posture) const {
    for (std::size_t i = 0; i < alive_.plan.parts.size(); ++i) {
      const GaitPart& part = alive_.plan.parts[i];
      if (part.role == Role::kArm || part.role == Role::kWing)
        posture.bend_rad[i] += Vec3{0, 0, part.side * angle} * part.share;
    }
  }
  bool is_rigid() const {
    return std::any_of(alive_.plan.legs.begin(), alive_.plan.legs.end(),
                       [](const control::GaitLeg& leg) { return leg.knee == kNoJoint; });
  }
  // Lengths: of legs where the body stands on some, else of the body.
  float unit_m() const {
    const GaitSettings& s = alive_.plan.settings;
    return alive_.plan.legs.empty() ? 0.5F * s.body_length_m : s.leg_length_m;
  }

  const Alive& alive_;
  float seconds_;
  Random random_;
  std::array<float, 3> phases_{};
};

// Repeats something that takes a time, with rests between.
struct Turn {
  float begin_s, length_s;
};
std::vector<Turn> turns_in(float seconds, float length_s, float rest_s, Random& random) {
  std::vector<Turn> turns;
  const float usable = std::min(length_s, 0.94F * seconds);
  for (float at = std::min(0.15F * usable, 0.03F * seconds); at + 0.97F * usable <= seconds;) {
    turns.push_back({at, std::min(usable * random.uniform(0.9F, 1.15F), seconds - at)});
    at += turns.back().length_s + rest_s * random.uniform(0.4F, 1.4F);
  }
  return turns;
}

class Attack final : public Scene {
 public:
  Attack(const Alive& alive, const PlannedActionOptions& options) : Scene(alive, options) {
    const std::vector<Weapon> weapons = weapons_of(alive);
    const float upright = front_rise(alive);
    // Even a chick needs some frames to strike.
    turns_ = turns_in(seconds_, std::max(1.2F * slowness(alive), 0.9F), 0.35F * slowness(alive), random_);
    for (std::size_t i = 0; i < turns_.size(); ++i)
      strikes_.push_back(draw_strike(weapons, static_cast<int>(i), upright, random_));
  }

 private:
  void add(float time_s, GaitPosture& posture, GaitRhythm& rhythm) override {
    // Ready between the strikes: a little lower, weight forward.
    if (!alive_.plan.legs.empty()) posture.trunk_move_m.y -= (is_rigid() ? 0.0F : 0.05F) * unit_m();
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      const float t = (time_s - turns_[i].begin_s) / turns_[i].length_s;
      if (t > 0 && t < 1) add_strike(alive_, strikes_[i], t, posture, rhythm);
    }
  }
  void weaken(float time_s) override {
    for (std::size_t i = 0; i < turns_.size(); ++i)
      if (time_s > turns_[i].begin_s && time_s < turns_[i].begin_s + turns_[i].length_s) author::weaken(strikes_[i]);
  }
  std::vector<Turn> turns_;
  std::vector<Strike> strikes_;
};

class Idle final : public Scene {
 public:
  using Scene::Scene;

 private:
  void add(float time_s, GaitPosture& posture, GaitRhythm&) override {
    const auto slow = [&](std::size_t i, float rate_hz) {
      return std::sin(2 * std::numbers::pi_v<float> * (phases_[i] + rate_hz * time_s));
    };
    const float look = slow(0, 0.11F / slowness(alive_)), nod = slow(1, 0.17F / slowness(alive_));
    bend(Role::kNeck, {0.07F * nod, 0.4F * look * std::abs(look), 0}, posture);
    bend(Role::kSpine, {0.015F * nod, 0.06F * look, 0}, posture);
    if (alive_.plan.legs.empty()) return;
    const float share = is_rigid() ? 0.3F : 1.0F;
    posture.trunk_move_m += Vec3{0.04F * slow(2, 0.13F), 0, 0.015F * nod} * (share * unit_m());
  }
};

class Jump final : public Scene {
 public:
  Jump(const Alive& alive, const PlannedActionOptions& options) : Scene(alive, options) {
    height_m_ = unit_m() * random_.uniform(0.5F, 0.75F);
    flight_s_ = 2 * std::sqrt(2 * height_m_ / static_cast<float>(synth::kGravity));
    const float around_s = 0.75F * slowness(alive);
    turns_ = turns_in(seconds_, flight_s_ + around_s, 0.3F * slowness(alive), random_);
  }

 private:
  void add(float time_s, GaitPosture& posture, GaitRhythm&) override {
    for (const Turn& turn : turns_) {
      const float now = time_s - turn.begin_s;
      if (now <= 0 || now >= turn.length_s) continue;
      const float flight = std::min(flight_s_, 0.6F * turn.length_s), around = turn.length_s - flight;
      const float takes_off = 0.5F * around, lands = takes_off + flight;
      const float up = std::clamp((now - takes_off) / flight, 0.0F, 1.0F);
      const float high = 4 * up * (1 - up) * height_m_;
      // Down, stretched at take-off, down again on landing.
      const float crouch = ease(now / (0.7F * takes_off)) * (1 - ease((now - 0.7F * takes_off) / (0.3F * takes_off)));
      const float landing =
          ease((now - lands) / (0.15F * around)) * (1 - ease((now - lands - 0.2F * around) / (0.3F * around)));
      const float deep = (is_rigid() ? 0.0F : 0.3F) * unit_m() * (crouch + 0.8F * landing);
      posture.trunk_move_m.y += high - deep;
      const float tuck = 4 * up * (1 - up) * (is_rigid() ? 0.0F : 0.25F);
      for (Vec3& foot : posture.foot_move_m) foot.y += high + tuck * unit_m();
      const float lean = alive_.plan.legs.size() == 2 ? 0.3F : 0.1F;
      posture.trunk_turn_rad.x += lean * (crouch + 0.7F * landing) - 0.1F * tuck;
      bend(Role::kNeck, {-0.6F * lean * (crouch + landing), 0, 0}, posture);
      bend(Role::kTail, {0.3F * (crouch + landing) - 0.6F * tuck, 0, 0}, posture);
      arms_out(1.2F * tuck * 4, posture);
    }
  }
  float height_m_ = 0, flight_s_ = 0;
  std::vector<Turn> turns_;
};

class Hit final : public Scene {
 public:
  Hit(const Alive& alive, const PlannedActionOptions& options) : Scene(alive, options) {
    turns_ = turns_in(seconds_, std::max(0.75F * slowness(alive), 0.6F), 0.4F * slowness(alive), random_);
    for (std::size_t i = 0; i < turns_.size(); ++i) sides_.push_back(random_.uniform(-1, 1));
  }

 private:
  void add(float time_s, GaitPosture& posture, GaitRhythm& rhythm) override {
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      const float t = (time_s - turns_[i].begin_s) / turns_[i].length_s;
      if (t <= 0 || t >= 1) continue;
      constexpr float kBlow = 0.16F;
      const float pain = ease(t / kBlow) * (1 - ease((t - kBlow) / (1 - kBlow)));
      const float share = is_rigid() ? 0.35F : 1.0F, side = sides_[i];
      posture.trunk_move_m += Vec3{0.12F * side, -0.1F, -0.25F} * (pain * share * unit_m());
      const float pitch = alive_.plan.legs.size() == 2 ? 0.25F : 0.12F;
      // What lies on the ground stays on it.
      const float tilt = alive_.plan.locomotion == Locomotion::kCrawl ? 0.0F : 1.0F;
      posture.trunk_turn_rad += Vec3{-pitch * tilt, 0.25F * side, 0.15F * side * tilt} * (pain * share);
      bend(Role::kSpine, Vec3{0.35F, 0.2F * side, 0} * pain, posture);
      bend(Role::kNeck, Vec3{-0.5F, 0.5F * side, 0.2F * side} * pain, posture);
      bend(Role::kTail, Vec3{0.3F, -0.5F * side, 0} * pain, posture);
      arms_out(0.7F * pain, posture);
      rhythm.effort += 0.8F * pain * (alive_.plan.legs.empty() ? 1.0F : 0.0F);
    }
  }
  std::vector<Turn> turns_;
  std::vector<float> sides_;
};

class Die final : public Scene {
 public:
  Die(const Alive& alive, const PlannedActionOptions& options) : Scene(alive, options) {
    fall_s_ = std::min(std::max(1.1F * slowness(alive), 0.9F) * random_.uniform(0.9F, 1.2F), 0.8F * seconds_);
    begin_s_ = std::min(0.15F * slowness(alive), 0.1F * seconds_);
    const float side = random_.uniform() < 0.5F ? 1.0F : -1.0F;
    const auto has = [&](Role role) {
      return std::any_of(alive.plan.parts.begin(), alive.plan.parts.end(),
                         [&](const GaitPart& part) { return part.role == role; });
    };
    // People fall on their back or their face, upright bodies with wings away from these, others and what has a tail
    // on a side. What is wide sinks where it is.
    constexpr float kUpright = 0.7F;
    const bool crawls = alive.plan.locomotion == Locomotion::kCrawl, two_legs = alive.plan.legs.size() == 2;
    const bool upright_wings = has(Role::kWing) && alive.plan.legs.size() <= 2 && front_rise(alive) > kUpright;
    sinks_ = !upright_wings && (alive.plan.legs.size() > 4 || has(Role::kWing) || crawls);
    if (crawls)
      fallen_rad_ = {0, 0.1F * side, 1.4F * side};
    else if (sinks_)
      fallen_rad_ = {0.1F, 0.1F * side, 0.15F * side};
    else if (upright_wings && (!has(Role::kTail) || alive.plan.legs.empty()))
      fallen_rad_ = {is_behind(alive) ? 1.45F : -1.45F, 0.15F, 0};
    else if ((has(Role::kForearm) || (has(Role::kArm) && two_legs)) && !has(Role::kTail))
      fallen_rad_ = {1.45F * side, 0.15F, 0};
    else
      fallen_rad_ = {0, 0.2F * side, 1.4F * side};
    if (std::abs(fallen_rad_.z) > 1) spread_ = 0.1F;  // The lower arm would prop it up.
  }

  // A body that is already as low as it can be, or whose head would be in the ground, rolls over, as beetles do.
  void set_sunk(float trunk_m) override {
    constexpr float kLeast = 0.3F;  // Of the height of its pivot.
    if (!folds() || trunk_m > kLeast * alive_.plan.settings.pivot_m) return;
    sinks_ = false;
    spread_ = 0;  // On its back, wings that droop would prop it up.
    fallen_rad_ = {0, 0.1F, fallen_rad_.z > 0 ? 2.9F : -2.9F};
  }
  bool falls() const override { return true; }
  bool folds() const override { return sinks_ && !alive_.plan.legs.empty(); }

 private:
  void add(float time_s, GaitPosture& posture, GaitRhythm& rhythm) override {
    const float t = std::clamp((time_s - begin_s_) / fall_s_, 0.0F, 1.0F);
    const float stagger = ease(t / 0.3F) * (1 - ease((t - 0.3F) / 0.3F));
    const float fall = smooth_step((t - 0.25F) / 0.6F);
    const float fallen = fall * fall;
    const float sign = std::abs(fallen_rad_.x) > 1 ? std::copysign(1.0F, fallen_rad_.x) : 0.0F;
    posture.limp = folds() ? 0.0F : smooth_step((t - 0.25F) / 0.75F);
    posture.trunk_move_m += Vec3{0, -0.12F, 0.15F * sign} * (stagger * unit_m() * (is_rigid() ? 0.3F : 1.0F));
    posture.trunk_move_m.y -= fallen * (folds() ? 0.65F : 0.9F) * alive_.plan.settings.pivot_m;
    posture.trunk_turn_rad += fallen_rad_ * fallen + Vec3{-0.1F * sign, 0, 0} * stagger;
    bend(Role::kNeck, Vec3{0.3F * (sign <= 0 ? 1.0F : -1.0F), 0.2F, 0} * fallen + Vec3{-0.3F, 0, 0} * stagger, posture);
    bend(Role::kTail, Vec3{0, 0.4F * fallen, 0}, posture);
    arms_out((folds() ? 0.1F : spread_) * fallen + 0.3F * stagger, posture);
    // Nothing breathes or beats afterwards.
    const float still = 1 - fall;
    rhythm.breath = phases_[1] + (rhythm.breath - phases_[1]) * still;
    rhythm.beat = phases_[2] + (rhythm.beat - phases_[2]) * still;
  }
  // Wings are behind the trunk: nothing lies flat on them.
  static bool is_behind(const Alive& alive) {
    std::vector<Affine> model(alive.body.start.rotations.size());
    compute_model_from_joint(*alive.body.skeleton, alive.body.start.view(), model);
    float sum_m = 0;
    for (const GaitPart& part : alive.plan.parts)
      if (part.role == Role::kWing) sum_m += model[idx(part.joint)].t.z - model[idx(alive.plan.trunk)].t.z;
    return sum_m < 0;
  }

  float begin_s_ = 0, fall_s_ = 1, spread_ = 0.6F;
  bool sinks_ = false;
  Vec3 fallen_rad_;
};

std::unique_ptr<Scene> make_scene(const Alive& alive, PlannedAction action, const PlannedActionOptions& options) {
  switch (action) {
    case PlannedAction::kAttack:
      return std::make_unique<Attack>(alive, options);
    case PlannedAction::kJump:
      return std::make_unique<Jump>(alive, options);
    case PlannedAction::kHit:
      return std::make_unique<Hit>(alive, options);
    case PlannedAction::kDie:
      return std::make_unique<Die>(alive, options);
    case PlannedAction::kIdle:
      break;
  }
  return std::make_unique<Idle>(alive, options);
}

// Poses of a scene, above the ground and within reach of the feet.
class Stage {
 public:
  Stage(const Alive& alive, Scene& scene, control::GaitPoses poses)
      : alive_(alive),
        scene_(scene),
        poses_(std::move(poses)),
        hull_(alive),
        pose_(alive.body.start),
        model_(pose_.rotations.size()),
        standing_(alive.plan.legs.size()),
        points_(standing_) {
    poses_.pose({}, {}, pose_);
    standing_m_ = lowest_m(false);
    trunk_standing_m_ = lowest_m(true);
    control::contact_points(alive_.body, alive_.plan, model_, standing_);
    if (!scene_.folds()) return;
    constexpr float kEnd_s = 1e4F;
    const float stands_m = model_[idx(alive_.plan.trunk)].t.y;
    compute_model_from_joint(*alive_.body.skeleton, pose(kEnd_s).view(), model_);
    scene_.set_sunk(stands_m - model_[idx(alive_.plan.trunk)].t.y);
  }

  // Makes the whole motion smaller until planted feet hold at this time, and strikes do not go through the ground.
  void fit(float time_s) {
    if (alive_.plan.legs.empty()) return;
    constexpr int kTries = 12;
    // The body is ready at the start: what is below the ground then stays so, however weak a strike is.
    pose(0);
    const float floor_m = std::min({lowest_m(true), trunk_standing_m_, 0.0F}) - kSinks * size_m();
    for (int tries = 0; tries < kTries; ++tries) {
      pose(time_s);
      const bool is_above = lowest_m(true) > floor_m;
      const bool holds = feet_hold();
      if (is_above && holds) return;
      if (!is_above) scene_.weaken(time_s);
      if (!holds) trunk_share_ *= 0.85F;
    }
  }

  const Pose& pose(float time_s) {
    scene_.pose(time_s, posture_, rhythm_);
    posture_.trunk_move_m = posture_.trunk_move_m * trunk_share_;
    posture_.trunk_turn_rad = posture_.trunk_turn_rad * trunk_share_;
    poses_.pose(posture_, rhythm_, pose_);
    // Never below the ground, and in the end on it. Legs that reach for their feet move less than the trunk.
    const float stands_m = scene_.folds() ? std::min(trunk_standing_m_, 0.0F) : standing_m_;
    for (int tries = 0; tries < 4 && scene_.falls(); ++tries) {
      const float floor_m = stands_m * (1 - posture_.limp);
      const float low_m = lowest_m(scene_.folds());
      posture_.trunk_move_m.y += (floor_m - low_m) * (low_m < floor_m ? 1.0F : posture_.limp * posture_.limp);
      poses_.pose(posture_, rhythm_, pose_);
    }
    // Bodies that crawl or hop have no feet that hold them above the ground.
    const bool lies = alive_.plan.locomotion == Locomotion::kCrawl || alive_.plan.locomotion == Locomotion::kHop;
    if (const float below_m = standing_m_ - lowest_m(false); lies && !scene_.falls() && below_m > 0) {
      posture_.trunk_move_m.y += below_m;
      poses_.pose(posture_, rhythm_, pose_);
    }
    return pose_;
  }

 private:
  static constexpr float kSinks = 0.02F;  // Body lengths: what does not count as below the ground.
  float size_m() const { return alive_.plan.settings.body_length_m; }
  // Height of the lowest point. Computes model_.
  float lowest_m(bool without_limbs) {
    compute_model_from_joint(*alive_.body.skeleton, pose_.view(), model_);
    return hull_.lowest_m(model_, without_limbs);
  }
  // Feet on the ground are where they should be. Of model_.
  bool feet_hold() {
    constexpr float kSlide = 0.012F;  // Leg lengths.
    control::contact_points(alive_.body, alive_.plan, model_, points_);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 move = posture_.foot_move_m[i];
      if (move.y > 0) continue;
      if (distance(points_[i], standing_[i] + move) > kSlide * alive_.plan.settings.leg_length_m) return false;
    }
    return true;
  }

  const Alive& alive_;
  Scene& scene_;
  control::GaitPoses poses_;
  BodyHull hull_;
  Pose pose_;
  std::vector<Affine> model_;
  std::vector<Vec3> standing_, points_;
  GaitPosture posture_;
  GaitRhythm rhythm_;
  float standing_m_ = 0, trunk_standing_m_ = 0, trunk_share_ = 1;
};

}  // namespace

std::optional<PlannedAction> planned_action_of(std::string_view action) {
  if (action == "attack" || action == "fight" || action == "punch" || action == "sword") return PlannedAction::kAttack;
  if (action == "idle" || action == "stand") return PlannedAction::kIdle;
  if (action == "jump") return PlannedAction::kJump;
  if (action == "hit") return PlannedAction::kHit;
  if (action == "die") return PlannedAction::kDie;
  return std::nullopt;
}

Result<Motion> planned_action(const Alive& alive, PlannedAction action, const PlannedActionOptions& options) {
  const int frames = std::max(1, static_cast<int>(std::lround(options.seconds * options.fps)));
  ZOE_TRY_ASSIGN(control::GaitPoses poses, control::GaitPoses::create(alive.body, alive.plan));
  const std::unique_ptr<Scene> scene = make_scene(alive, action, options);
  Stage stage(alive, *scene, std::move(poses));
  // Jumps and deaths leave the ground.
  if (action == PlannedAction::kAttack || action == PlannedAction::kHit || action == PlannedAction::kIdle)
    for (int f = 0; f < frames; ++f) stage.fit(static_cast<float>(f / options.fps));
  Motion out = make_motion(alive.body.skeleton, "planned", options.fps, frames, !alive.body.start.scales.empty());
  const std::size_t joints = idx(out.num_joints());
  for (int f = 0; f < frames; ++f) {
    const Pose& pose = stage.pose(static_cast<float>(f / options.fps));
    const auto to = static_cast<std::ptrdiff_t>(idx(f) * joints);
    std::copy(pose.translations.begin(), pose.translations.end(), out.translations.begin() + to);
    std::copy(pose.rotations.begin(), pose.rotations.end(), out.rotations.begin() + to);
    if (!out.scales.empty()) std::copy(pose.scales.begin(), pose.scales.end(), out.scales.begin() + to);
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe::author
