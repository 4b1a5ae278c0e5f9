// SPDX-License-Identifier: MIT
#include "zoe/retarget/skin_stretch.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "zoe/anatomy/bind_pose.h"
#include "zoe/character/deform.h"
#include "zoe/core/index.h"

namespace zoe {
namespace {

constexpr std::size_t kMaxEdges = 20'000;  // Of one mesh; more are sampled.
constexpr float kShortest = 0.002F;        // Of the body's size.

struct Edge {
  std::uint32_t a = 0, b = 0;
  float length = 0;  // In the bind pose.
};

struct EdgesOf {
  std::size_t instance = 0;
  std::vector<Edge> edges;
};

std::vector<Edge> edges_of(const Mesh& mesh, const std::vector<Vec3>& bound) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  const std::size_t triangles = mesh.indices.size() / 3, stride = std::max<std::size_t>(1, 3 * triangles / kMaxEdges);
  for (std::size_t t = 0; t < triangles; t += stride)
    for (std::size_t k = 0; k < 3; ++k)
      seen.insert(std::minmax(mesh.indices[3 * t + k], mesh.indices[3 * t + (k + 1) % 3]));
  std::vector<Edge> edges;
  for (const auto& [a, b] : seen) edges.push_back({a, b, distance(bound[a], bound[b])});
  return edges;
}

int heaviest(const Character& character, std::size_t instance, std::uint32_t vertex) {
  const MeshInstance& one = character.instances[instance];
  const Mesh& mesh = character.meshes[idx(one.mesh)];
  return character.skins[idx(one.skin)].joints[mesh.influence_joints[vertex * idx(mesh.influences_per_vertex)]];
}

std::vector<EdgesOf> bound_edges(const Character& character, float& size) {
  std::vector<Affine> model(character.skeleton->rest_model().begin(), character.skeleton->rest_model().end());
  if (const auto pose = anatomy::bind_pose(character))
    compute_model_from_joint(*character.skeleton, pose->view(), model);
  std::vector<EdgesOf> all;
  Vec3 low{}, high{};
  bool any = false;
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const MeshInstance& instance = character.instances[i];
    if (instance.skin < 0 || character.meshes[idx(instance.mesh)].influences_per_vertex == 0) continue;
    const std::vector<Vec3> bound = deform_instance(character, i, model).positions;
    for (const Vec3 p : bound) {
      low = any ? Vec3{std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)} : p;
      high = any ? Vec3{std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)} : p;
      any = true;
    }
    all.push_back({i, edges_of(character.meshes[idx(instance.mesh)], bound)});
  }
  size = length(high - low);
  return all;
}

}  // namespace

SkinStretch measure_skin_stretch(const Character& character, std::span<const Motion> clips, int max_frames) {
  SkinStretch out;
  float size = 0;
  const std::vector<EdgesOf> all = bound_edges(character, size);
  std::int64_t total = 0;
  for (const Motion& clip : clips) total += clip.num_frames;
  if (all.empty() || total == 0) return out;
  const float shortest = kShortest * size;
  std::vector<float> ratios;
  std::vector<Affine> model(idx(character.skeleton->num_joints()));
  const std::int64_t samples = std::min<std::int64_t>(total, max_frames);
  for (std::int64_t s = 0; s < samples; ++s) {
    std::int64_t frame = total * (2 * s + 1) / (2 * samples);
    const Motion* clip = clips.data();
    while (frame >= clip->num_frames) frame -= (clip++)->num_frames;
    compute_model_from_joint(*character.skeleton, clip->frame(static_cast<int>(frame)), model);
    for (const EdgesOf& mesh : all) {
      const std::vector<Vec3> at = deform_instance(character, mesh.instance, model).positions;
      for (const Edge& edge : mesh.edges) {
        const float ratio = std::max(distance(at[edge.a], at[edge.b]), shortest) / std::max(edge.length, shortest);
        ratios.push_back(std::isfinite(ratio) ? ratio : 1e9F);
        if (ratios.back() <= out.worst) continue;
        out.worst = ratios.back();
        out.frame = static_cast<int>(frame);
        out.joint = heaviest(character, mesh.instance, edge.a);
        out.other_joint = heaviest(character, mesh.instance, edge.b);
      }
    }
  }
  if (ratios.empty()) return out;
  const auto at = ratios.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(ratios.size() - 1));
  std::ranges::nth_element(ratios, at);
  out.p995 = *at;
  return out;
}

std::vector<double> measure_frame_stretch(const Character& character, const Motion& clip, std::span<const int> frames) {
  std::vector<double> found;
  float size = 0;
  const std::vector<EdgesOf> all = bound_edges(character, size);
  const float shortest = kShortest * size;
  std::vector<float> ratios;
  std::vector<Affine> model(idx(character.skeleton->num_joints()));
  for (const int frame : frames) {
    compute_model_from_joint(*character.skeleton, clip.frame(frame), model);
    ratios.clear();
    for (const EdgesOf& mesh : all) {
      const std::vector<Vec3> at = deform_instance(character, mesh.instance, model).positions;
      for (const Edge& edge : mesh.edges) {
        const float ratio = std::max(distance(at[edge.a], at[edge.b]), shortest) / std::max(edge.length, shortest);
        ratios.push_back(std::isfinite(ratio) ? ratio : 1e9F);
      }
    }
    if (ratios.empty()) return {};
    const auto high = ratios.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(ratios.size() - 1));
    std::ranges::nth_element(ratios, high);
    found.push_back(*high);
  }
  return found;
}

double allowed_stretch(const Character& character, std::span<const Motion> own_clips) {
  const bool any = std::ranges::any_of(own_clips, [](const Motion& clip) { return clip.num_frames > 1; });
  return any ? 1.3 * std::max(1.0, measure_skin_stretch(character, own_clips).p995) : 2.0;
}

}  // namespace zoe
