// SPDX-License-Identifier: MIT
#include "io/fbx/document.h"

#include <limits>

#include "zoe/core/file.h"

#include "io/fbx/document_builder.h"

namespace zoe::io::fbx {
namespace {

constexpr std::string_view kBinaryMagic{"Kaydara FBX Binary  \0", 21};
constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";
constexpr std::size_t kAsciiSniffBytes = 4096;

}  // namespace

std::int64_t Property::as_integer() const {
  if (type == PropertyType::kInteger) return integer;
  if (type != PropertyType::kReal) return 0;
  constexpr double kTooLarge = 9223372036854775808.0;  // 2^63.
  if (real >= kTooLarge) return std::numeric_limits<std::int64_t>::max();
  if (real < -kTooLarge) return std::numeric_limits<std::int64_t>::min();
  return real == real ? static_cast<std::int64_t>(real) : 0;
}

Result<Document> Document::parse(std::span<const std::byte> bytes, const ReadLimits& limits,
                                 Warnings* warnings) {
  const std::string_view text = as_text(bytes);
  if (text.starts_with(kBinaryMagic)) return parse_binary(bytes, limits, warnings);

  std::size_t start = text.starts_with(kUtf8Bom) ? kUtf8Bom.size() : 0;
  start = text.find_first_not_of(" \t\r\n", start);
  const bool has_text = start != std::string_view::npos;
  // A comment with the version, or the header record; both hold the letters FBX.
  if (has_text && text.substr(start, kAsciiSniffBytes).find("FBX") != std::string_view::npos &&
      text.substr(start, kAsciiSniffBytes).find('\0') == std::string_view::npos) {
    return parse_ascii(bytes, limits, warnings);
  }
  return Error{ErrorCode::kSyntax,
               "not an FBX file: it has neither the binary magic nor an ASCII FBX header",
               Where{.byte_offset = 0}};
}

const Node* Document::child(const Node& parent, std::string_view name) const {
  for (const Node* node = first(parent); node != nullptr; node = next(*node)) {
    if (node->name == name) return node;
  }
  return nullptr;
}

std::int64_t Document::integer_of(const Node& parent, std::string_view child_name,
                                  std::int64_t fallback) const {
  const Node* node = child(parent, child_name);
  if (node == nullptr || node->num_properties == 0) return fallback;
  const Property& property = node->first_property[0];
  return property.type <= PropertyType::kReal ? property.as_integer() : fallback;
}

double Document::real_of(const Node& parent, std::string_view child_name, double fallback) const {
  const Node* node = child(parent, child_name);
  if (node == nullptr || node->num_properties == 0) return fallback;
  const Property& property = node->first_property[0];
  return property.type <= PropertyType::kReal ? property.as_real() : fallback;
}

std::string_view Document::string_of(const Node& parent, std::string_view child_name,
                                     std::string_view fallback) const {
  const Node* node = child(parent, child_name);
  if (node == nullptr || node->num_properties == 0) return fallback;
  const Property& property = node->first_property[0];
  return property.type == PropertyType::kString ? property.text : fallback;
}

Where Document::where(const Node& node) const {
  if (binary_) return {.byte_offset = node.byte_offset};
  return {.line = node.line};
}

}  // namespace zoe::io::fbx
