// SPDX-License-Identifier: MIT
#include "character/skin_bench.h"

#include <cstdio>

#include "zoe/character/skinning_job.h"
#include "zoe/math/batch.h"

#include "character/sse_baseline.h"
#include "character/synthetic.h"

namespace zoe::bench {
namespace {

constexpr std::size_t kVertices = 4000;

struct Crowd {
  SkeletonPtr skeleton = make_person();
  Mesh mesh = make_person_skin(*skeleton, kVertices);
  SkinningLayout layout = SkinningLayout::create(mesh).value();
  std::size_t num_characters;
  std::vector<Affine> palettes;
  std::vector<DualQuat> dual_quats;
  std::vector<Matrix4> matrices;  // For the SSE baseline.
  std::vector<Vec3> positions, normals;

  explicit Crowd(std::size_t num_characters_)
      : num_characters(num_characters_),
        positions(num_characters * mesh.num_vertices()),
        normals(num_characters * mesh.num_vertices()) {
    std::vector<Affine> model(static_cast<std::size_t>(skeleton->num_joints()));
    for (std::size_t i = 0; i < num_characters; ++i) {
      compute_model_from_joint(*skeleton, make_person_pose(*skeleton, unsigned(i)).view(), model);
      for (std::size_t joint = 0; joint < model.size(); ++joint) {
        const Affine m = model[joint] * inverse(skeleton->rest_model()[joint]);
        palettes.push_back(m);
        dual_quats.push_back(to_dual_quat(rotation_of(m), m.t));
        matrices.push_back(
            {{{m.x.x, m.x.y, m.x.z, 0}, {m.y.x, m.y.y, m.y.z, 0}, {m.z.x, m.z.y, m.z.z, 0}, {m.t.x, m.t.y, m.t.z, 1}}});
      }
    }
  }

  // Least traffic per vertex: positions and normals are written for every character. The layout (geometry, and a weight
  // per vertex and joint of its block) is read once and stays in the cache for all of them.
  double bytes_per_vertex() const {
    const double layout_bytes = (6 + layout.joints_per_block()) * sizeof(float);
    return 6 * sizeof(float) + layout_bytes / static_cast<double>(num_characters);
  }
};

// A plain loop over the mesh: the scalar reference.
void scalar_skin(const Mesh& mesh, const Affine* palette, Vec3* positions, Vec3* normals) {
  for (std::size_t v = 0; v < mesh.num_vertices(); ++v) {
    Vec3 p{}, n{};
    for (std::size_t i = 4 * v; i < 4 * v + 4; ++i) {
      const Affine& m = palette[mesh.influence_joints[i]];
      p += m.apply_point(mesh.positions[v]) * mesh.influence_weights[i];
      n += m.apply_vector(mesh.normals[v]) * mesh.influence_weights[i];
    }
    positions[v] = p;
    normals[v] = n;
  }
}

void bench_crowd(const Options& options, std::size_t num_characters, std::vector<Row>& rows) {
  Crowd crowd(num_characters);
  const std::size_t n = crowd.mesh.num_vertices(), joints = crowd.palettes.size() / num_characters;
  const SkinningVertices vertices{.positions = crowd.positions, .normals = crowd.normals};
  const auto linear = [&](NormalMode mode) {
    return [&crowd, vertices, mode] {
      SkinningJob{&crowd.layout, crowd.num_characters, crowd.palettes, mode, vertices}.run();
      keep(crowd.positions[0]);
    };
  };
  const auto dual = [&] {
    DualQuatSkinningJob{&crowd.layout, num_characters, crowd.dual_quats, {}, vertices}.run();
    keep(crowd.positions[0]);
  };
  const auto scalar = [&] {
    for (std::size_t i = 0; i < num_characters; ++i) {
      scalar_skin(crowd.mesh, &crowd.palettes[i * joints], &crowd.positions[i * n], &crowd.normals[i * n]);
    }
    keep(crowd.positions[0]);
  };
  const auto sse = [&] {
    for (std::size_t i = 0; i < num_characters; ++i) {
      keep(sse_skin(n, &crowd.matrices[i * joints], crowd.mesh.influence_joints.data(),
                    crowd.mesh.influence_weights.data(), crowd.mesh.positions.data(), crowd.mesh.normals.data(),
                    &crowd.positions[i * n], &crowd.normals[i * n]));
    }
    keep(crowd.positions[0]);
  };

  const auto s = seconds_per_call(options, {scalar, sse, linear(NormalMode::kExact), linear(NormalMode::kFast), dual});
  const double count = static_cast<double>(num_characters * n);
  const double bytes_per_s = copy_bandwidth_bytes_per_s(static_cast<std::size_t>(count * crowd.bytes_per_vertex()));
  const std::string size = num_characters == 1 ? "1 character" : std::to_string(num_characters) + " characters";
  const std::string isa = std::string(" (") + batch::instruction_set() + ")";
  const std::string sse_name = "SSE2 4x4 baseline (ozz 0.16, other machine: " +
                               std::string(num_characters == 1 ? "148 SSE2, 139" : "105 SSE2, 146") + " native)";
  const auto add = [&](const std::string& name, double ours_s, double peer_s, const std::string& peer_name) {
    Row row;
    row.name = "skin/" + size + ", " + name;
    row.unit = "Mvertices/s";
    row.ours = count / ours_s / 1e6;
    row.peer = count / peer_s / 1e6;
    row.peer_name = peer_name;
    row.limit = bytes_per_s / crowd.bytes_per_vertex() / 1e6;
    char text[64];
    std::snprintf(text, sizeof text, "copy of as many bytes (%.0f per vertex)", crowd.bytes_per_vertex());
    row.limit_name = text;
    rows.push_back(row);
  };
  add("linear, 4 influences, as the peer" + isa, s[3], s[1], sse_name);
  add("linear, against scalar", s[3], s[0], "scalar reference");
  add("linear, exact unit normals" + isa, s[2], s[1], sse_name);
  add("dual quaternion" + isa, s[4], s[1], sse_name + ", linear");
}

}  // namespace

void bench_skin(const Options& options, std::vector<Row>& rows) {
  bench_crowd(options, 1, rows);
  bench_crowd(options, 1000, rows);
}

}  // namespace zoe::bench
