// SPDX-License-Identifier: MIT
// Part of Zoetrope. Records and properties of a checked file, read in place.
#include <algorithm>
#include <cstring>

#include "io/fbx/ascii_lexer.h"
#include "io/fbx/ascii_values.h"
#include "io/fbx/binary_property.h"
#include "io/fbx/check.h"
#include "io/fbx/document.h"

namespace zoe::io::fbx {
namespace {

std::uint64_t load_word(const char* at, bool wide, bool big_endian) {
  if (wide) return big_endian ? load<true, std::uint64_t>(at) : load<false, std::uint64_t>(at);
  return big_endian ? load<true, std::uint32_t>(at) : load<false, std::uint32_t>(at);
}

template <bool kBig>
void push_binary(const Node& node, PropertyValues& values) {
  const char* at = node.properties;
  if (node.num_stored > kMaxScalars) {
    if (const char element = tagged_numbers(at, node.properties_end, node.num_stored)) {
      Property array;
      array.type = PropertyType::kArray;
      array.element = element;
      array.encoding = ArrayEncoding::kTagged;
      array.integer = static_cast<std::int64_t>(node.num_stored);
      array.text = {at, static_cast<std::size_t>(node.properties_end - at)};
      values.push() = array;
      return;
    }
  }
  for (std::uint64_t i = 0; i < node.num_stored; ++i) {
    PropertyFault fault = PropertyFault::kNone;
    at = read_property<kBig>(at, node.properties_end, values.push(), fault);
    if (at == nullptr) return values.drop_last();
  }
}

}  // namespace

std::optional<Node> Document::binary_record(const char* at, const char* list_end) const {
  const std::size_t word = wide_ ? 8 : 4, header = 3 * word + 1;
  if (static_cast<std::size_t>(list_end - at) < header) return std::nullopt;
  const std::uint64_t end = load_word(at, wide_, big_endian_);
  if (end == 0) return std::nullopt;
  Node node;
  node.at = at;
  node.num_stored = load_word(at + word, wide_, big_endian_);
  node.name = {at + header, static_cast<unsigned char>(at[3 * word])};
  node.properties = at + header + node.name.size();
  node.properties_end = node.properties + load_word(at + 2 * word, wide_, big_endian_);
  node.end = bytes_.data() + end;
  node.list_end = list_end;
  if (node.properties_end != node.end) {
    node.children = node.properties_end;
    node.children_end = node.end;
  }
  return node;
}

std::optional<Node> Document::binary_child(const Node& parent, std::string_view name) const {
  const std::size_t word = wide_ ? 8 : 4, header = 3 * word + 1;
  if (parent.children == nullptr) return std::nullopt;
  const char* at = parent.children;
  while (static_cast<std::size_t>(parent.children_end - at) >= header) {
    const std::uint64_t end = load_word(at, wide_, big_endian_);
    if (end == 0) break;
    if (static_cast<unsigned char>(at[3 * word]) == name.size() &&
        std::memcmp(at + header, name.data(), name.size()) == 0)
      return binary_record(at, parent.children_end);
    at = bytes_.data() + end;
  }
  return std::nullopt;
}

std::optional<Node> Document::ascii_record(const char* at, const char* list_end) const {
  AsciiLexer lexer(at, list_end);
  lexer.skip_lines();
  Node node;
  node.at = lexer.position();
  node.name = lexer.take_word();
  lexer.skip_blanks();
  if (node.name.empty() || lexer.peek() != ':') return std::nullopt;
  lexer.advance();
  node.properties = lexer.position();
  if (const char* near = end_of_plain_values(node.properties, list_end)) {
    lexer.jump(near);
  } else if (const char* far = far_end(node.properties)) {
    lexer.jump(far);
  } else {
    AsciiValues(lexer, node.name).skip();
  }
  node.properties_end = node.end = lexer.position();
  node.list_end = list_end;
  if (lexer.peek() != '{') return node;
  node.children = lexer.position() + 1;
  node.children_end = list_end;  // Their closing brace ends the walk.
  node.end = nullptr;            // Found when the next record is requested.
  return node;
}

std::optional<Node> Document::next(const Node& node) const {
  if (node.end != nullptr) return record(node.end, node.list_end);
  const char* close = far_end(node.children - 1);
  if (close == nullptr) close = find_block_end(node.children, node.list_end);
  return record(std::min(close + 1, node.list_end), node.list_end);
}

const char* Document::far_end(const char* from) const {
  const auto found = std::lower_bound(stretches_.begin(), stretches_.end(), from,
                                      [](const Stretch& s, const char* f) { return s.from < f; });
  return found != stretches_.end() && found->from == from ? found->to : nullptr;
}

const std::string* Document::unescaped(const char* contents) const {
  const auto found = std::lower_bound(unescaped_.begin(), unescaped_.end(), contents,
                                      [](const auto& entry, const char* c) { return entry.first < c; });
  return found != unescaped_.end() && found->first == contents ? &found->second : nullptr;
}

std::string_view Document::first_text(const Node& node) const {
  if (node.properties == node.properties_end) return {};
  Property first;
  if (binary_) {
    PropertyFault fault = PropertyFault::kNone;
    if (node.num_stored == 0) return {};
    big_endian_ ? read_property<true>(node.properties, node.properties_end, first, fault)
                : read_property<false>(node.properties, node.properties_end, first, fault);
    return first.text;
  }
  AsciiLexer lexer(node.properties, node.properties_end);
  const auto take = [&](const Property& value) {
    first = value;
    return false;
  };
  AsciiValues(lexer, node.name).read(take, take);
  const std::string* text = unescaped(first.text.data());
  return text != nullptr ? *text : first.text;
}

PropertyValues::PropertyValues(const Document& document, const Node& node) {
  if (node.properties == nullptr) return;
  if (document.binary_) {
    document.big_endian_ ? push_binary<true>(node, *this) : push_binary<false>(node, *this);
    return;
  }
  AsciiLexer lexer(node.properties, node.properties_end);
  const auto take = [&](Property& value) {
    if (value.type == PropertyType::kString && !document.unescaped_.empty()) {
      if (const std::string* text = document.unescaped(value.text.data())) value.text = *text;
    }
    push() = value;
    return true;
  };
  AsciiValues(lexer, node.name).read(take, [&](Property& list) {
    clear();
    push() = list;
    return true;
  });
}

Property& PropertyValues::push_many() {
  if (size_ == kFew + 1) many_.assign(few_, few_ + kFew);
  return many_.emplace_back();
}

}  // namespace zoe::io::fbx
