// SPDX-License-Identifier: MIT
#include "anatomy/flesh.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/math/symmetric_eigen.h"

namespace zoe::anatomy {
namespace {

constexpr std::size_t kMaxPoints = 512;  // Of one joint.

// Every n-th point, where there are too many.
void thin_out(std::vector<Vec3>& points) {
  if (points.size() <= kMaxPoints) return;
  const std::size_t stride = (points.size() + kMaxPoints - 1) / kMaxPoints;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); i += stride) points[kept++] = points[i];
  points.resize(kept);
}

// Standard deviations along the principal axes, the largest first.
std::array<double, 3> principal_extents(const std::vector<Vec3>& points) {
  Vec3d mean{};
  for (const Vec3 p : points) mean = mean + to_double(p);
  mean = mean / static_cast<double>(points.size());
  SquareMatrix<3> spread{};
  for (const Vec3 p : points) {
    const Vec3d d = to_double(p) - mean;
    const std::array<double, 3> c{d.x, d.y, d.z};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) spread[a][b] += c[a] * c[b];
  }
  std::array<double, 3> extents = symmetric_eigen<3>(spread).values;
  for (double& e : extents) e = std::sqrt(std::max(0.0, e) / static_cast<double>(points.size()));
  std::ranges::sort(extents, std::greater<>{});
  return extents;
}

void add_points(const Body& body, int joint, std::vector<Vec3>& points) {
  for (const Vec3 p : body.flesh[idx(joint)]) points.push_back(body.model[idx(joint)].apply_point(p));
}

std::vector<Vec3> points_below(const Body& body, int top) {
  std::vector<Vec3> points;
  std::vector<int> stack{top};
  while (!stack.empty()) {
    const int joint = stack.back();
    stack.pop_back();
    add_points(body, joint, points);
    stack.insert(stack.end(), body.children_of(joint).begin(), body.children_of(joint).end());
  }
  return points;
}

}  // namespace

std::vector<std::vector<Vec3>> flesh_of(const Skeleton& skeleton, const Character& character,
                                        const std::vector<char>& in_body, const std::vector<char>& skinned) {
  std::vector<std::vector<Vec3>> flesh(idx(skeleton.num_joints()));
  for (const MeshInstance& instance : character.instances) {
    const Mesh& mesh = character.meshes[idx(instance.mesh)];
    if (instance.skin < 0) {
      if (instance.joint < 0 || instance.joint >= skeleton.num_joints()) continue;
      int carrier = instance.joint;
      while (carrier != kNoJoint && in_body[idx(carrier)] == 0) carrier = skeleton.parent(carrier);
      bool hangs_on_skin = false;
      for (int j = carrier; j != kNoJoint; j = skeleton.parent(j))
        hangs_on_skin = hangs_on_skin || skinned[idx(j)] != 0;
      if (carrier == kNoJoint || hangs_on_skin) continue;
      const auto rest = skeleton.rest_model();
      const Affine from_mesh = inverse(rest[idx(carrier)]) * rest[idx(instance.joint)] * instance.joint_from_mesh;
      for (const Vec3 p : mesh.positions) flesh[idx(carrier)].push_back(from_mesh.apply_point(p));
      continue;
    }
    const Skin& skin = character.skins[idx(instance.skin)];
    const std::size_t stride = idx(mesh.influences_per_vertex);
    for (std::size_t v = 0; stride > 0 && v < mesh.positions.size(); ++v) {
      const std::size_t heaviest = mesh.influence_joints[v * stride];
      if (heaviest >= skin.joints.size()) continue;
      flesh[idx(skin.joints[heaviest])].push_back(skin.joint_from_mesh[heaviest].apply_point(mesh.positions[v]));
    }
  }
  for (std::vector<Vec3>& points : flesh) thin_out(points);
  const bool any = std::ranges::any_of(flesh, [](const auto& points) { return !points.empty(); });
  return any ? flesh : std::vector<std::vector<Vec3>>{};
}

FleshShape flesh_shape(const Body& body, int top) {
  FleshShape shape;
  if (!body.has_flesh()) return shape;
  const std::vector<Vec3> points = points_below(body, top);
  shape.num_points = points.size();
  if (points.empty()) return shape;
  shape.low = 1e30;
  shape.high = -1e30;
  for (const Vec3 p : points) {
    shape.center = shape.center + p / static_cast<float>(points.size());
    const double height = dot(p, body.up), far = distance(p, body.position(top));
    shape.low = std::min(shape.low, height);
    shape.high = std::max(shape.high, height);
    if (far <= shape.reach) continue;
    shape.reach = far;
    shape.tip = p;
  }
  const std::array<double, 3> extents = principal_extents(points);
  shape.flatness = extents[2] / std::max(extents[1], 1e-30);
  shape.slenderness = extents[1] / std::max(extents[0], 1e-30);
  return shape;
}

double flesh_distance(const Body& body, int top, Vec3 from) {
  double least = 1e30;
  if (!body.has_flesh()) return least;
  for (const Vec3 p : points_below(body, top)) least = std::min(least, static_cast<double>(distance(p, from)));
  return least;
}

double flesh_low(const Body& body, int joint) {
  double low = 1e30;
  if (!body.has_flesh()) return low;
  std::vector<Vec3> points;
  add_points(body, joint, points);
  for (const Vec3 p : points) low = std::min(low, static_cast<double>(dot(p, body.up)));
  return low;
}

Box3 flesh_box(const Body& body, const std::vector<char>& without) {
  Box3 box;
  if (!body.has_flesh()) return box;
  std::vector<Vec3> points;
  for (int j = 0; j < body.num_joints(); ++j) {
    if (!body.has(j) || (!without.empty() && without[idx(j)] != 0)) continue;
    points.clear();
    add_points(body, j, points);
    box.add(points);
  }
  return box;
}

}  // namespace zoe::anatomy
