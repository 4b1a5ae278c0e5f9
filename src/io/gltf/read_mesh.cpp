// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "zoe/math/finite.h"

#include "io/gltf/read_parts.h"

namespace zoe::io::gltf {
namespace {

// Primitives with the same attributes share one run of vertices.
struct VertexRun {
  const PrimitiveDef* primitive = nullptr;
  std::size_t first = 0, count = 0;
};

struct Part {
  const PrimitiveDef* primitive = nullptr;
  std::size_t run = 0;
};

bool same_vertices(const PrimitiveDef& a, const PrimitiveDef& b) {
  const auto same_target = [](const TargetDef& x, const TargetDef& y) {
    return x.position == y.position && x.normal == y.normal;
  };
  return a.position == b.position && a.normal == b.normal && a.tangent == b.tangent && a.uv0 == b.uv0 &&
         a.uv1 == b.uv1 && a.color == b.color && a.joints == b.joints && a.weights == b.weights &&
         std::equal(a.targets.begin(), a.targets.end(), b.targets.begin(), b.targets.end(), same_target);
}

class MeshReader {
 public:
  MeshReader(const ReadContext& context, int index)
      : context_(context),
        def_(context.document.meshes[static_cast<std::size_t>(index)]),
        element_(fmt::format("meshes[{}]", index)) {
    mesh_.name = def_.name.empty() ? fmt::format("mesh_{}", index) : def_.name;
  }

  Result<Mesh> read() {
    ZOE_TRY(collect_parts());
    ZOE_TRY(read_vec(mesh_.positions, &PrimitiveDef::position, NonFinite::kKeep));
    ZOE_TRY(check_positions());
    ZOE_TRY(read_vec(mesh_.normals, &PrimitiveDef::normal, NonFinite::kZero));
    ZOE_TRY(read_vec(mesh_.tangents, &PrimitiveDef::tangent, NonFinite::kZero));
    ZOE_TRY(read_vec(mesh_.uvs, &PrimitiveDef::uv0, NonFinite::kZero));
    ZOE_TRY(read_vec(mesh_.uvs1, &PrimitiveDef::uv1, NonFinite::kZero));
    transform_uvs();
    ZOE_TRY(read_colors());
    ZOE_TRY(read_skin_weights());
    for (const Part& part : parts_) ZOE_TRY(read_triangles(part));
    ZOE_TRY(read_morph_targets());
    return std::move(mesh_);
  }

 private:
  Error invalid(const std::string& message) const {
    return {ErrorCode::kInvalid, fmt::format("{} ('{}') {}", element_, mesh_.name, message), {}};
  }
  void warn(std::string message) { context_.warnings.push_back({std::move(message), {.joint = mesh_.name}}); }

  Result<void> collect_parts() {
    std::size_t skipped = 0;
    for (const PrimitiveDef& primitive : def_.primitives) {
      if (primitive.mode < 4 || primitive.position < 0) {
        ++skipped;
        continue;
      }
      const AccessorDef& position = context_.accessors.def(primitive.position);
      // Sharers are adjacent in real files. A bounded search avoids a quadratic cost in hostile ones.
      const auto from = runs_.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(runs_.size(), 64));
      const auto found = std::find_if(from, runs_.end(), [&](const VertexRun& run) {
        return same_vertices(*run.primitive, primitive) && uv_transform(*run.primitive) == uv_transform(primitive);
      });
      const auto run = static_cast<std::size_t>(found - runs_.begin());
      if (found == runs_.end()) {
        ZOE_TRY(context_.accessors.check_range(primitive.position));
        ZOE_TRY(context_.budget.take(position.count, sizeof(Vec3), "vertices"));
        runs_.push_back({&primitive, num_vertices_, position.count});
        num_vertices_ += position.count;
      }
      parts_.push_back({&primitive, run});
    }
    if (num_vertices_ > UINT32_MAX) return invalid("has more than 2^32 vertices");
    if (skipped > 0) warn(fmt::format("{} primitives of points, lines or without positions are skipped", skipped));
    return {};
  }

