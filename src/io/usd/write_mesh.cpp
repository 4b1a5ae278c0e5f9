// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/core/index.h"

#include "io/usd/write_parts.h"

namespace zoe::io::usd {
namespace {

constexpr const char* kPerVertex = "interpolation = \"vertex\"";

void write_surface(const Mesh& mesh, TextWriter& out) {
  const std::size_t n = mesh.num_vertices();
  out.line("uniform token subdivisionScheme = \"none\"");
  out.array("int[] faceVertexCounts", mesh.indices.size() / 3, [&](std::size_t) { out.put("3"); });
  out.array("int[] faceVertexIndices", mesh.indices.size(), [&](std::size_t i) { out.put("{}", mesh.indices[i]); });
  out.array("point3f[] points", n, [&](std::size_t v) { out.put(mesh.positions[v]); });
  if (!mesh.normals.empty())
    out.array(
        "normal3f[] normals", n, [&](std::size_t v) { out.put(mesh.normals[v]); }, kPerVertex);
  // USD counts v from the bottom of the image.
  const auto uvs = [&](const char* declaration, const std::vector<Vec2>& values) {
    if (values.empty()) return;
    out.array(
        declaration, n, [&](std::size_t v) { out.put("({}, {})", values[v].x, 1.0 - double(values[v].y)); },
        kPerVertex);
  };
  uvs("texCoord2f[] primvars:st", mesh.uvs);
  uvs("texCoord2f[] primvars:st1", mesh.uvs1);
  if (!mesh.colors.empty()) {
    out.array(
        "color3f[] primvars:displayColor", n,
        [&](std::size_t v) {
          out.put(Vec3{mesh.colors[v].x, mesh.colors[v].y, mesh.colors[v].z});
        },
        kPerVertex);
    if (std::any_of(mesh.colors.begin(), mesh.colors.end(), [](const Vec4& c) { return c.w != 1; }))
      out.array(
          "float[] primvars:displayOpacity", n, [&](std::size_t v) { out.put("{}", mesh.colors[v].w); }, kPerVertex);
  }
}

void write_binding(const OutStage& stage, std::size_t index, const Mesh& mesh, TextWriter& out) {
  const OutBinding& binding = stage.bindings[index];
  const MeshInstance& instance = stage.character.instances[index];
  const std::size_t n = mesh.num_vertices();
  out.line("rel skel:skeleton = <{}>", stage.skeletons[idx(binding.skeleton)].path);
  const bool rigid = instance.skin < 0;
  const std::size_t width = rigid ? 1 : idx(mesh.influences_per_vertex);
  const std::string metadata = fmt::format("elementSize = {}\n        {}", width, kPerVertex);
  const auto joint = [&](std::size_t i) {
    if (rigid) return instance.joint;
    return stage.character.skins[idx(instance.skin)].joints[mesh.influence_joints[i]];
  };
  out.array(
      "int[] primvars:skel:jointIndices", n * width, [&](std::size_t i) { out.put("{}", joint(i)); }, metadata);
  out.array(
      "float[] primvars:skel:jointWeights", n * width,
      [&](std::size_t i) { out.put("{}", rigid ? 1.0F : mesh.influence_weights[i]); }, metadata);
  if (!rigid && stage.character.skins[idx(instance.skin)].blend == SkinBlend::kDualQuaternion)
    out.line("uniform token primvars:skel:skinningMethod = \"dualQuaternion\"");
}

void put_matrix(const char* declaration, const Affined& matrix, TextWriter& out) {
  TextWriter value;
  value.put(matrix);
  out.line("{} = {}", declaration, value.take());
}

void write_shapes(const OutStage& stage, std::size_t index, const Mesh& mesh, const std::string& path,
                  TextWriter& out) {
  const std::vector<std::string>& names = stage.shape_names[index];
  out.array("uniform token[] skel:blendShapes", names.size(), [&](std::size_t i) { out.put("\"{}\"", names[i]); });
  out.array("rel skel:blendShapeTargets", names.size(), [&](std::size_t i) { out.put("<{}/{}>", path, names[i]); });
  for (std::size_t t = 0; t < names.size(); ++t) {
    const MorphTarget& target = mesh.morph_targets[t];
    out.begin("BlendShape", names[t], {fmt::format("displayName = {}", in_quotes(target.name))});
    const std::size_t n = target.position_deltas.size();
    out.array("uniform vector3f[] offsets", n, [&](std::size_t i) { out.put(target.position_deltas[i]); });
    out.array("uniform vector3f[] normalOffsets", target.normal_deltas.size(),
              [&](std::size_t i) { out.put(target.normal_deltas[i]); });
    if (!target.vertices.empty() || n == 0)
      out.array("uniform int[] pointIndices", n, [&](std::size_t i) { out.put("{}", target.vertices[i]); });
    out.end();
  }
}

void write_subsets(const OutStage& stage, const Mesh& mesh, TextWriter& out) {
  Names names;
  for (const Submesh& part : mesh.submeshes) {
    if (part.material < 0) continue;
    const std::string& path = stage.material_paths[idx(part.material)];
    out.begin("GeomSubset", names.add(path.substr(path.rfind('/') + 1), "part"),
              {"prepend apiSchemas = [\"MaterialBindingAPI\"]"});
    out.line("uniform token elementType = \"face\"");
    out.line("uniform token familyName = \"materialBind\"");
    out.array("int[] indices", part.num_indices / 3, [&](std::size_t i) { out.put("{}", part.first_index / 3 + i); });
    out.line("rel material:binding = <{}>", path);
    out.end();
  }
}

}  // namespace

void write_mesh(const OutStage& stage, std::size_t index, const std::string& name, TextWriter& out) {
  const MeshInstance& instance = stage.character.instances[index];
  const Mesh& mesh = stage.character.meshes[idx(instance.mesh)];
  const OutBinding& binding = stage.bindings[index];
  const bool one_material = mesh.submeshes.size() == 1 && mesh.submeshes[0].material >= 0;
  const bool shapes = !mesh.morph_targets.empty();
  std::string schemas = binding.skeleton >= 0 || shapes ? "\"SkelBindingAPI\"" : "";
  if (one_material) schemas += schemas.empty() ? "\"MaterialBindingAPI\"" : ", \"MaterialBindingAPI\"";
  std::vector<std::string> metadata{fmt::format("displayName = {}", in_quotes(mesh.name))};
  if (!schemas.empty()) metadata.push_back(fmt::format("prepend apiSchemas = [{}]", schemas));
  out.begin("Mesh", name, metadata);
  if (mesh.num_vertices() > 0) {
    Vec3 low = mesh.positions[0], high = low;
    for (const Vec3& p : mesh.positions) {
      for (std::size_t c = 0; c < 3; ++c) {
        low[c] = std::min(low[c], p[c]);
        high[c] = std::max(high[c], p[c]);
      }
    }
    out.array("float3[] extent", 2, [&](std::size_t i) { out.put(i == 0 ? low : high); });
  }
  const bool two_sided = std::any_of(mesh.submeshes.begin(), mesh.submeshes.end(), [&](const Submesh& part) {
    return part.material >= 0 && stage.character.materials[idx(part.material)].double_sided;
  });
  if (two_sided) out.line("uniform bool doubleSided = 1");
  write_surface(mesh, out);
  if (binding.skeleton >= 0) {
    put_matrix("matrix4d primvars:skel:geomBindTransform", binding.model_from_mesh, out);
    write_binding(stage, index, mesh, out);
  } else if (!(binding.model_from_mesh == Affined{})) {
    put_matrix("matrix4d xformOp:transform", binding.model_from_mesh, out);
    out.line("uniform token[] xformOpOrder = [\"xformOp:transform\"]");
  }
  if (one_material) out.line("rel material:binding = <{}>", stage.material_paths[idx(mesh.submeshes[0].material)]);
  if (shapes) write_shapes(stage, index, mesh, stage.root + "/" + name, out);
  if (!one_material) write_subsets(stage, mesh, out);
  out.end();
}

}  // namespace zoe::io::usd
