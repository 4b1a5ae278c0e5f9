// SPDX-License-Identifier: MIT
// Part of Zoetrope. Many sprawling legs: insects, spiders, scorpions, centipedes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "synth/angle.h"
#include "synth/plan.h"

namespace zoe::synth {
namespace {

struct LegShape {
  float hip_m;   // Height of the top.
  float span_m;  // Horizontal distance of the foot from the base.
  float knee_m;  // Height of the knee above the top.
  float thickness_m;
  bool metatarsus;  // Has another bone above the foot.
};

// `azimuth`: from the side towards the front, radians.
void add_sprawling_leg(Plan& plan, Side side, int row, int num_rows, int trunk, Vec3 base, float azimuth,
                       const LegShape& shape) {
  const float s = side == Side::kLeft ? 1.0F : -1.0F;
  const auto tag = [&](Part part) { return Tag{.part = part, .side = side, .row = row, .num_rows = num_rows}; };
  const Vec3 out{s * std::cos(azimuth), 0, std::sin(azimuth)}, up{0, 1, 0};
  const float r = shape.span_m, sole = 0.05F * shape.hip_m;
  base.x *= s;
  const Vec3 top = base + out * (0.14F * r), knee = base + out * (0.42F * r) + up * shape.knee_m;
  const Vec3 ball{base.x + out.x * r, sole, base.z + out.z * r};
  const Vec3 ankle = shape.metatarsus ? ball - out * (0.13F * r) + up * (0.3F * shape.hip_m) : ball;
  const Vec3 tip = ball + out * (0.05F * r) - up * (0.6F * sole);
  Leg leg;
  leg.side = side;
  leg.row = row;
  leg.trunk = trunk;
  leg.sprawling = true;
  leg.base = plan.add(tag(Part::kCoxa), trunk, base);
  leg.upper = plan.add(tag(Part::kFemur), leg.base, top);
  leg.lower = plan.add(tag(Part::kTibia), leg.upper, knee);
  if (shape.metatarsus) leg.distal.push_back(plan.add(tag(Part::kMetatarsus), leg.lower, ankle));
  leg.distal.push_back(plan.add(tag(Part::kTarsus), shape.metatarsus ? leg.distal.back() : leg.lower, ball));
  leg.tip = plan.add_end(leg.distal.back(), tip);
  leg.hinge = cross(up, out);
  leg.pole = up;
  plan.hinge(leg.base, up, -75, 75);
  plan.cone(leg.upper, knee - top, 80, 30);
  const float open = std::acos(std::clamp(dot(normalized(top - knee), normalized(ankle - knee)), -1.0F, 1.0F)) / kDeg;
  plan.hinge(leg.lower, leg.hinge, open - 180, open - 8);
  for (const int joint : leg.distal) plan.cone(joint, out, 110, 50);
  const float t = shape.thickness_m;
  Tube tube;
  tube.color = {0.75F * plan.color.x, 0.75F * plan.color.y, 0.75F * plan.color.z, 1};
  tube.points = {{base, 1.2F * t, leg.base}, {top, 1.05F * t, leg.upper}, {knee, 0.85F * t, leg.lower}};
  for (const int joint : leg.distal) tube.points.push_back({plan.at(joint), 0.55F * t, joint});
  tube.points.push_back({tip, 0.3F * t, leg.distal.back()});
  plan.tubes.push_back(std::move(tube));
  finish_leg(plan, leg);
  plan.body.legs.push_back(leg);
}

void add_antennae(Plan& plan, Vec3 base, Vec3 along, int count, float radius) {
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const float s = side == Side::kLeft ? 1.0F : -1.0F;
    int parent = plan.body.head;
    Tube tube;
    tube.color = {0.5F * plan.color.x, 0.5F * plan.color.y, 0.5F * plan.color.z, 1};
    const Vec3 step = Vec3{s * along.x, along.y, along.z} / static_cast<float>(count);
    Vec3 p{s * base.x, base.y, base.z};
    for (int i = 0; i < count; ++i, p += step + Vec3{0, -0.12F * std::abs(step.z), 0} * static_cast<float>(i)) {
      parent = plan.add({.part = Part::kAntenna, .side = side, .index = count > 1 ? i + 1 : 0}, parent, p);
      plan.cone(parent, step, 40, 20);
      plan.body.ears.push_back(parent);
      tube.points.push_back({p, radius * (1 - 0.5F * static_cast<float>(i) / static_cast<float>(count)), parent});
    }
    plan.add_end(parent, p);
    tube.points.push_back({p, 0.4F * radius, parent});
    plan.tubes.push_back(std::move(tube));
  }
}

void add_eyes(Plan& plan, Vec3 centre, float spread, float radius, int pairs) {
  for (int i = 0; i < pairs; ++i) {
    for (const float s : {1.0F, -1.0F}) {
      const float k = static_cast<float>(i);
      plan.balls.push_back({plan.body.head,
                            centre + Vec3{s * spread * (1 - 0.55F * k), 0.5F * k * spread, 0.25F * k * spread},
                            radius * (1 - 0.25F * k)});
    }
  }
}

// The head of an arthropod: no neck, short, with biting parts below.
void add_small_head(Plan& plan, Vec3 base, float radius, float length_m) {
  Body& body = plan.body;
  body.head = plan.add({.part = Part::kHead}, body.chest, base);
  plan.cone(body.head, {0, 0, 1}, 35, 20);
  plan.add_end(body.head, base + Vec3{0, 0, length_m});
  plan.blob(body.head, base + Vec3{0, 0, 0.3F * length_m}, radius, base + Vec3{0, -0.1F * radius, 0.62F * length_m},
            0.8F * radius);
  if (plan.chance(0.6F)) {
    const Vec3 hinge = base + Vec3{0, -0.55F * radius, 0.55F * length_m},
               tip = base + Vec3{0, -0.8F * radius, 1.05F * length_m};
    body.jaw = plan.add({.part = Part::kJaw}, body.head, hinge);
    plan.hinge(body.jaw, {1, 0, 0}, -5, 45);
    plan.add_end(body.jaw, tip);
    plan.blob(body.jaw, hinge, 0.35F * radius, tip, 0.2F * radius, {1.3F, 1, 1});
  }
}

void plan_insect(Plan& plan) {
  Body& body = plan.body;
  enum class Kind { kAnt, kBeetle, kStick };
  const auto kind = static_cast<Kind>(plan.draw_int(0, 2));
  body.species = kind == Kind::kAnt      ? "an ant-like creature"
                 : kind == Kind::kBeetle ? "a beetle-like creature"
                                         : "a long-legged insect";
  const float h = plan.draw(0.07F, 0.5F),
              girth = h * (kind == Kind::kBeetle ? plan.draw(0.5F, 0.62F) : plan.draw(0.26F, 0.34F));
  const float thorax = h * (kind == Kind::kStick ? plan.draw(1.6F, 2.4F) : plan.draw(1.0F, 1.5F));
  LegShape shape{h, h * plan.draw(1.5F, kind == Kind::kStick ? 2.6F : 2.0F), h * plan.draw(0.25F, 0.7F),
                 h * plan.draw(0.07F, 0.1F), plan.chance(0.5F)};
  body.root = plan.add({.part = Part::kHips}, kNoJoint, {0, 1.08F * h, -0.5F * thorax});
  const int num_spine = plan.draw_int(2, 4);
  std::vector<Vec3> points;
  for (int i = 1; i <= num_spine; ++i)
    points.push_back({0, 1.08F * h, thorax * (static_cast<float>(i) / static_cast<float>(num_spine) - 0.5F)});
  body.spine = add_chain(plan, Part::kSpine, body.root, points);
  body.chest = body.spine.back();
  for (const int joint : body.spine) plan.cone(joint, {0, 0, 1}, 40.0F / static_cast<float>(num_spine), 12);
  plan.blob(body.root, plan.at(body.root), 0.9F * girth, points.front(), girth, {1.15F, 0.9F, 1});
  for (int i = 0; i < num_spine; ++i) {
    const auto k = static_cast<std::size_t>(i);
    plan.blob(body.spine[k], points[k], girth, i + 1 < num_spine ? points[k + 1] : points[k] + Vec3{0, 0, 0.4F * girth},
              0.95F * girth, {1.15F, 0.9F, 1});
  }
  const float head = girth * plan.draw(0.7F, 1.0F);
  add_small_head(plan, points.back() + Vec3{0, 0.1F * h, 1.1F * girth}, head, 1.7F * head);
  const Vec3 face = plan.at(body.head);
  add_eyes(plan, face + Vec3{0, 0.25F * head, 0.75F * head}, 0.85F * head, 0.3F * head, 1);
  add_antennae(plan, face + Vec3{0.35F * head, 0.5F * head, 1.1F * head},
               Vec3{0.5F, 0.55F, 1} * (h * plan.draw(0.7F, 1.3F)), plan.draw_int(1, 3), 0.12F * head);
  // The abdomen: a bulb behind the thorax.
  const int count = plan.draw_int(2, 5);
  const float bulk = girth * (kind == Kind::kStick ? 0.9F : plan.draw(1.25F, 1.6F)),
              length_m = h * plan.draw(1.2F, 2.0F);
  points.clear();
  for (int i = 0; i <= count; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(count);
    points.push_back(plan.at(body.root) + Vec3{0, 0.05F * h - 0.25F * h * t * t, -0.7F * girth - length_m * t});
  }
  const Vec3 end = points.back();
  points.pop_back();
  body.tail = add_chain(plan, Part::kAbdomen, body.root, points);
  plan.add_end(body.tail.back(), end);
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto radius = [&](int n) {
      const float t = static_cast<float>(n) / static_cast<float>(count);
      return bulk * (0.45F + 0.75F * std::sin(std::numbers::pi_v<float> * std::pow(0.12F + 0.8F * t, 0.8F))) * 0.85F;
    };
    plan.cone(body.tail[k], {0, 0, -1}, 30, 10);
    plan.blob(body.tail[k], points[k], radius(i), i + 1 < count ? points[k + 1] : end, radius(i + 1),
              {1.05F, 0.92F, 1});
  }
  for (int row = 0; row < 3; ++row) {
    const float z = row == 0 ? 0.45F : row == 1 ? 0.0F : -0.45F;
    const auto middle = static_cast<std::size_t>(num_spine / 2 - 1);
    const int trunk = row == 0 ? body.chest : row == 2 ? body.root : num_spine >= 2 ? body.spine[middle] : body.root;
    for (const Side side : {Side::kLeft, Side::kRight}) {
      LegShape mine = shape;
      mine.span_m *= row == 2 ? 1.15F : 1.0F;
      add_sprawling_leg(plan, side, row, 3, trunk, {0.8F * girth, h, z * thorax},
                        (row == 0   ? 42
                         : row == 1 ? -4
                                    : -42) *
                            kDeg,
                        mine);
    }
  }
  body.body_length_m = thorax;
  body.radius_m = girth;
}

