// SPDX-License-Identifier: MIT
// Part of Zoetrope. What the binary and the ASCII parser share: growing a Document within a memory
// budget.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/fbx/document.h"

namespace zoe::io::fbx {

constexpr int kMaxDepth = 64;
// Pre-7000 records with more plain numbers than this become one array property; a 4x4 matrix stays
// scalars.
constexpr std::size_t kMaxScalars = 16;
constexpr int kMinVersion = 5800;
constexpr int kMaxVersion = 7700;

// Functions that return bool return false after recording error(); parsers pass the false up.
class DocumentBuilder {
 public:
  DocumentBuilder(std::span<const std::byte> source, const ReadLimits& limits, Warnings* warnings);

  // Place in the tree where the next record goes.
  struct Siblings {
    std::uint32_t parent = 0;
    std::uint32_t last = 0;  // 0: no child yet.
  };

  // Appends a record; its index is last_node() afterwards.
  bool add_node(Siblings& siblings, std::string_view name, std::int64_t byte_offset,
                std::int64_t line);
  std::uint32_t last_node() const {
    return static_cast<std::uint32_t>(document_.nodes_.size() - 1);
  }

  // Properties of the node added last: make room for at least `count` more, push them, commit.
  // Counts must already be plausible for the bytes at hand. A list may grow: what was pushed before
  // moves along.
  bool make_room(std::size_t count);
  bool has_room() const { return num_pending_ < block_left_; }
  Property& push() { return block_next_[num_pending_++]; }  // A zero; the caller fills it in.
  void push_text(PropertyType type, std::string_view text);
  void push_array(char element, ArrayEncoding encoding, std::uint64_t count,
                  std::string_view payload);
  std::span<const Property> pending() const { return {block_next_, num_pending_}; }
  void drop_pending();
  void commit();

  // Books the memory that an array would decode to, `num_encoded` being the bytes it is made from.
  bool book_array(std::uint64_t num_elements, std::size_t element_size, std::size_t num_encoded,
                  ArrayEncoding encoding);

  // Keeps text that is not in the source as such. Empty when the budget is spent: see failed().
  std::string_view own(std::string text);

  bool fail(ErrorCode code, std::string message);  // At the place set by at().
  void at(std::int64_t byte_offset, std::int64_t line = -1) {
    byte_offset_ = byte_offset;
    line_ = line;
  }
  void warn(std::string message);  // At the place set by at().

  bool failed() const { return !error_.message.empty(); }
  const Error& error() const { return error_; }
  Document& document() { return document_; }
  Result<Document> finish(int version, bool binary, bool big_endian);

 private:
  bool book(std::uint64_t num_bytes);

  Document document_;
  Warnings* warnings_;
  Error error_;
  std::int64_t byte_offset_ = -1;
  std::int64_t line_ = -1;

  std::uint64_t max_bytes_;  // For the tree and all arrays decoded.
  std::uint64_t booked_bytes_ =
      0;  // The tree is booked when allocated, an array when its header is seen.
  Property* block_next_ = nullptr;
  std::size_t block_left_ = 0;
  std::size_t num_pending_ = 0;
};

// Each parses everything after format detection. `source` starts with the binary magic, or with
// text.
Result<Document> parse_binary(std::span<const std::byte> source, const ReadLimits& limits,
                              Warnings* warnings);
Result<Document> parse_ascii(std::span<const std::byte> source, const ReadLimits& limits,
                             Warnings* warnings);

Error unsupported_version(std::int64_t version);

}  // namespace zoe::io::fbx
