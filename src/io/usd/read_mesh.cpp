// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "io/fbx/triangulate.h"
#include "io/usd/read_parts.h"
#include "io/usd/values.h"

namespace zoe::io::usd {
namespace {

enum class Interpolation : std::uint8_t { kConstant, kUniform, kVertex, kFaceVarying };

// Normals, texture coordinates or colours with their way to corners.
struct Primvar {
  std::vector<float> numbers;
  std::vector<std::int32_t> indices;
  Interpolation interpolation = Interpolation::kVertex;
  std::size_t width = 3;

  bool empty() const { return numbers.empty(); }
  std::size_t size() const { return indices.empty() ? numbers.size() / width : indices.size(); }
  // Which entry a corner has; the caller has checked the size.
  std::uint32_t at(std::size_t face, std::size_t corner, std::size_t point) const {
    const std::size_t i = interpolation == Interpolation::kConstant  ? 0
                          : interpolation == Interpolation::kUniform ? face
                          : interpolation == Interpolation::kVertex  ? point
                                                                     : corner;
    return indices.empty() ? static_cast<std::uint32_t>(i) : static_cast<std::uint32_t>(indices[i]);
  }
};

class MeshReader {
 public:
  MeshReader(ReadStage& stage, int prim) : stage_(stage), document_(stage.document), prim_(prim) {}

  Result<void> run() {
    ZOE_TRY_ASSIGN(const std::string_view points, value_or_first_sample(document_, prim_, "points"));
    ZOE_TRY_ASSIGN(points_, read_numbers<float>(document_, points, 3));
    ZOE_TRY_ASSIGN(counts_, integers("faceVertexCounts"));
    ZOE_TRY_ASSIGN(corners_, integers("faceVertexIndices"));
    ZOE_TRY(check_faces());
    ZOE_TRY_ASSIGN(normals_, primvar({"primvars:normals", "normals"}, 3));
    ZOE_TRY_ASSIGN(uvs_, primvar({"primvars:st", "primvars:UVMap", "primvars:map1", "primvars:st_0"}, 2));
    ZOE_TRY_ASSIGN(uvs1_, primvar({"primvars:st1", "primvars:st_1"}, 2));
    ZOE_TRY_ASSIGN(colors_, primvar({"primvars:displayColor"}, 3));
    if (colors_.interpolation == Interpolation::kConstant) colors_ = {};  // The colour of a whole mesh is a material's.
    ZOE_TRY_ASSIGN(opacities_, primvar({"primvars:displayOpacity"}, 1));
    mesh_.num_source_points = static_cast<std::uint32_t>(points_.size() / 3);
    ZOE_TRY(make_vertices());
    ZOE_TRY(make_parts());
    ZOE_TRY(read_shapes());
    const std::vector<std::string_view> name =
        read_tokens(metadata_entry(document_.prim(prim_).metadata, "displayName"));
    mesh_.name = name.empty() ? std::string(document_.prim(prim_).name) : unescaped(name[0]);
    MeshInstance instance;
    ZOE_TRY(read_binding(stage_, prim_, mesh_, instance));
    if (plain_) {
      mesh_.source_points.clear();
      mesh_.num_source_points = 0;
    }
    instance.mesh = static_cast<int>(stage_.character->meshes.size());
    const std::size_t first = stage_.character->num_morph_weights();
    for (std::size_t i = 0; i < shape_tokens_.size(); ++i) stage_.weight_of_shape.emplace(shape_tokens_[i], first + i);
    stage_.character->meshes.push_back(std::move(mesh_));
    stage_.character->instances.push_back(std::move(instance));
    return {};
  }

 private:
  Error invalid(std::string message) const {
    Error error = document_.error(ErrorCode::kInvalid, std::move(message), document_.prim(prim_).name);
    error.where.joint = document_.path(prim_);
    return error;
  }

  Result<std::vector<std::int32_t>> integers(const char* name) const {
    ZOE_TRY_ASSIGN(const std::string_view value, value_or_first_sample(document_, prim_, name));
    return read_numbers<std::int32_t>(document_, value);
  }

  Result<void> check_faces() const {
    std::size_t total = 0;
    for (const std::int32_t count : counts_) {
      if (count < 0) return invalid("a face has a negative number of corners");
      total += idx(count);
    }
    if (total != corners_.size())
      return invalid(fmt::format("faceVertexCounts sum to {}, but there are {} corners", total, corners_.size()));
    for (const std::int32_t point : corners_) {
      if (point < 0 || idx(point) >= points_.size() / 3)
        return invalid(fmt::format("a face names point {} of {}", point, points_.size() / 3));
    }
    return {};
  }

