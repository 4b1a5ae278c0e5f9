// SPDX-License-Identifier: MIT
#include "author/alive/strike.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/math/smooth_step.h"

namespace zoe::author {
namespace {

using control::GaitLeg;
using control::GaitPart;
using control::GaitPosture;
using control::GaitRhythm;
using control::GaitSettings;
using control::Locomotion;
using Role = GaitPart::Role;

// Legs without knees let the trunk move this fraction of what others do.
constexpr float kRigidShare = 0.35F;

bool has(const Alive& alive, Role role) {
  return std::any_of(alive.plan.parts.begin(), alive.plan.parts.end(),
                     [&](const GaitPart& part) { return part.role == role; });
}

bool has_rigid_legs(const Alive& alive) {
  return std::any_of(alive.plan.legs.begin(), alive.plan.legs.end(),
                     [](const GaitLeg& leg) { return leg.knee == kNoJoint; });
}

// Up and down again between 0 and 1, with no slope at the ends.
float bump(float u) {
  u = std::clamp(u, 0.0F, 1.0F);
  return 16 * u * u * (1 - u) * (1 - u);
}

// One strike at one moment, added to a posture.
class Striker {
 public:
  Striker(const Alive& alive, const Strike& strike, float t, GaitPosture& out, GaitRhythm& rhythm)
      : plan_(alive.plan),
        skeleton_(*alive.body.skeleton),
        head_(alive.analysis.head),
        s_(alive.plan.settings),
        strike_(strike),
        t_(t),
        out_(out),
        rhythm_(rhythm),
        rigid_(has_rigid_legs(alive)),
        struck_at_(strike.weapon == Weapon::kArm || strike.weapon == Weapon::kWings ? kStruckFar : kStruckNear),
        held_at_(struck_at_ + kHold) {
    const float struck = smoother_step(static_cast<double>((t - kWound) / (struck_at_ - kWound)));
    wind_ = strike.power * smoother_step(static_cast<double>(t / kWound)) * (1 - struck);
    hit_ = strike.power * struck * (1 - smoother_step(static_cast<double>((t - held_at_) / (1 - held_at_))));
  }

  void run() {
    switch (strike_.weapon) {
      case Weapon::kArm:
        return arm();
      case Weapon::kBite:
        return bite();
      case Weapon::kForeleg:
        return foreleg();
      case Weapon::kTail:
        return tail();
      case Weapon::kWings:
        return wings();
      case Weapon::kCoil:
        return coil();
      case Weapon::kLunge:
        return lunge();
    }
  }

 private:
  Vec3 both(Vec3 wound, Vec3 struck) const { return wound * wind_ + struck * hit_; }
  // In leg lengths and radians. Planted feet bound how far a trunk goes.
  void trunk(Vec3 wound_move, Vec3 struck_move, Vec3 wound_turn, Vec3 struck_turn) {
    const float share = rigid_ ? kRigidShare : 1.0F;
    out_.trunk_move_m += both(wound_move, struck_move) * (share * s_.leg_length_m);
    out_.trunk_turn_rad += both(wound_turn, above_ground(struck_turn)) * share;
  }
  Vec3 above_ground(Vec3 struck_rad) const {
    return {struck_rad.x * (struck_rad.x > 0 ? strike_.down : 1.0F), struck_rad.y, struck_rad.z};
  }
  // The whole chain of a role bends by this angle.
  void bend(Role role, Vec3 wound, Vec3 struck) {
    if (role != Role::kTail) struck = above_ground(struck);
    for (std::size_t i = 0; i < plan_.parts.size(); ++i)
      if (plan_.parts[i].role == role) out_.bend_rad[i] += both(wound, struck) * plan_.parts[i].share;
  }
  // Wings: the angle of the left one; the right one is its mirror image.
  void spread_wings(float wound, float struck) {
    for (std::size_t i = 0; i < plan_.parts.size(); ++i) {
      const GaitPart& part = plan_.parts[i];
      if (part.role == Role::kWing)
        out_.bend_rad[i] += both({0, 0, part.side * wound}, {0, 0, part.side * struck}) * part.share;
    }
  }

