// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of the FBX writer: the plan of the scene's models, then one function per type of object.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/io/fbx.h"
#include "zoe/math/transform.h"

#include "io/fbx/marks.h"
#include "io/fbx/record_writer.h"

namespace zoe::io::fbx {

// The objects of a file and the connections between them.
class ObjectWriter {
 public:
  static constexpr std::size_t kNumTypes = 12;
  static constexpr std::array<const char*, kNumTypes> kTypes{
      "NodeAttribute", "Model",          "Geometry",       "Material",           "Texture",       "Video", "Deformer",
      "Pose",          "AnimationStack", "AnimationLayer", "AnimationCurveNode", "AnimationCurve"};

  explicit ObjectWriter(RecordWriter& records) : out(records) {}

  std::int64_t new_id() { return next_id_++; }
  // Begins the record of an object; end with out.end().
  void begin(const char* type, std::int64_t id, std::string_view name, const char* class_name, const char* subclass);
  // An empty property is a connection of the objects themselves.
  void connect(std::int64_t source, std::int64_t target, const char* property = "") {
    connections_.push_back({source, target, property});
  }
  void write_connections();
  int count(std::size_t type) const { return counts_[type]; }

  RecordWriter& out;

 private:
  struct Connection {
    std::int64_t source = 0, target = 0;
    const char* property = "";
  };
  std::int64_t next_id_ = 1000000;  // Small numbers are used by some programs for themselves.
  std::vector<Connection> connections_;
  std::array<int, kNumTypes> counts_{};
};

constexpr std::int64_t kSceneId = 0;

enum class ModelClass : std::uint8_t { kLimb, kNull, kMesh };

// A node of the file. Model i is joint i; those after the joints carry meshes.
struct OutModel {
  std::int64_t id = 0;
  std::int64_t parent_id = kSceneId;
  std::string name;
  ModelClass type = ModelClass::kNull;
  Transformd local;  // Rest pose, metres.
  const char* kind = nullptr;
};

// Where an instance goes.
struct OutInstance {
  int model = -1;
  Affined model_from_mesh_at_bind;  // Skinned: the mesh node's own transform when it was bound.
  Transformd node_from_mesh;        // Not skinned: the geometric transform.
  bool bake = false;                // The offset shears: `baked` is applied to the vertices.
  Affined baked;
  std::int64_t geometry_id = 0;           // Set by write_meshes().
  std::vector<std::int64_t> channel_ids;  // One per morph target.
};

struct OutPlan {
  const Character& character;
  double units_per_metre = 100;
  std::vector<OutModel> models;
  std::vector<OutInstance> instances;
};

OutPlan plan_models(const Character& character, double units_per_metre, ObjectWriter& objects, Warnings& warnings);

// A matrix for row vectors, translation in file units: our four columns are its four rows.
std::array<double, 16> matrix_of(const Affined& affine, double units_per_metre);

void write_models(const OutPlan& plan, ObjectWriter& objects);
// Returns the ids of the materials.
std::vector<std::int64_t> write_materials(const Character& character, ObjectWriter& objects, Warnings& warnings);
// Geometry, skin clusters, blend shapes and the bind pose.
void write_meshes(OutPlan& plan, std::span<const std::int64_t> material_ids, ObjectWriter& objects);
void write_take(const OutPlan& plan, const Motion& clip, ObjectWriter& objects);

// Ticks of a time, on FBX's clock.
std::int64_t tick_of(double time_s);

}  // namespace zoe::io::fbx
