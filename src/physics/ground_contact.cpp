// SPDX-License-Identifier: MIT
#include "physics/ground_contact.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace zoe::physics {
namespace {

constexpr double kEdge_m = 0.04;     // Edges are rounded: heights and slopes are measured over twice this width.
constexpr double kDeepest_m = 0.03;  // Deeper contacts push no harder: steps would throw bodies into the air.
constexpr double kFar_m = 0.5;       // Points this high above the ground need no slope.
constexpr std::size_t kMostSamples = 12;

thread_local const Ground* current_ground = nullptr;

struct Touched {
  double distance_m = 0;
  Vec3d normal{0, 1, 0};
};

// Of a sphere. Steps are ramps of 8 cm: a foot that meets one is pushed back, not lifted at once.
Touched touch(const Ground& ground, Vec3d p, double radius_m) {
  const auto height = [&](double x, double z) {
    return static_cast<double>(ground.height(static_cast<float>(x), static_cast<float>(z)));
  };
  const double here = height(p.x, p.z);
  if (p.y - radius_m - here > kFar_m) return {p.y - radius_m - here, {0, 1, 0}};
  const double left = height(p.x - kEdge_m, p.z), right = height(p.x + kEdge_m, p.z);
  const double back = height(p.x, p.z - kEdge_m), front = height(p.x, p.z + kEdge_m);
  const Vec3d normal = normalized(Vec3d{(left - right) / (2 * kEdge_m), 1, (back - front) / (2 * kEdge_m)});
  const double mean = 0.25 * (left + right + back + front);
  // On even slopes both are equal; at edges the mean is between the two levels.
  return {(p.y - mean) * normal.y - radius_m, normal};
}

struct ShapeSamples {
  std::array<Vec3d, kMostSamples> at;
  std::size_t count = 0;
  double radius_m = 0;
  void add(Vec3d p) { at[count++] = p; }
};

// Corners, and the middles of the four longest edges.
ShapeSamples box_points(Vec3d half) {
  ShapeSamples points;
  const std::size_t longest = half.x >= half.y && half.x >= half.z ? 0 : half.y >= half.z ? 1 : 2;
  for (int i = 0; i < 12; ++i) {
    const double along = i % 3 - 1.0, a = (i / 3) % 2 == 0 ? -1 : 1, b = i / 6 == 0 ? -1 : 1;
    Vec3d p;
    p[longest] = along * half[longest];
    p[(longest + 1) % 3] = a * half[(longest + 1) % 3];
    p[(longest + 2) % 3] = b * half[(longest + 2) % 3];
    points.add(p);
  }
  return points;
}
ShapeSamples capsule_points(Vec3d from, Vec3d to, double radius_m) {
  ShapeSamples points;
  points.radius_m = radius_m;
  points.add(from);
  if (distance(from, to) < 1e-6) return points;
  points.add(to);
  if (distance(from, to) > 2 * radius_m) points.add((from + to) * 0.5);
  return points;
}

ShapeSamples points_of(const mjModel& model, int geom) {
  const mjtNum* size = model.geom_size + 3 * geom;
  if (model.geom_type[geom] == mjGEOM_BOX) return box_points({size[0], size[1], size[2]});
  if (model.geom_type[geom] == mjGEOM_CAPSULE) return capsule_points({0, 0, -size[1]}, {0, 0, size[1]}, size[0]);
  return capsule_points({}, {}, size[0]);
}

mjfCollision engine_collision[mjNGEOMTYPES] = {};

int collide_ground(const mjModel* model, const mjData* data, mjContact* contacts, int field, int geom, mjtNum margin) {
  if (current_ground == nullptr)
    return engine_collision[model->geom_type[geom]](model, data, contacts, field, geom, margin);
  const mjtNum* at = data->geom_xpos + 3 * geom;
  const mjtNum* m = data->geom_xmat + 9 * geom;
  const ShapeSamples points = points_of(*model, geom);
  int count = 0;
  for (std::size_t i = 0; i < points.count; ++i) {
    const Vec3d q = points.at[i];
    const Vec3d p{at[0] + m[0] * q.x + m[1] * q.y + m[2] * q.z, at[1] + m[3] * q.x + m[4] * q.y + m[5] * q.z,
                  at[2] + m[6] * q.x + m[7] * q.y + m[8] * q.z};
    const Touched touched = touch(*current_ground, p, points.radius_m);
    if (!(touched.distance_m < margin)) continue;
    mjContact& contact = contacts[count++];
    contact.dist = std::max(touched.distance_m, -kDeepest_m);
    const Vec3d n = touched.normal, on = p - n * (points.radius_m + 0.5 * contact.dist);
    contact.pos[0] = on.x, contact.pos[1] = on.y, contact.pos[2] = on.z;
    contact.frame[0] = n.x, contact.frame[1] = n.y, contact.frame[2] = n.z;
    contact.frame[3] = contact.frame[4] = contact.frame[5] = 0;
  }
  return count;
}

}  // namespace

void use_ground_contacts(mjModel& model) {
  static const bool once = [] {
    for (const int type : {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_BOX}) {
      engine_collision[type] = mjCOLLISIONFUNC[mjGEOM_HFIELD][type];
      mjCOLLISIONFUNC[mjGEOM_HFIELD][type] = collide_ground;
    }
    return true;
  }();
  (void)once;
  // It has no border.
  for (int geom = 0; geom < model.ngeom; ++geom)
    if (model.geom_type[geom] == mjGEOM_HFIELD) model.geom_rbound[geom] = 1e9;
}

GroundScope::GroundScope(const Ground* ground) : before_(current_ground) { current_ground = ground; }
GroundScope::~GroundScope() { current_ground = before_; }

namespace {

ShapeSamples samples_of(const BoneShape& shape) {
  ShapeSamples points =
      shape.is_box ? box_points(shape.half_size) : capsule_points(shape.from, shape.to, shape.radius_m);
  if (!shape.is_box) return points;
  for (std::size_t i = 0; i < points.count; ++i) points.at[i] = shape.centre + rotate(shape.rotation, points.at[i]);
  return points;
}

}  // namespace

Vec3d lowest_point(const BoneShape& shape, Quatd world_from_bone, Vec3d origin, const Ground* ground) {
  const ShapeSamples points = samples_of(shape);
  const Vec3d down = rotate(conjugate(world_from_bone), Vec3d{0, -points.radius_m, 0});
  double lowest = 1e30;
  Vec3d found{};
  for (std::size_t i = 0; i < points.count; ++i) {
    const Vec3d p = origin + rotate(world_from_bone, points.at[i]);
    const double low = ground != nullptr ? touch(*ground, p, points.radius_m).distance_m : p.y - points.radius_m;
    if (low < lowest) lowest = low, found = points.at[i] + down;
  }
  return found;
}

double clearance_m(const BoneShape& shape, Quatd world_from_bone, Vec3d origin, const Ground* ground) {
  if (ground == nullptr) return shape.lowest_y(world_from_bone, origin);
  const ShapeSamples points = samples_of(shape);
  double lowest = 1e30;
  for (std::size_t i = 0; i < points.count; ++i)
    lowest =
        std::min(lowest, touch(*ground, origin + rotate(world_from_bone, points.at[i]), points.radius_m).distance_m);
  return lowest;
}

}  // namespace zoe::physics
