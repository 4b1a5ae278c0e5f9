// SPDX-License-Identifier: MIT
// Part of Zoetrope. Binary FBX. The file is a list of records
//   end offset, number of properties, bytes of properties (each 4 bytes before version 7500, 8
//   since), length of the name (1 byte), name, properties, child records, one all-zero record when
//   there are children.
// A property is a type letter and a value; arrays are element count, encoding, byte length (4 bytes
// each) and payload.
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "io/fbx/bytes.h"
#include "io/fbx/document_builder.h"

namespace zoe::io::fbx {
namespace {

constexpr std::size_t kEndianByte = 22;
constexpr std::size_t kVersionByte = 23;
constexpr std::size_t kHeaderBytes = 27;
constexpr int kFirst64BitVersion = 7500;
constexpr std::size_t kArrayHeaderBytes = 12;

// Bytes of a scalar's value; 0: not a scalar.
constexpr std::size_t scalar_size(char code) {
  switch (code) {
    case 'B':
    case 'C':
    case 'Z':
      return 1;
    case 'Y':
      return 2;
    case 'I':
    case 'F':
      return 4;
    case 'L':
    case 'D':
      return 8;
    default:
      return 0;
  }
}

template <bool kBig, typename Word>
class BinaryParser {
 public:
  BinaryParser(std::span<const std::byte> source, DocumentBuilder& builder)
      : begin_(reinterpret_cast<const char*>(source.data())),
        end_(begin_ + source.size()),
        builder_(builder) {}

  bool parse() {
    DocumentBuilder::Siblings top;
    return parse_records(begin_ + kHeaderBytes, end_, top, 0);
  }

 private:
  static constexpr std::size_t kRecordHeaderBytes = 3 * sizeof(Word) + 1;

  std::int64_t offset(const char* at) const { return at - begin_; }

  bool fail(const char* at, ErrorCode code, std::string message) {
    builder_.at(offset(at));
    return builder_.fail(code, std::move(message));
  }

  // Records from `at` up to the all-zero record or `end`, the end of the parent.
  bool parse_records(const char* at, const char* end, DocumentBuilder::Siblings& siblings,
                     int depth) {
    if (depth > kMaxDepth)
      return fail(at, ErrorCode::kLimit,
                  fmt::format("records are nested deeper than {}", kMaxDepth));
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
        return fail(
            at, ErrorCode::kSyntax,
            fmt::format(
                "a record ends at byte {}, outside {} to {}; the file is cut short or damaged",
                end_offset, name_end, room));
      if (num_property_bytes > end_offset - name_end) [[unlikely]]
        return fail(at, ErrorCode::kSyntax, "a record's properties reach beyond its end");

      const char* record_end = begin_ + end_offset;
      const char* properties = name + name_length;
      const char* properties_end = properties + num_property_bytes;
      if (!builder_.add_node(siblings, {name, name_length}, offset(at), -1)) return false;
      if (num_properties != 0 && !parse_properties(properties, properties_end, num_properties))
        return false;
      if (properties_end != record_end) {
        DocumentBuilder::Siblings children{builder_.last_node(), 0};
        if (!parse_records(properties_end, record_end, children, depth + 1)) return false;
      }
      at = record_end;
    }
    if (depth == 0) {
      builder_.at(offset(at));
      builder_.warn(
          "the file has no end record, so it may be cut short; everything up to its end was read");
    }
    return true;
  }

  bool parse_properties(const char* at, const char* end, Word count) {
    if (count >
        static_cast<std::uint64_t>(end - at) / 2)  // The smallest property is a letter and a byte.
      return fail(
          at, ErrorCode::kSyntax,
          fmt::format("{} properties do not fit into {} bytes", count, offset(end) - offset(at)));
    if (count > kMaxScalars) {
      if (const char element = tagged_numbers(at, end, count)) {
        builder_.at(offset(at));
        if (!builder_.book_array(count, 8, end - at, ArrayEncoding::kTagged)) return false;
        if (!builder_.make_room(1)) return false;
        builder_.push_array(element, ArrayEncoding::kTagged, count,
                            {at, static_cast<std::size_t>(end - at)});
        builder_.commit();
        return true;
      }
    }
    builder_.at(offset(at));
    if (!builder_.make_room(count)) return false;
    for (Word i = 0; i < count; ++i) {
      at = parse_property(at, end, builder_.push());
      if (at == nullptr) return false;
    }
    builder_.commit();
    if (at != end && !warned_slack_) {
      warned_slack_ = true;
      builder_.at(offset(at));
      builder_.warn("a record's property list is longer than its properties; the rest is skipped");
    }
    return true;
  }

