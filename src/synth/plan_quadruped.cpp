// SPDX-License-Identifier: MIT
// Part of Zoetrope. Four legs: from weasel to giraffe, on paws or hooves, with two to four joints per leg.
#include <string>

#include "synth/plan.h"

namespace zoe::synth {

void add_quadruped_leg(Plan& plan, Side side, bool front, Vec3 top, float half_track, float thickness, int num_bones,
                       bool hoof) {
  const float s = side == Side::kLeft ? 1.0F : -1.0F, h = top.y;
  const int row = front ? 0 : 1;
  const auto tag = [&](Part part) { return Tag{.part = part, .side = side, .row = row, .num_rows = 2}; };
  Body& body = plan.body;
  Leg leg;
  leg.side = side;
  leg.row = row;
  leg.trunk = front ? body.chest : body.root;
  // Elbows point back and up, knees forward. The foot is about below the top.
  const float fold = front ? -1.0F : 1.0F, x = s * half_track;
  const float sole = hoof ? 0.03F * h : 0.035F * h;
  Vec3 upper{x, h, top.z}, lower, hock, ball;
  int parent = leg.trunk;
  if (front) {
    leg.base = plan.add(tag(Part::kScapula), parent, Vec3{0.7F * x, h + 0.16F * h, top.z - 0.06F * h});
    plan.cone(leg.base, {0, -1, 0}, 25, 15);
    plan.blob(leg.base, plan.at(leg.base), 1.3F * thickness, upper, 1.45F * thickness, {0.8F, 1, 1.15F});
    parent = leg.base;
  }
  if (num_bones == 2) {
    lower = Vec3{x, 0.5F * h, top.z + fold * 0.19F * h};
    hock = ball = Vec3{x, sole, top.z};
  } else {
    lower = front ? Vec3{x, 0.57F * h, top.z - 0.16F * h} : Vec3{x, 0.58F * h, top.z + 0.13F * h};
    hock = front ? Vec3{x, 0.2F * h, top.z - 0.01F * h} : Vec3{x, 0.27F * h, top.z - 0.13F * h};
    ball = front ? Vec3{x, sole, top.z + 0.03F * h} : Vec3{x, sole, top.z - 0.07F * h};
  }
  leg.upper = plan.add(tag(Part::kThigh), parent, upper);
  leg.lower = plan.add(tag(Part::kShin), leg.upper, lower);
  const int ankle = plan.add(tag(num_bones == 2 ? Part::kFoot : Part::kHock), leg.lower, hock);
  leg.distal = {ankle};
  if (num_bones == 4) {
    const Vec3 pastern = lerp(hock, ball, 0.62F) + Vec3{0, 0, -0.02F * h};
    leg.distal.push_back(plan.add(tag(Part::kPastern), ankle, pastern));
  }
  if (num_bones > 2) leg.distal.push_back(plan.add(tag(Part::kFoot), leg.distal.back(), ball));
  const Vec3 tip = ball + Vec3{0, -0.3F * sole, (hoof ? 0.05F : 0.09F) * h};
  leg.tip = plan.add_end(leg.distal.back(), tip);
  leg.hinge = {fold, 0, 0};
  leg.pole = {0, 0, fold};
  plan.cone(leg.upper, lower - upper, 100, 40);
  plan.hinge(leg.lower, leg.hinge, -60, 140);
  plan.cone(ankle, leg.distal.size() > 1 ? plan.at(leg.distal[1]) - hock : tip - hock, 120, 45);
  for (std::size_t i = 1; i < leg.distal.size(); ++i) plan.cone(leg.distal[i], {0, 0, 1}, 115, 50);

  const float mid = 0.62F * thickness, thin = hoof ? 0.36F * thickness : 0.45F * thickness;
  plan.blob(leg.upper, upper, (front ? 1.15F : 1.6F) * thickness, lower, mid * 1.1F, {0.8F, 1, 1.15F});
  plan.blob(leg.lower, lower, mid, hock, thin);
  const float foot = hoof ? 0.55F * thickness : 0.62F * thickness;
  for (std::size_t i = 0; i + 1 < leg.distal.size(); ++i) {
    plan.blob(leg.distal[i], plan.at(leg.distal[i]), thin, plan.at(leg.distal[i + 1]) + Vec3{0, 0.5F * foot, 0}, thin);
  }
  const float pad = std::max(sole, 0.8F * foot);
  plan.blob(leg.distal.back(), Vec3{x, pad, ball.z}, pad, Vec3{x, 0.75F * pad, tip.z - 0.4F * pad}, 0.75F * pad,
            {1.25F, 1, 1});
  finish_leg(plan, leg);
  body.legs.push_back(leg);
}

void plan_quadruped(Plan& plan) {
  Body& body = plan.body;
  // The type is drawn first, because everything depends on it.
  enum class Kind { kDog, kHorse, kLow, kHeavy, kLongNeck };
  const Kind kind = static_cast<Kind>(plan.draw_int(0, 4));
  const bool hoof = kind == Kind::kHorse || kind == Kind::kHeavy || kind == Kind::kLongNeck;
  float height = plan.draw(0.3F, 0.8F), length_ratio = plan.draw(1.0F, 1.3F), girth = plan.draw(0.24F, 0.3F);
  float neck = 0.45F, head = 0.32F, neck_rise = 0.35F;
  const char* name = "a dog-like animal";
  switch (kind) {
    case Kind::kDog:
      break;
    case Kind::kHorse:
      height = plan.draw(0.8F, 1.4F), neck = 0.55F, head = 0.36F, neck_rise = 0.42F, girth = plan.draw(0.22F, 0.27F),
      name = "a horse-like animal";
      break;
    case Kind::kLow:
      height = plan.draw(0.15F, 0.3F), length_ratio = plan.draw(1.8F, 2.6F), girth = plan.draw(0.38F, 0.5F),
      neck = 0.45F, head = 0.6F, neck_rise = 0.1F, name = "a low, long-bodied animal";
      break;
    case Kind::kHeavy:
      height = plan.draw(0.9F, 1.6F), length_ratio = plan.draw(1.1F, 1.4F), girth = plan.draw(0.36F, 0.44F),
      neck = 0.35F, head = 0.4F, neck_rise = 0.05F, name = "a heavy hoofed animal";
      break;
    case Kind::kLongNeck:
      height = plan.draw(0.9F, 1.5F), length_ratio = plan.draw(0.85F, 1.05F), neck = plan.draw(0.8F, 1.2F),
      head = 0.28F, neck_rise = 0.8F, girth = 0.25F, name = "a long-necked animal";
      break;
  }
  body.species = name;
  const float trunk = height * length_ratio, r = 0.5F * girth * height * plan.draw(1.1F, 1.3F), half_track = 0.62F * r;
  const float back_y = height * plan.draw(1.06F, 1.14F);
  if (plan.names == Names::kUnreal) plan.add({.part = Part::kRoot}, kNoJoint, {});
  body.root = plan.add({.part = Part::kHips}, plan.names == Names::kUnreal ? 0 : kNoJoint, {0, back_y, -0.5F * trunk});
  const int num_spine = plan.draw_int(3, 7);
  std::vector<Vec3> points;
  for (int i = 0; i < num_spine; ++i) {
    const float t = (static_cast<float>(i) + 0.7F) / (static_cast<float>(num_spine) - 0.3F);
    points.push_back({0, back_y + 0.05F * height * std::sin(3.14F * t), -0.5F * trunk + 0.94F * trunk * t});
  }
  body.spine = add_chain(plan, Part::kSpine, body.root, points);
  body.chest = body.spine.back();
  for (const int joint : body.spine)
    plan.cone(joint, {0, 0, 1}, 110.0F / static_cast<float>(num_spine), 50.0F / static_cast<float>(num_spine));
  // The trunk is below the spine. The belly rises to the loins.
  plan.blob(body.root, {0, back_y - 0.55F * r, -0.56F * trunk}, 0.85F * r, {0, points[0].y - 0.5F * r, points[0].z},
            0.85F * r, {0.95F, 1, 1});
  for (int i = 0; i < num_spine; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const float t0 = static_cast<float>(i) / static_cast<float>(num_spine), t1 = t0 + 1 / static_cast<float>(num_spine);
    const auto radius = [&](float t) { return r * (0.85F + 0.25F * t); };
    const auto low = [&](Vec3 p, float t) { return p - Vec3{0, 0.55F * radius(t), 0}; };
    const Vec3 next = i + 1 < num_spine ? points[k + 1] : points[k] + Vec3{0, 0.01F * height, 0.5F * r};
    plan.blob(body.spine[k], low(points[k], t0), radius(t0), low(next, t1), radius(t1), {0.88F, 1.05F, 1});
  }

  const float neck_length = neck * height, head_length = head * height,
              head_radius = 0.36F * head_length * plan.draw(0.85F, 1.1F);
  const Vec3 neck_start = points.back() + Vec3{0, 0.02F * height, 0.5F * r};
  const Vec3 direction = normalized(Vec3{0, neck_rise, 0.5F});
  const Vec3 head_base = neck_start + direction * neck_length;
  const float droop = kind == Kind::kHeavy ? 0.8F : 0.4F;
  const Vec3 head_tip = head_base + normalized(Vec3{0, -droop, 1}) * head_length;
  const int num_neck = kind == Kind::kLongNeck ? plan.draw_int(3, 6) : plan.draw_int(1, 3);
  add_head(plan, neck_start, head_base, head_tip, head_radius, num_neck, plan.chance(0.8F));
  // A thick base of the neck; ears and eyes.
  plan.blob(body.neck.front(), neck_start - Vec3{0, 0.3F * r, 0.2F * r}, 0.72F * r, lerp(neck_start, head_base, 0.5F),
            1.0F * head_radius);
  const float ear_length = head_radius * plan.draw(0.5F, 1.3F);
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const float s = side == Side::kLeft ? 1.0F : -1.0F;
    const Vec3 ear = head_base + Vec3{s * 0.62F * head_radius, 0.75F * head_radius, 0.1F * head_radius};
    const Vec3 ear_tip = ear + Vec3{s * 0.35F, 1, -0.15F} * ear_length;
    const int joint = plan.add({.part = Part::kEar, .side = side}, body.head, ear);
    plan.cone(joint, ear_tip - ear, 45, 30);
    plan.add_end(joint, ear_tip);
    plan.blob(joint, ear, 0.3F * head_radius, ear_tip, 0.1F * head_radius);
    body.ears.push_back(joint);
    const Vec3 along = normalized(head_tip - head_base);
    plan.balls.push_back({body.head,
                          head_base + along * (0.85F * head_radius) +
                              Vec3{s * 0.64F * head_radius, 0.4F * head_radius, 0.1F * head_radius},
                          0.14F * head_radius});
  }
  // The nose.
  plan.balls.push_back({body.head,
                        head_tip - normalized(head_tip - head_base) * (0.2F * head_radius),
                        0.2F * head_radius,
                        {0.03F, 0.025F, 0.025F, 1}});
  const int tail = plan.chance(0.15F) ? 0 : plan.draw_int(3, kind == Kind::kLow ? 12 : 8);
  const float tail_length = height * plan.draw(0.4F, 0.9F);
  add_tail(plan, {0, back_y - 0.2F * r, -0.5F * trunk - 0.8F * r},
           {0, back_y - 0.45F * tail_length, -0.5F * trunk - 0.8F * r - 0.75F * tail_length}, tail, 0.28F * r,
           0.09F * r);

  const float thickness = height *
                          (kind == Kind::kHeavy ? 0.1F
                           : kind == Kind::kLow ? 0.11F
                                                : 0.075F) *
                          plan.draw(0.9F, 1.15F);
  const int num_bones = kind == Kind::kLow ? plan.draw_int(2, 3) : hoof ? plan.draw_int(3, 4) : 3;
  for (const bool front : {true, false}) {
    for (const Side side : {Side::kLeft, Side::kRight}) {
      const Vec3 top{0, height * (front ? 0.86F : 0.95F), (front ? 0.44F : -0.5F) * trunk};
      add_quadruped_leg(plan, side, front, top, half_track, thickness, num_bones, hoof);
    }
  }
  body.body_length_m = trunk;
  body.radius_m = r;
}

}  // namespace zoe::synth