  Result<Primvar> primvar(std::initializer_list<const char*> names, std::size_t width) const {
    Primvar out;
    out.width = width;
    for (const char* name : names) {
      ZOE_TRY_ASSIGN(const std::string_view value, value_or_first_sample(document_, prim_, name));
      if (value.empty()) continue;
      ZOE_TRY_ASSIGN(out.numbers, read_numbers<float>(document_, value, width));
      const Attribute* attribute = document_.attribute(prim_, name);
      if (attribute == nullptr) attribute = document_.attribute(prim_, name, AttributeKind::kSamples);
      const auto token = read_tokens(metadata_entry(attribute->metadata, "interpolation"));
      const bool is_normals = std::string_view(name) == "normals";  // Per vertex unless stated; primvars: constant.
      const std::string_view mode = token.empty() ? (is_normals ? "vertex" : "constant") : token[0];
      out.interpolation = mode == "faceVarying"                   ? Interpolation::kFaceVarying
                          : mode == "uniform"                     ? Interpolation::kUniform
                          : mode == "vertex" || mode == "varying" ? Interpolation::kVertex
                                                                  : Interpolation::kConstant;
      if (const Attribute* indices = document_.attribute(prim_, std::string(name) + ":indices")) {
        ZOE_TRY_ASSIGN(out.indices, read_numbers<std::int32_t>(document_, indices->value));
      }
      break;
    }
    if (out.empty()) return Primvar{};
    const std::size_t needed = out.interpolation == Interpolation::kConstant  ? 1
                               : out.interpolation == Interpolation::kUniform ? counts_.size()
                               : out.interpolation == Interpolation::kVertex  ? points_.size() / 3
                                                                              : corners_.size();
    const std::size_t entries = out.numbers.size() / width;
    const bool good = out.size() >= needed && std::all_of(out.indices.begin(), out.indices.end(),
                                                          [&](std::int32_t i) { return i >= 0 && idx(i) < entries; });
    if (!good) {
      stage_.warnings.push_back(
          {fmt::format("{} has too few values and is ignored", *names.begin()), {.joint = document_.path(prim_)}});
      return Primvar{};
    }
    return out;
  }

  void add_vertex(std::size_t point, std::size_t face, std::size_t corner) {
    mesh_.positions.push_back({points_[point * 3], points_[point * 3 + 1], points_[point * 3 + 2]});
    mesh_.source_points.push_back(static_cast<std::uint32_t>(point));
    if (!normals_.empty()) {
      const float* n = &normals_.numbers[normals_.at(face, corner, point) * 3];
      mesh_.normals.push_back({n[0], n[1], n[2]});
    }
    if (!uvs_.empty()) {
      const float* t = &uvs_.numbers[uvs_.at(face, corner, point) * 2];
      mesh_.uvs.push_back({t[0], 1 - t[1]});
    }
    if (!uvs1_.empty()) {
      const float* t = &uvs1_.numbers[uvs1_.at(face, corner, point) * 2];
      mesh_.uvs1.push_back({t[0], 1 - t[1]});
    }
    if (!colors_.empty()) {
      const float* c = &colors_.numbers[colors_.at(face, corner, point) * 3];
      const float alpha = opacities_.empty() ? 1.0F : opacities_.numbers[opacities_.at(face, corner, point)];
      mesh_.colors.push_back({c[0], c[1], c[2], alpha});
    }
  }

