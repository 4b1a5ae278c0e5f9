// SPDX-License-Identifier: MIT
// Part of Zoetrope. The GLB container: a 12-byte header, a JSON chunk, an optional binary chunk;
// little-endian.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "zoe/core/result.h"

namespace zoe::io::gltf {

struct Container {
  std::string_view json;
  std::optional<std::span<const std::byte>> binary;  // The GLB's BIN chunk.
  bool is_glb = false;
};

// Bytes that do not start with "glTF" are read as JSON text. A length field that is too small or too large gives a
// warning, as long as the chunks themselves fit.
Result<Container> split_container(std::span<const std::byte> bytes, Warnings& warnings);

}  // namespace zoe::io::gltf
