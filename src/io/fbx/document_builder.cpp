// SPDX-License-Identifier: MIT
#include "io/fbx/document_builder.h"

#include <algorithm>

#include <fmt/format.h>

namespace zoe::io::fbx {
namespace {

// The tree and the decoded arrays together may be this many times the file. Real files stay below
// 8; the densest honest ones are pre-7000 takes, whose keys are lists of single letters and digits.
constexpr std::uint64_t kMaxExpansion = 12;
constexpr std::uint64_t kSmallFileAllowance =
    64 << 10;  // Bytes; lets tiny files have a few dense records.
constexpr std::uint64_t kMaxDeflateRatio =
    1032;  // A deflate match is 258 bytes for 2 bits at best.
constexpr std::size_t kFirstBlock = 256;
constexpr std::size_t kLargestBlock = 8192;  // Properties.

}  // namespace

DocumentBuilder::DocumentBuilder(std::span<const std::byte> source, const ReadLimits& limits,
                                 Warnings* warnings)
    : warnings_(warnings),
      max_bytes_(std::min<std::uint64_t>(source.size() * kMaxExpansion + kSmallFileAllowance,
                                         limits.max_decoded_bytes)) {
  document_.nodes_.reserve(16 + source.size() / 48);  // One record in 60 to 400 bytes is typical.
  book(document_.nodes_.capacity() * sizeof(Node));
  document_.nodes_.emplace_back();
}

bool DocumentBuilder::book(std::uint64_t num_bytes) {
  booked_bytes_ += num_bytes;
  if (booked_bytes_ <= max_bytes_) [[likely]]
    return true;
  return fail(
      ErrorCode::kLimit,
      fmt::format("the file would need more than {} times its size in memory; it is damaged or "
                  "hostile",
                  kMaxExpansion));
}

bool DocumentBuilder::add_node(Siblings& siblings, std::string_view name, std::int64_t byte_offset,
                               std::int64_t line) {
  auto& nodes = document_.nodes_;
  if (nodes.size() == nodes.capacity()) [[unlikely]] {
    // Not more than the budget has left, so that doubling cannot be what exhausts it.
    const std::uint64_t left = (max_bytes_ - std::min(max_bytes_, booked_bytes_)) / sizeof(Node);
    const std::size_t capacity = std::max<std::size_t>(
        nodes.size() + nodes.size() / 4, std::min<std::uint64_t>(nodes.size() * 2, left));
    at(byte_offset, line);
    if (!book(capacity * sizeof(Node))) return false;
    nodes.reserve(capacity);
  }
  const auto index = static_cast<std::uint32_t>(nodes.size());
  Node& node = nodes.emplace_back();
  node.name = name;
  node.byte_offset = byte_offset;
  node.line = static_cast<std::int32_t>(std::min<std::int64_t>(line, INT32_MAX));
  if (siblings.last == 0) {
    nodes[siblings.parent].first_child = index;
  } else {
    nodes[siblings.last].next_sibling = index;
  }
  siblings.last = index;
  return true;
}

bool DocumentBuilder::make_room(std::size_t count) {
  if (block_left_ - num_pending_ >= count) [[likely]]
    return true;
  const std::size_t wanted = num_pending_ + std::max(count, num_pending_ / 2);
  const std::size_t num_blocks = std::min<std::size_t>(document_.property_blocks_.size(), 8);
  const std::size_t size = std::max(wanted, std::min(kFirstBlock << num_blocks, kLargestBlock));
  if (!book(size * sizeof(Property))) return false;
  auto block = std::make_unique<Property[]>(size);
  std::copy_n(block_next_, num_pending_, block.get());
  block_next_ = block.get();
  block_left_ = size;
  document_.property_blocks_.push_back(std::move(block));
  return true;
}

void DocumentBuilder::push_text(PropertyType type, std::string_view text) {
  Property& property = push();
  property.type = type;
  property.text = text;
}

void DocumentBuilder::push_array(char element, ArrayEncoding encoding, std::uint64_t count,
                                 std::string_view payload) {
  Property& property = push();
  property.type = PropertyType::kArray;
  property.element = element;
  property.encoding = encoding;
  property.integer = static_cast<std::int64_t>(count);
  property.text = payload;
}

void DocumentBuilder::drop_pending() {
  std::fill_n(block_next_, num_pending_, Property{});
  num_pending_ = 0;
}

void DocumentBuilder::commit() {
  Node& node = document_.nodes_.back();
  node.first_property = block_next_;
  node.num_properties = static_cast<std::uint32_t>(num_pending_);
  block_next_ += num_pending_;
  block_left_ -= num_pending_;
  num_pending_ = 0;
}

std::string_view DocumentBuilder::own(std::string text) {
  if (!book(text.size() + sizeof(std::string))) return {};
  return document_.owned_.emplace_back(std::move(text));
}

bool DocumentBuilder::book_array(std::uint64_t num_elements, std::size_t element_size,
                                 std::size_t num_encoded, ArrayEncoding encoding) {
  // Counts are 32 bits in binary files; an ASCII one is compared with the text's length before it
  // comes here.
  const std::uint64_t num_bytes = num_elements * element_size;
  switch (encoding) {
    case ArrayEncoding::kRaw:
      if (num_bytes != num_encoded)
        return fail(
            ErrorCode::kInvalid,
            fmt::format("an array of {} elements of {} bytes claims to be stored in {} bytes",
                        num_elements, element_size, num_encoded));
      break;
    case ArrayEncoding::kDeflate:
      if (num_bytes > num_encoded * kMaxDeflateRatio)
        return fail(ErrorCode::kLimit,
                    fmt::format("{} compressed bytes cannot hold an array of {} bytes; the file is "
                                "damaged",
                                num_encoded, num_bytes));
      break;
    default:
      break;
  }
  return book(num_bytes);
}

bool DocumentBuilder::fail(ErrorCode code, std::string message) {
  error_.code = code;
  error_.message = std::move(message);
  error_.where.byte_offset = byte_offset_;
  error_.where.line = line_;
  return false;
}

void DocumentBuilder::warn(std::string message) {
  if (warnings_ == nullptr) return;
  warnings_->push_back({std::move(message), Where{.line = line_, .byte_offset = byte_offset_}});
}

Result<Document> DocumentBuilder::finish(int version, bool binary, bool big_endian) {
  document_.version_ = version;
  document_.binary_ = binary;
  document_.big_endian_ = big_endian;
  return std::move(document_);
}

Error unsupported_version(std::int64_t version) {
  return {ErrorCode::kUnsupported,
          fmt::format(
              "FBX version {} is not supported ({} to {} are); export it as FBX 2020 or FBX 2014",
              version, kMinVersion, kMaxVersion),
          {}};
}

}  // namespace zoe::io::fbx