  UvTransform uv_transform(const PrimitiveDef& primitive) const {
    return primitive.material < 0 ? UvTransform{}
                                  : context_.document.uv_transforms[static_cast<std::size_t>(primitive.material)];
  }

  // Texture transforms become part of the mesh: quantised uvs need theirs (gltfpack).
  void transform_uvs() {
    if (mesh_.uvs.empty()) return;
    for (const VertexRun& run : runs_) {
      const UvTransform t = uv_transform(*run.primitive);
      if (t == UvTransform{}) continue;
      const double c = std::cos(t.rotation), s = std::sin(t.rotation);
      for (std::size_t v = run.first; v < run.first + run.count; ++v) {
        Vec2& uv = mesh_.uvs[v];
        const double x = t.scale[0] * double(uv.x), y = t.scale[1] * double(uv.y);
        uv = {static_cast<float>(t.offset[0] + c * x + s * y), static_cast<float>(t.offset[1] - s * x + c * y)};
      }
    }
  }

  // An attribute of the wrong length would silently belong to other vertices.
  Result<void> check_count(int accessor, std::size_t expected) const {
    const std::size_t count = context_.accessors.def(accessor).count;
    if (count == expected) return {};
    return invalid(
        fmt::format("has an attribute accessors[{}] of {} elements for {} vertices", accessor, count, expected));
  }

  template <typename V>
  Result<void> read_vec(std::vector<V>& out, int PrimitiveDef::*attribute, NonFinite non_finite) {
    const auto has = [&](const VertexRun& run) { return run.primitive->*attribute >= 0; };
    if (std::none_of(runs_.begin(), runs_.end(), has)) return {};
    if (!std::all_of(runs_.begin(), runs_.end(), has)) {
      warn("not all primitives have the same attributes; the missing ones are filled with zeros");
    }
    constexpr int kComponents = sizeof(V) / sizeof(float);
    if (attribute != &PrimitiveDef::position)
      ZOE_TRY(context_.budget.take(num_vertices_, sizeof(V), "vertex attributes"));
    out.resize(num_vertices_);
    for (const VertexRun& run : runs_) {
      if (!has(run)) continue;
      ZOE_TRY(check_count(run.primitive->*attribute, run.count));
      const std::span<float> numbers(&out.data()[run.first].x, run.count * kComponents);
      ZOE_TRY(context_.accessors.floats_into(run.primitive->*attribute, kComponents, numbers, non_finite));
    }
    return {};
  }

  // A position cannot be guessed.
  Result<void> check_positions() const {
    if (all_finite(mesh_.positions)) return {};
    for (const VertexRun& run : runs_) {
      const auto begin = mesh_.positions.begin() + static_cast<std::ptrdiff_t>(run.first);
      const auto end = begin + static_cast<std::ptrdiff_t>(run.count);
      const auto bad = [](Vec3 p) { return !is_finite(p); };
      const auto first = std::find_if(begin, end, bad);
      if (first == end) continue;
      return invalid(
          fmt::format("has infinite or NaN positions in {} of {} vertices of accessors[{}], the first at "
                      "vertex {}; repair the mesh in the program that made it",
                      std::count_if(first, end, bad), run.count, run.primitive->position, first - begin));
    }
    return {};
  }

  Result<void> read_colors() {
    if (std::none_of(runs_.begin(), runs_.end(), [](const VertexRun& run) { return run.primitive->color >= 0; }))
      return {};
    ZOE_TRY(context_.budget.take(num_vertices_, sizeof(Vec4), "vertex colours"));
    mesh_.colors.assign(num_vertices_, Vec4{1, 1, 1, 1});
    for (const VertexRun& run : runs_) {
      const int accessor = run.primitive->color;
      if (accessor < 0) continue;
      ZOE_TRY(check_count(accessor, run.count));
      const int components = context_.accessors.def(accessor).components;
      if (components != 3 && components != 4) return invalid("has colours that are neither RGB nor RGBA");
      ZOE_TRY_ASSIGN(const std::vector<float> numbers,
                     context_.accessors.floats(accessor, components, NonFinite::kZero));
      const auto width = static_cast<std::size_t>(components);
      for (std::size_t i = 0; i < run.count; ++i) {
        const float* c = &numbers[i * width];
        mesh_.colors[run.first + i] = {c[0], c[1], c[2], width == 4 ? c[3] : 1.0F};
      }
    }
    return {};
  }

