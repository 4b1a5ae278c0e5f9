// SPDX-License-Identifier: MIT
// Part of Zoetrope. An FBX file as a tree of named records with typed properties. Binary (32- and 64-bit records, both
// byte orders) and ASCII give the same tree. It does not interpret the records; see objects.h for that. No tree is
// built: the file is checked once from end to end, and records are then read in place. Files hold tens of thousands of
// records per clip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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
  kRaw,      // R: embedded file bytes. In ASCII they are strings of base64; use read_bytes().
  kArray,    // b, c, i, l, f, d; ASCII "*N { a: … }"; and, before 7000, a record of more than 16
             // plain numbers.
};

// How an array's undecoded payload is stored.
enum class ArrayEncoding : std::uint8_t {
  kRaw,      // Elements in the file's byte order.
  kDeflate,  // The same inside a zlib stream.
  kTagged,   // Binary before 7000: scalar properties, each with its type code.
  kText,     // ASCII: numbers between commas.
  // ASCII KeyAttrDataFloat: the SDK prints each float's 32 bits as a whole number, because some of them hold packed
  // weights. read_array gives the floats, bit for bit, so that ASCII needs no special case.
  kTextBits,
};

struct Property {
  PropertyType type = PropertyType::kInteger;
  // kArray: b, c, i, l, f or d in the file (ASCII, tagged: 'l' or 'd' by content).
  char element = 0;
  ArrayEncoding encoding = ArrayEncoding::kRaw;
  union {
    std::int64_t integer = 0;  // kInteger: the value. kArray: number of elements.
    double real;               // kReal only.
  };
  // kString: contents; kRaw: bytes; one-letter flags: the letter; kArray: the undecoded payload, see
  // Document::read_array. Valid as long as the Document and the bytes it was parsed from.
  std::string_view text;

  double as_real() const {  // 0 for values that are not numbers.
    if (type == PropertyType::kReal) return real;
    return type == PropertyType::kInteger ? static_cast<double>(integer) : 0;
  }
  std::int64_t as_integer() const;  // Reals are truncated towards zero, and clamped to 64 bits.
  // A number that is not a letter.
  bool is_plain_number() const {
    return type == PropertyType::kReal || (type == PropertyType::kInteger && text.empty());
  }
};

// Position of a record. A view into the bytes of its Document: cheap to copy, owns nothing.
struct Node {
  std::string_view name;
  const char* at = nullptr;          // Binary: the record. ASCII: its name.
  const char* properties = nullptr;  // Its property list; use Document::properties().
  const char* properties_end = nullptr;
  std::uint64_t num_stored = 0;    // Binary: properties in the file.
  const char* children = nullptr;  // Its child records; null when there are none.
  const char* children_end = nullptr;
  const char* end = nullptr;       // After the record; null in ASCII when it has children.
  const char* list_end = nullptr;  // End of the list of records that contains it.
};

class Document;

// The properties of one record, decoded. Arrays stay undecoded.
class PropertyValues {
 public:
  PropertyValues(const Document& document, const Node& node);
  PropertyValues(const PropertyValues&) = delete;
  PropertyValues& operator=(const PropertyValues&) = delete;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Property* begin() const { return size_ > kFew ? many_.data() : few_; }
  const Property* end() const { return begin() + size_; }
  const Property& operator[](std::size_t index) const { return begin()[index]; }
  operator std::span<const Property>() const { return {begin(), size_}; }

  // A new property at the end. The caller fills it in before the next one.
  Property& push() {
    ++size_;
    if (size_ <= kFew) [[likely]]
      return *std::construct_at(&few_[size_ - 1]);
    return push_many();
  }
  void drop_last() { --size_; }
  void clear() { size_ = 0; }

 private:
  Property& push_many();

  static constexpr std::size_t kFew = 17;
  std::size_t size_ = 0;
  union {  // Most records have three or four properties. The others are not initialised.
    Property few_[kFew];
  };
  std::vector<Property> many_;  // All of them, when there are more.
};

