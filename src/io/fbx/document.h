// SPDX-License-Identifier: MIT
// Part of Zoetrope. An FBX file as a tree of named records with typed properties: binary (32- and
// 64-bit records, both byte orders) and ASCII give the same tree. Knows nothing of what the records
// mean; see scene.h for that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/io/asset.h"

namespace zoe::io::fbx {

enum class PropertyType : std::uint8_t {
  kInteger,  // Binary B, C, Y, I, L; ASCII whole numbers. A lone letter (`Shading: T`, the U and s
             // of `Key:` lists) is its character code in both forms, and `text` holds the letter.
             // Use as_integer().
  kReal,     // Binary F, D; ASCII numbers with a point or exponent. Use as_real().
  kString,   // S; ASCII unquoted words of two letters and more.
  kRaw,      // R: embedded file bytes. ASCII base64 content is decoded.
  kArray,    // b, c, i, l, f, d; ASCII "*N { a: … }"; and, before 7000, a record of more than 16
             // plain numbers.
};

// How an array's undecoded payload is stored.
enum class ArrayEncoding : std::uint8_t {
  kRaw,      // Elements in the file's byte order.
  kDeflate,  // The same inside a zlib stream.
  kTagged,   // Binary before 7000: scalar properties, each with its type code.
  kText,     // ASCII: numbers between commas.
  // ASCII KeyAttrDataFloat: the SDK prints each float's 32 bits as a whole number, because some of
  // them hold packed weights. read_array gives the floats, bit for bit, so ASCII needs no case of
  // its own.
  kTextBits,
};

// 32 bytes: files hold ten thousands of them, and the pages they fill are most of what parsing
// costs.
struct Property {
  PropertyType type = PropertyType::kInteger;
  // kArray: b, c, i, l, f or d in the file (ASCII, tagged: 'l' or 'd' by content).
  char element = 0;
  ArrayEncoding encoding = ArrayEncoding::kRaw;
  union {
    std::int64_t integer = 0;  // kInteger: the value. kArray: number of elements.
    double real;               // kReal only.
  };
  // kString: contents; kRaw: bytes; one-letter flags: the letter; kArray: the undecoded payload,
  // see Document::read_array. Lives as long as the Document and the bytes it was parsed from.
  std::string_view text;

  double as_real() const {  // 0 for what is not a number.
    if (type == PropertyType::kReal) return real;
    return type == PropertyType::kInteger ? static_cast<double>(integer) : 0;
  }
  std::int64_t as_integer() const;  // Reals are cut towards zero, and kept within 64 bits.
};

// Indices into Document::nodes(). Node 0 is an unnamed root whose children are the file's top-level
// records.
struct Node {
  std::string_view name;
  const Property* first_property = nullptr;  // Use Document::properties().
  std::uint32_t num_properties = 0;
  std::uint32_t first_child = 0;   // 0: none.
  std::uint32_t next_sibling = 0;  // 0: none.
  std::int32_t line = -1;          // ASCII: 1-based.
  std::int64_t byte_offset = 0;    // Binary: of the record. ASCII: of the record's name.
};

class Document {
 public:
  // `bytes` must outlive the Document (names, strings and payloads point into it). Refuses what is
  // not FBX, versions outside 5800..7700, truncated records, records nested deeper than 64, and
  // arrays larger than the limits allow.
  static Result<Document> parse(std::span<const std::byte> bytes, const ReadLimits& limits,
                                Warnings* warnings);

  int version() const { return version_; }  // 6100, 7400, …
  bool is_binary() const { return binary_; }
  bool is_big_endian() const { return big_endian_; }

  const Node& root() const { return nodes_[0]; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Property> properties(const Node& node) const {
    return {node.first_property, node.num_properties};
  }

  // First child of that name, or nullptr.
  const Node* child(const Node& parent, std::string_view name) const;
  // for (const Node* n = doc.first(parent); n != nullptr; n = doc.next(*n)) …
  const Node* first(const Node& parent) const {
    return parent.first_child != 0 ? &nodes_[parent.first_child] : nullptr;
  }
  const Node* next(const Node& node) const {
    return node.next_sibling != 0 ? &nodes_[node.next_sibling] : nullptr;
  }

  // Decodes an array property, converting elements to T (int32, int64, float or double). Pre-7000
  // files that put the numbers on the record itself are read the same way: pass the node. Fails on
  // damaged compression or a size that contradicts the element count.
  template <typename T>
  Result<std::vector<T>> read_array(const Node& node) const {
    std::vector<T> values;
    ZOE_TRY(read_array_into(node, values));
    return values;
  }
  // The same into a vector whose memory is used again: for the thousands of short curve arrays of a
  // take. Safe to call from several threads.
  template <typename T>
  Result<void> read_array_into(const Node& node, std::vector<T>& values) const;

  // Convenience: the child's first property, or the fallback.
  std::int64_t integer_of(const Node& parent, std::string_view child_name,
                          std::int64_t fallback) const;
  double real_of(const Node& parent, std::string_view child_name, double fallback) const;
  std::string_view string_of(const Node& parent, std::string_view child_name,
                             std::string_view fallback) const;

  Where where(const Node& node) const;  // For error messages; the caller fills in the file.

 private:
  friend class DocumentBuilder;
  std::vector<Node> nodes_;
  std::vector<std::unique_ptr<Property[]>> property_blocks_;
  std::deque<std::string> owned_;  // Unescaped ASCII strings, decoded base64.
  int version_ = 0;
  bool binary_ = false;
  bool big_endian_ = false;
};

}  // namespace zoe::io::fbx
