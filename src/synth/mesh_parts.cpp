// SPDX-License-Identifier: MIT
// Part of Zoetrope. Parts of a mesh beside the hull: plates (feathers, membranes, fins), thin
// limbs, eyes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "synth/palette.h"
#include "synth/plan.h"

namespace zoe::synth {
namespace {

void add_influence(Mesh& mesh, int joint_a, int joint_b, float share_b) {
  if (share_b > 0.5F) std::swap(joint_a, joint_b), share_b = 1 - share_b;
  if (joint_b == kNoJoint) joint_b = joint_a, share_b = 0;
  mesh.influence_joints.insert(
      mesh.influence_joints.end(),
      {static_cast<std::uint16_t>(joint_a), static_cast<std::uint16_t>(share_b > 0 ? joint_b : 0), 0, 0});
  mesh.influence_weights.insert(mesh.influence_weights.end(), {1 - share_b, share_b, 0, 0});
}

}  // namespace

void add_plate(const Plate& plate, Mesh& mesh) {
  const int rows = plate.num_rows, columns = plate.num_columns;
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const auto count = static_cast<std::uint32_t>(rows * columns);
  const auto point = [&](int r, int c) -> const Plate::Point& {
    return plate.points[static_cast<std::size_t>(std::clamp(r, 0, rows - 1) * columns + std::clamp(c, 0, columns - 1))];
  };
  for (const float side : {1.0F, -1.0F}) {
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const Plate::Point& p = point(r, c);
        const Vec3 normal = normalized(cross(point(r + 1, c).position - point(r - 1, c).position,
                                             point(r, c + 1).position - point(r, c - 1).position),
                                       Vec3{0, 1, 0});
        mesh.positions.push_back(p.position + normal * (0.5F * side * p.thickness_m));
        mesh.normals.push_back(normal * side);
        const float edge = rows > 1 ? static_cast<float>(r) / static_cast<float>(rows - 1) : 0.0F;
        mesh.colors.push_back(mixed(plate.color, plate.edge_color, edge));
        add_influence(mesh, p.joint_a, p.joint_b, p.share_b);
      }
    }
  }
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d});
  };
  const auto id = [&](int r, int c, bool under) {
    return first + (under ? count : 0) + static_cast<std::uint32_t>(r * columns + c);
  };
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) {
      quad(id(r, c, false), id(r + 1, c, false), id(r + 1, c + 1, false), id(r, c + 1, false));
      quad(id(r, c, true), id(r, c + 1, true), id(r + 1, c + 1, true), id(r + 1, c, true));
    }
  }
  // The rim, all around.
  const auto wall = [&](int r0, int c0, int r1, int c1) {
    quad(id(r0, c0, false), id(r1, c1, false), id(r1, c1, true), id(r0, c0, true));
  };
  for (int c = 0; c + 1 < columns; ++c) wall(0, c, 0, c + 1), wall(rows - 1, c + 1, rows - 1, c);
  for (int r = 0; r + 1 < rows; ++r) wall(r, columns - 1, r + 1, columns - 1), wall(r + 1, 0, r, 0);
}