  void arm() {
    const float side = strike_.side;
    struct Angles {
      Vec3 upper_wound, upper_struck;
      float lower_wound, lower_struck;
    };
    const Angles ways[] = {
        {{-1.9F, 0, 0.3F * side}, {-0.6F, 0, -0.15F * side}, -1.2F, -0.1F},
        {{-0.2F, 0, 1.35F * side}, {-1.15F, 0, -0.45F * side}, -0.8F, -0.15F},
        {{0.75F, 0, 0.15F * side}, {-1.45F, 0, 0}, -1.9F, 0.1F},
    };
    const Angles& way = ways[std::clamp(strike_.way, 0, 2)];
    const float guard = std::max(wind_, hit_);
    for (std::size_t i = 0; i < plan_.parts.size(); ++i) {
      const GaitPart& part = plan_.parts[i];
      const bool strikes = part.side * side > 0;
      if (part.role == Role::kArm)
        out_.bend_rad[i] +=
            (strikes ? both(way.upper_wound, way.upper_struck) : Vec3{-0.35F * guard, 0, 0}) * part.share;
      if (part.role == Role::kForearm)
        out_.bend_rad[i].x += strikes ? wind_ * way.lower_wound + hit_ * way.lower_struck : -0.9F * guard;
    }
    const float yaw = (strike_.way == 1 ? 0.5F : 0.35F) * side;
    const float pitch = strike_.way == 0 ? 0.35F : 0.15F;
    bend(Role::kSpine, {-0.5F * pitch, yaw, 0}, {pitch, -yaw, 0});
    bend(Role::kNeck, {0.4F * pitch, -0.8F * yaw, 0}, {-0.7F * pitch, 0.8F * yaw, 0});
    trunk({0, -0.05F, -0.06F}, {0, -0.08F, 0.16F}, {0, 0.2F * yaw, 0}, {0.08F, -0.2F * yaw, 0});
    if (!rigid_ && plan_.legs.size() == 2) step_in(-side, 0.38F);
  }

  // The foot of this side steps forward with the strike and back after it; distance in leg lengths.
  void step_in(float side, float far) {
    constexpr float kEarly = 0.06F, kBack = 0.25F;
    const float there = (t_ - kWound + kEarly) / (struck_at_ - kWound + kEarly), back = (t_ - held_at_) / kBack;
    const float at = smoother_step(static_cast<double>(there)) - smoother_step(static_cast<double>(back));
    for (std::size_t i = 0; i < plan_.legs.size(); ++i)
      if (plan_.legs[i].side * side > 0)
        out_.foot_move_m[i] += Vec3{0, 0.1F * (bump(there) + bump(back)), far * at} * s_.leg_length_m;
    out_.trunk_move_m.z += 0.4F * far * at * s_.leg_length_m;
  }

  void bite() {
    const float aim = strike_.aim_rad;
    const bool two_legs = plan_.legs.size() <= 2;
    const float pitch = two_legs ? 0.35F : 0.14F;
    trunk({0, -0.1F, -0.2F}, {0, -0.08F, 0.32F}, {-0.6F * pitch, 0.3F * aim, 0}, {pitch, 0.5F * aim, 0});
    bend(Role::kSpine, {-0.12F, 0.2F * aim, 0}, {0.12F, 0.3F * aim, 0});
    bend(Role::kNeck, {-0.6F, 0.4F * aim, 0}, {0.6F, 0.7F * aim, 0.15F * strike_.side});
    bend(Role::kTail, {-0.2F, -0.6F * aim, 0}, {0.25F, 0.6F * aim, 0});
    spread_wings(0.7F, 0.25F);
  }

  void foreleg() {
    float front_m = -1e30F, back_m = 1e30F;
    for (const GaitLeg& leg : plan_.legs) {
      front_m = std::max(front_m, leg.home_m.z);
      back_m = std::min(back_m, leg.home_m.z);
    }
    const bool pair = plan_.legs.size() > 4;  // Six and more feet: both of the foremost pair.
    const float side = strike_.side;
    for (std::size_t i = 0; i < plan_.legs.size(); ++i) {
      const GaitLeg& leg = plan_.legs[i];
      const bool foremost = leg.home_m.z > front_m - 0.2F * std::max(front_m - back_m, 1e-3F);
      if (!foremost || (!pair && leg.side * side <= 0)) continue;
      // Many legs are lifted high: sprawled ones have far to go, and a real spider's strike is twice as fast as a bite.
      const Vec3 wound{0.05F * leg.side, pair ? 1.2F : 0.5F, 0.1F},
          struck{-0.12F * leg.side, 0.12F, pair ? 1.0F : 0.5F};
      Vec3 move = both(wound, struck);
      move.y += 0.06F * bump((t_ - held_at_) / (1 - held_at_));  // Lifted on the way home.
      // Sprawled legs are longer than the body is high.
      out_.foot_move_m[i] += move * std::max(s_.leg_length_m, 0.5F * std::hypot(leg.home_m.x, leg.home_m.z));
    }
    const float away = pair ? 0.0F : -0.08F * side;
    trunk({away, 0.02F, -0.15F}, {0.3F * away, -0.06F, 0.22F}, {-0.22F, 0, 0.3F * away}, {0.1F, -0.1F * side, 0});
    bend(Role::kSpine, {-0.1F, 0, 0}, {0.08F, 0, 0});
    bend(Role::kNeck, {-0.2F, 0.2F * side, 0}, {0.35F, 0.1F * side, 0});
    bend(Role::kTail, {0.2F, 0.3F * side, 0}, {-0.15F, -0.4F * side, 0});
  }