  // Points stay vertices where no attribute differs between the corners of one.
  Result<void> make_vertices() {
    constexpr std::size_t kVertexBytes = 2 * sizeof(Vec3) + 2 * sizeof(Vec2) + sizeof(Vec4) + 8;
    plain_ = true;
    for (const Primvar* p : {&normals_, &uvs_, &uvs1_, &colors_}) {
      plain_ = plain_ && (p->empty() || p->interpolation == Interpolation::kVertex ||
                          p->interpolation == Interpolation::kConstant);
    }
    const std::size_t num_points = points_.size() / 3;
    if (plain_) {
      ZOE_TRY(stage_.budget.take(num_points, kVertexBytes, "vertices"));
      for (std::size_t p = 0; p < num_points; ++p) add_vertex(p, 0, 0);
      vertex_of_corner_.assign(corners_.begin(), corners_.end());
      return {};
    }
    ZOE_TRY(stage_.budget.take(corners_.size(), kVertexBytes + 32, "vertices"));
    std::unordered_map<std::uint64_t, std::uint32_t> known;  // Hash of a corner's point and attributes.
    std::size_t corner = 0;
    for (std::size_t face = 0; face < counts_.size(); ++face) {
      for (std::int32_t i = 0; i < counts_[face]; ++i, ++corner) {
        const std::size_t point = idx(corners_[corner]);
        std::uint64_t key = point * 0x9E3779B97F4A7C15ULL;
        for (const Primvar* p : {&normals_, &uvs_, &uvs1_, &colors_}) {
          if (p->empty()) continue;
          const std::uint32_t entry = p->at(face, corner, point);
          // Equal values of different entries share a vertex too.
          for (std::size_t c = 0; c < p->width; ++c) {
            std::uint32_t bits = 0;
            const float value = p->numbers[entry * p->width + c];
            static_assert(sizeof bits == sizeof value);
            std::copy_n(reinterpret_cast<const char*>(&value), sizeof bits, reinterpret_cast<char*>(&bits));
            key = (key ^ bits) * 0xff51afd7ed558ccdULL;
            key ^= key >> 32;
          }
        }
        const auto [found, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(mesh_.positions.size()));
        if (is_new) add_vertex(point, face, corner);
        vertex_of_corner_.push_back(found->second);
      }
    }
    return {};
  }

  // Material of each face: that of its subset, else the mesh's.
  Result<std::vector<int>> face_materials() {
    std::vector<int> materials(counts_.size(), material_of(prim_));
    for (const int child : document_.children(prim_)) {
      if (document_.prim(child).type != "GeomSubset") continue;
      const int material = material_of(child);
      const Attribute* faces = document_.attribute(child, "indices");
      if (faces == nullptr || material < 0) continue;
      ZOE_TRY_ASSIGN(const std::vector<std::int32_t> numbers, read_numbers<std::int32_t>(document_, faces->value));
      for (const std::int32_t face : numbers) {
        if (face >= 0 && idx(face) < materials.size()) materials[idx(face)] = material;
      }
    }
    return materials;
  }

  int material_of(int prim) const {
    const int target = inherited_target(document_, prim, "material:binding");
    const auto found =
        target >= 0 ? stage_.material_of_path.find(document_.path(target)) : stage_.material_of_path.end();
    return found != stage_.material_of_path.end() ? found->second : -1;
  }

  Result<void> make_parts() {
    ZOE_TRY_ASSIGN(const std::vector<int> materials, face_materials());
    ZOE_TRY(stage_.budget.take(corners_.size(), 3 * sizeof(std::uint32_t), "triangles"));
    std::vector<std::uint32_t> order(counts_.size()), starts(counts_.size());
    for (std::size_t f = 0, at = 0; f < counts_.size(); at += idx(counts_[f++])) {
      order[f] = static_cast<std::uint32_t>(f);
      starts[f] = static_cast<std::uint32_t>(at);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return materials[a] < materials[b]; });
    const bool flip = read_token(document_, prim_, "orientation", "rightHanded") == "leftHanded";
    fbx::Triangulator triangulator;
    std::vector<Vec3> polygon;
    std::vector<std::uint32_t> local;
    for (const std::uint32_t face : order) {
      if (mesh_.submeshes.empty() || mesh_.submeshes.back().material != materials[face])
        mesh_.submeshes.push_back({static_cast<std::uint32_t>(mesh_.indices.size()), 0, materials[face]});
      if (counts_[face] < 3) continue;
      const std::uint32_t* corner = &vertex_of_corner_[starts[face]];
      local = {0, 1, 2};
      if (counts_[face] > 3) {
        polygon.clear();
        for (std::int32_t i = 0; i < counts_[face]; ++i) polygon.push_back(mesh_.positions[corner[i]]);
        local.clear();
        triangulator.run(polygon, &local);
      }
      for (std::size_t i = 0; i + 2 < local.size(); i += 3) {
        mesh_.indices.push_back(corner[local[i]]);
        mesh_.indices.push_back(corner[local[flip ? i + 2 : i + 1]]);
        mesh_.indices.push_back(corner[local[flip ? i + 1 : i + 2]]);
      }
      mesh_.submeshes.back().num_indices =
          static_cast<std::uint32_t>(mesh_.indices.size()) - mesh_.submeshes.back().first_index;
    }
    return {};
  }

