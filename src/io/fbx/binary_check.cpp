// SPDX-License-Identifier: MIT
// Part of Zoetrope. Checks binary FBX from end to end. The file is a list of records
//   end offset, number of properties, bytes of properties (each 4 bytes before version 7500, 8
//   since), length of the name (1 byte), name, properties, child records, one all-zero record when
//   there are children.
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "io/fbx/binary_property.h"
#include "io/fbx/check.h"

namespace zoe::io::fbx {
namespace {

constexpr std::size_t kEndianByte = 22;
constexpr std::size_t kVersionByte = 23;
constexpr std::size_t kHeaderBytes = 27;

template <bool kBig, typename Word>
class BinaryCheck {
 public:
  BinaryCheck(std::span<const std::byte> source, DocumentCheck& check)
      : begin_(reinterpret_cast<const char*>(source.data())), end_(begin_ + source.size()), check_(check) {}

  bool parse() { return parse_records(begin_ + kHeaderBytes, end_, 0); }

 private:
  static constexpr std::size_t kRecordHeaderBytes = 3 * sizeof(Word) + 1;

  std::int64_t offset(const char* at) const { return at - begin_; }

  bool fail(const char* at, ErrorCode code, std::string message) {
    check_.at(offset(at));
    return check_.fail(code, std::move(message));
  }

  // Records from `at` up to the all-zero record or `end`, the end of the parent.
  bool parse_records(const char* at, const char* end, int depth) {
    if (depth > kMaxDepth)
      return fail(at, ErrorCode::kLimit, fmt::format("records are nested deeper than {}", kMaxDepth));
    while (static_cast<std::size_t>(end - at) >= kRecordHeaderBytes) {
      const Word end_offset = load<kBig, Word>(at);
      const Word num_properties = load<kBig, Word>(at + sizeof(Word));
      const Word num_property_bytes = load<kBig, Word>(at + 2 * sizeof(Word));
      const auto name_length = static_cast<unsigned char>(at[3 * sizeof(Word)]);
      if (end_offset == 0) return true;

      const char* name = at + kRecordHeaderBytes;
      const auto room = static_cast<std::uint64_t>(end - begin_);
      const auto name_end = static_cast<std::uint64_t>(offset(name)) + name_length;
      if (end_offset > room || end_offset < name_end) [[unlikely]]
        return fail(at, ErrorCode::kSyntax,
                    fmt::format("a record ends at byte {}, outside {} to {}; the file is cut short or damaged",
                                end_offset, name_end, room));
      if (num_property_bytes > end_offset - name_end) [[unlikely]]
        return fail(at, ErrorCode::kSyntax, "a record's properties reach beyond its end");

      const char* record_end = begin_ + end_offset;
      const char* properties = name + name_length;
      const char* properties_end = properties + num_property_bytes;
      if (num_properties != 0 && !parse_properties(properties, properties_end, num_properties)) return false;
      if (properties_end != record_end && !parse_records(properties_end, record_end, depth + 1)) return false;
      at = record_end;
    }
    if (depth == 0) {
      check_.at(offset(at));
      check_.warn("the file has no end record, so it may be cut short; everything up to its end was read");
    }
    return true;
  }

  bool parse_properties(const char* at, const char* end, Word count) {
    if (count > static_cast<std::uint64_t>(end - at) / 2)  // The smallest property is a letter and a byte.
      return fail(at, ErrorCode::kSyntax,
                  fmt::format("{} properties do not fit into {} bytes", count, offset(end) - offset(at)));
    check_.at(offset(at));
    if (count > kMaxScalars && tagged_numbers(at, end, count) != 0)
      return check_.book_array(count, 8, end - at, ArrayEncoding::kTagged);
    if (!check_.check_property_count(count)) return false;
    for (Word i = 0; i < count; ++i) {
      Property property;
      PropertyFault fault = PropertyFault::kNone;
      const char* after = read_property<kBig>(at, end, property, fault);
      if (after == nullptr) return refuse(at, fault, property);
      if (property.type == PropertyType::kArray) {
        check_.at(offset(at));
        if (!check_.book_array(static_cast<std::uint64_t>(property.integer), array_element_size(property.element),
                               property.text.size(), property.encoding))
          return false;
      }
      at = after;
    }
    if (at != end && !warned_slack_) {
      warned_slack_ = true;
      check_.at(offset(at));
      check_.warn("a record's property list is longer than its properties; the rest is skipped");
    }
    return true;
  }

  bool refuse(const char* at, PropertyFault fault, const Property& property) {
    switch (fault) {
      case PropertyFault::kType:
        return fail(at, ErrorCode::kSyntax,
                    fmt::format("unknown property type 0x{:02x}", static_cast<unsigned char>(*at)));
      case PropertyFault::kEncoding:
        return fail(at, ErrorCode::kUnsupported,
                    fmt::format("array encoding {} is not known (0 and 1 are)", property.integer));
      default:
        return fail(at, ErrorCode::kSyntax, "a property reaches beyond its record's property list");
    }
  }

  const char* begin_;
  const char* end_;
  DocumentCheck& check_;
  bool warned_slack_ = false;
};

}  // namespace

Result<Document> parse_binary(std::span<const std::byte> source, const ReadLimits& limits, Warnings* warnings) {
  if (source.size() < kHeaderBytes)
    return Error{ErrorCode::kSyntax, "the file ends inside the FBX header",
                 Where{.byte_offset = static_cast<std::int64_t>(source.size())}};
  const bool big_endian = source[kEndianByte] != std::byte{0};
  const char* version_at = reinterpret_cast<const char*>(source.data()) + kVersionByte;
  const std::uint32_t version =
      big_endian ? load<true, std::uint32_t>(version_at) : load<false, std::uint32_t>(version_at);
  if (version < kMinVersion || version > kMaxVersion) {
    Error error = unsupported_version(version);
    error.where.byte_offset = kVersionByte;
    return error;
  }

  DocumentCheck check(source, limits, warnings);
  const bool wide = version >= kFirst64BitVersion;
  const bool parsed = big_endian ? (wide ? BinaryCheck<true, std::uint64_t>(source, check).parse()
                                         : BinaryCheck<true, std::uint32_t>(source, check).parse())
                                 : (wide ? BinaryCheck<false, std::uint64_t>(source, check).parse()
                                         : BinaryCheck<false, std::uint32_t>(source, check).parse());
  if (!parsed) return check.error();
  check.set_layout(reinterpret_cast<const char*>(source.data()) + kHeaderBytes, true, wide, big_endian);
  return check.finish(static_cast<int>(version));
}

}  // namespace zoe::io::fbx
