// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "io/gltf/write_parts.h"

namespace zoe::io::gltf {
namespace {

struct Influence {
  std::uint32_t joint = 0;
  float weight = 0;
};

// Influences of one vertex without repeated joints (the validator refuses those), weights summing
// to one.
void gather(const Mesh& mesh, std::size_t vertex, std::vector<Influence>& out) {
  const auto width = static_cast<std::size_t>(mesh.influences_per_vertex);
  out.clear();
  for (std::size_t k = vertex * width; k < (vertex + 1) * width; ++k) {
    const float weight = mesh.influence_weights[k];
    if (!(weight > 0)) continue;
    const std::uint32_t joint = mesh.influence_joints[k];
    const auto found = std::find_if(out.begin(), out.end(), [&](const Influence& i) { return i.joint == joint; });
    if (found != out.end())
      found->weight += weight;
    else
      out.push_back({joint, weight});
  }
  if (out.empty()) out.push_back({0, 1.0F});
  double sum = 0;
  for (const Influence& i : out) sum += i.weight;
  if (std::abs(sum - 1.0) > 1e-7) {
    double rest = 0;
    for (Influence& i : out) i.weight = static_cast<float>(i.weight / sum);
    for (std::size_t k = 1; k < out.size(); ++k) rest += out[k].weight;
    out[0].weight = static_cast<float>(1.0 - rest);  // The heaviest weight absorbs the rounding.
  }
}

// Whole numbers with exactly this sum, each within one of its exact fraction.
void quantize(std::vector<Influence>& influences, std::uint32_t total, std::uint32_t* out) {
  std::uint32_t used = 0;
  for (std::size_t k = 1; k < influences.size(); ++k) {
    out[k] = static_cast<std::uint32_t>(std::lround(influences[k].weight * static_cast<float>(total)));
    used += out[k];
  }
  out[0] = total - std::min(used, total);
}

}  // namespace

void write_influences(const Mesh& mesh, const GltfWriteOptions& options, DataWriter& data, Json& attributes) {
  if (mesh.influences_per_vertex <= 0) return;
  const std::size_t sets = (static_cast<std::size_t>(mesh.influences_per_vertex) + 3) / 4;
  const std::size_t n = mesh.num_vertices();
  const std::uint32_t total = options.weights == GltfWeights::kUnsigned8 ? 255 : 65535;
  // Set by set: glTF stores each four influences in a separate accessor.
  std::vector<std::vector<std::uint32_t>> joints(sets, std::vector<std::uint32_t>(n * 4, 0)), whole = joints;
  std::vector<std::vector<float>> weights(sets, std::vector<float>(n * 4, 0.0F));
  std::vector<Influence> influences;
  std::vector<std::uint32_t> quantized(sets * 4);
  for (std::size_t v = 0; v < n; ++v) {
    gather(mesh, v, influences);
    if (options.weights != GltfWeights::kFloat) quantize(influences, total, quantized.data());
    for (std::size_t k = 0; k < influences.size(); ++k) {
      const std::size_t at = v * 4 + k % 4;
      weights[k / 4][at] = influences[k].weight;
      whole[k / 4][at] = quantized[k];
      const bool used = options.weights == GltfWeights::kFloat || quantized[k] > 0;
      joints[k / 4][at] = used ? influences[k].joint : 0;
    }
  }
  const auto largest = *std::max_element(mesh.influence_joints.begin(), mesh.influence_joints.end());
  const ComponentType joint_type = largest < 256 ? ComponentType::kU8 : ComponentType::kU16;
  for (std::size_t s = 0; s < sets; ++s) {
    data.begin_view(ViewTarget::kVertices);
    attributes[fmt::format("JOINTS_{}", s)] = data.append_integers(joints[s], joint_type, "VEC4");
    data.begin_view(ViewTarget::kVertices);
    const ComponentType stored = options.weights == GltfWeights::kUnsigned8 ? ComponentType::kU8 : ComponentType::kU16;
    attributes[fmt::format("WEIGHTS_{}", s)] = options.weights == GltfWeights::kFloat
                                                   ? data.append_floats(weights[s], "VEC4")
                                                   : data.append_integers(whole[s], stored, "VEC4", true);
  }
}

}  // namespace zoe::io::gltf
