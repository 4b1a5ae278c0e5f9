// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "io/gltf/decompress.h"
#include "io/gltf/read_parts.h"

namespace zoe::io {
namespace {

using namespace gltf;

// Meshes of the scene's nodes and their transforms. instance_of_node: -1 where a node carries none.
Result<void> read_instances(const ReadContext& context, const Rig& rig, Character& character,
                            std::vector<int>& instance_of_node) {
  const Document& document = context.document;
  instance_of_node.assign(document.nodes.size(), -1);
  std::vector<int> mesh_of_def(document.meshes.size(), -1);
  for (const int n : rig.mesh_nodes) {
    const NodeDef& node = document.nodes[static_cast<std::size_t>(n)];
    int& mesh_index = mesh_of_def[static_cast<std::size_t>(node.mesh)];
    if (mesh_index == -1) {
      ZOE_TRY_ASSIGN(Mesh mesh, read_mesh(context, node.mesh));
      mesh_index = static_cast<int>(character.meshes.size());
      character.meshes.push_back(std::move(mesh));
    }
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(mesh_index)];
    MeshInstance instance;
    instance.mesh = mesh_index;
    instance.joint = rig.joint_of_node[static_cast<std::size_t>(n)];
    if (instance.joint < 0) {  // A holder of our writer: the mesh belongs to the node above.
      if (node.parent >= 0) instance.joint = rig.joint_of_node[static_cast<std::size_t>(node.parent)];
      instance.joint_from_mesh = to_float(to_affine(node.local));
    }
    if (node.skin >= 0 && mesh.influences_per_vertex == 0 && mesh.num_vertices() > 0) {
      context.warnings.push_back(
          {fmt::format("mesh '{}' has no skin weights; it follows its node rigidly", mesh.name), {.joint = node.name}});
    } else if (mesh.num_vertices() > 0) {
      instance.skin = node.skin;
    }
    instance.morph_weights =
        !node.weights.empty() ? node.weights : document.meshes[static_cast<std::size_t>(node.mesh)].weights;
    if (!instance.morph_weights.empty() && instance.morph_weights.size() != mesh.morph_targets.size()) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("nodes[{}] has {} morph weights for {} morph targets", n, instance.morph_weights.size(),
                               mesh.morph_targets.size()),
                   {.joint = node.name}};
    }
    instance_of_node[static_cast<std::size_t>(n)] = static_cast<int>(character.instances.size());
    character.instances.push_back(std::move(instance));
  }
  return {};
}

// Skins without an instance are kept when the file has no other use for them (a rig without a mesh). Skins of a
// generated node are not part of the character.
void drop_generated_skins(const Document& document, Character& character) {
  std::vector<bool> drop(document.skins.size(), false);
  for (const NodeDef& node : document.nodes) {
    if (node.role == NodeRole::kGenerated && node.skin >= 0) drop[static_cast<std::size_t>(node.skin)] = true;
  }
  for (const MeshInstance& instance : character.instances) {
    if (instance.skin >= 0) drop[static_cast<std::size_t>(instance.skin)] = false;
  }
  std::vector<Skin> kept;
  std::vector<int> new_index(drop.size(), -1);
  for (std::size_t i = 0; i < drop.size(); ++i) {
    if (drop[i]) continue;
    new_index[i] = static_cast<int>(kept.size());
    kept.push_back(std::move(character.skins[i]));
  }
  character.skins = std::move(kept);
  for (MeshInstance& instance : character.instances) {
    if (instance.skin >= 0) instance.skin = new_index[static_cast<std::size_t>(instance.skin)];
  }
}

Result<Asset> read_bytes(std::span<const std::byte> bytes, const std::filesystem::path& folder,
                         const std::string& default_name, const GltfReadOptions& options) {
  Asset asset;
  ZOE_TRY_ASSIGN(const Container container, split_container(bytes, asset.warnings));
  ZOE_TRY_ASSIGN(Document document, parse_document(container.json, options.limits, asset.warnings));
  asset.source.format = container.is_glb ? "glb" : "gltf";
  asset.source.format_version = document.version;
  asset.source.generator = document.generator;

  Budget budget(options.limits.max_decoded_bytes, bytes.size(), options.expansion_allowance);
  ZOE_TRY_ASSIGN(Buffers buffers, Buffers::open(document, container, folder, budget));
  ZOE_TRY(decompress(document, buffers, budget));
  const AccessorReader accessors(document, buffers, budget);
  const ReadContext context{document, options, buffers, accessors, budget, asset.warnings};

  auto character = std::make_shared<Character>();
  ZOE_TRY_ASSIGN(const Rig rig, build_rig(document, options, asset.warnings));
  character->name = !document.character_name.empty() ? document.character_name : default_name;
  character->skeleton = rig.skeleton;
  character->materials = resolve_materials(document);
  ZOE_TRY_ASSIGN(character->images, read_images(context, folder));
  ZOE_TRY_ASSIGN(character->skins, read_skins(context, rig));
  std::vector<int> instance_of_node;
  ZOE_TRY(read_instances(context, rig, *character, instance_of_node));
  drop_generated_skins(document, *character);
  ZOE_TRY(validate(*character));
  ZOE_TRY_ASSIGN(asset.clips, read_clips(context, rig, *character, instance_of_node));
  asset.character = std::move(character);
  return asset;
}

// Adds the file's name to the error and the warnings.
Result<Asset> named(Result<Asset> result, const std::string& file) {
  if (!result) {
    Error error = std::move(result).error();
    if (error.where.file.empty()) error.where.file = file;
    return error;
  }
  for (Warning& warning : result->warnings) {
    if (warning.where.file.empty()) warning.where.file = file;
  }
  return result;
}

}  // namespace

Result<Asset> read_gltf(const std::filesystem::path& path, const GltfReadOptions& options) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  return named(read_bytes(file.bytes(), folder, path.stem().string(), options), path.string());
}

Result<Asset> read_gltf(std::span<const std::byte> bytes, const GltfReadOptions& options) {
  return read_bytes(bytes, options.base_folder, "character", options);
}

}  // namespace zoe::io