  void tail() {
    const float side = strike_.side;
    trunk({0, -0.06F, 0.05F}, {0.08F * side, -0.1F, 0}, {0, 0.3F * side, 0}, {0, -0.4F * side, 0});
    bend(Role::kSpine, {0, 0.2F * side, 0}, {0, -0.3F * side, 0});
    bend(Role::kNeck, {0, 0.3F * side, 0}, {0, 0.5F * side, 0});
    bend(Role::kTail, {0.1F, -1.0F * side, 0}, {0.15F, 1.5F * side, 0});
  }

  void wings() {
    const bool flies = plan_.locomotion == Locomotion::kFly;
    spread_wings(1.0F, -0.75F);
    bend(Role::kNeck, {-0.4F, 0, 0}, {0.45F, 0.4F * strike_.aim_rad, 0});
    bend(Role::kTail, {-0.2F, 0, 0}, {0.3F, 0, 0});
    if (!flies) return trunk({0, 0.02F, -0.15F}, {0, -0.05F, 0.25F}, {-0.25F, 0, 0}, {0.2F, 0, 0});
    whole({0, 0.1F, -0.2F}, {0, -0.08F, 0.5F}, {-0.4F, 0, 0}, {0.4F, strike_.aim_rad, 0});
  }

  // A body that stands on nothing: in body lengths.
  void whole(Vec3 wound_move, Vec3 struck_move, Vec3 wound_turn, Vec3 struck_turn) {
    out_.trunk_move_m += both(wound_move, struck_move) * s_.body_length_m;
    out_.trunk_turn_rad += both(wound_turn, struck_turn);
  }

  // A snake: windings become narrow, the front rises, and all of it shoots forward.
  void coil() {
    rhythm_.effort += 1.1F * wind_;
    if (const std::vector<std::size_t> body = parts_behind_head(); !body.empty()) return rear(body);
    for (std::size_t i = 0; i < plan_.parts.size(); ++i) {
      if (is_front(plan_.parts[i]))
        out_.bend_rad[i] += both({-1.0F, 0, 0}, {1.2F * strike_.upright, 0, 0}) * front_share_;
    }
    bend(Role::kNeck, {-0.4F, 0.3F * strike_.aim_rad, 0}, {0.3F, 0.5F * strike_.aim_rad, 0});
    whole({0, 0, -0.08F}, {0, 0, 0.25F}, {}, {0, 0.5F * strike_.aim_rad, 0});
  }

  // A snake whose bones begin at its head: the trunk tilts, and the first joints behind it bend back to the ground.
  void rear(const std::vector<std::size_t>& body) {
    constexpr float kRaised = 0.4F;  // Of the joints.
    const auto count = std::max<std::size_t>(2, static_cast<std::size_t>(kRaised * static_cast<float>(body.size())));
    const float tilt = 0.9F * wind_ + 0.12F * hit_;
    float rise_m = 0;
    for (std::size_t i = 0; i < std::min(count, body.size()); ++i) {
      const float share = 1.0F / static_cast<float>(count);
      const GaitPart& part = plan_.parts[body[i]];
      rise_m += std::max(0.0F, part.along - part.share) * std::sin(tilt * (1 - share * static_cast<float>(i)));
      out_.bend_rad[body[i]].x += tilt * share;
    }
    out_.trunk_move_m.y += rise_m;
    whole({0, 0, -0.06F}, {0, 0, 0.25F}, {-0.9F, 0, 0}, {-0.12F, 0, 0});
  }

  // Waving joints that hang on the head, from front to back, where they are most of a body; else none.
  std::vector<std::size_t> parts_behind_head() const {
    std::vector<std::size_t> out;
    std::size_t waves = 0;
    for (std::size_t i = 0; i < plan_.parts.size(); ++i) {
      if (plan_.parts[i].role != Role::kWave) continue;
      ++waves;
      int above = skeleton_.parent(plan_.parts[i].joint);
      while (above != kNoJoint && above != head_) above = skeleton_.parent(above);
      if (above != kNoJoint) out.push_back(i);
    }
    if (2 * out.size() <= waves) out.clear();
    std::sort(out.begin(), out.end(),
              [&](std::size_t a, std::size_t b) { return plan_.parts[a].along < plan_.parts[b].along; });
    return out;
  }

