// SPDX-License-Identifier: MIT
// Bodies of every family: recognised by the analysis, inside their own limits, with a closed and
// well-skinned mesh.
#include "zoe/synth/body.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"

namespace zoe::synth {
namespace {

constexpr int kBodies = 12;  // A family.

Body body_of(BodyFamily family, int number, bool mesh, Names names = Names::kPlain) {
  return make_body(family, Random(77).split(static_cast<std::uint64_t>(number)), {.names = names, .mesh = mesh});
}

TEST(Body, AnalysisFindsFamilyFeetAndFacing) {
  for (const BodyFamily family : families()) {
    for (int i = 0; i < kBodies; ++i) {
      const auto names = static_cast<Names>(i % (kNumNames - 1));
      const Body body = body_of(family, i, false, names);
      const SkeletonAnalysis found = analyse(*body.skeleton);
      EXPECT_STREQ(to_string(found.family), to_string(family)) << i << " " << to_string(names);
      EXPECT_GT(found.forward.z, 0.99F) << to_string(family) << i;
      EXPECT_EQ(found.feet.size(), body.legs.size()) << to_string(family) << i;
      // Every leg's foot is one of its distal joints, and no two are the same.
      std::set<int> feet(found.feet.begin(), found.feet.end());
      for (const Leg& leg : body.legs) {
        bool hit = feet.count(leg.tip) > 0;
        for (const int joint : leg.distal) hit = hit || feet.count(joint) > 0;
        EXPECT_TRUE(hit) << to_string(family) << i << " " << to_string(names) << " leg "
                         << body.skeleton->name(leg.upper);
      }
      EXPECT_EQ(found.head, body.head) << to_string(family) << i << " " << to_string(names);
    }
  }
}

TEST(Body, AnalysisKnowsTheFamilyOfHundredsWithAndWithoutNames) {
  constexpr int kMany = 120;
  for (const BodyFamily family : families()) {
    int named = 0, nameless = 0;
    for (int i = 0; i < kMany; ++i) {
      const Body body = make_body(family, Random(1000).split(static_cast<std::uint64_t>(i)),
                                  {.names = static_cast<Names>(i % (kNumNames - 1)), .mesh = false});
      named += analyse(*body.skeleton).family == family ? 1 : 0;
      nameless += analyse(*body.skeleton, {}, nullptr, {.use_names = false}).family == family ? 1 : 0;
    }
    std::printf("  %-10s recognised: %d of %d with names, %d without\n", to_string(family), named, kMany, nameless);
    EXPECT_EQ(named, kMany) << to_string(family);
    EXPECT_GE(nameless, kMany * 95 / 100) << to_string(family);
  }
}

TEST(Body, AnalysisPairsLeftWithRight) {
  for (const BodyFamily family : families()) {
    const Body body = body_of(family, 3, false, Names::kUnreal);
    const SkeletonAnalysis found = analyse(*body.skeleton);
    for (const JointPair& pair : found.pairs) {
      const Vec3 left = body.skeleton->rest_model()[static_cast<std::size_t>(pair.left)].t,
                 right = body.skeleton->rest_model()[static_cast<std::size_t>(pair.right)].t;
      EXPECT_NEAR(left.x, -right.x, 1e-4F);
      EXPECT_NEAR(left.z, right.z, 1e-4F);
      EXPECT_GT(left.x, 0) << body.skeleton->name(pair.left);
    }
    std::size_t sided = 0;
    for (int j = 0; j < body.skeleton->num_joints(); ++j)
      sided += body.skeleton->rest_model()[static_cast<std::size_t>(j)].t.x > 1e-4F ? 1 : 0;
    EXPECT_EQ(found.pairs.size(), sided) << to_string(family);
  }
}

TEST(Body, NamesAreUniqueInEveryConvention) {
  for (const BodyFamily family : families()) {
    for (int names = 0; names < kNumNames; ++names) {
      const Body body = body_of(family, names, false, static_cast<Names>(names));
      std::set<std::string> seen;
      for (int j = 0; j < body.skeleton->num_joints(); ++j) {
        EXPECT_TRUE(seen.insert(body.skeleton->name(j)).second)
            << body.skeleton->name(j) << " in " << to_string(family);
      }
    }
  }
}

TEST(Body, StandsOnTheGroundFacingForward) {
  for (const BodyFamily family : families()) {
    for (int i = 0; i < kBodies; ++i) {
      const Body body = body_of(family, i, false);
      EXPECT_EQ(body.limits.size(), static_cast<std::size_t>(body.skeleton->num_joints()));
      for (std::size_t j = 0; j < body.limits.size(); ++j)
        EXPECT_LT(limit_violation_rad(body.limits[j], body.skeleton->rest_local(static_cast<int>(j)).rotation), 1e-5F);
      for (const Affine& m : body.skeleton->rest_model()) EXPECT_GE(m.t.y, -1e-4F) << to_string(family);
      for (const Leg& leg : body.legs) {
        EXPECT_GT(leg.reach_m, 0);
        EXPECT_LT(leg.sole_m, 0.15F * leg.length_m);
      }
      EXPECT_GT(body.mass_kg(), 0);
    }
  }
}

TEST(Body, MeshIsClosedAndSkinned) {
  for (const BodyFamily family : families()) {
    for (int i = 0; i < 3; ++i) {
      const Body body = body_of(family, i, true);
      ASSERT_TRUE(validate(*body.character)) << to_string(family);
      const Mesh& mesh = body.character->meshes[0];
      // Every directed edge has its opposite: no hole, no flipped triangle.
      std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
      double volume = 0;
      for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
        const std::uint32_t v[3] = {mesh.indices[t], mesh.indices[t + 1], mesh.indices[t + 2]};
        for (int k = 0; k < 3; ++k) ++edges[{v[k], v[(k + 1) % 3]}];
        volume += static_cast<double>(dot(mesh.positions[v[0]], cross(mesh.positions[v[1]], mesh.positions[v[2]]))) / 6;
      }
      int unmatched = 0;
      for (const auto& [edge, count] : edges) {
        const auto twin = edges.find({edge.second, edge.first});
        unmatched += twin == edges.end() || twin->second != count ? 1 : 0;
      }
      EXPECT_EQ(unmatched, 0) << to_string(family) << i;
      EXPECT_GT(volume, 0) << "inside out";
      // Against the flesh it was made from, in kilograms of water.
      EXPECT_NEAR(1000 * volume, body.mass_kg(), 0.6 * body.mass_kg()) << to_string(family) << i;
      int against = 0;
      for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
        const Vec3 a = mesh.positions[mesh.indices[t]], b = mesh.positions[mesh.indices[t + 1]],
                   c = mesh.positions[mesh.indices[t + 2]];
        const Vec3 face = cross(b - a, c - a);
        const Vec3 sum =
            mesh.normals[mesh.indices[t]] + mesh.normals[mesh.indices[t + 1]] + mesh.normals[mesh.indices[t + 2]];
        against += dot(face, sum) < 0 ? 1 : 0;
      }
      EXPECT_LT(against, static_cast<int>(mesh.indices.size() / 3 / 50)) << to_string(family) << i;
      for (std::size_t v = 0; v < mesh.num_vertices(); ++v) {
        float sum = 0;
        for (std::size_t k = 0; k < 4; ++k) sum += mesh.influence_weights[4 * v + k];
        ASSERT_NEAR(sum, 1, 1e-4F);
        ASSERT_NEAR(length(mesh.normals[v]), 1, 1e-3F);
      }
      // The rest pose gives the mesh back.
      const DeformedMesh rest = deform_instance(*body.character, 0, body.skeleton->rest_model());
      for (std::size_t v = 0; v < mesh.num_vertices(); v += 50)
        EXPECT_LT(distance(rest.positions[v], mesh.positions[v]), 1e-4F);
    }
  }
}

TEST(Body, SameSeedSameBody) {
  for (const BodyFamily family : families()) {
    const Body a = body_of(family, 5, true), b = body_of(family, 5, true), c = body_of(family, 6, true);
    EXPECT_EQ(a.skeleton->topology_hash(), b.skeleton->topology_hash());
    EXPECT_EQ(a.character->meshes[0].positions, b.character->meshes[0].positions);
    EXPECT_NE(a.character->meshes[0].positions, c.character->meshes[0].positions);
  }
}

TEST(Body, SizeScalesEverything) {
  const Body small = make_body(BodyFamily::kQuadruped, Random(1), {}),
             large = make_body(BodyFamily::kQuadruped, Random(1), {.size = 2});
  EXPECT_NEAR(large.leg_length_m, 2 * small.leg_length_m, 1e-4F);
  EXPECT_NEAR(large.mass_kg(), 8 * small.mass_kg(), 1e-2F * large.mass_kg());
  EXPECT_NEAR(large.legs[0].reach_m, 2 * small.legs[0].reach_m, 1e-4F);
}

}  // namespace
}  // namespace zoe::synth
