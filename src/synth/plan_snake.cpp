// SPDX-License-Identifier: MIT
// Part of Zoetrope. No legs, a long row of joints: snakes and worms.
#include <algorithm>
#include <cmath>

#include "synth/plan.h"

namespace zoe::synth {

void plan_snake(Plan& plan) {
  Body& body = plan.body;
  const float length_m = plan.draw(0.5F, 4.0F), girth = length_m * plan.draw(0.018F, 0.034F);
  const bool worm = plan.chance(0.15F);
  body.species = worm                        ? "a worm"
                 : girth > 0.029F * length_m ? "a thick snake"
                 : length_m > 2.5F           ? "a long snake"
                                             : "a small snake";
  if (!worm && girth <= 0.029F * length_m && length_m <= 2.5F && length_m > 1.2F) body.species = "a slender snake";
  const int num_spine = plan.draw_int(12, 24), num_tail = plan.draw_int(4, 9);
  // Thin tail, thick middle, a neck behind the head. x: 0 tail tip, 1 head.
  const auto radius = [&](float x) {
    const float tail = std::min(1.0F, 0.18F + 2.6F * x),
                neck = worm ? 1.0F : 1 - 0.42F * std::exp(-std::pow((x - 0.93F) / 0.07F, 2.0F));
    return girth * tail * neck;
  };
  const float root_x = 0.24F;
  const auto point = [&](float x) { return Vec3{0, radius(x), (x - root_x) * length_m}; };
  body.root = plan.add({.part = Part::kHips}, kNoJoint, point(root_x));
  std::vector<float> ahead, behind;
  for (int i = 1; i <= num_spine; ++i)
    ahead.push_back(root_x + (0.95F - root_x) * static_cast<float>(i) / static_cast<float>(num_spine + 1));
  for (int i = 0; i < num_tail; ++i)
    behind.push_back(root_x - 0.012F - (root_x - 0.012F) * static_cast<float>(i) / static_cast<float>(num_tail));
  std::vector<Vec3> points;
  for (const float x : ahead) points.push_back(point(x));
  body.spine = add_chain(plan, Part::kSpine, body.root, points);
  body.chest = body.spine.back();
  const float head_x = 0.95F;
  body.head = plan.add({.part = Part::kHead}, body.chest, point(head_x));
  const float head = girth * (worm ? 0.9F : plan.draw(0.95F, 1.25F)),
              head_length = std::max(0.05F * length_m, 2.2F * head);
  const Vec3 base = plan.at(body.head), nose = base + Vec3{0, -0.1F * head, head_length};
  plan.add_end(body.head, nose);
  plan.cone(body.head, {0, 0, 1}, 75, 40);
  plan.blob(body.root, point(root_x), radius(root_x), points[0], radius(ahead[0]));
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    const float next = i + 1 < ahead.size() ? ahead[i + 1] : head_x;
    plan.cone(body.spine[i], {0, 0, 1}, 75, 30);
    plan.blob(body.spine[i], point(ahead[i]), radius(ahead[i]), point(next), radius(next));
  }
  points.clear();
  for (const float x : behind) points.push_back(point(x));
  body.tail = add_chain(plan, Part::kTail, body.root, points);
  plan.add_end(body.tail.back(), point(0));
  for (std::size_t i = 0; i < behind.size(); ++i) {
    const float next = i + 1 < behind.size() ? behind[i + 1] : 0;
    plan.cone(body.tail[i], {0, 0, -1}, 75, 30);
    plan.blob(body.tail[i], point(behind[i]), radius(behind[i]), point(next), radius(next));
  }
  plan.blob(body.head, base + Vec3{0, 0, 0.35F * head_length}, head, lerp(base, nose, 0.8F), 0.55F * head,
            {1.3F, 0.72F, 1});
  if (!worm) {
    const Vec3 hinge = base + Vec3{0, -0.35F * head, 0.3F * head_length},
               tip = nose + Vec3{0, -0.35F * head, -0.12F * head_length};
    body.jaw = plan.add({.part = Part::kJaw}, body.head, hinge);
    plan.hinge(body.jaw, {1, 0, 0}, -5, 70);
    plan.add_end(body.jaw, tip);
    plan.blob(body.jaw, hinge, 0.45F * head, lerp(hinge, tip, 0.85F), 0.3F * head, {1.35F, 0.6F, 1});
    for (const float s : {1.0F, -1.0F})
      plan.balls.push_back({body.head, base + Vec3{s * 0.95F * head, 0.3F * head, 0.55F * head_length}, 0.16F * head});
  }
  body.body_length_m = length_m;
  body.radius_m = girth;
  body.leg_length_m = 0.12F * length_m;  // No legs: reference length for sizes of ground and speeds.
}

}  // namespace zoe::synth