class Document {
 public:
  // `bytes` must outlive the Document (names, strings and payloads point into it). Refuses what is
  // not FBX, versions outside 5800..7700, truncated records, records nested deeper than 64, and
  // arrays larger than the limits allow.
  static Result<Document> parse(std::span<const std::byte> bytes, const ReadLimits& limits, Warnings* warnings);

  int version() const { return version_; }  // 6100, 7400, …
  bool is_binary() const { return binary_; }
  bool is_big_endian() const { return big_endian_; }

  // An unnamed record whose children are the file's top-level records.
  Node root() const;
  // The record at Node::at. Its list_end is unknown, so next() gives nothing.
  Node node_at(const char* at) const;

  std::optional<Node> first(const Node& parent) const;
  std::optional<Node> next(const Node& node) const;
  // First child of that name.
  std::optional<Node> child(const Node& parent, std::string_view name) const;

  // for (const Node& node : document.children(parent)) …
  class ChildIterator {
   public:
    ChildIterator(const Document* document, std::optional<Node> node) : document_(document), node_(std::move(node)) {}
    const Node& operator*() const { return *node_; }
    ChildIterator& operator++() {
      node_ = document_->next(*node_);
      return *this;
    }
    bool operator!=(const ChildIterator& other) const { return node_.has_value() != other.node_.has_value(); }

   private:
    const Document* document_;
    std::optional<Node> node_;
  };
  struct ChildRange {
    ChildIterator first, last;
    ChildIterator begin() const { return first; }
    ChildIterator end() const { return last; }
  };
  ChildRange children(const Node& parent) const { return {{this, first(parent)}, {this, std::nullopt}}; }
  // visit(node) for every record, parents first.
  template <typename Visit>
  void walk(const Node& parent, const Visit& visit) const {
    for (const Node& node : children(parent)) {
      visit(node);
      walk(node, visit);
    }
  }

  PropertyValues properties(const Node& node) const { return {*this, node}; }
  // Text of the first property; empty when it has none.
  std::string_view first_text(const Node& node) const;

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
  // Number of values that read_array would give. Does not decode them.
  std::size_t array_size(const Node& node) const;

  // Embedded file bytes; ASCII keeps them in base64, cut into several strings.
  std::vector<std::byte> read_bytes(const Node& node) const;

  // The child's first property, or the fallback.
  std::int64_t integer_of(const Node& parent, std::string_view child_name, std::int64_t fallback) const;
  double real_of(const Node& parent, std::string_view child_name, double fallback) const;
  std::string_view string_of(const Node& parent, std::string_view child_name, std::string_view fallback) const;

  Where where(const Node& node) const;  // For error messages; the caller fills in the file.

 private:
  friend class DocumentCheck;
  friend class PropertyValues;

  // Reads the record at `at`; nothing at the end of the list. The file has been checked.
  std::optional<Node> record(const char* at, const char* list_end) const;
  std::optional<Node> binary_record(const char* at, const char* list_end) const;
  std::optional<Node> binary_child(const Node& parent, std::string_view name) const;
  std::optional<Node> ascii_record(const char* at, const char* list_end) const;
  // The end of a long stretch of ASCII that starts at `from`, or null when it is short.
  const char* far_end(const char* from) const;
  // ASCII strings with escapes, by the start of their contents. Null when it has none.
  const std::string* unescaped(const char* contents) const;

  struct Stretch {
    const char* from;
    const char* to;
  };
  std::string_view bytes_;
  const char* first_record_ = nullptr;
  std::vector<Stretch> stretches_;                              // ASCII: stretches that take long to skip. Sorted.
  std::vector<std::pair<const char*, std::string>> unescaped_;  // Sorted.
  int version_ = 0;
  bool binary_ = false;
  bool wide_ = false;  // 64-bit records.
  bool big_endian_ = false;
};

}  // namespace zoe::io::fbx
