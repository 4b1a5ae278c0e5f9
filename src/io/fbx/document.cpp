// SPDX-License-Identifier: MIT
#include "io/fbx/document.h"

#include <limits>

#include "zoe/core/file.h"

#include "io/fbx/ascii_lexer.h"

namespace zoe::io::fbx {

std::int64_t Property::as_integer() const {
  if (type == PropertyType::kInteger) return integer;
  if (type != PropertyType::kReal) return 0;
  constexpr double kTooLarge = 9223372036854775808.0;  // 2^63.
  if (real >= kTooLarge) return std::numeric_limits<std::int64_t>::max();
  if (real < -kTooLarge) return std::numeric_limits<std::int64_t>::min();
  return real == real ? static_cast<std::int64_t>(real) : 0;
}

Node Document::root() const {
  Node root;
  root.children = first_record_;
  root.children_end = root.end = root.list_end = bytes_.data() + bytes_.size();
  return root;
}

std::optional<Node> Document::record(const char* at, const char* list_end) const {
  return binary_ ? binary_record(at, list_end) : ascii_record(at, list_end);
}

Node Document::node_at(const char* at) const {
  Node node = record(at, bytes_.data() + bytes_.size()).value_or(Node());
  node.list_end = node.end = at;  // It has no next record.
  return node;
}

std::optional<Node> Document::first(const Node& parent) const {
  if (parent.children == nullptr) return std::nullopt;
  return record(parent.children, parent.children_end);
}

std::optional<Node> Document::child(const Node& parent, std::string_view name) const {
  if (binary_) return binary_child(parent, name);
  std::optional<Node> node = first(parent);
  while (node && node->name != name) node = next(*node);
  return node;
}

std::int64_t Document::integer_of(const Node& parent, std::string_view child_name, std::int64_t fallback) const {
  const auto node = child(parent, child_name);
  if (!node) return fallback;
  const PropertyValues values(*this, *node);
  return !values.empty() && values[0].type <= PropertyType::kReal ? values[0].as_integer() : fallback;
}

double Document::real_of(const Node& parent, std::string_view child_name, double fallback) const {
  const auto node = child(parent, child_name);
  if (!node) return fallback;
  const PropertyValues values(*this, *node);
  return !values.empty() && values[0].type <= PropertyType::kReal ? values[0].as_real() : fallback;
}

std::string_view Document::string_of(const Node& parent, std::string_view child_name, std::string_view fallback) const {
  const auto node = child(parent, child_name);
  if (!node) return fallback;
  const PropertyValues values(*this, *node);
  return !values.empty() && values[0].type == PropertyType::kString ? values[0].text : fallback;
}

std::vector<std::byte> Document::read_bytes(const Node& node) const {
  const PropertyValues parts(*this, node);
  std::size_t num_bytes = 0;
  for (const Property& part : parts) num_bytes += part.text.size();
  std::vector<std::byte> bytes;
  bytes.reserve(binary_ ? num_bytes : num_bytes / 4 * 3 + 3);
  for (const Property& part : parts) {
    if (part.type == PropertyType::kRaw || (binary_ && part.type == PropertyType::kString)) {
      const auto raw = as_bytes(part.text);
      bytes.insert(bytes.end(), raw.begin(), raw.end());
    } else if (part.type == PropertyType::kString) {
      append_base64(part.text, bytes);
    }
  }
  return bytes;
}

Where Document::where(const Node& node) const {
  if (binary_) return {.byte_offset = node.at - bytes_.data()};
  return {.line = line_of(bytes_, node.at)};
}

}  // namespace zoe::io::fbx
