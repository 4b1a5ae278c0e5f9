// SPDX-License-Identifier: MIT
#include "io/gltf/container.h"

#include <cstdint>

#include <fmt/format.h>

#include "zoe/core/file.h"

namespace zoe::io::gltf {
namespace {

constexpr std::uint32_t kMagic = 0x46546C67;        // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;  // "BIN\0"
constexpr std::size_t kHeaderSize = 12, kChunkHeaderSize = 8;

std::uint32_t read_u32(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(bytes[offset + i]) << (8 * i);
  return value;
}

Error syntax(std::string message, std::size_t offset) {
  return {ErrorCode::kSyntax, std::move(message), {.byte_offset = static_cast<std::int64_t>(offset)}};
}

}  // namespace

Result<Container> split_container(std::span<const std::byte> bytes, Warnings& warnings) {
  Container container;
  if (bytes.size() < 4 || read_u32(bytes, 0) != kMagic) {
    std::string_view text = as_text(bytes);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return syntax("the file is empty", 0);
    if (text[text.find_first_not_of(" \t\r\n")] != '{') return syntax("neither GLB nor JSON: not a glTF file", 0);
    container.json = text;
    return container;
  }
  container.is_glb = true;
  if (bytes.size() < kHeaderSize) return syntax("the GLB header is cut short", bytes.size());
  if (const std::uint32_t version = read_u32(bytes, 4); version != 2) {
    return Error{
        ErrorCode::kUnsupported, fmt::format("GLB version {}; only version 2 is read", version), {.byte_offset = 4}};
  }
  const std::size_t stated = read_u32(bytes, 8);
  if (stated > bytes.size()) {
    return syntax(fmt::format("the GLB states {} bytes, but the file ends after {}", stated, bytes.size()), 8);
  }
  if (stated < bytes.size()) {
    warnings.push_back({fmt::format("{} bytes follow the end of the GLB; ignored", bytes.size() - stated), {}});
  }
  std::size_t offset = kHeaderSize;
  while (offset + kChunkHeaderSize <= stated) {
    const std::size_t length = read_u32(bytes, offset);
    const std::uint32_t type = read_u32(bytes, offset + 4);
    const std::size_t start = offset + kChunkHeaderSize;
    if (length > stated - start)
      return syntax(fmt::format("a GLB chunk of {} bytes passes the end of the file", length), offset);
    const std::span<const std::byte> chunk = bytes.subspan(start, length);
    if (type == kJsonChunk && container.json.empty()) container.json = as_text(chunk);
    if (type == kBinaryChunk && !container.binary) container.binary = chunk;
    offset = start + length;
    offset += (4 - offset % 4) % 4;  // Chunks start at multiples of four, also after a writer that omitted the padding.
  }
  if (container.json.empty()) return syntax("the GLB has no JSON chunk", kHeaderSize);
  return container;
}

}  // namespace zoe::io::gltf
