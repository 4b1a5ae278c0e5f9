// SPDX-License-Identifier: MIT
// Part of Zoetrope. Parts of bodies that several families share: head with jaw and eyes, tail.
#include "synth/plan.h"

namespace zoe::synth {

void add_head_joints(Plan& plan, Vec3 neck_start, Vec3 head_base, Vec3 head_tip, int num_neck) {
  Body& body = plan.body;
  std::vector<Vec3> points;
  for (int i = 0; i < num_neck; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(num_neck);
    points.push_back(lerp(neck_start, head_base, t));
  }
  body.neck = add_chain(plan, Part::kNeck, body.chest, points);
  const int parent = body.neck.empty() ? body.chest : body.neck.back();
  body.head = plan.add({.part = Part::kHead}, parent, head_base);
  for (const int joint : body.neck)
    plan.cone(joint, head_base - neck_start, 130.0F / static_cast<float>(num_neck + 1), 40);
  plan.cone(body.head, head_tip - head_base, 60, 60);
  plan.add_end(body.head, head_tip);
}

void add_head(Plan& plan, Vec3 neck_start, Vec3 head_base, Vec3 head_tip, float head_radius, int num_neck, bool jaw) {
  add_head_joints(plan, neck_start, head_base, head_tip, num_neck);
  Body& body = plan.body;
  const Vec3 along = head_tip - head_base, forward = normalized(along);
  // The skull, and a muzzle in front of it where the head is long.
  const Vec3 skull = head_base + forward * std::min(0.6F * length(along), 0.9F * head_radius);
  if (jaw) {
    const Vec3 down = normalized(Vec3{0, -1, 0} - forward * dot(Vec3{0, -1, 0}, forward), Vec3{0, 0, 1});
    const Vec3 hinge = skull + down * (0.55F * head_radius) + forward * (0.1F * head_radius);
    body.jaw = plan.add({.part = Part::kJaw}, body.head, hinge);
    plan.hinge(body.jaw, {1, 0, 0}, -5, 50);
    const Vec3 tip = head_tip + down * (0.42F * head_radius) - forward * (0.25F * head_radius);
    plan.add_end(body.jaw, tip);
    plan.blob(body.jaw, hinge, 0.3F * head_radius, tip, 0.2F * head_radius, {1.25F, 1, 1});
    plan.blob(body.head, skull, 0.8F * head_radius, head_tip - forward * (0.4F * head_radius), 0.4F * head_radius);
  } else {
    plan.blob(body.head, skull, 0.9F * head_radius, head_tip - forward * (0.8F * head_radius), 0.75F * head_radius);
  }
  for (std::size_t i = 0; i < body.neck.size(); ++i) {
    const int joint = body.neck[i];
    const Vec3 next = i + 1 < body.neck.size() ? plan.at(body.neck[i + 1]) : head_base;
    plan.blob(joint, plan.at(joint), 0.75F * head_radius, next, 0.65F * head_radius);
  }
}

void add_tail(Plan& plan, Vec3 start, Vec3 end, int count, float radius, float tip_radius) {
  if (count == 0) return;
  std::vector<Vec3> points;
  for (int i = 0; i <= count; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(count);
    // Hangs in an arc between its ends.
    Vec3 p = lerp(start, end, t);
    p.y += 0.12F * distance(start, end) * 4 * t * (1 - t) * (end.y < start.y ? 1.0F : -1.0F);
    points.push_back(p);
  }
  const Vec3 last = points.back();
  points.pop_back();
  Body& body = plan.body;
  body.tail = add_chain(plan, Part::kTail, body.root, points);
  plan.add_end(body.tail.back(), last);
  for (std::size_t i = 0; i < body.tail.size(); ++i) {
    const float n = static_cast<float>(count);
    const auto radius_at = [&](float k) { return radius + (tip_radius - radius) * (k / n); };
    const Vec3 next = i + 1 < points.size() ? points[i + 1] : last;
    plan.cone(body.tail[i], next - points[i], i == 0 ? 75 : 50, 20);
    plan.blob(body.tail[i], points[i], radius_at(static_cast<float>(i)), next, radius_at(static_cast<float>(i) + 1));
  }
}

}  // namespace zoe::synth