void add_tube(const Tube& tube, Mesh& mesh) {
  constexpr std::uint32_t kSides = 7;
  const std::size_t n = tube.points.size();
  const auto at = [&](std::size_t i) -> const Tube::Point& { return tube.points[i]; };
  const auto along = [&](std::size_t i) {
    return normalized(at(std::min(i + 1, n - 1)).position - at(std::min(i, n - 2)).position, Vec3{0, 1, 0});
  };
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const auto put = [&](Vec3 position, Vec3 normal, int joint_a, int joint_b, float share_b) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(normal);
    mesh.colors.push_back(tube.color);
    add_influence(mesh, joint_a, joint_b, share_b);
  };
  Vec3 side = normalized(cross(along(0), std::abs(along(0).y) < 0.9F ? Vec3{0, 1, 0} : Vec3{0, 0, 1}));
  std::uint32_t num_rings = 0;
  const auto ring = [&](Vec3 centre, Vec3 axis, float radius, int joint_a, int joint_b, float share_b) {
    side = normalized(side - axis * dot(side, axis), side);
    const Vec3 other = cross(axis, side);
    for (std::uint32_t k = 0; k < kSides; ++k) {
      const float turn = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / kSides;
      const Vec3 out = side * std::cos(turn) + other * std::sin(turn);
      put(centre + out * radius, out, joint_a, joint_b, share_b);
    }
    ++num_rings;
  };
  // Near a joint both of its bones have influence. In the middle of a bone only its own.
  const Vec3 start = along(0), end = along(n - 1);
  put(at(0).position - start * at(0).radius_m, -start, at(0).joint, kNoJoint, 0);
  ring(at(0).position - start * (0.5F * at(0).radius_m), start, 0.87F * at(0).radius_m, at(0).joint, kNoJoint, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const bool inner = i > 0 && i + 1 < n;
    const Vec3 axis = inner ? normalized(along(i - 1) + along(i), along(i)) : along(i);
    const float r = at(i).radius_m;
    if (inner) ring(at(i).position, axis, 1.08F * r, at(i - 1).joint, at(i).joint, 0.5F);
    if (!inner) ring(at(i).position, axis, r, at(std::min(i, n - 2)).joint, kNoJoint, 0);
    if (i + 1 == n) break;
    const auto between = [&](float t) {
      ring(lerp(at(i).position, at(i + 1).position, t), along(i), r + (at(i + 1).radius_m - r) * t, at(i).joint,
           kNoJoint, 0);
    };
    between(0.25F), between(0.75F);
  }
  const Tube::Point& last = at(n - 1);
  const int last_joint = at(n - 2).joint;
  ring(last.position + end * (0.5F * last.radius_m), end, 0.87F * last.radius_m, last_joint, kNoJoint, 0);
  put(last.position + end * last.radius_m, end, last_joint, kNoJoint, 0);
  const auto id = [&](std::uint32_t r, std::uint32_t k) { return first + 1 + r * kSides + k % kSides; };
  const std::uint32_t tip = first + 1 + num_rings * kSides;
  for (std::uint32_t k = 0; k < kSides; ++k) {
    mesh.indices.insert(mesh.indices.end(), {first, id(0, k + 1), id(0, k)});
    for (std::uint32_t r = 0; r + 1 < num_rings; ++r)
      mesh.indices.insert(mesh.indices.end(),
                          {id(r, k), id(r, k + 1), id(r + 1, k + 1), id(r, k), id(r + 1, k + 1), id(r + 1, k)});
    mesh.indices.insert(mesh.indices.end(), {id(num_rings - 1, k), id(num_rings - 1, k + 1), tip});
  }
}

void add_ball(const Ball& ball, Mesh& mesh) {
  constexpr int kRings = 6, kSectors = 8;
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const auto add = [&](Vec3 direction) {
    mesh.positions.push_back(ball.centre + direction * ball.radius_m);
    mesh.normals.push_back(direction);
    mesh.colors.push_back(ball.color);
    add_influence(mesh, ball.joint, kNoJoint, 0);
  };
  add({0, 1, 0});
  for (int r = 1; r < kRings; ++r) {
    const float tilt = std::numbers::pi_v<float> * static_cast<float>(r) / kRings;
    for (int s = 0; s < kSectors; ++s) {
      const float turn = 2 * std::numbers::pi_v<float> * static_cast<float>(s) / kSectors;
      add({std::sin(tilt) * std::sin(turn), std::cos(tilt), std::sin(tilt) * std::cos(turn)});
    }
  }
  add({0, -1, 0});
  const auto ring = [&](int r, int s) {
    return first + 1 + static_cast<std::uint32_t>((r - 1) * kSectors + s % kSectors);
  };
  const std::uint32_t last = first + 1 + (kRings - 1) * kSectors;
  for (int s = 0; s < kSectors; ++s) {
    mesh.indices.insert(mesh.indices.end(), {first, ring(1, s), ring(1, s + 1)});
    for (int r = 1; r + 1 < kRings; ++r)
      mesh.indices.insert(mesh.indices.end(), {ring(r, s), ring(r + 1, s), ring(r + 1, s + 1), ring(r, s),
                                               ring(r + 1, s + 1), ring(r, s + 1)});
    mesh.indices.insert(mesh.indices.end(), {ring(kRings - 1, s), last, ring(kRings - 1, s + 1)});
  }
}

}  // namespace zoe::synth
