// SPDX-License-Identifier: MIT
// Part of Zoetrope. Collects the binary part of a glTF file: bytes, buffer views, accessors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/gltf/document.h"

namespace zoe::io::gltf {

using Json = nlohmann::ordered_json;

// GPU usage of a view. The validator requires it for vertices and indices.
enum class ViewTarget : std::uint16_t { kNone = 0, kVertices = 34962, kIndices = 34963 };

class DataWriter {
 public:
  // Starts a view. Arrays appended until the next call are in it. Vertex attributes need one view each.
  void begin_view(ViewTarget target);

  // Appends an array and its accessor; returns the accessor's index. `type` is "SCALAR", "VEC3", …;
  // values.size() must be a multiple of its width. With bounds, min and max are written (required
  // for positions and key times).
  int append_floats(std::span<const float> values, const char* type, bool with_bounds = false);
  // Numbers are stored with the given component type; each must fit.
  int append_integers(std::span<const std::uint32_t> values, ComponentType stored, const char* type,
                      bool normalized = false);
  // VEC3 accessor of `count` elements, zero except at the given (ascending) indices. Includes min and max.
  int append_sparse_vec3(std::span<const std::uint32_t> indices, std::span<const Vec3> values, std::size_t count);
  // Raw bytes as a separate view, e.g. an image.
  int append_blob(std::span<const std::byte> bytes);

  const std::vector<std::byte>& bytes() const { return bytes_; }
  const Json& views() const { return views_; }
  const Json& accessors() const { return accessors_; }

 private:
  // Bytes at a multiple of four in the open view; returns the offset inside it.
  std::size_t append_bytes(const void* data, std::size_t size);
  int add_accessor(std::size_t offset, ComponentType stored, std::size_t count, const char* type);

  std::vector<std::byte> bytes_;
  Json views_ = Json::array();
  Json accessors_ = Json::array();
  std::size_t view_start_ = 0;
};

// Numbers per element: 3 for "VEC3".
std::size_t components_of(std::string_view type);

}  // namespace zoe::io::gltf
