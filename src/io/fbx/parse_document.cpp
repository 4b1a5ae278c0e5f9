// SPDX-License-Identifier: MIT
// Part of Zoetrope. Detects the binary and the ASCII form of a file.
#include "zoe/core/file.h"

#include "io/fbx/check.h"

namespace zoe::io::fbx {
namespace {

constexpr std::string_view kBinaryMagic{"Kaydara FBX Binary  \0", 21};
constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";
constexpr std::size_t kAsciiSniffBytes = 4096;

}  // namespace

Result<Document> Document::parse(std::span<const std::byte> bytes, const ReadLimits& limits, Warnings* warnings) {
  const std::string_view text = as_text(bytes);
  if (text.starts_with(kBinaryMagic)) return parse_binary(bytes, limits, warnings);

  std::size_t start = text.starts_with(kUtf8Bom) ? kUtf8Bom.size() : 0;
  start = text.find_first_not_of(" \t\r\n", start);
  const bool has_text = start != std::string_view::npos;
  // A comment with the version, or the header record. Both contain the letters FBX.
  if (has_text && text.substr(start, kAsciiSniffBytes).find("FBX") != std::string_view::npos &&
      text.substr(start, kAsciiSniffBytes).find('\0') == std::string_view::npos) {
    return parse_ascii(bytes, limits, warnings);
  }
  return Error{ErrorCode::kSyntax, "not an FBX file: it has neither the binary magic nor an ASCII FBX header",
               Where{.byte_offset = 0}};
}

}  // namespace zoe::io::fbx
