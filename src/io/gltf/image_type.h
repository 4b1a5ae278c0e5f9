// SPDX-License-Identifier: MIT
// Part of Zoetrope. The type of an image, from its first bytes.
#pragma once

#include <span>
#include <string>

#include "zoe/core/file.h"

namespace zoe::io::gltf {

// MIME type, or empty when unknown.
inline std::string image_type_of(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  if (text.starts_with("\x89PNG")) return "image/png";
  if (text.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  if (text.starts_with("RIFF") && text.substr(0, 12).ends_with("WEBP")) return "image/webp";
  if (text.starts_with("\xABKTX 20")) return "image/ktx2";
  return {};
}

}  // namespace zoe::io::gltf
