// SPDX-License-Identifier: MIT
// Part of Zoetrope. Two legs, two arms: people and their cartoons, with or without fingers, tail
// and jaw.
#include <string>

#include "synth/biped.h"

namespace zoe::synth {
namespace {

void add_leg(Plan& plan, Side side, const Build& b, const PersonLayers& layers, const Look& look) {
  const float s = side == Side::kLeft ? 1.0F : -1.0F;
  Leg leg;
  leg.side = side;
  leg.trunk = plan.body.root;
  leg.plantigrade = true;
  const float ankle_height = 0.085F * b.leg, ball_height = 0.028F * b.leg;
  const Vec3 hip{s * b.hip_half, b.leg, 0};
  const float knee_y = ankle_height + 0.49F * (b.leg - ankle_height);
  const Vec3 knee{s * b.hip_half, knee_y, 0.025F * b.leg}, ankle{s * b.hip_half, ankle_height, -0.02F * b.leg};
  const Vec3 ball{s * (b.hip_half + 0.01F * b.leg), ball_height, ankle.z + 0.62F * b.foot},
      tip{ball.x, 0.8F * ball_height, ball.z + 0.28F * b.foot};
  leg.upper = plan.add({.part = Part::kThigh, .side = side}, leg.trunk, hip);
  leg.lower = plan.add({.part = Part::kShin, .side = side}, leg.upper, knee);
  const int foot = plan.add({.part = Part::kFoot, .side = side}, leg.lower, ankle);
  const int toe = plan.add({.part = Part::kToe, .side = side}, foot, ball);
  leg.tip = plan.add_end(toe, tip);
  leg.distal = {foot, toe};
  leg.heel = Vec3{0, -ankle_height, -0.12F * b.foot};
  plan.cone(leg.upper, knee - hip, 115, 50);
  plan.hinge(leg.lower, {1, 0, 0}, -4, 158);
  plan.cone(foot, ball - ankle, 75, 35);
  plan.hinge(toe, {1, 0, 0}, -75, 30);
  add_leg_flesh(plan, b, layers, look, leg);
  finish_leg(plan, leg);
  plan.body.legs.push_back(leg);
}

void add_fingers(Plan& plan, Arm& arm, Vec3 wrist, Vec3 along, float hand, int count) {
  const float s = arm.side == Side::kLeft ? 1.0F : -1.0F;
  const Vec3 forward{0, 0, 1};
  constexpr std::array kParts{Part::kThumb, Part::kIndex, Part::kMiddle, Part::kRing, Part::kPinky};
  for (int f = 0; f < count; ++f) {
    const bool thumb = f == 0;
    const float across = thumb ? 0.3F : 0.27F - 0.18F * static_cast<float>(f - 1);
    const Vec3 direction = thumb ? normalized(along + forward * 0.9F) : normalized(along + forward * (0.25F * across));
    const float length_m = hand * (thumb ? 0.4F : f == 4 ? 0.36F : 0.46F);
    Vec3 p = wrist + along * (hand * (thumb ? 0.18F : 0.5F)) + forward * (across * hand);
    int parent = arm.hand;
    const Vec3 curl = cross(direction, Vec3{-s * 0.7F, -0.7F, 0});  // Towards the palm, which faces the body.
    for (int k = 1; k <= 3; ++k) {
      const int joint =
          plan.add({.part = kParts[static_cast<std::size_t>(f)], .side = arm.side, .index = k}, parent, p);
      const Vec3 next = p + direction * (length_m * (k == 1 ? 0.42F : 0.29F));
      plan.hinge(joint, curl, -10, 100);
      arm.fingers.push_back(joint);
      parent = joint;
      p = next;
    }
    plan.add_end(parent, p);
  }
}

void add_arm(Plan& plan, Side side, const Build& b, Vec3 chest_top, const PersonLayers& layers, const Look& look) {
  const float s = side == Side::kLeft ? 1.0F : -1.0F;
  Arm arm;
  arm.side = side;
  const Vec3 shoulder{s * b.shoulder_half, chest_top.y - 0.06F * b.height * 0.5F, chest_top.z};
  arm.clavicle = plan.add({.part = Part::kClavicle, .side = side}, plan.body.chest,
                          Vec3{s * 0.2F * b.shoulder_half, shoulder.y, shoulder.z});
  arm.direction = normalized(Vec3{s * 0.72F, -0.7F, 0});
  const float upper = 0.47F * b.arm, lower = 0.43F * b.arm, hand = 0.26F * b.arm;
  const Vec3 elbow = shoulder + arm.direction * upper, wrist = elbow + arm.direction * lower;
  arm.upper = plan.add({.part = Part::kUpperArm, .side = side}, arm.clavicle, shoulder);
  arm.lower = plan.add({.part = Part::kForearm, .side = side}, arm.upper, elbow);
  arm.hand = plan.add({.part = Part::kHand, .side = side}, arm.lower, wrist);
  plan.cone(arm.clavicle, {s, 0, 0}, 30, 20);
  plan.cone(arm.upper, arm.direction, 140, 100);
  plan.hinge(arm.lower, cross(arm.direction, Vec3{0, 0, 1}), -4, 155);
  plan.cone(arm.hand, arm.direction, 80, 60);
  if (b.num_fingers > 0) {
    add_fingers(plan, arm, wrist, arm.direction, hand, b.num_fingers);
  } else {
    plan.add_end(arm.hand, wrist + arm.direction * hand);
  }
  add_arm_flesh(plan, b, layers, look, arm);
  plan.body.arms.push_back(arm);
}

}  // namespace

void plan_biped(Plan& plan) {
  Build b{};
  b.height = plan.draw(1.35F, 2.0F);
  b.leg = b.height * plan.draw(0.44F, 0.55F);
  b.foot = b.height * plan.draw(0.13F, 0.17F);
  b.girth = plan.draw(0.8F, 1.45F);
  b.hip_half = b.height * plan.draw(0.048F, 0.062F) * std::sqrt(b.girth);
  b.shoulder_half = b.height * plan.draw(0.095F, 0.125F);
  b.head = b.height * plan.draw(0.115F, 0.16F);  // Length of the head.
  b.arm = b.height * plan.draw(0.38F, 0.48F);
  b.num_fingers = plan.chance(0.4F) ? plan.draw_int(4, 5) : 0;
  Body& body = plan.body;
  body.species = std::string(b.girth > 1.2F             ? "a stocky "
                             : b.girth < 0.92F          ? "a slender "
                             : b.height < 1.5F          ? "a small "
                             : b.leg > 0.52F * b.height ? "a long-legged "
                                                        : "a ") +
                 "humanoid";
  if (body.species == "a humanoid" && b.height > 1.85F) body.species = "a tall humanoid";

  int parent = kNoJoint;
  if (plan.names == Names::kUnreal || plan.names == Names::kBip01)
    parent = plan.add({.part = Part::kRoot}, kNoJoint, {});
  body.root = plan.add({.part = Part::kHips}, parent, {0, b.leg + 0.03F * b.height, 0});
  const float neck_y = b.height - b.head - 0.045F * b.height, hips_y = plan.at(body.root).y;
  const int num_spine = plan.draw_int(2, 5);
  std::vector<Vec3> points;
  for (int i = 0; i < num_spine; ++i) {
    const float t = (static_cast<float>(i) + 0.6F) / (static_cast<float>(num_spine) + 0.4F);
    points.push_back({0, hips_y + 0.78F * t * (neck_y - hips_y), 0.012F * b.height * (t - 0.5F)});
  }
  body.spine = add_chain(plan, Part::kSpine, body.root, points);
  body.chest = body.spine.back();
  for (const int joint : body.spine)
    plan.cone(joint, {0, 1, 0}, 100.0F / static_cast<float>(num_spine), 80.0F / static_cast<float>(num_spine));

  const Vec3 neck_base{0, neck_y, 0};
  const bool jaw = plan.chance(0.3F);
  add_head_joints(plan, neck_base, {0, neck_y + 0.045F * b.height, 0.01F * b.height}, {0, b.height, 0.012F * b.height},
                  plan.draw_int(1, 2));
  const Vec3 head = plan.at(body.head);
  if (jaw) {
    body.jaw = plan.add({.part = Part::kJaw}, body.head, head + Vec3{0, 0.22F * b.head, 0.1F * b.head});
    plan.hinge(body.jaw, {1, 0, 0}, -3, 35);
    plan.add_end(body.jaw, head + Vec3{0, 0.02F * b.head, 0.42F * b.head});
  }
  const Look look = draw_look(plan.random.split(900));
  const PersonLayers layers = add_person_layers(plan, b, look);
  add_trunk_flesh(plan, b, layers, neck_y);
  add_head_flesh(plan, b, layers, look);
  for (const Side side : {Side::kLeft, Side::kRight}) add_arm(plan, side, b, neck_base, layers, look);
  if (plan.chance(0.12F)) {
    add_tail(plan, {0, b.leg + 0.02F * b.height, -0.09F * b.height}, {0, 0.35F * b.leg, -0.3F * b.height},
             plan.draw_int(3, 8), 0.03F * b.height, 0.01F * b.height);
    body.species += " with a tail";
  }
  for (const Side side : {Side::kLeft, Side::kRight}) add_leg(plan, side, b, layers, look);
  body.body_length_m = 2 * b.foot;
  body.radius_m = 0.062F * b.height * b.girth;
}

}  // namespace zoe::synth
