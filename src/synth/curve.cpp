// SPDX-License-Identifier: MIT
#include "synth/curve.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/rotation_6d.h"

namespace zoe::synth {
namespace {

// The rotation from rest axes (bone, up) to (along, up).
Quat frame_turn(Vec3 rest_bone, Vec3 along, Vec3 up) {
  const auto axes = [](Vec3 z, Vec3 y) {
    const Vec3 x = normalized(cross(y, z), Vec3{1, 0, 0});
    return from_6d(Rotation6{x, cross(z, x)});
  };
  return normalized(axes(normalized(along), up) * conjugate(axes(normalized(rest_bone), Vec3{0, 1, 0})));
}

struct BodyOnCurve {
  Rig& rig;
  const Laying& laying;

  // The arc length at which the distance of `joint` from `from` is the length of its bone.
  float step(Vec3 from, float arc_m, float length_m, float direction, int joint) const {
    float arc = arc_m + direction * length_m;
    for (int i = 0; i < 10; ++i) {
      const float missing = length_m - distance(laying.place(arc, joint), from);
      arc += direction * missing;
      if (std::abs(missing) < 1e-6F * length_m) break;
    }
    return arc;
  }

  // Places `chain` from `from` on. `last` is the end of the last bone. Returns the rotation of the first.
  void lay(std::span<const int> chain, int last, Vec3 from, Quat parent, float arc_m, float direction) const {
    const Skeleton& skeleton = *rig.body().skeleton;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const int joint = chain[i], next = i + 1 < chain.size() ? chain[i + 1] : last;
      if (next == kNoJoint) return;
      const Vec3 bone = skeleton.rest_local(next).translation;
      const float arc = step(from, arc_m, length(bone), direction, next);
      const Vec3 along = (laying.place(arc, next) - from) * direction;
      const Quat turn = frame_turn(bone * direction, along, laying.up(0.5F * (arc + arc_m)));
      rig.set(joint, nearest_to(Quat{}, normalized(conjugate(parent) * turn)));
      rig.clamp(joint);
      parent = normalized(parent * rig.pose().rotations[static_cast<std::size_t>(joint)]);
      from += rotate(parent, bone);
      arc_m = arc;
    }
  }
};

int end_of(const Skeleton& skeleton, int joint) {
  for (int j = joint + 1; j < skeleton.num_joints(); ++j) {
    if (skeleton.parent(j) == joint && skeleton.kind(j) == JointKind::kEndSite) return j;
  }
  return kNoJoint;
}

}  // namespace

Vec3 Curve::at(float arc_m) const {
  const float x = (arc_m - start_m_) / step_m_, last = static_cast<float>(points_.size() - 1);
  if (x <= 0) return points_[0] + (points_[1] - points_[0]) * x;
  if (x >= last) return points_.back() + (points_.back() - points_[points_.size() - 2]) * (x - last);
  const auto i = std::min(static_cast<std::size_t>(x), points_.size() - 2);
  return lerp(points_[i], points_[i + 1], x - static_cast<float>(i));
}

Vec3 Curve::tangent(float arc_m) const { return normalized(at(arc_m + step_m_) - at(arc_m - step_m_), Vec3{0, 0, 1}); }

void Curve::shift(Vec3 by) {
  for (Vec3& p : points_) p += by;
}

Curve curve_of(const Track& track, float step_m) {
  // The ends may stand still: there the line continues along the body's facing.
  std::vector<Vec3> points;
  const Track::Sample &first = track.samples.front(), &last = track.samples.back();
  const auto ahead = [](const Track::Sample& s) { return rotate(about_y(s.facing_rad), Vec3{0, 0, 1}); };
  points.push_back(first.position - ahead(first) * step_m);
  float next = first.arc_m;
  for (std::size_t i = 0; i + 1 < track.samples.size(); ++i) {
    const Track::Sample &a = track.samples[i], &b = track.samples[i + 1];
    while (next <= b.arc_m && b.arc_m > a.arc_m) {
      points.push_back(lerp(a.position, b.position, std::clamp((next - a.arc_m) / (b.arc_m - a.arc_m), 0.0F, 1.0F)));
      next += step_m;
    }
  }
  if (points.size() < 2) points.push_back(first.position);
  points.push_back(points.back() + ahead(last) * step_m);
  return {std::move(points), first.arc_m - step_m, step_m};
}

Curve curve_of_headings(std::span<const float> headings_rad, float start_m, float step_m) {
  std::vector<Vec3> points{Vec3{}};
  Vec3d p{};  // Double, for long sums.
  for (const float heading : headings_rad) {
    p += Vec3d{std::sin(static_cast<double>(heading)), 0, std::cos(static_cast<double>(heading))} *
         static_cast<double>(step_m);
    points.push_back(to_float(p));
  }
  return {std::move(points), start_m, step_m};
}

void lay_body(Rig& rig, const Laying& laying, float root_arc_m) {
  const Body& body = rig.body();
  const Skeleton& skeleton = *body.skeleton;
  const BodyOnCurve layer{rig, laying};
  const Vec3 from = laying.place(root_arc_m, body.root);
  std::vector<int> front = body.spine;
  front.insert(front.end(), body.neck.begin(), body.neck.end());
  const int first = front.front();
  const Vec3 bone = skeleton.rest_local(first).translation;
  const float arc = layer.step(from, root_arc_m, length(bone), 1, first);
  const Quat root = frame_turn(bone, laying.place(arc, first) - from, laying.up(root_arc_m));
  rig.place_root(from, root, Vec3{from.x, 0, from.z}, 0);
  layer.lay(front, body.head, from + rotate(root, bone), root, arc, 1);
  if (body.tail.empty()) return;
  const Vec3 back = skeleton.rest_local(body.tail.front()).translation;
  layer.lay(body.tail, end_of(skeleton, body.tail.back()), from + rotate(root, back), root, root_arc_m - length(back),
            -1);
}

}  // namespace zoe::synth
