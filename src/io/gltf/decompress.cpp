// SPDX-License-Identifier: MIT
#include "io/gltf/decompress.h"

#include <cstring>

#include <fmt/format.h>

namespace zoe::io::gltf {
namespace {

class Decompressor {
 public:
  Decompressor(Document& document, Buffers& buffers, Budget& budget)
      : document_(document), buffers_(buffers), budget_(budget) {}

  Result<void> run() {
    for (std::size_t i = 0; i < document_.views.size(); ++i) {
      if (document_.views[i].meshopt >= 0) ZOE_TRY(located(decode_view(document_.views[i]), "bufferViews", i));
    }
    for (std::size_t i = 0; i < document_.meshes.size(); ++i) {
      for (const PrimitiveDef& primitive : document_.meshes[i].primitives) {
        if (primitive.draco >= 0) ZOE_TRY(located(decode_primitive(primitive), "meshes", i));
      }
    }
    return {};
  }

 private:
  static Result<void> located(Result<void> result, const char* list, std::size_t index) {
    if (result) return result;
    Error error = std::move(result).error();
    error.message = fmt::format("{}[{}] {}", list, index, error.message);
    return error;
  }

  // Makes `bytes` a buffer; returns its number.
  int add(std::vector<std::byte> bytes) {
    document_.buffers.push_back({{}, bytes.size()});
    return buffers_.add(std::move(bytes));
  }

  Result<void> decode_view(ViewDef& view) {
    if (view.length == 0 || !buffers_.buffer(view.buffer).empty()) return {};  // The file has the plain data too.
    const MeshoptDef& def = document_.meshopt[static_cast<std::size_t>(view.meshopt)];
    const std::span<const std::byte> source = buffers_.buffer(def.buffer);
    if (source.size() < def.offset || source.size() - def.offset < def.length) {
      return Error{ErrorCode::kSyntax, fmt::format("is compressed in buffers[{}], which has no data", def.buffer), {}};
    }
    ZOE_TRY(budget_.take(def.count, def.stride, "compressed data"));
    if (def.count * def.stride != view.length) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("has {} bytes, but {} × {} are compressed", view.length, def.count, def.stride),
                   {}};
    }
    ZOE_TRY_ASSIGN(std::vector<std::byte> bytes, decode_meshopt(def, source.subspan(def.offset, def.length)));
    view.buffer = add(std::move(bytes));
    view.offset = 0;
    return {};
  }

  AccessorDef& accessor(int index) { return document_.accessors[static_cast<std::size_t>(index)]; }

  // Gives an accessor without data these rows.
  void set_data(int index, std::vector<std::byte> bytes) {
    AccessorDef& def = accessor(index);
    ViewDef view;
    view.length = bytes.size();
    view.buffer = add(std::move(bytes));
    def.view = static_cast<int>(document_.views.size());
    def.offset = 0;
    document_.views.push_back(view);
  }

  Result<void> decode_primitive(const PrimitiveDef& primitive) {
    if (primitive.position < 0 || accessor(primitive.position).view >= 0) return {};  // Plain, or shared and decoded.
    const DracoDef& draco = document_.draco[static_cast<std::size_t>(primitive.draco)];
    if (primitive.indices < 0) return Error{ErrorCode::kInvalid, "is compressed with Draco but has no indices", {}};
    if (primitive.mode != 4) return Error{ErrorCode::kInvalid, "is compressed with Draco but is no triangle list", {}};
    const std::size_t num_vertices = accessor(primitive.position).count,
                      num_indices = accessor(primitive.indices).count;
    ZOE_TRY_ASSIGN(const std::span<const std::byte> source, buffers_.view(draco.view));
    ZOE_TRY(budget_.take(source.size(), 1, "compressed data"));  // Time: many primitives may name the same data.
    const std::size_t before = budget_.left();
    ZOE_TRY(budget_.take(num_indices, sizeof(std::uint32_t), "compressed indices"));
    std::vector<DracoAttribute> attributes;
    for (const auto& [index, id] : draco.attributes) {
      const AccessorDef& def = accessor(index);
      if (def.count != num_vertices) {
        return Error{ErrorCode::kInvalid,
                     fmt::format("has an attribute accessors[{}] of {} elements for {} vertices", index, def.count,
                                 num_vertices),
                     {}};
      }
      ZOE_TRY(budget_.take(num_vertices, def.components * size_of(def.type), "compressed attributes"));
      attributes.push_back({id, def.type, def.components, {}});
    }
    // The library keeps every value as a 32-bit integer beside its final form, so it needs more than the result.
    const std::size_t decoder_bytes = budget_.left() + 4 * (before - budget_.left());
    ZOE_TRY_ASSIGN(const std::vector<std::uint32_t> indices,
                   decode_draco(source, {num_vertices, num_indices, decoder_bytes}, attributes));
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const int index = draco.attributes[i].first;
      if (accessor(index).view < 0) set_data(index, std::move(attributes[i].bytes));
    }
    if (accessor(primitive.indices).view >= 0) return {};
    std::vector<std::byte> bytes(indices.size() * sizeof(std::uint32_t));
    if (!bytes.empty()) std::memcpy(bytes.data(), indices.data(), bytes.size());
    accessor(primitive.indices).type = ComponentType::kU32;
    set_data(primitive.indices, std::move(bytes));
    return {};
  }

  Document& document_;
  Buffers& buffers_;
  Budget& budget_;
};

}  // namespace

Result<void> decompress(Document& document, Buffers& buffers, Budget& budget) {
  return Decompressor(document, buffers, budget).run();
}

}  // namespace zoe::io::gltf