void plan_spider(Plan& plan) {
  Body& body = plan.body;
  const bool scorpion = plan.chance(0.3F);
  body.sting = scorpion;
  body.species = scorpion ? "a scorpion-like creature" : "a spider";
  const float h = plan.draw(0.07F, 0.45F), girth = h * plan.draw(0.4F, 0.6F),
              shield = h * plan.draw(1.0F, 1.3F) * (scorpion ? 1.3F : 1.0F);
  const LegShape shape{h, h * plan.draw(1.7F, scorpion ? 2.1F : 3.0F), h * plan.draw(0.45F, scorpion ? 0.6F : 1.0F),
                       h * plan.draw(0.075F, 0.11F), plan.chance(0.7F)};
  if (!scorpion && shape.span_m > 2.5F * h) body.species = "a long-legged spider";
  body.root = plan.add({.part = Part::kHips}, kNoJoint, {0, 1.08F * h, -0.5F * shield});
  body.spine = add_chain(plan, Part::kSpine, body.root, std::vector<Vec3>{{0, 1.08F * h, 0.1F * shield}});
  body.chest = body.spine.back();
  plan.cone(body.chest, {0, 0, 1}, 15, 8);
  plan.blob(body.root, plan.at(body.root), 0.9F * girth, plan.at(body.chest), 1.05F * girth, {1.2F, 0.8F, 1});
  plan.blob(body.chest, plan.at(body.chest), 1.05F * girth, {0, 1.06F * h, 0.5F * shield}, 0.8F * girth,
            {1.2F, 0.8F, 1});
  const float head = 0.62F * girth;
  add_small_head(plan, {0, 1.06F * h, 0.55F * shield}, head, 1.5F * head);
  add_eyes(plan, plan.at(body.head) + Vec3{0, 0.45F * head, 0.95F * head}, 0.62F * head, 0.24F * head, 3);
  const Vec3 behind = plan.at(body.root) + Vec3{0, 0.1F * girth, -0.9F * girth};
  if (scorpion) {
    // A tail of bulbs, carried over the back.
    const int count = plan.draw_int(5, 7);
    const float length_m = h * plan.draw(0.5F, 0.65F);
    std::vector<Vec3> points;
    Vec3 p = behind;
    for (int i = 0; i <= count; ++i) {
      points.push_back(p);
      const float bend = (10.0F + 150.0F * static_cast<float>(i) / static_cast<float>(count)) * kDeg;
      p += Vec3{0, std::sin(bend), -std::cos(bend)} * length_m;
    }
    const Vec3 end = points.back();
    points.pop_back();
    body.tail = add_chain(plan, Part::kTail, body.root, points);
    plan.add_end(body.tail.back(), end);
    for (int i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Vec3 next = i + 1 < count ? points[k + 1] : end;
      plan.cone(body.tail[k], next - points[k], 65, 15);
      const float bulb = i + 1 == count ? 0.45F : 0.5F - 0.03F * static_cast<float>(i);
      plan.blob(body.tail[k], points[k], bulb * girth, lerp(points[k], next, 0.85F),
                (i + 1 == count ? 0.12F : 0.8F * bulb) * girth);
    }
  } else {
    const float bulk = girth * plan.draw(1.35F, 2.0F), length_m = h * plan.draw(1.0F, 1.6F);
    body.tail = add_chain(plan, Part::kAbdomen, body.root,
                          std::vector<Vec3>{behind, behind + Vec3{0, 0.15F * bulk, -0.55F * length_m}});
    const Vec3 end = behind + Vec3{0, 0, -1.25F * length_m};
    plan.add_end(body.tail.back(), end);
    for (const int joint : body.tail) plan.cone(joint, {0, 0, -1}, 30, 10);
    plan.blob(body.tail[0], behind, 0.5F * bulk, plan.at(body.tail[1]), bulk, {1, 0.9F, 1});
    plan.blob(body.tail[1], plan.at(body.tail[1]), bulk, lerp(plan.at(body.tail[1]), end, 0.6F), 0.6F * bulk,
              {1, 0.9F, 1});
  }
  constexpr float kAzimuths[] = {55, 18, -18, -55};
  for (int row = 0; row < 4; ++row) {
    for (const Side side : {Side::kLeft, Side::kRight}) {
      LegShape mine = shape;
      mine.span_m *= row == 0 ? 1.1F : row == 3 ? 1.12F : 0.95F;
      add_sprawling_leg(plan, side, row, 4, row < 2 ? body.chest : body.root,
                        {0.85F * girth, h, shield * (0.36F - 0.26F * static_cast<float>(row))}, kAzimuths[row] * kDeg,
                        mine);
    }
  }
  body.body_length_m = shield;
  body.radius_m = girth;
}

