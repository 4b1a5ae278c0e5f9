// SPDX-License-Identifier: MIT
// Part of Zoetrope. URIs in glTF: data: with base64, and names relative to the file that stay
// inside its folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::io::gltf {

struct DataUri {
  std::string_view mime_type;
  std::string_view payload;
  bool base64 = false;
};
// nullopt when the text is no data: URI.
std::optional<DataUri> parse_data_uri(std::string_view uri);

// Ignores line breaks and padding; nullopt on any other character outside the alphabet.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text);
std::string encode_base64(std::string_view bytes);

std::string percent_decode(std::string_view text);
std::string percent_encode(std::string_view text);

// The file of a relative URI below the folder. Refuses schemes, absolute paths and ".." that leaves the folder.
Result<std::filesystem::path> resolve_uri(const std::filesystem::path& folder, std::string_view uri);

}  // namespace zoe::io::gltf
