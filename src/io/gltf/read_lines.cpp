// SPDX-License-Identifier: MIT
// Lines among the primitives of a glTF file: curves that a modelling program wrote as edges.
#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/math/affine.h"

#include "io/gltf/decompress.h"
#include "io/gltf/read_parts.h"

namespace zoe::io {
namespace {

using namespace gltf;

constexpr int kLines = 1, kLoop = 2, kStrip = 3;

Affine world_from_node(const Document& document, int node) {
  Affined world = to_affine(document.nodes[static_cast<std::size_t>(node)].local);
  // At most as deep as the number of nodes.
  for (std::size_t depth = 0; depth < document.nodes.size(); ++depth) {
    node = document.nodes[static_cast<std::size_t>(node)].parent;
    if (node < 0) break;
    world = to_affine(document.nodes[static_cast<std::size_t>(node)].local) * world;
  }
  return to_float(world);
}

// Edges in any order as chains of vertices. A vertex where three edges meet ends the chains there.
std::vector<std::vector<std::uint32_t>> chains_of(std::span<const std::uint32_t> edges, std::size_t num_vertices) {
  std::vector<std::vector<std::uint32_t>> at_vertex(num_vertices);  // Edges at each vertex.
  const std::size_t num_edges = edges.size() / 2;
  for (std::size_t e = 0; e < num_edges; ++e) {
    for (const std::uint32_t v : {edges[2 * e], edges[2 * e + 1]})
      at_vertex[v].push_back(static_cast<std::uint32_t>(e));
  }
  std::vector<bool> used(num_edges, false);
  std::vector<std::size_t> next(num_vertices, 0);  // Next unused edge of each vertex.
  std::vector<std::vector<std::uint32_t>> chains;
  const auto follow = [&](std::uint32_t vertex) {
    std::vector<std::uint32_t> chain{vertex};
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      const std::vector<std::uint32_t>& here = at_vertex[vertex];
      for (std::size_t& at = next[vertex]; at < here.size();) {
        const std::uint32_t e = here[at++];
        if (used[e]) continue;
        used[e] = true;
        vertex = edges[2 * e] == vertex ? edges[2 * e + 1] : edges[2 * e];
        chain.push_back(vertex);
        goes_on = at_vertex[vertex].size() == 2;
        break;
      }
    }
    if (chain.size() > 1) chains.push_back(std::move(chain));
  };
  // Ends first, then the remaining rings.
  for (std::uint32_t v = 0; v < num_vertices; ++v) {
    for (std::size_t e = at_vertex[v].size() == 2 ? 0 : at_vertex[v].size(); e > 0; --e) follow(v);
  }
  for (std::size_t e = 0; e < num_edges; ++e) {
    if (!used[e]) follow(edges[2 * e]);
  }
  return chains;
}

Result<void> read_primitive(const AccessorReader& accessors, const PrimitiveDef& primitive, const NodeDef& node,
                            const Affine& world, std::vector<Line>& lines) {
  if (primitive.mode < kLines || primitive.mode > kStrip || primitive.position < 0) return {};
  ZOE_TRY_ASSIGN(const std::vector<float> floats, accessors.floats(primitive.position, 3));
  const std::size_t num_vertices = floats.size() / 3;
  std::vector<std::uint32_t> order;
  if (primitive.indices >= 0) {
    ZOE_TRY_ASSIGN(order, accessors.integers(primitive.indices, 1));
  } else {
    order.resize(num_vertices);
    for (std::size_t i = 0; i < num_vertices; ++i) order[i] = static_cast<std::uint32_t>(i);
  }
  for (const std::uint32_t v : order) {
    if (v >= num_vertices) {
      return Error{
          ErrorCode::kInvalid, fmt::format("a line has vertex {} of {}", v, num_vertices), {.joint = node.name}};
    }
  }
  std::vector<std::vector<std::uint32_t>> chains{order};
  if (primitive.mode == kLines) chains = chains_of(order, num_vertices);
  for (const auto& chain : chains) {
    if (chain.size() < 2) continue;
    Line line{.name = node.name};
    line.closed = primitive.mode == kLoop || (primitive.mode == kLines && chain.front() == chain.back());
    for (const std::uint32_t v : chain) {
      line.places.push_back(world.apply_point({floats[3 * v], floats[3 * v + 1], floats[3 * v + 2]}));
    }
    if (primitive.mode == kLines && line.closed) line.places.pop_back();
    lines.push_back(std::move(line));
  }
  return {};
}

}  // namespace

Result<std::vector<Line>> read_gltf_lines(std::span<const std::byte> bytes, const GltfReadOptions& options) {
  Warnings ignored;
  ZOE_TRY_ASSIGN(const Container container, split_container(bytes, ignored));
  ZOE_TRY_ASSIGN(Document document, parse_document(container.json, options.limits, ignored));
  Budget budget(options.limits.max_decoded_bytes, bytes.size(), options.expansion_allowance);
  ZOE_TRY_ASSIGN(Buffers buffers, Buffers::open(document, container, options.base_folder, budget));
  ZOE_TRY(decompress(document, buffers, budget));
  const AccessorReader accessors(document, buffers, budget);
  std::vector<Line> lines;
  for (std::size_t n = 0; n < document.nodes.size(); ++n) {
    const NodeDef& node = document.nodes[n];
    if (node.mesh < 0) continue;
    const Affine world = world_from_node(document, static_cast<int>(n));
    for (const PrimitiveDef& primitive : document.meshes[static_cast<std::size_t>(node.mesh)].primitives) {
      ZOE_TRY(read_primitive(accessors, primitive, node, world, lines));
    }
  }
  return lines;
}

Result<std::vector<Line>> read_gltf_lines(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  GltfReadOptions options;
  options.base_folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  auto lines = read_gltf_lines(file.bytes(), options);
  if (lines || !lines.error().where.file.empty()) return lines;
  Error error = std::move(lines).error();
  error.where.file = path.string();
  return error;
}

}  // namespace zoe::io
