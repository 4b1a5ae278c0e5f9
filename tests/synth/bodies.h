// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Bodies of every family, and what tests ask of a mesh or a joint again and again.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/synth/body.h"
#include "zoe/synth/clip.h"

namespace zoe::synth::test {

inline Body body_of(BodyFamily family, int number, bool mesh = false, Names names = Names::kPlain) {
  return make_body(family, Random(4711).split(static_cast<std::uint64_t>(number)), {.names = names, .mesh = mesh});
}

// Calls visit(body, text) for some bodies of every family.
template <typename Visit>
void each_body(int bodies_a_family, Visit visit) {
  for (const BodyFamily family : families()) {
    for (int i = 0; i < bodies_a_family; ++i) {
      visit(body_of(family, i), std::string(to_string(family)) + " " + std::to_string(i));
    }
  }
}

inline Vec3 rest_position(const Body& body, int joint) {
  return body.skeleton->rest_model()[static_cast<std::size_t>(joint)].t;
}
inline Vec3 mirrored(Vec3 p) { return {-p.x, p.y, p.z}; }

inline bool is_ancestor(const Skeleton& skeleton, int ancestor, int joint) {
  while (joint != kNoJoint && joint != ancestor) joint = skeleton.parent(joint);
  return joint == ancestor;
}

// What a closed surface of triangles must have.
struct MeshFacts {
  bool closed = true;  // Every directed edge has its twin, once.
  int euler = 0;       // Vertices - edges + faces: 2 a closed surface without holes.
  double volume_m3 = 0, area_m2 = 0;
  int degenerate = 0;    // Triangles without area.
  int out_of_range = 0;  // Indices.
};
inline MeshFacts facts_of(std::span<const Vec3> positions, std::span<const std::uint32_t> indices) {
  MeshFacts facts;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (std::size_t t = 0; t + 2 < indices.size(); t += 3) {
    const std::uint32_t v[3] = {indices[t], indices[t + 1], indices[t + 2]};
    if (v[0] >= positions.size() || v[1] >= positions.size() || v[2] >= positions.size()) {
      ++facts.out_of_range;
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) ++edges[{v[k], v[(k + 1) % 3]}];
    const Vec3 a = positions[v[0]], b = positions[v[1]], c = positions[v[2]];
    const double area = 0.5 * static_cast<double>(length(cross(b - a, c - a)));
    facts.area_m2 += area;
    facts.volume_m3 += static_cast<double>(dot(a, cross(b, c))) / 6;
    if (area < 1e-14) ++facts.degenerate;
  }
  for (const auto& [edge, count] : edges) {
    const auto twin = edges.find({edge.second, edge.first});
    if (twin == edges.end() || twin->second != count) facts.closed = false;
  }
  facts.euler =
      static_cast<int>(positions.size()) - static_cast<int>(edges.size() / 2) + static_cast<int>(indices.size() / 3);
  return facts;
}

// Model-space positions of one joint over a motion.
inline std::vector<Vec3> path_of(const Motion& motion, int joint) {
  std::vector<Vec3> out;
  for (int f = 0; f < motion.num_frames; ++f) {
    const PoseView pose = motion.frame(f);
    Vec3 p{};
    for (int j = joint; j != kNoJoint; j = motion.skeleton->parent(j)) {
      const auto at = static_cast<std::size_t>(j);
      p = rotate(pose.rotations[at], p) + pose.translations[at];
    }
    out.push_back(p);
  }
  return out;
}

}  // namespace zoe::synth::test
