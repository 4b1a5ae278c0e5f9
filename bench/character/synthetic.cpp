// SPDX-License-Identifier: MIT
#include "character/synthetic.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace zoe::bench {
namespace {

struct Builder {
  std::vector<JointDesc> joints;

  // A chain of joints below `parent`; returns the last one.
  int chain(int parent, int count, Vec3 step, const char* name) {
    for (int i = 0; i < count; ++i) {
      joints.push_back({name, parent, {step, {}}});
      parent = static_cast<int>(joints.size()) - 1;
    }
    return parent;
  }
};

}  // namespace

SkeletonPtr make_person() {
  Builder b;
  const int hips = b.chain(kNoJoint, 1, {0, 1, 0}, "hips");
  const int chest = b.chain(hips, 6, {0, 0.08F, 0}, "spine");
  b.chain(chest, 2, {0, 0.1F, 0.01F}, "neck");
  for (const float side : {1.0F, -1.0F}) {
    const int hand = b.chain(chest, 4, {0.15F * side, 0, 0}, "arm");
    for (int finger = 0; finger < 5; ++finger) {
      b.chain(hand, 4, {0.03F * side, 0, 0.01F * static_cast<float>(finger - 2)}, "finger");
    }
  }
  for (const float side : {1.0F, -1.0F}) b.chain(hips, 5, {0.02F * side, -0.2F, 0.01F}, "leg");
  return Skeleton::create(std::move(b.joints)).value();
}

Pose make_person_pose(const Skeleton& skeleton, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-0.15F, 0.15F);
  Pose pose = make_pose(skeleton);
  for (Quat& q : pose.rotations) q = normalized(Quat{number(random), number(random), number(random), 1});
  return pose;
}

Mesh make_person_skin(const Skeleton& skeleton, std::size_t num_vertices) {
  constexpr std::size_t kRing = 8, kInfluences = 4;
  Mesh mesh;
  mesh.influences_per_vertex = kInfluences;
  const auto num_joints = static_cast<std::size_t>(skeleton.num_joints());
  const std::size_t rings_per_bone = num_vertices / kRing / (num_joints - 1) + 1;
  for (std::size_t joint = 1; joint < num_joints; ++joint) {
    const Vec3 tip = skeleton.rest_model()[joint].t;
    const Vec3 base = skeleton.rest_model()[static_cast<std::size_t>(skeleton.parent(static_cast<int>(joint)))].t;
    const Vec3 axis = normalized(tip - base);
    const Vec3 side = normalized(cross(axis, std::abs(axis.z) < 0.9F ? Vec3{0, 0, 1} : Vec3{1, 0, 0}));
    for (std::size_t ring = 0; ring < rings_per_bone; ++ring) {
      const Vec3 centre = lerp(base, tip, static_cast<float>(ring) / static_cast<float>(rings_per_bone));
      for (std::size_t i = 0; i < kRing && mesh.positions.size() < num_vertices; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / kRing;
        const Vec3 normal = side * std::cos(angle) + cross(axis, side) * std::sin(angle);
        mesh.normals.push_back(normal);
        mesh.positions.push_back(centre + normal * (0.3F * distance(base, tip)));
      }
    }
  }
  // Weights fall with the square of the distance to the joint.
  for (const Vec3 p : mesh.positions) {
    std::vector<std::pair<float, std::uint16_t>> near;
    for (std::size_t joint = 0; joint < num_joints; ++joint) {
      const Vec3 d = p - skeleton.rest_model()[joint].t;
      near.emplace_back(dot(d, d) + 1e-4F, static_cast<std::uint16_t>(joint));
    }
    std::partial_sort(near.begin(), near.begin() + kInfluences, near.end());
    float sum = 0;
    for (std::size_t i = 0; i < kInfluences; ++i) sum += 1 / near[i].first;
    for (std::size_t i = 0; i < kInfluences; ++i) {
      mesh.influence_joints.push_back(near[i].second);
      mesh.influence_weights.push_back(1 / near[i].first / sum);
    }
  }
  return mesh;
}

}  // namespace zoe::bench