  // 'l' or 'd' when the properties are numbers and nothing else, else 0. Letters (C) and flags do
  // not count as numbers.
  static char tagged_numbers(const char* at, const char* end, Word count) {
    char element = 'l';
    for (Word i = 0; i < count; ++i) {
      if (at == end) return 0;
      const char code = *at++;
      const std::size_t size = scalar_size(code);
      if (size < 2 || static_cast<std::size_t>(end - at) < size) return 0;
      if (code == 'F' || code == 'D') element = 'd';
      at += size;
    }
    return at == end ? element : char{0};
  }

  // The byte after the property, or nullptr after an error.
  const char* parse_property(const char* at, const char* end, Property& out) {
    const char* start = at;
    if (at == end) return cut_short(start);
    const char code = *at++;
    const auto left = static_cast<std::size_t>(end - at);
    const auto integer = [&](std::int64_t value, std::size_t size) {
      out.integer = value;
      return at + size;
    };
    const auto real = [&](double value, std::size_t size) {
      out.type = PropertyType::kReal;
      out.real = value;
      return at + size;
    };
    switch (code) {
      case 'B':
      case 'C':
      case 'Z':
        if (left < 1) return cut_short(start);
        out.text = {at, 1};
        return integer(static_cast<unsigned char>(*at), 1);
      case 'Y':
        return left < 2 ? cut_short(start) : integer(load<kBig, std::int16_t>(at), 2);
      case 'I':
        return left < 4 ? cut_short(start) : integer(load<kBig, std::int32_t>(at), 4);
      case 'L':
        return left < 8 ? cut_short(start) : integer(load<kBig, std::int64_t>(at), 8);
      case 'F':
        return left < 4 ? cut_short(start) : real(load<kBig, float>(at), 4);
      case 'D':
        return left < 8 ? cut_short(start) : real(load<kBig, double>(at), 8);
      case 'S':
      case 'R': {
        if (left < 4) return cut_short(start);
        const auto size = load<kBig, std::uint32_t>(at);
        if (size > left - 4) return cut_short(start);
        out.type = code == 'S' ? PropertyType::kString : PropertyType::kRaw;
        out.text = {at + 4, size};
        return at + 4 + size;
      }
      default:
        return parse_array(start, end, out);
    }
  }

  const char* parse_array(const char* start, const char* end, Property& out) {
    const char code = *start;
    const char* at = start + 1;
    const std::size_t element_size = array_element_size(code);
    if (element_size == 0) {
      fail(start, ErrorCode::kSyntax,
           fmt::format("unknown property type 0x{:02x}", static_cast<unsigned char>(code)));
      return nullptr;
    }
    const auto left = static_cast<std::size_t>(end - at);
    if (left < kArrayHeaderBytes) return cut_short(start);
    const auto num_elements = load<kBig, std::uint32_t>(at);
    const auto encoding = load<kBig, std::uint32_t>(at + 4);
    const auto num_encoded = load<kBig, std::uint32_t>(at + 8);
    if (num_encoded > left - kArrayHeaderBytes) return cut_short(start);
    if (encoding > 1) {
      fail(start, ErrorCode::kUnsupported,
           fmt::format("array encoding {} is not known (0 and 1 are)", encoding));
      return nullptr;
    }
    out.type = PropertyType::kArray;
    out.element = code;
    out.encoding = encoding == 1 ? ArrayEncoding::kDeflate : ArrayEncoding::kRaw;
    out.integer = num_elements;
    out.text = {at + kArrayHeaderBytes, num_encoded};
    builder_.at(offset(start));
    if (!builder_.book_array(num_elements, element_size, num_encoded, out.encoding)) return nullptr;
    return at + kArrayHeaderBytes + num_encoded;
  }

  const char* cut_short(const char* at) {
    fail(at, ErrorCode::kSyntax, "a property reaches beyond its record's property list");
    return nullptr;
  }

  const char* begin_;
  const char* end_;
  DocumentBuilder& builder_;
  bool warned_slack_ = false;
};

}  // namespace

Result<Document> parse_binary(std::span<const std::byte> source, const ReadLimits& limits,
                              Warnings* warnings) {
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

  DocumentBuilder builder(source, limits, warnings);
  const bool wide = version >= kFirst64BitVersion;
  const bool parsed = big_endian
                          ? (wide ? BinaryParser<true, std::uint64_t>(source, builder).parse()
                                  : BinaryParser<true, std::uint32_t>(source, builder).parse())
                          : (wide ? BinaryParser<false, std::uint64_t>(source, builder).parse()
                                  : BinaryParser<false, std::uint32_t>(source, builder).parse());
  if (!parsed) return builder.error();
  return builder.finish(static_cast<int>(version), true, big_endian);
}

}  // namespace zoe::io::fbx