  void lunge() {
    if (plan_.locomotion == Locomotion::kSwim) {
      rhythm_.effort += 0.5F * wind_ + hit_;
      // Whole turns: the wave goes on where it was.
      rhythm_.phase += smoother_step(static_cast<double>((t_ - kWound) / (held_at_ - kWound)));
      return whole({0, 0, -0.12F}, {0, 0, 0.45F}, {-0.15F, -0.3F * strike_.aim_rad, 0}, {0.2F, strike_.aim_rad, 0});
    }
    if (!plan_.legs.empty())
      return trunk({0, -0.1F, -0.22F}, {0, -0.05F, 0.35F}, {-0.25F, 0, 0}, {0.35F, strike_.aim_rad, 0});
    // It hops forward, and back.
    out_.trunk_move_m.y +=
        0.14F * s_.body_length_m * strike_.power *
        (bump((t_ - kWound) / (struck_at_ - kWound)) + 0.5F * bump((t_ - held_at_) / (0.9F - held_at_)));
    whole({0, 0, -0.12F}, {0, 0, 0.45F}, {-0.3F, 0, 0}, {0.35F, strike_.aim_rad, 0});
  }

  // The part of a snake that strikes: from its root to its head.
  bool is_front(const GaitPart& part) const {
    if (part.role != Role::kWave) return false;
    for (int j = head_; j != kNoJoint && j != plan_.trunk; j = skeleton_.parent(j))
      if (j == part.joint) return true;
    return false;
  }
  float front_share() const {
    std::size_t count = 0;
    for (const GaitPart& part : plan_.parts) count += is_front(part) ? 1 : 0;
    return 1 / std::max(1.0F, static_cast<float>(count));
  }

  const control::GaitPlan& plan_;
  const Skeleton& skeleton_;
  int head_;
  const GaitSettings& s_;
  const Strike& strike_;
  float t_;
  GaitPosture& out_;
  GaitRhythm& rhythm_;
  bool rigid_;
  float struck_at_, held_at_;
  float wind_ = 0, hit_ = 0;
  float front_share_ = front_share();
};

}  // namespace

std::vector<Weapon> weapons_of(const Alive& alive) {
  const control::GaitPlan& plan = alive.plan;
  switch (plan.locomotion) {
    case Locomotion::kCrawl:
      return {Weapon::kCoil};
    case Locomotion::kSwim:
    case Locomotion::kHop:
      return {Weapon::kLunge};
    case Locomotion::kFly:
      return {Weapon::kWings};
    case Locomotion::kLegs:
      break;
  }
  if (has(alive, Role::kForearm)) return {Weapon::kArm};
  std::vector<Weapon> out;
  const bool knees = !has_rigid_legs(alive);
  if (plan.legs.size() > 4 && knees) out.push_back(Weapon::kForeleg);
  if (has(alive, Role::kNeck)) out.push_back(Weapon::kBite);
  if (plan.legs.size() == 4 && knees) out.push_back(Weapon::kForeleg);
  if (has(alive, Role::kWing)) out.push_back(Weapon::kWings);
  if (std::count_if(plan.parts.begin(), plan.parts.end(),
                    [](const GaitPart& part) { return part.role == Role::kTail; }) >= 4)
    out.push_back(Weapon::kTail);
  if (out.empty()) out.push_back(Weapon::kLunge);
  return out;
}

float front_rise(const Alive& alive) {
  const int head = alive.analysis.head;
  if (head == kNoJoint) return 0;
  std::vector<Affine> model(alive.body.start.rotations.size());
  compute_model_from_joint(*alive.body.skeleton, alive.body.start.view(), model);
  const Vec3 line = model[idx(head)].t - model[idx(alive.plan.trunk)].t;
  return std::clamp(line.y / std::max(length(line), 1e-6F), 0.0F, 1.0F);
}

Strike draw_strike(const std::vector<Weapon>& weapons, int number, float upright, Random& random) {
  Strike strike;
  strike.upright = upright;
  // The first strike is by the likeliest weapon.
  strike.weapon = number == 0 || weapons.size() == 1 ? weapons[0] : weapons[random.below(weapons.size())];
  strike.way = static_cast<int>(random.below(3));
  strike.side = random.uniform() < 0.5F ? 1.0F : -1.0F;
  strike.power = random.uniform(0.85F, 1.15F);
  strike.aim_rad = random.uniform(-0.35F, 0.35F);
  return strike;
}

void weaken(Strike& strike) {
  constexpr float kLess = 0.6F, kLeastDown = 0.05F, kLessPower = 0.85F, kLeastPower = 0.5F;
  if (strike.down > kLeastDown)
    strike.down *= kLess;
  else
    strike.power = std::max(kLeastPower, kLessPower * strike.power);
}

void add_strike(const Alive& alive, const Strike& strike, float t, GaitPosture& posture, GaitRhythm& rhythm) {
  Striker(alive, strike, std::clamp(t, 0.0F, 1.0F), posture, rhythm).run();
}

}  // namespace zoe::author