  Result<void> read_skin_weights() {
    std::size_t sets = 0;
    for (const VertexRun& run : runs_)
      sets = std::max(sets, std::min(run.primitive->joints.size(), run.primitive->weights.size()));
    if (sets == 0) return {};
    const std::size_t width = 4 * sets;
    ZOE_TRY(context_.budget.take(num_vertices_, width * (sizeof(float) + sizeof(std::uint16_t)), "skin influences"));
    mesh_.influences_per_vertex = static_cast<int>(width);
    mesh_.influence_joints.resize(num_vertices_ * width);
    mesh_.influence_weights.resize(num_vertices_ * width);
    std::size_t used = 1;
    WeightFaults faults;
    for (const VertexRun& run : runs_) {
      for (const int accessor : run.primitive->joints)
        if (accessor >= 0) ZOE_TRY(check_count(accessor, run.count));
      for (const int accessor : run.primitive->weights)
        if (accessor >= 0) ZOE_TRY(check_count(accessor, run.count));
      ZOE_TRY_ASSIGN(const std::size_t most,
                     read_influences(context_, *run.primitive, run.first, run.count, mesh_, faults));
      used = std::max(used, most);
    }
    report_weights(faults);
    trim_influences(mesh_, used);
    return {};
  }

  // Other viewers draw such meshes, so they are repaired. The counts tell how much was guessed.
  void report_weights(const WeightFaults& faults) {
    const auto count = [](std::size_t n) { return n == 1 ? std::string("1 vertex") : fmt::format("{} vertices", n); };
    if (faults.not_finite > 0) {
      warn_weights(fmt::format("has infinite or NaN skin weights in {} of {}; they count as zero",
                               count(faults.not_finite), num_vertices_));
    }
    if (faults.num_unbound > 0) {
      const bool nearest = bind_to_nearest(faults, mesh_);
      warn_weights(fmt::format("has no skin weight in {} of {}; bound {}", count(faults.num_unbound), num_vertices_,
                               nearest ? "like the nearest vertex" : "to the skin's first joint"));
    }
    if (faults.far_from_one > 0) {
      warn_weights(fmt::format("has skin weights that do not sum to 1 in {} of {}; normalised",
                               count(faults.far_from_one), num_vertices_));
    }
  }
  void warn_weights(std::string_view message) {
    context_.warnings.push_back({fmt::format("mesh '{}' {}", mesh_.name, message), {}});
  }

  Result<void> read_triangles(const Part& part) {
    const VertexRun& run = runs_[part.run];
    std::vector<std::uint32_t> corners;
    if (part.primitive->indices >= 0) {
      ZOE_TRY_ASSIGN(corners, context_.accessors.integers(part.primitive->indices, 1));
      const std::uint32_t largest = corners.empty() ? 0 : *std::max_element(corners.begin(), corners.end());
      if (!corners.empty() && largest >= run.count)
        return invalid(fmt::format("has vertex index {} of {} vertices", largest, run.count));
    } else {
      ZOE_TRY(context_.budget.take(run.count, sizeof(std::uint32_t), "indices"));
      corners.resize(run.count);
      std::iota(corners.begin(), corners.end(), 0U);
    }
    const std::size_t first = mesh_.indices.size();
    ZOE_TRY(
        context_.budget.take(corners.size(), (part.primitive->mode == 4 ? 1 : 3) * sizeof(std::uint32_t), "indices"));
    append_triangles(part.primitive->mode, corners, static_cast<std::uint32_t>(run.first));
    const std::size_t added = mesh_.indices.size() - first;
    if (mesh_.indices.size() > UINT32_MAX) return invalid("has more than 2^32 indices");
    mesh_.submeshes.push_back(
        {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(added), part.primitive->material});
    return {};
  }

