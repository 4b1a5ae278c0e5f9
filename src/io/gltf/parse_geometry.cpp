// SPDX-License-Identifier: MIT
#include <charconv>

#include <fmt/format.h>

#include "io/gltf/parse_parts.h"

namespace zoe::io::gltf {
namespace {

ComponentType component_type(const JsonObject& object) {
  const std::size_t code = object.required_size("componentType");
  switch (code) {
    case 5120:
    case 5121:
    case 5122:
    case 5123:
    case 5125:
    case 5126:
      break;
    default:
      object.fail("componentType", ErrorCode::kInvalid, fmt::format("{} does not exist", code));
  }
  return static_cast<ComponentType>(code);
}

std::uint8_t num_components(const JsonObject& accessor) {
  const std::string type = accessor.text("type");
  if (type == "SCALAR") return 1;
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  if (type == "VEC4" || type == "MAT2") return 4;
  if (type == "MAT3") return 9;
  if (type == "MAT4") return 16;
  accessor.fail("type", ErrorCode::kInvalid, fmt::format("'{}' does not exist", type));
  return 1;
}

// Index of the entry it adds to the list, or -1.
int parse_sparse(const JsonObject& accessor, std::vector<SparseDef>& list) {
  const auto object = accessor.object("sparse");
  if (!object) return -1;
  SparseDef sparse;
  sparse.count = object->required_size("count");
  const auto indices = object->object("indices");
  const auto values = object->object("values");
  if (!indices || !values) {
    object->fail({}, ErrorCode::kInvalid, "needs indices and values");
    return -1;
  }
  sparse.indices_view = indices->required_index("bufferView");
  sparse.indices_offset = indices->size("byteOffset", 0);
  sparse.indices_type = component_type(*indices);
  sparse.values_view = values->required_index("bufferView");
  sparse.values_offset = values->size("byteOffset", 0);
  list.push_back(sparse);
  return static_cast<int>(list.size() - 1);
}

// "JOINTS_1" with prefix "JOINTS_" is 1; -1 for anything else.
int set_number(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return -1;
  int number = -1;
  const auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() && number < 64 ? number : -1;
}

void put_set(std::vector<int>& sets, int number, int accessor) {
  if (sets.size() <= static_cast<std::size_t>(number)) sets.resize(static_cast<std::size_t>(number) + 1, -1);
  sets[static_cast<std::size_t>(number)] = accessor;
}

// Index of what it adds to the list, or -1.
int parse_meshopt(const JsonObject& view, std::vector<MeshoptDef>& list) {
  const auto extensions = view.object("extensions");
  if (!extensions) return -1;
  auto object = extensions->object("EXT_meshopt_compression");
  if (!object) object = extensions->object("KHR_meshopt_compression");
  if (!object) return -1;
  MeshoptDef def{.buffer = object->required_index("buffer"),
                 .offset = object->size("byteOffset", 0),
                 .length = object->required_size("byteLength"),
                 .stride = object->required_size("byteStride"),
                 .count = object->required_size("count")};
  const std::string mode = object->text("mode"), filter = object->text("filter", "NONE");
  if (mode == "TRIANGLES") {
    def.mode = MeshoptMode::kTriangles;
  } else if (mode == "INDICES") {
    def.mode = MeshoptMode::kIndices;
  } else if (mode != "ATTRIBUTES") {
    object->fail("mode", ErrorCode::kInvalid, fmt::format("'{}' does not exist", mode));
  }
  if (filter == "OCTAHEDRAL") {
    def.filter = MeshoptFilter::kOctahedral;
  } else if (filter == "QUATERNION") {
    def.filter = MeshoptFilter::kQuaternion;
  } else if (filter == "EXPONENTIAL") {
    def.filter = MeshoptFilter::kExponential;
  } else if (filter != "NONE") {
    object->fail("filter", ErrorCode::kUnsupported,
                 fmt::format("'{}' is not read; export again with EXT_meshopt_compression", filter));
  }
  list.push_back(def);
  return static_cast<int>(list.size() - 1);
}

// The accessor of an attribute, as PrimitiveDef has it; -1 for those that are not read.
int accessor_of(const PrimitiveDef& primitive, std::string_view name) {
  const auto in_set = [](const std::vector<int>& sets, int number) {
    return static_cast<std::size_t>(number) < sets.size() ? sets[static_cast<std::size_t>(number)] : -1;
  };
  if (name == "POSITION") return primitive.position;
  if (name == "NORMAL") return primitive.normal;
  if (name == "TANGENT") return primitive.tangent;
  if (name == "TEXCOORD_0") return primitive.uv0;
  if (name == "TEXCOORD_1") return primitive.uv1;
  if (name == "COLOR_0") return primitive.color;
  if (const int set = set_number(name, "JOINTS_"); set >= 0) return in_set(primitive.joints, set);
  if (const int set = set_number(name, "WEIGHTS_"); set >= 0) return in_set(primitive.weights, set);
  return -1;
}

// Index of what it adds to the list, or -1.
int parse_draco(const JsonObject& object, const PrimitiveDef& primitive, std::vector<DracoDef>& list) {
  const auto extensions = object.object("extensions");
  const auto draco = extensions ? extensions->object("KHR_draco_mesh_compression") : std::nullopt;
  if (!draco) return -1;
  DracoDef def{.view = draco->required_index("bufferView"), .attributes = {}};
  if (const auto attributes = draco->object("attributes")) {
    attributes->each_index([&](std::string_view name, int id) {
      if (const int accessor = accessor_of(primitive, name); accessor >= 0) def.attributes.emplace_back(accessor, id);
    });
  }
  list.push_back(std::move(def));
  return static_cast<int>(list.size() - 1);
}

PrimitiveDef parse_primitive(const JsonObject& object, Document& document) {
  PrimitiveDef primitive;
  const auto attributes = object.object("attributes");
  if (!attributes) {
    object.fail("attributes", ErrorCode::kInvalid, "is missing");
    return primitive;
  }
  attributes->each_index([&](std::string_view name, int accessor) {
    if (name == "POSITION")
      primitive.position = accessor;
    else if (name == "NORMAL")
      primitive.normal = accessor;
    else if (name == "TANGENT")
      primitive.tangent = accessor;
    else if (name == "TEXCOORD_0")
      primitive.uv0 = accessor;
    else if (name == "TEXCOORD_1")
      primitive.uv1 = accessor;
    else if (name == "COLOR_0")
      primitive.color = accessor;
    else if (const int joint_set = set_number(name, "JOINTS_"); joint_set >= 0)
      put_set(primitive.joints, joint_set, accessor);
    else if (const int weight_set = set_number(name, "WEIGHTS_"); weight_set >= 0)
      put_set(primitive.weights, weight_set, accessor);
  });
  primitive.indices = object.index("indices");
  primitive.material = object.index("material");
  if (object.has("mode")) primitive.mode = object.index("mode");
  if (primitive.mode > 6) object.fail("mode", ErrorCode::kInvalid, "does not exist");
  object.each("targets", 1 << 16, [&](const JsonObject& target, std::size_t) {
    primitive.targets.push_back({target.index("POSITION"), target.index("NORMAL")});
  });
  primitive.draco = parse_draco(object, primitive, document.draco);
  return primitive;
}

}  // namespace

void parse_buffers(const JsonObject& root, std::size_t limit, Document& document) {
  root.each("buffers", limit, [&](const JsonObject& buffer, std::size_t) {
    document.buffers.push_back({buffer.text_view("uri", document.unescaped_uris), buffer.required_size("byteLength")});
  });
  document.views.reserve(root.room("bufferViews", 2));
  document.accessors.reserve(root.room("accessors", 3));
  root.each("bufferViews", limit, [&](const JsonObject& object, std::size_t) {
    ViewDef view{object.required_index("buffer"), object.size("byteOffset", 0), object.required_size("byteLength"),
                 object.size("byteStride", 0)};
    if (view.stride > 252) object.fail("byteStride", ErrorCode::kInvalid, "is larger than 252");
    view.meshopt = parse_meshopt(object, document.meshopt);
    document.views.push_back(view);
  });
  root.each("accessors", limit, [&](const JsonObject& object, std::size_t) {
    document.accessors.push_back({.view = object.index("bufferView"),
                                  .sparse = parse_sparse(object, document.sparse),
                                  .offset = object.size("byteOffset", 0),
                                  .count = object.required_size("count"),
                                  .type = component_type(object),
                                  .components = num_components(object),
                                  .normalized = object.flag("normalized", false)});
  });
}

void parse_meshes(const JsonObject& root, std::size_t limit, Document& document) {
  root.each("meshes", limit, [&](const JsonObject& object, std::size_t) {
    MeshDef mesh;
    mesh.name = object.text("name");
    JsonStatus ignored;
    const auto read_names = [&](const JsonObject& owner) {
      if (const auto extras = owner.lenient_object("extras", ignored); extras && mesh.target_names.empty()) {
        mesh.target_names = extras->text_list("targetNames");
      }
    };
    read_names(object);
    object.each("primitives", limit, [&](const JsonObject& primitive, std::size_t) {
      mesh.primitives.push_back(parse_primitive(primitive, document));
      read_names(primitive);  // Position in files of older exporters.
    });
    mesh.weights = object.number_list("weights");
    document.meshes.push_back(std::move(mesh));
  });
}

}  // namespace zoe::io::gltf
