// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/output_file.h"
#include "zoe/core/version.h"

#include "io/check_clips.h"
#include "io/gltf/uri.h"
#include "io/gltf/write_parts.h"

namespace zoe::io {
namespace {

using namespace gltf;

Json transform_json(const Transform& t, Json node) {
  if (!(t.translation == Vec3{})) node["translation"] = {t.translation.x, t.translation.y, t.translation.z};
  const Quat q = to_float(normalized(to_double(t.rotation)));
  if (!(q == Quat{})) node["rotation"] = {q.x, q.y, q.z, q.w};
  if (!(t.scale == Vec3{1, 1, 1})) node["scale"] = {t.scale.x, t.scale.y, t.scale.z};
  return node;
}

// Meshes in the order of their indices. Those without triangles are skipped. Returns the new index of each, or -1.
std::vector<int> write_meshes(const Character& character, const OutScene& scene, const GltfWriteOptions& options,
                              DataWriter& data, Json& root) {
  std::vector<int> index_of;
  Json meshes = Json::array();
  const std::size_t own = character.meshes.size();
  std::vector<bool> used(own + scene.extra_meshes.size(), false);
  for (const OutNode& node : scene.nodes) {
    if (node.mesh >= 0) used[static_cast<std::size_t>(node.mesh)] = true;
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    index_of.push_back(-1);
    if (!used[i]) continue;
    index_of.back() = static_cast<int>(meshes.size());
    meshes.push_back(write_mesh(i < own ? character.meshes[i] : scene.extra_meshes[i - own], options, data));
  }
  if (!meshes.empty()) root["meshes"] = std::move(meshes);
  return index_of;
}

// glTF blends linearly. Our reader finds the blend in the extras; other programs draw twisted limbs thinner.
void note_blend(const OutSkin& skin, Json& json, Warnings& warnings) {
  if (skin.blend != SkinBlend::kDualQuaternion) return;
  json["extras"]["zoe_blend"] = kDualBlend;
  warnings.push_back({fmt::format("skin '{}' blends dual quaternions, which glTF cannot state; other programs blend it "
                                  "linearly",
                                  skin.name),
                      {}});
}

void write_skins(const OutScene& scene, DataWriter& data, Json& root, Warnings& warnings) {
  if (scene.skins.empty()) return;
  Json skins = Json::array();
  data.begin_view(ViewTarget::kNone);
  for (const OutSkin& skin : scene.skins) {
    std::vector<float> numbers;
    for (const Affine& m : skin.joint_from_mesh) {
      for (const Vec3 column : {m.x, m.y, m.z}) numbers.insert(numbers.end(), {column.x, column.y, column.z, 0});
      numbers.insert(numbers.end(), {m.t.x, m.t.y, m.t.z, 1});
    }
    skins.push_back(
        {{"name", skin.name}, {"inverseBindMatrices", data.append_floats(numbers, "MAT4")}, {"joints", skin.nodes}});
    note_blend(skin, skins.back(), warnings);
  }
  root["skins"] = std::move(skins);
}

void write_nodes(const Character& character, const OutScene& scene, const std::vector<int>& mesh_index, Json& root) {
  if (scene.nodes.empty()) return;
  std::vector<std::vector<std::size_t>> children(scene.nodes.size());
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].parent >= 0)
      children[static_cast<std::size_t>(scene.nodes[i].parent)].push_back(i);
    else
      roots.push_back(i);
  }
  Json nodes = Json::array();
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const OutNode& out = scene.nodes[i];
    Json node{{"name", out.name}};
    if (!children[i].empty()) node["children"] = children[i];
    node = transform_json(out.joint >= 0 ? character.skeleton->rest_local(out.joint) : out.local, std::move(node));
    if (out.mesh >= 0) node["mesh"] = mesh_index[static_cast<std::size_t>(out.mesh)];
    if (out.skin >= 0) node["skin"] = out.skin;
    if (out.instance >= 0) {
      const std::vector<float>& weights = character.instances[static_cast<std::size_t>(out.instance)].morph_weights;
      if (!weights.empty()) node["weights"] = weights;
    }
    if (out.role != nullptr) node["extras"]["zoe_role"] = out.role;
    if (out.kind != nullptr) node["extras"]["zoe_kind"] = out.kind;
    nodes.push_back(std::move(node));
  }
  root["nodes"] = std::move(nodes);
  root["scene"] = 0;
  root["scenes"] = {{{"name", character.name.empty() ? "scene" : character.name}, {"nodes", roots}}};
}

struct Encoded {
  Json root;
  std::vector<std::byte> data;
};