  // Mode 4: triangles, 5: strip, 6: fan (glTF 2.0, 3.7.2.1).
  void append_triangles(int mode, std::vector<std::uint32_t>& corners, std::uint32_t base) {
    if (mode == 4) {
      if (corners.size() % 3 != 0) warn("the number of triangle corners is no multiple of three; the rest is dropped");
      corners.resize(corners.size() / 3 * 3);
      if (base != 0)
        for (std::uint32_t& corner : corners) corner += base;
      if (mesh_.indices.empty())
        mesh_.indices = std::move(corners);
      else
        mesh_.indices.insert(mesh_.indices.end(), corners.begin(), corners.end());
      return;
    }
    for (std::size_t i = 0; i + 2 < corners.size(); ++i) {
      const std::size_t odd = i % 2;
      const std::uint32_t a = mode == 5 ? corners[i] : corners[0];
      const std::uint32_t b = corners[i + (mode == 5 ? 1 + odd : 1)];
      const std::uint32_t c = corners[i + (mode == 5 ? 2 - odd : 2)];
      if (a == b || b == c || a == c) continue;  // Stitches between strips.
      for (const std::uint32_t corner : {a, b, c}) mesh_.indices.push_back(corner + base);
    }
  }

  Result<void> read_morph_targets() {
    std::size_t num_targets = 0;
    for (const VertexRun& run : runs_) {
      if (&run != &runs_.front() && run.primitive->targets.size() != num_targets) {
        return invalid("has primitives with different numbers of morph targets");
      }
      num_targets = run.primitive->targets.size();
    }
    for (std::size_t t = 0; t < num_targets; ++t) {
      MorphTarget target;
      target.name = t < def_.target_names.size() ? def_.target_names[t] : fmt::format("target_{}", t);
      for (const VertexRun& run : runs_) ZOE_TRY(append_deltas(run, run.primitive->targets[t], target));
      if (std::all_of(target.normal_deltas.begin(), target.normal_deltas.end(), [](Vec3 v) { return v == Vec3{}; })) {
        target.normal_deltas.clear();
      }
      // Storing every vertex's number for a target that moves them all would waste memory. A target without entries
      // keeps its list, because an empty list means "all".
      if (target.vertices.size() == num_vertices_) target.vertices.clear();
      mesh_.morph_targets.push_back(std::move(target));
    }
    if (bad_deltas_ > 0) {
      warn(fmt::format("{} offsets of morph targets are infinite or NaN; they count as zero", bad_deltas_));
    }
    return {};
  }

  Result<void> append_deltas(const VertexRun& run, const TargetDef& def, MorphTarget& target) {
    std::vector<float> position_storage, normals;
    std::span<const float> positions;
    if (def.position >= 0) {
      ZOE_TRY(check_count(def.position, run.count));
      ZOE_TRY_ASSIGN(positions,
                     context_.accessors.floats_in_place(def.position, 3, position_storage, NonFinite::kKeep));
    }
    if (def.normal >= 0) {
      ZOE_TRY(check_count(def.normal, run.count));
      ZOE_TRY_ASSIGN(normals, context_.accessors.floats(def.normal, 3, NonFinite::kZero));
    }
    const auto at = [](std::span<const float> numbers, std::size_t i) {
      return numbers.empty() ? Vec3{} : Vec3{numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    };
    for (std::size_t i = 0; i < run.count; ++i) {
      Vec3 position = at(positions, i);
      const Vec3 normal = at(normals, i);
      if (!is_finite(position)) {
        position = {};
        ++bad_deltas_;
      }
      if (position == Vec3{} && normal == Vec3{}) continue;
      target.vertices.push_back(static_cast<std::uint32_t>(run.first + i));
      target.position_deltas.push_back(position);
      target.normal_deltas.push_back(normal);
    }
    return {};
  }

  const ReadContext& context_;
  const MeshDef& def_;
  std::string element_;
  Mesh mesh_;
  std::vector<VertexRun> runs_;
  std::vector<Part> parts_;
  std::size_t num_vertices_ = 0, bad_deltas_ = 0;
};

}  // namespace

Result<Mesh> read_mesh(const ReadContext& context, int mesh_index) { return MeshReader(context, mesh_index).read(); }

}  // namespace zoe::io::gltf
