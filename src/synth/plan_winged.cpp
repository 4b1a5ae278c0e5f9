// SPDX-License-Identifier: MIT
// Part of Zoetrope. Wings: birds on two legs, bats, and dragons on four.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "synth/angle.h"
#include "synth/palette.h"
#include "synth/plan.h"

namespace zoe::synth {
namespace {

struct WingShape {
  Vec3 shoulder;  // Of the left wing.
  float half_span_m, chord_m, thickness_m;
  int num_fingers;  // Bones of the fan at the hand, or groups of feathers.
  float fan_deg;    // Angle of the hindmost from the foremost.
  bool feathers;
};

// The sail: from the body along arm and forearm, then from finger to finger.
void add_sail(Plan& plan, const Wing& wing, const WingShape& w, std::span<const int> ends) {
  const auto at = [&](int joint) { return plan.at(joint); };
  const Vec3 back{0, 0, -1};
  // Feathers darken from the coverts to the tips.
  const Vec4 color = w.feathers ? plan.color : plan.wing_color,
             edge = w.feathers ? shaded(plan.wing_color, 0.75F) : shaded(plan.wing_color, 0.8F);
  // The front edge moves with the bones, the rest with the joints behind them.
  struct Column {
    Vec3 front, rear;
    int front_a, front_b;
    float front_share;
    int rear_a, rear_b;
    float rear_share;
  };
  const Vec3 shoulder = at(wing.upper), elbow = at(wing.lower), wrist = at(wing.hand);
  const float chord = w.chord_m;
  const Vec3 root = lerp(shoulder, elbow, -0.12F), inner_arm = lerp(shoulder, elbow, 0.5F),
             forearm = lerp(elbow, wrist, 0.5F);
  const std::vector<Column> columns{
      {root, root + back * (0.62F * chord), plan.body.chest, wing.upper, 0.3F, wing.upper_sail, plan.body.chest, 0.4F},
      {inner_arm, inner_arm + back * (0.84F * chord), wing.upper, kNoJoint, 0, wing.upper_sail, kNoJoint, 0},
      {elbow, elbow + back * (0.98F * chord), wing.upper, wing.lower, 0.5F, wing.upper_sail, wing.lower_sail, 0.5F},
      {forearm, forearm + back * (0.94F * chord), wing.lower, kNoJoint, 0, wing.lower_sail, kNoJoint, 0},
      {wrist, wrist + back * (0.74F * chord), wing.lower, wing.hand, 0.4F, wing.lower_sail, kNoJoint, 0}};
  constexpr int kRows = 4;
  Plate inner;
  inner.num_rows = kRows, inner.num_columns = static_cast<int>(columns.size()), inner.color = color,
  inner.edge_color = edge;
  for (int r = 0; r < kRows; ++r) {
    const float t = static_cast<float>(r) / (kRows - 1);
    for (const Column& c : columns) {
      // A slight camber: highest near the front.
      const Vec3 p = lerp(c.front, c.rear, t) +
                     Vec3{0, 0.06F * chord * std::sin(std::numbers::pi_v<float> * std::pow(t, 0.6F)), 0};
      const float thickness = w.thickness_m * (1 - 0.75F * t);
      inner.points.push_back(r == 0 ? Plate::Point{p, thickness, c.front_a, c.front_b, c.front_share}
                                    : Plate::Point{p, thickness, c.rear_a, c.rear_b, c.rear_share});
    }
  }
  plan.plates.push_back(std::move(inner));
  Plate outer;
  outer.num_rows = kRows, outer.num_columns = static_cast<int>(wing.fingers.size()) + 1, outer.color = color,
  outer.edge_color = edge;
  for (int r = 0; r < kRows; ++r) {
    const float t = static_cast<float>(r) / (kRows - 1);
    outer.points.push_back({lerp(wrist, wrist + back * (0.74F * chord), t), w.thickness_m * (1 - 0.75F * t),
                            r == 0 ? wing.lower : wing.lower_sail, wing.hand, r == 0 ? 0.4F : 0.0F});
    for (std::size_t k = wing.fingers.size(); k-- > 0;) {
      Plate::Point p{lerp(wrist, at(ends[k]), t), w.thickness_m * (1 - 0.75F * t), wing.fingers[k], wing.hand, 0};
      if (r == 0) p.joint_a = wing.hand, p.joint_b = kNoJoint;
      outer.points.push_back(p);
    }
  }
  plan.plates.push_back(std::move(outer));
}

void add_wings(Plan& plan, const WingShape& w) {
  Body& body = plan.body;
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const float s = side == Side::kLeft ? 1.0F : -1.0F, h = w.half_span_m;
    const auto point = [&](float x, float y, float z) {
      return Vec3{s * (w.shoulder.x + x * h), w.shoulder.y + y * h, w.shoulder.z + z * h};
    };
    const auto tag = [&](Part part, int index = 0) { return Tag{.part = part, .side = side, .index = index}; };
    Wing wing;
    wing.side = side;
    wing.upper = plan.add(tag(Part::kWingUpper), body.chest, point(0, 0, 0));
    wing.lower = plan.add(tag(Part::kWingLower), wing.upper, point(0.26F, 0.02F, -0.03F));
    wing.hand = plan.add(tag(Part::kWingHand), wing.lower, point(0.55F, 0.03F, 0.03F));
    plan.cone(wing.upper, {s, 0, 0}, 125, 110);
    plan.hinge(wing.lower, {0, -s, 0}, -20, 172);
    plan.hinge(wing.hand, {0, s, 0}, -20, 175);
    wing.upper_sail =
        plan.add(tag(Part::kWingSail, 1), wing.upper, lerp(plan.at(wing.upper), plan.at(wing.lower), 0.5F));
    wing.lower_sail =
        plan.add(tag(Part::kWingSail, 2), wing.lower, lerp(plan.at(wing.lower), plan.at(wing.hand), 0.5F));
    for (const int joint : {wing.upper_sail, wing.lower_sail}) plan.hinge(joint, {0, s, 0}, -100, 100);
    const float r = w.thickness_m;
    Tube arm;
    arm.color = plan.color;
    arm.points = {{point(-0.03F, 0, 0), 1.7F * r, wing.upper},
                  {plan.at(wing.lower), 1.15F * r, wing.lower},
                  {plan.at(wing.hand), 0.9F * r, wing.hand}};
    arm.points.push_back({point(0.6F, 0.03F, 0.03F), 0.7F * r, wing.hand});
    plan.tubes.push_back(std::move(arm));
    std::vector<int> ends;
    for (int i = 0; i < w.num_fingers; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(w.num_fingers - 1), angle = (2 + w.fan_deg * t) * kDeg;
      const Vec3 direction{s * std::cos(angle), 0, -std::sin(angle)};
      const float length_m = h * (0.45F - 0.1F * t);
      const Vec3 base = plan.at(wing.hand) + direction * (0.1F * length_m);
      const int finger = plan.add(tag(Part::kWingFinger, i + 1), wing.hand, base);
      plan.hinge(finger, {0, -s, 0}, -20, w.fan_deg * t + 25);
      const Vec3 tip = plan.at(wing.hand) + direction * length_m;
      ends.push_back(plan.add_end(finger, tip));
      wing.fingers.push_back(finger);
      if (w.feathers) continue;
      Tube bone;
      bone.color = plan.color;
      bone.points = {{plan.at(wing.hand), 0.6F * r, finger}, {tip, 0.2F * r, finger}};
      plan.tubes.push_back(std::move(bone));
    }
    add_sail(plan, wing, w, ends);
    body.wings.push_back(std::move(wing));
  }
  body.wing_span_m = 2 * (w.shoulder.x + w.half_span_m);
  // Two rectangles to the wrists, two fans.
  body.wing_area_m2 = 2 * (0.55F * w.half_span_m * w.chord_m + 0.5F * 0.4F * w.half_span_m * w.chord_m);
}

// Hip, knee ahead, ankle behind, toes below the centre of mass.
void add_bird_leg(Plan& plan, Side side, Vec3 hip, float foot_z, float thickness) {
  const float s = side == Side::kLeft ? 1.0F : -1.0F, h = hip.y, x = s * hip.x, sole = 0.035F * h;
  const auto tag = [&](Part part) { return Tag{.part = part, .side = side}; };
  const Vec3 knee{x, 0.7F * h, std::max(hip.z, foot_z) + 0.13F * h}, hock{x, 0.36F * h, foot_z - 0.16F * h},
      ball{x, sole, foot_z};
  Leg leg;
  leg.side = side;
  leg.trunk = plan.body.root;
  leg.upper = plan.add(tag(Part::kThigh), leg.trunk, {x, h, hip.z});
  leg.lower = plan.add(tag(Part::kShin), leg.upper, knee);
  leg.distal = {plan.add(tag(Part::kHock), leg.lower, hock)};
  leg.distal.push_back(plan.add(tag(Part::kFoot), leg.distal[0], ball));
  const Vec3 tip = ball + Vec3{0, -0.4F * sole, 0.2F * h};
  leg.tip = plan.add_end(leg.distal[1], tip);
  leg.hinge = {1, 0, 0};
  leg.pole = {0, 0, 1};
  plan.cone(leg.upper, knee - plan.at(leg.upper), 100, 40);
  plan.hinge(leg.lower, leg.hinge, -60, 120);
  plan.cone(leg.distal[0], ball - hock, 120, 45);
  plan.cone(leg.distal[1], {0, 0, 1}, 115, 50);
  plan.blob(leg.upper, plan.at(leg.upper), 1.9F * thickness, knee, 1.0F * thickness);
  plan.blob(leg.lower, knee, 1.05F * thickness, hock, 0.55F * thickness);
  const Vec4 horn{0.75F, 0.5F, 0.2F, 1};
  plan.tubes.push_back({{{hock, 0.5F * thickness, leg.distal[0]}, {ball, 0.42F * thickness, leg.distal[0]}}, horn});
  for (const float turn : {-0.5F, 0.0F, 0.5F, 3.14F}) {
    const float length_m = (turn > 1 ? 0.12F : 0.2F) * h;
    plan.tubes.push_back(
        {{{ball, 0.36F * thickness, leg.distal[1]},
          {ball + Vec3{0.3F * std::sin(turn) * length_m, 0.36F * thickness - sole, 0.3F * std::cos(turn) * length_m},
           0.36F * thickness, leg.distal[1]},
          {ball + Vec3{std::sin(turn) * length_m, 0.2F * thickness - sole, std::cos(turn) * length_m}, 0.2F * thickness,
           leg.distal[1]}},
         horn});
  }
  finish_leg(plan, leg);
  plan.body.legs.push_back(leg);
}

void add_beak(Plan& plan, float head_radius, float length_m, Vec4 color) {
  Body& body = plan.body;
  const Vec3 base = plan.at(body.head) + Vec3{0, 0.35F * head_radius, 0.9F * head_radius},
             tip = base + Vec3{0, -0.15F * head_radius, length_m};
  plan.layer = add_layer(plan, color);
  plan.blob(body.head, base, 0.42F * head_radius, tip, 0.1F * head_radius);
  body.jaw = plan.add({.part = Part::kJaw}, body.head, base - Vec3{0, 0.3F * head_radius, 0.1F * head_radius});
  plan.hinge(body.jaw, {1, 0, 0}, -5, 50);
  const Vec3 chin = tip - Vec3{0, 0.2F * head_radius, 0.15F * length_m};
  plan.add_end(body.jaw, chin);
  plan.blob(body.jaw, plan.at(body.jaw), 0.3F * head_radius, chin, 0.09F * head_radius);
  plan.layer = 0;
  for (const float s : {1.0F, -1.0F})
    plan.balls.push_back({body.head,
                          plan.at(body.head) + Vec3{s * 0.72F * head_radius, 0.55F * head_radius, 0.5F * head_radius},
                          0.17F * head_radius});
}

// Birds, and bats with the same plan but sails of skin, ears and no tail.
void plan_two_legged(Plan& plan, bool bat) {
  Body& body = plan.body;
  enum class Kind { kSongbird, kCrow, kHeron };
  const auto kind = bat ? Kind::kSongbird : static_cast<Kind>(plan.draw_int(0, 2));
  const bool tall = kind == Kind::kHeron;
  const float trunk = kind == Kind::kSongbird ? plan.draw(0.1F, 0.25F)
                      : tall                  ? plan.draw(0.3F, 0.6F)
                                              : plan.draw(0.2F, 0.45F);
  const float leg = trunk * (tall ? plan.draw(1.5F, 2.2F) : plan.draw(0.75F, 1.1F)),
              girth = trunk * plan.draw(0.26F, 0.33F);
  body.species = bat                   ? "a bat-like flyer"
                 : tall                ? "a long-legged wading bird"
                 : kind == Kind::kCrow ? "a large bird"
                                       : "a small bird";
  if (bat) {
    // Fur, and wings of darker skin.
    const Coat fur = coat_of(BodyFamily::kQuadruped, plan.random.split(901).uniform(), 0.8F);
    plan.color = fur.back, plan.belly_color = fur.belly, plan.wing_color = shaded(fur.back, 0.7F);
    plan.layers[0].color = plan.color, plan.layers[0].belly_color = plan.belly_color, plan.layers[0].stripes = 0;
  }
  const float tilt = plan.draw(15, 35) * kDeg;
  const Vec3 along{0, std::sin(tilt), std::cos(tilt)}, hips{0, leg + 0.25F * girth, 0};
  body.root = plan.add({.part = Part::kHips}, kNoJoint, hips);
  const int num_spine = plan.draw_int(1, 3);
  std::vector<Vec3> points;
  for (int i = 1; i <= num_spine; ++i)
    points.push_back(hips + along * (0.62F * trunk * static_cast<float>(i) / static_cast<float>(num_spine)));
  body.spine = add_chain(plan, Part::kSpine, body.root, points);
  body.chest = body.spine.back();
  for (const int joint : body.spine) plan.cone(joint, along, 60.0F / static_cast<float>(num_spine), 25);
  plan.blob(body.root, hips - along * (0.25F * trunk), 0.5F * girth, points.front(), 1.05F * girth);
  for (std::size_t i = 0; i < points.size(); ++i)
    plan.blob(body.spine[i], points[i] - along * (0.2F * girth), 1.05F * girth,
              i + 1 < points.size() ? points[i + 1] : points[i] + along * (0.35F * girth), 0.9F * girth);
  const float head = girth * (bat    ? 0.75F
                              : tall ? 0.42F
                                     : 0.62F),
              neck = trunk * (tall  ? plan.draw(0.9F, 1.4F)
                              : bat ? 0.25F
                                    : plan.draw(0.3F, 0.5F));
  const Vec3 neck_start = points.back() + along * (0.75F * girth) + Vec3{0, 0.2F * girth, 0};
  const Vec3 head_base = neck_start + normalized(Vec3{0, tall ? 1.0F : 0.8F, 0.45F}) * neck;
  add_head(plan, neck_start, head_base, head_base + Vec3{0, 0.1F * head, 1.7F * head}, head,
           tall ? plan.draw_int(4, 7) : plan.draw_int(1, 3), false);
  plan.blob(body.neck.front(), neck_start - along * (0.3F * girth), 0.85F * girth, lerp(neck_start, head_base, 0.45F),
            0.85F * head);
  add_beak(plan, head,
           head * (bat    ? 0.5F
                   : tall ? 2.6F
                          : plan.draw(0.7F, 1.3F)),
           bat ? shaded(plan.color, 0.6F) : linear_color(kind == Kind::kCrow ? 0x3a3632 : 0xd08a2c));
  if (bat) {
    for (const Side side : {Side::kLeft, Side::kRight}) {
      const float s = side == Side::kLeft ? 1.0F : -1.0F;
      const Vec3 ear = head_base + Vec3{s * 0.6F * head, 0.8F * head, 0.3F * head},
                 tip = ear + Vec3{s * 0.5F, 1.2F, -0.1F} * head;
      const int joint = plan.add({.part = Part::kEar, .side = side}, body.head, ear);
      plan.cone(joint, tip - ear, 40, 30);
      plan.add_end(joint, tip);
      plan.blob(joint, ear, 0.35F * head, tip, 0.12F * head);
      body.ears.push_back(joint);
    }
  } else {
    const Vec3 rump = hips - along * (0.35F * trunk);
    const float fan = trunk * plan.draw(0.4F, 0.7F);
    const int count = plan.draw_int(1, 3);
    points.clear();
    const Vec3 behind = normalized(Vec3{0, -0.35F * std::sin(tilt), -1});
    for (int i = 0; i < count; ++i)
      points.push_back(rump + behind * (0.35F * fan * static_cast<float>(i) / static_cast<float>(count)));
    const Vec3 end = rump + behind * fan;
    body.tail = add_chain(plan, Part::kTail, body.root, points);
    plan.add_end(body.tail.back(), end);
    for (const int joint : body.tail) plan.cone(joint, behind, 45, 25);
    plan.blob(body.tail.front(), rump + along * (0.1F * trunk), 0.5F * girth, rump + behind * (0.3F * fan),
              0.22F * girth, {1, 0.7F, 1});
    Plate plate;
    plate.num_rows = 3, plate.num_columns = 5, plate.color = plan.wing_color,
    plate.edge_color = shaded(plan.wing_color, 0.6F);
    for (int r = 0; r < 3; ++r) {
      for (int c = -2; c <= 2; ++c) {
        const float t = 0.5F * static_cast<float>(r), w = static_cast<float>(c) / 2;
        plate.points.push_back(
            {lerp(rump, end, t) + Vec3{w * (0.2F * girth + 0.28F * fan * t), 0.02F * fan, 0.08F * fan * w * w * t},
             0.05F * girth, body.tail.back(), kNoJoint, 0});
      }
    }
    plan.plates.push_back(std::move(plate));
  }
  const float extent = std::hypot(head_base.y + head, 1.6F * trunk + neck);
  const float half_span = std::max(trunk * plan.draw(1.7F, 2.4F), 0.77F * extent);
  add_wings(plan, {plan.at(body.chest) + Vec3{0.7F * girth, 0.35F * girth, 0.1F * girth}, half_span,
                   (bat ? 0.5F : 0.4F) * half_span * plan.draw(0.85F, 1.1F), 0.1F * girth, plan.draw_int(3, 4),
                   bat ? 75.0F : 62.0F, !bat});
  const float foot_z = centre_of_flesh(plan).z;
  for (const Side side : {Side::kLeft, Side::kRight})
    add_bird_leg(plan, side, {0.55F * girth, leg, hips.z}, foot_z, tall ? 0.035F * leg : 0.06F * leg);
  body.body_length_m = trunk;
  body.radius_m = girth;
}

void plan_dragon(Plan& plan) {
  Body& body = plan.body;
  body.species = "a dragon";
  const float height = plan.draw(0.5F, 1.8F), trunk = height * plan.draw(1.2F, 1.6F),
              r = height * plan.draw(0.17F, 0.22F), y = 1.08F * height;
  body.root = plan.add({.part = Part::kHips}, kNoJoint, {0, y, -0.5F * trunk});
  const int num_spine = plan.draw_int(3, 6);
  std::vector<Vec3> points;
  for (int i = 1; i <= num_spine; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(num_spine);
    points.push_back({0, y + 0.06F * height * std::sin(3.14F * t), -0.5F * trunk + 0.95F * trunk * t});
  }
  body.spine = add_chain(plan, Part::kSpine, body.root, points);
  body.chest = body.spine.back();
  for (const int joint : body.spine)
    plan.cone(joint, {0, 0, 1}, 100.0F / static_cast<float>(num_spine), 50.0F / static_cast<float>(num_spine));
  const auto low = [&](Vec3 p) { return p - Vec3{0, 0.4F * r, 0}; };
  plan.blob(body.root, low({0, y, -0.55F * trunk}), 0.8F * r, low(points[0]), 0.9F * r);
  for (std::size_t i = 0; i < points.size(); ++i)
    plan.blob(body.spine[i], low(points[i]), 0.95F * r,
              low(i + 1 < points.size() ? points[i + 1] : points[i] + Vec3{0, 0, 0.5F * r}), r);
  const float neck = height * plan.draw(0.7F, 1.1F), head = 0.42F * r * plan.draw(1.0F, 1.3F);
  const Vec3 neck_start = points.back() + Vec3{0, 0.1F * r, 0.7F * r},
             head_base = neck_start + normalized(Vec3{0, 0.75F, 0.6F}) * neck;
  add_head(plan, neck_start, head_base, head_base + normalized(Vec3{0, -0.25F, 1}) * (3.0F * head), head,
           plan.draw_int(3, 6), true);
  plan.blob(body.neck.front(), neck_start - Vec3{0, 0.3F * r, 0.3F * r}, 0.75F * r, lerp(neck_start, head_base, 0.45F),
            0.9F * head);
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const float s = side == Side::kLeft ? 1.0F : -1.0F;
    const Vec3 horn = head_base + Vec3{s * 0.6F * head, 0.8F * head, 0.2F * head},
               tip = horn + Vec3{s * 0.4F, 0.9F, -1.1F} * head;
    const int joint = plan.add({.part = Part::kEar, .side = side}, body.head, horn);
    plan.cone(joint, tip - horn, 25, 20);
    plan.add_end(joint, tip);
    plan.layer =
        side == Side::kLeft ? add_layer(plan, linear_color(0xcfc2a4)) : static_cast<int>(plan.layers.size()) - 1;
    plan.blob(joint, horn, 0.28F * head, tip, 0.07F * head);
    plan.layer = 0;
    body.ears.push_back(joint);
    plan.balls.push_back({body.head, head_base + Vec3{s * 0.66F * head, 0.35F * head, 1.1F * head}, 0.15F * head});
  }
  const float tail = height * plan.draw(1.1F, 1.5F);
  add_tail(plan, {0, y - 0.2F * r, -0.5F * trunk - 0.8F * r},
           {0, y - 0.35F * tail, -0.5F * trunk - 0.8F * r - 0.85F * tail}, plan.draw_int(5, 10), 0.5F * r, 0.08F * r);
  const float half_span =
      std::max(height * plan.draw(2.0F, 2.6F), 0.75F * std::hypot(head_base.y, trunk + tail + neck));
  add_wings(plan, {plan.at(body.chest) + Vec3{0.6F * r, 0.35F * r, -0.4F * r}, half_span, 0.42F * half_span, 0.11F * r,
                   plan.draw_int(3, 4), 72, false});
  const float thickness = 0.085F * height;
  for (const bool front : {true, false}) {
    for (const Side side : {Side::kLeft, Side::kRight})
      add_quadruped_leg(plan, side, front, {0, height * (front ? 0.88F : 0.95F), (front ? 0.42F : -0.5F) * trunk},
                        0.65F * r, thickness, 3, false);
  }
  body.body_length_m = trunk;
  body.radius_m = r;
}

}  // namespace

void plan_winged(Plan& plan) {
  if (plan.body.family == BodyFamily::kBird) return plan_two_legged(plan, false);
  if (plan.chance(0.35F)) return plan_two_legged(plan, true);
  plan_dragon(plan);
}

}  // namespace zoe::synth