Result<Encoded> encode(const Character& character, std::span<const Motion> clips, const GltfWriteOptions& options,
                       Warnings& warnings) {
  ZOE_TRY(check_clips(character, clips));
  Encoded out;
  DataWriter data;
  out.root["asset"] = {{"version", "2.0"}, {"generator", "Zoetrope " ZOE_VERSION_STRING}};
  if (!options.asset_extras.empty()) {
    Json extras = Json::parse(options.asset_extras, nullptr, false);
    if (!extras.is_object()) return Error{ErrorCode::kUsage, "asset_extras is not a JSON object", {}};
    out.root["asset"]["extras"] = std::move(extras);
  }
  if (!character.name.empty()) out.root["asset"]["extras"]["zoe_character"] = character.name;
  if (!options.extensions.empty()) {
    Json extensions = Json::parse(options.extensions, nullptr, false);
    if (!extensions.is_object()) return Error{ErrorCode::kUsage, "extensions is not a JSON object", {}};
    for (const auto& [name, content] : extensions.items()) out.root["extensionsUsed"].push_back(name);
    out.root["extensions"] = std::move(extensions);
  }
  const OutScene scene = plan_scene(character, clips, options);
  const std::vector<int> mesh_index = write_meshes(character, scene, options, data, out.root);
  write_nodes(character, scene, mesh_index, out.root);
  write_skins(scene, data, out.root, warnings);
  write_materials(character, data, out.root, warnings);
  Json animations = Json::array();
  for (const Motion& clip : clips) {
    if (clip.num_frames > 0 && clip.num_joints() > 0)
      animations.push_back(write_animation(clip, character, scene, options, data));
  }
  if (!animations.empty()) out.root["animations"] = std::move(animations);
  if (!data.accessors().empty()) out.root["accessors"] = data.accessors();
  if (!data.views().empty()) out.root["bufferViews"] = data.views();
  out.data = data.bytes();
  if (!out.data.empty()) out.root["buffers"] = {{{"byteLength", out.data.size()}}};
  return out;
}

// Names may be broken UTF-8; such bytes become U+FFFD.
std::string dump(const Json& root) { return root.dump(-1, ' ', false, Json::error_handler_t::replace); }

void append_u32(std::vector<std::byte>& bytes, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>((value >> shift) & 255));
}

Result<std::vector<std::byte>> pack_glb(const Encoded& encoded) {
  std::string json = dump(encoded.root);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::vector<std::byte> data = encoded.data;
  data.resize((data.size() + 3) / 4 * 4);
  const std::size_t size = 12 + 8 + json.size() + (data.empty() ? 0 : 8 + data.size());
  if (size > UINT32_MAX)
    return Error{ErrorCode::kLimit, "a GLB holds at most 4 GiB; write .gltf instead, or fewer clips", {}};
  std::vector<std::byte> glb;
  glb.reserve(size);
  append_u32(glb, 0x46546C67);
  append_u32(glb, 2);
  append_u32(glb, size);
  append_u32(glb, json.size());
  append_u32(glb, 0x4E4F534A);
  glb.insert(glb.end(), as_bytes(json).begin(), as_bytes(json).end());
  if (!data.empty()) {
    append_u32(glb, data.size());
    append_u32(glb, 0x004E4942);
    glb.insert(glb.end(), data.begin(), data.end());
  }
  return glb;
}

std::string pack_embedded(Encoded& encoded) {
  if (!encoded.data.empty())
    encoded.root["buffers"][0]["uri"] = "data:application/octet-stream;base64," + encode_base64(as_text(encoded.data));
  return dump(encoded.root);
}

GltfContainer container_of(const std::filesystem::path& path, GltfContainer wanted) {
  if (wanted != GltfContainer::kByExtension) return wanted;
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".glb" ? GltfContainer::kGlb : GltfContainer::kSeparate;
}

}  // namespace

Result<std::vector<std::byte>> encode_gltf(const Character& character, std::span<const Motion> clips,
                                           const GltfWriteOptions& options, Warnings* warnings) {
  Warnings ignored;
  ZOE_TRY_ASSIGN(Encoded encoded, encode(character, clips, options, warnings != nullptr ? *warnings : ignored));
  if (options.container == GltfContainer::kByExtension || options.container == GltfContainer::kGlb)
    return pack_glb(encoded);
  const std::string text = pack_embedded(encoded);
  return std::vector<std::byte>(as_bytes(text).begin(), as_bytes(text).end());
}

Result<void> write_gltf(const std::filesystem::path& path, const Character& character, std::span<const Motion> clips,
                        const GltfWriteOptions& options, Warnings* warnings) {
  GltfWriteOptions chosen = options;
  chosen.container = container_of(path, options.container);
  if (chosen.container != GltfContainer::kSeparate) {
    ZOE_TRY_ASSIGN(const std::vector<std::byte> bytes, encode_gltf(character, clips, chosen, warnings));
    return write_file_atomic(path, bytes);
  }
  Warnings ignored;
  ZOE_TRY_ASSIGN(Encoded encoded, encode(character, clips, chosen, warnings != nullptr ? *warnings : ignored));
  ZOE_TRY(output_target(path));  // Before the data: a refused file leaves no .bin behind.
  if (!encoded.data.empty()) {
    const std::filesystem::path data_path = std::filesystem::path(path).replace_extension(".bin");
    ZOE_TRY(write_file_atomic(data_path, encoded.data));
    encoded.root["buffers"][0]["uri"] = percent_encode(data_path.filename().string());
  }
  return write_file_atomic(path, dump(encoded.root));
}

Result<void> write_gltf(const std::filesystem::path& path, const Asset& asset, const GltfWriteOptions& options,
                        Warnings* warnings) {
  return write_gltf(path, *asset.character, asset.clips, options, warnings);
}

}  // namespace zoe::io
