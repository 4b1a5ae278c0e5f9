// SPDX-License-Identifier: MIT
// Part of Zoetrope. A glTF file's JSON as plain structs: indices into each other, -1 for "none". After parse_document()
// all references are in range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/core/result.h"
#include "zoe/io/asset.h"

namespace zoe::io::gltf {

struct BufferDef {
  std::string_view uri;  // Empty: the GLB's binary chunk. A view into the JSON. May contain the data itself.
  std::size_t length = 0;
};

struct ViewDef {
  int buffer = 0;
  std::size_t offset = 0, length = 0, stride = 0;  // Bytes; stride 0 means tightly packed.
  int meshopt = -1;                                // Into Document::meshopt; -1: not compressed.
};

// A view's data as EXT_meshopt_compression or KHR_meshopt_compression stores it.
enum class MeshoptMode : std::uint8_t { kAttributes, kTriangles, kIndices };
enum class MeshoptFilter : std::uint8_t { kNone, kOctahedral, kQuaternion, kExponential };
struct MeshoptDef {
  int buffer = 0;
  std::size_t offset = 0, length = 0;  // Compressed bytes.
  std::size_t stride = 0, count = 0;   // Of the elements it decodes to.
  MeshoptMode mode = MeshoptMode::kAttributes;
  MeshoptFilter filter = MeshoptFilter::kNone;
};

enum class ComponentType : std::uint16_t { kI8 = 5120, kU8 = 5121, kI16 = 5122, kU16 = 5123, kU32 = 5125, kF32 = 5126 };
constexpr std::size_t size_of(ComponentType type) {
  switch (type) {
    case ComponentType::kI8:
    case ComponentType::kU8:
      return 1;
    case ComponentType::kI16:
    case ComponentType::kU16:
      return 2;
    default:
      return 4;
  }
}

struct SparseDef {
  std::size_t count = 0;
  int indices_view = -1, values_view = -1;
  std::size_t indices_offset = 0, values_offset = 0;
  ComponentType indices_type = ComponentType::kU32;
};

struct AccessorDef {
  int view = -1;    // -1: zeros.
  int sparse = -1;  // Index in Document::sparse. -1: not sparse.
  std::size_t offset = 0, count = 0;
  ComponentType type = ComponentType::kF32;
  std::uint8_t components = 1;  // Numbers per element: 1 SCALAR, 2 VEC2 … 16 MAT4.
  bool normalized = false;
};

struct TargetDef {
  int position = -1, normal = -1;
};

// A primitive's data as KHR_draco_mesh_compression stores it.
struct DracoDef {
  int view = -1;
  std::vector<std::pair<int, int>> attributes;  // Accessor, Draco's number of the attribute.
};

struct PrimitiveDef {
  int position = -1, normal = -1, tangent = -1, uv0 = -1, uv1 = -1, color = -1;
  std::vector<int> joints, weights;  // JOINTS_0, JOINTS_1, …
  int indices = -1, material = -1, mode = 4;
  int draco = -1;  // Into Document::draco; -1: not compressed.
  std::vector<TargetDef> targets;
};

struct MeshDef {
  std::string name;
  std::vector<PrimitiveDef> primitives;
  std::vector<float> weights;
  std::vector<std::string> target_names;
};

// Role that our own writer stores in a node's extras, so that a round trip adds nothing.
enum class NodeRole : std::uint8_t {
  kJoint,      // An ordinary node.
  kHolder,     // Only carries a mesh for its parent (or for no joint at all).
  kGenerated,  // Represents the skeleton in viewers. Not part of the character.
  kWrapper,    // Joins several roots into one tree, as glTF requires for a skin.
};

struct NodeDef {
  std::string name;
  std::vector<int> children;
  int parent = -1;  // From the children lists.
  int mesh = -1, skin = -1;
  Transformd local;
  double shear = 0;  // Largest |cosine| between the axes of a node matrix; 0 for a clean one.
  std::vector<float> weights;
  NodeRole role = NodeRole::kJoint;
  std::optional<JointKind> kind;  // Where our writer stored it.
};

struct SkinDef {
  std::string name;
  int inverse_bind_matrices = -1;
  std::vector<int> joints;
  SkinBlend blend = SkinBlend::kLinear;  // As our writer recorded it.
};
// Value of "zoe_blend" in the extras of a skin.
constexpr std::string_view kDualBlend = "dual_quaternion";

enum class Interpolation : std::uint8_t { kLinear, kStep, kCubicSpline };
struct SamplerDef {
  int input = -1, output = -1;
  Interpolation interpolation = Interpolation::kLinear;
};
enum class TargetPath : std::uint8_t { kTranslation, kRotation, kScale, kWeights };
struct ChannelDef {
  int sampler = -1, node = -1;
  TargetPath path = TargetPath::kTranslation;
};
struct AnimationDef {
  std::string name;
  std::vector<SamplerDef> samplers;
  std::vector<ChannelDef> channels;  // Channels that target a supported property of a node.
  double fps = 0;                    // As stored by our writer, else 0.
  std::size_t num_frames = 0;
};

// How a material's textures are laid over the mesh: KHR_texture_transform. uv' = offset + R · (scale × uv),
// R turning counter-clockwise in the picture, whose v goes down.
struct UvTransform {
  double offset[2] = {0, 0}, scale[2] = {1, 1}, rotation = 0;

  friend bool operator==(const UvTransform&, const UvTransform&) = default;
};

struct ImageDef {
  std::string name;
  std::string_view uri;  // As in BufferDef.
  std::string mime_type;
  int view = -1;
};

struct Document {
  std::string version, generator;
  std::vector<BufferDef> buffers;
  std::vector<ViewDef> views;
  std::vector<AccessorDef> accessors;
  std::vector<SparseDef> sparse;
  std::vector<MeshoptDef> meshopt;
  std::vector<DracoDef> draco;
  std::vector<MeshDef> meshes;
  std::vector<NodeDef> nodes;
  std::vector<SkinDef> skins;
  std::vector<AnimationDef> animations;
  std::vector<ImageDef> images;
  std::vector<int> texture_images;         // Image of each texture, or -1.
  std::vector<Material> materials;         // Image fields hold texture indices until materials are read.
  std::vector<UvTransform> uv_transforms;  // One a material.
  std::vector<std::string> scene_names;
  std::vector<std::vector<int>> scene_roots;
  int default_scene = -1;
  std::string character_name;  // As stored by our writer.
  std::deque<std::string> unescaped_uris;
};

// Parses and checks everything that the JSON alone determines. `json` must outlive the document. `warnings` lists
// skipped content.
Result<Document> parse_document(std::string_view json, const ReadLimits& limits, Warnings& warnings);

// Checks that every reference is in range, that there are no cycles, and that a node has one parent. Fills
// NodeDef::parent.
Result<void> check_references(Document& document);

}  // namespace zoe::io::gltf
