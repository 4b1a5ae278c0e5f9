// SPDX-License-Identifier: MIT
// Part of Zoetrope. Fins and a tail: fish from eel to angelfish, sharks, and dolphins, whose tail
// beats up and down.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "synth/palette.h"
#include "synth/plan.h"

namespace zoe::synth {
namespace {

// A fin as a plate: a row of points on the body, a row at the edge. Joints are those of the fin's
// chain.
void add_fin_plate(Plan& plan, std::span<const Vec3> root_edge, std::span<const Vec3> outer_edge,
                   std::span<const int> joints, float thickness) {
  Plate plate;
  plate.num_rows = 4;
  plate.num_columns = static_cast<int>(root_edge.size());
  plate.color = plan.wing_color, plate.edge_color = shaded(plan.wing_color, 1.3F);
  for (int r = 0; r < plate.num_rows; ++r) {
    const float t = static_cast<float>(r) / static_cast<float>(plate.num_rows - 1);
    for (std::size_t c = 0; c < root_edge.size(); ++c) {
      Plate::Point p;
      p.position = lerp(root_edge[c], outer_edge[c], t);
      p.thickness_m = thickness * (1 - 0.8F * t);
      const float along = t * static_cast<float>(joints.size() - 1);
      const auto i = std::min(static_cast<std::size_t>(along), joints.size() - 1);
      p.joint_a = joints[i];
      p.joint_b = i + 1 < joints.size() ? joints[i + 1] : kNoJoint;
      p.share_b = i + 1 < joints.size() ? along - static_cast<float>(i) : 0;
      plate.points.push_back(p);
    }
  }
  plan.plates.push_back(std::move(plate));
}

// A pair of fins of `count` joints, from the side of the body out and back.
void add_paired_fin(Plan& plan, Part part, int parent, Vec3 base, Vec3 along, float chord, int count) {
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const float s = side == Side::kLeft ? 1.0F : -1.0F;
    const auto flip = [&](Vec3 v) { return Vec3{s * v.x, v.y, v.z}; };
    Fin fin;
    fin.side = side;
    int joint = parent;
    for (int i = 0; i < count; ++i) {
      joint = plan.add({.part = part, .side = side, .index = count > 1 ? i + 1 : 0}, joint,
                       flip(base + along * (static_cast<float>(i) / static_cast<float>(count))));
      plan.cone(joint, flip(along), i == 0 ? 75 : 40, 60);
      fin.joints.push_back(joint);
    }
    plan.add_end(joint, flip(base + along));
    const Vec3 chord_line{0, 0, -chord};
    const std::array root{flip(base - chord_line * 0.4F), flip(base), flip(base + chord_line * 0.6F)};
    const std::array edge{flip(base + along * 0.95F), flip(base + along + chord_line * 0.25F),
                          flip(base + along * 0.75F + chord_line * 0.9F)};
    add_fin_plate(plan, root, edge, fin.joints, 0.12F * chord);
    plan.body.fins.push_back(std::move(fin));
  }
}

}  // namespace