  Result<void> read_shapes() {
    const Attribute* tokens = document_.attribute(prim_, "skel:blendShapes");
    const Attribute* targets = document_.attribute(prim_, "skel:blendShapeTargets", AttributeKind::kTargets);
    if (tokens == nullptr || targets == nullptr) return {};
    const std::vector<std::string_view> names = read_tokens(tokens->value);
    const std::vector<std::string_view> paths = read_paths(targets->value);
    std::vector<std::vector<std::uint32_t>> vertices_of(mesh_.num_source_points);
    for (std::uint32_t v = 0; v < mesh_.source_points.size(); ++v) vertices_of[mesh_.source_points[v]].push_back(v);
    for (std::size_t i = 0; i < std::min(names.size(), paths.size()); ++i) {
      const int prim = document_.find(paths[i]);
      if (prim < 0) continue;
      ZOE_TRY_ASSIGN(MorphTarget target, read_shape(prim, vertices_of));
      const std::vector<std::string_view> display =
          read_tokens(metadata_entry(document_.prim(prim).metadata, "displayName"));
      target.name = display.empty() ? unescaped(names[i]) : unescaped(display[0]);
      mesh_.morph_targets.push_back(std::move(target));
      shape_tokens_.emplace_back(names[i]);
    }
    return {};
  }

  Result<MorphTarget> read_shape(int prim, const std::vector<std::vector<std::uint32_t>>& vertices_of) {
    const auto floats = [&](const char* name) -> Result<std::vector<float>> {
      const Attribute* attribute = document_.attribute(prim, name);
      if (attribute == nullptr) return std::vector<float>();
      return read_numbers<float>(document_, attribute->value, 3);
    };
    ZOE_TRY_ASSIGN(const std::vector<float> offsets, floats("offsets"));
    ZOE_TRY_ASSIGN(const std::vector<float> normals, floats("normalOffsets"));
    std::vector<std::int32_t> points;
    const Attribute* list = document_.attribute(prim, "pointIndices");
    if (list != nullptr) {
      ZOE_TRY_ASSIGN(points, read_numbers<std::int32_t>(document_, list->value));
    } else {
      for (std::size_t i = 0; i < offsets.size() / 3; ++i) points.push_back(static_cast<std::int32_t>(i));
    }
    if (points.size() != offsets.size() / 3)
      return document_.error(ErrorCode::kInvalid, "a blend shape has another number of points than offsets",
                             document_.prim(prim).name);
    std::vector<std::pair<std::uint32_t, std::size_t>> entries;  // Vertex and its place in the lists.
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i] < 0 || idx(points[i]) >= vertices_of.size())
        return document_.error(ErrorCode::kInvalid,
                               fmt::format("a blend shape names point {} of {}", points[i], vertices_of.size()),
                               document_.prim(prim).name);
      ZOE_TRY(stage_.budget.take(vertices_of[idx(points[i])].size(), 2 * sizeof(Vec3) + 24, "blend shapes"));
      for (const std::uint32_t vertex : vertices_of[idx(points[i])]) entries.emplace_back(vertex, i);
    }
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    entries.erase(
        std::unique(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
        entries.end());
    // An empty list would mean "every vertex".
    MorphTarget target;
    if (entries.empty() && mesh_.num_vertices() > 0) {
      target.vertices.push_back(0);
      target.position_deltas.emplace_back();
    }
    const auto at = [](const std::vector<float>& v, std::size_t i) {
      return Vec3{v[i * 3], v[i * 3 + 1], v[i * 3 + 2]};
    };
    for (const auto& [vertex, i] : entries) {
      target.vertices.push_back(vertex);
      target.position_deltas.push_back(at(offsets, i));
      if (normals.size() == offsets.size()) target.normal_deltas.push_back(at(normals, i));
    }
    return target;
  }

  ReadStage& stage_;
  const Document& document_;
  int prim_;
  Mesh mesh_;
  std::vector<float> points_;
  std::vector<std::int32_t> counts_, corners_;
  Primvar normals_, uvs_, uvs1_, colors_, opacities_;
  std::vector<std::uint32_t> vertex_of_corner_;
  std::vector<std::string> shape_tokens_;
  bool plain_ = true;
};

}  // namespace

Result<void> read_meshes(ReadStage& stage) {
  for (std::size_t i = 0; i < stage.document.prims().size(); ++i) {
    if (stage.document.prims()[i].type != "Mesh") continue;
    const auto prim = static_cast<int>(i);
    const std::string_view purpose = read_token(stage.document, prim, "purpose", "default");
    if (purpose == "guide" || purpose == "proxy") continue;  // Stand-ins of the mesh itself.
    ZOE_TRY(MeshReader(stage, prim).run());
  }
  return {};
}

}  // namespace zoe::io::usd