void plan_millipede(Plan& plan) {
  Body& body = plan.body;
  const int pairs = plan.draw_int(5, 15);
  body.species = pairs > 10 ? "a millipede" : "a centipede";
  const float h = plan.draw(0.05F, 0.16F), girth = h * plan.draw(0.45F, 0.7F), pitch = h * plan.draw(0.85F, 1.2F),
              y = 1.1F * h;
  const LegShape shape{h, h * plan.draw(1.0F, 1.6F), h * plan.draw(0.15F, 0.45F), h * plan.draw(0.08F, 0.1F), false};
  const float length_m = pitch * static_cast<float>(pairs - 1);
  body.root = plan.add({.part = Part::kHips}, kNoJoint, {0, y, -0.5F * length_m});
  std::vector<Vec3> points;
  for (int i = 1; i < pairs; ++i) points.push_back({0, y, -0.5F * length_m + pitch * static_cast<float>(i)});
  body.spine = add_chain(plan, Part::kSpine, body.root, points);
  body.chest = body.spine.back();
  for (const int joint : body.spine) plan.cone(joint, {0, 0, 1}, 40, 20);
  const auto segment = [&](int joint, Vec3 p, float size) {
    plan.blob(joint, p - Vec3{0, 0, 0.3F * pitch}, size * girth, p + Vec3{0, 0, 0.3F * pitch}, size * girth,
              {1.15F, 0.85F, 1});
  };
  segment(body.root, plan.at(body.root), 0.8F);
  for (std::size_t i = 0; i < points.size(); ++i) segment(body.spine[i], points[i], i == 0 ? 0.92F : 1.0F);
  const float head = 0.95F * girth;
  add_small_head(plan, points.back() + Vec3{0, 0, 0.6F * pitch}, head, 1.6F * head);
  add_eyes(plan, plan.at(body.head) + Vec3{0, 0.4F * head, 0.9F * head}, 0.55F * head, 0.2F * head, 1);
  add_antennae(plan, plan.at(body.head) + Vec3{0.4F * head, 0.3F * head, 1.2F * head}, Vec3{0.7F, 0.3F, 1} * h,
               plan.draw_int(1, 3), 0.12F * head);
  if (plan.chance(0.5F))
    add_tail(plan, plan.at(body.root) - Vec3{0, 0, 0.5F * pitch}, plan.at(body.root) - Vec3{0, 0.2F * h, 1.4F * pitch},
             plan.draw_int(1, 3), 0.6F * girth, 0.15F * girth);
  for (int row = 0; row < pairs; ++row) {
    const int trunk = row + 1 == pairs ? body.root : body.spine[static_cast<std::size_t>(pairs - 2 - row)];
    const float lean = 12.0F * (1 - 2 * static_cast<float>(row) / static_cast<float>(pairs - 1));
    for (const Side side : {Side::kLeft, Side::kRight})
      add_sprawling_leg(plan, side, row, pairs, trunk, {0.85F * girth, h, plan.at(trunk).z}, lean * kDeg, shape);
  }
  body.body_length_m = length_m;
  body.radius_m = girth;
}

}  // namespace

void plan_arthropod(Plan& plan) {
  if (plan.body.family == BodyFamily::kHexapod) return plan_insect(plan);
  if (plan.body.family == BodyFamily::kOctopod) return plan_spider(plan);
  plan_millipede(plan);
}

}  // namespace zoe::synth