void plan_fish(Plan& plan) {
  Body& body = plan.body;
  enum class Kind { kTrout, kTall, kShark, kEel, kDolphin };
  const auto kind = static_cast<Kind>(plan.draw_int(0, 4));
  const bool eel = kind == Kind::kEel, dolphin = kind == Kind::kDolphin, shark = kind == Kind::kShark;
  float length_m = plan.draw(0.12F, 0.8F), tall = plan.draw(0.1F, 0.13F), wide = plan.draw(0.55F, 0.7F);
  body.species = "a fish";
  if (kind == Kind::kTall)
    tall = plan.draw(0.2F, 0.27F), wide = plan.draw(0.25F, 0.35F), length_m *= 0.6F, body.species = "a tall, flat fish";
  if (shark)
    length_m = plan.draw(1.2F, 4.0F), wide = plan.draw(0.85F, 1.0F), tall = plan.draw(0.09F, 0.11F),
    body.species = "a shark";
  if (eel) length_m = plan.draw(0.5F, 1.6F), tall = plan.draw(0.035F, 0.05F), wide = 0.85F, body.species = "an eel";
  if (dolphin)
    length_m = plan.draw(1.4F, 5.0F), wide = plan.draw(0.9F, 1.05F), tall = plan.draw(0.085F, 0.11F),
    body.species = length_m > 3.5F ? "a whale" : "a dolphin";
  body.vertical_swimmer = dolphin;
  const float y = 0.45F * length_m;
  // x: 0 nose, 1 root of the tail fin. Half heights of the body along it.
  const auto half = [&](float x) {
    const float body_shape =
        eel ? std::min({1.0F, 0.55F + 3.0F * x, 0.25F + 2.4F * (1 - x)})
            : std::sin(std::numbers::pi_v<float> * std::pow(std::clamp(0.06F + 0.9F * x, 0.0F, 1.0F), 0.75F));
    return length_m * tall * std::max(dolphin || shark ? 0.2F : 0.22F, body_shape);
  };
  const float root_x = eel ? 0.4F : 0.42F;
  const auto point = [&](float x) { return Vec3{0, y, (root_x - x) * length_m}; };
  const Vec3 stretch{wide, 1, 1};
  body.root = plan.add({.part = Part::kHips}, kNoJoint, point(root_x));
  const int num_spine = eel ? plan.draw_int(4, 7) : plan.draw_int(1, 3),
            num_tail = eel ? plan.draw_int(9, 16) : plan.draw_int(4, 8);
  const float head_x = eel ? 0.1F : 0.22F;
  std::vector<float> ahead, behind;
  for (int i = 1; i <= num_spine; ++i)
    ahead.push_back(root_x - (root_x - head_x) * static_cast<float>(i) / static_cast<float>(num_spine + 1));
  for (int i = 0; i < num_tail; ++i)
    behind.push_back(root_x + 0.02F + (0.97F - root_x) * static_cast<float>(i) / static_cast<float>(num_tail));
  std::vector<Vec3> points;
  for (const float x : ahead) points.push_back(point(x));
  body.spine = add_chain(plan, Part::kSpine, body.root, points);
  body.chest = body.spine.back();
  body.head = plan.add({.part = Part::kHead}, body.chest, point(head_x));
  plan.add_end(body.head, point(0));
  const auto flesh = [&](int joint, float from, float to) {
    plan.blob(joint, point(from), half(from), point(to), half(to), stretch);
  };
  plan.cone(body.head, {0, 0, 1}, 40, 20);
  flesh(body.root, root_x, ahead[0]);
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    plan.cone(body.spine[i], {0, 0, 1}, 45, 20);
    flesh(body.spine[i], ahead[i], i + 1 < ahead.size() ? ahead[i + 1] : head_x);
  }
  const float nose = half(0.03F);
  plan.blob(body.head, point(head_x), half(head_x), point(0.04F) + Vec3{0, 0.1F * nose, 0}, 0.7F * nose, stretch);
  if (dolphin)
    plan.blob(body.head, point(0.06F) - Vec3{0, 0.3F * nose, 0}, 0.45F * nose, point(-0.035F) - Vec3{0, 0.4F * nose, 0},
              0.3F * nose);
  body.jaw = plan.add({.part = Part::kJaw}, body.head, point(0.12F) - Vec3{0, 0.55F * half(0.12F), 0});
  plan.hinge(body.jaw, {1, 0, 0}, -5, 45);
  const Vec3 chin = point(dolphin ? -0.025F : 0.015F) - Vec3{0, 0.75F * nose, 0};
  plan.add_end(body.jaw, chin);
  plan.blob(body.jaw, plan.at(body.jaw), 0.4F * half(0.1F), chin, 0.25F * nose, stretch);
  for (const float s : {1.0F, -1.0F})
    plan.balls.push_back({body.head, point(0.11F) + Vec3{s * 0.88F * wide * half(0.11F), 0.25F * half(0.11F), 0},
                          std::max(0.1F * half(0.11F), 0.008F * length_m)});

  // The tail, and the fin at its end: vertical, or horizontal for dolphins.
  points.clear();
  for (const float x : behind) points.push_back(point(x));
  body.tail = add_chain(plan, Part::kTail, body.root, points);
  for (std::size_t i = 0; i < behind.size(); ++i) {
    plan.cone(body.tail[i], {0, 0, -1}, 50, 20);
    flesh(body.tail[i], behind[i], i + 1 < behind.size() ? behind[i + 1] : 1.0F);
  }
  const int fin = plan.add({.part = Part::kTailFin}, body.tail.back(), point(1));
  plan.cone(fin, {0, 0, -1}, 50, 20);
  const float fin_length = length_m * (eel ? 0.05F : plan.draw(0.13F, 0.2F)),
              spread = length_m * (eel       ? 0.04F
                                   : dolphin ? plan.draw(0.13F, 0.17F)
                                             : plan.draw(0.11F, 0.17F));
  plan.add_end(fin, point(1) - Vec3{0, 0, fin_length});
  plan.blob(fin, point(1), half(1), point(1) - Vec3{0, 0, 0.35F * fin_length}, 0.35F * half(1), stretch);
  const Vec3 across = dolphin ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const float lower = shark ? 0.65F : 1.0F, notch = eel ? 1.0F : plan.draw(0.45F, 0.7F);
  {
    const Vec3 base = point(1);
    const std::array root{base + across * (0.9F * half(1)), base, base - across * (0.9F * half(1))};
    const std::array edge{base + across * spread - Vec3{0, 0, fin_length}, base - Vec3{0, 0, notch * fin_length},
                          base - across * (lower * spread) - Vec3{0, 0, lower * fin_length}};
    add_fin_plate(plan, root, edge, std::array{fin, fin}, 0.35F * half(1));
  }
  body.fins.push_back({Side::kCenter, {fin}});
  // On the back.
  const float dorsal_x = eel ? 0.55F : plan.draw(0.42F, 0.52F),
              dorsal = length_m * (kind == Kind::kTall ? 0.14F
                                   : eel               ? 0.03F
                                                       : plan.draw(0.07F, 0.11F)),
              chord = length_m * (kind == Kind::kTall ? 0.28F
                                  : eel               ? 0.3F
                                                      : 0.13F);
  const auto below = std::upper_bound(behind.begin(), behind.end(), dorsal_x);
  const int back =
      below == behind.begin() ? body.root : body.tail[static_cast<std::size_t>(below - behind.begin()) - 1];
  const Vec3 ridge = point(dorsal_x) + Vec3{0, 0.8F * half(dorsal_x), 0};
  const int dorsal_fin = plan.add({.part = Part::kDorsalFin}, back, ridge);
  plan.cone(dorsal_fin, {0, 1, 0}, 35, 20);
  plan.add_end(dorsal_fin, ridge + Vec3{0, dorsal, -0.5F * chord});
  add_fin_plate(plan, std::array{ridge + Vec3{0, 0, 0.5F * chord}, ridge, ridge - Vec3{0, 0, 0.5F * chord}},
                std::array{ridge + Vec3{0, 0.9F * dorsal, -0.25F * chord}, ridge + Vec3{0, dorsal, -0.45F * chord},
                           ridge + Vec3{0, 0.4F * dorsal, -0.8F * chord}},
                std::array{dorsal_fin, dorsal_fin}, 0.06F * dorsal);
  body.fins.push_back({Side::kCenter, {dorsal_fin}});
  // At the sides.
  const float pectoral = length_m * (eel ? plan.draw(0.13F, 0.16F) : plan.draw(0.19F, 0.28F));
  const float at = eel ? 0.16F : 0.27F;
  add_paired_fin(plan, Part::kPectoralFin, body.chest, point(at) + Vec3{0.8F * wide * half(at), -0.35F * half(at), 0},
                 normalized(Vec3{1, -0.22F, -0.75F}) * pectoral, 0.45F * pectoral, plan.draw_int(2, 3));
  if (!eel && !dolphin && plan.chance(0.7F)) {
    add_paired_fin(plan, Part::kPelvicFin, body.root,
                   point(0.5F) + Vec3{0.5F * wide * half(0.5F), -0.7F * half(0.5F), 0},
                   normalized(Vec3{0.7F, -0.6F, -0.9F}) * (0.45F * pectoral), 0.25F * pectoral, 1);
  }
  body.body_length_m = length_m;
  body.radius_m = half(0.4F);
  body.leg_length_m = 0.1F * length_m;  // No legs: reference length for speeds.
}

}  // namespace zoe::synth
