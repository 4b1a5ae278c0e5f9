// SPDX-License-Identifier: MIT
#include "zoe/store/npy.h"

#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "zoe/core/bytes.h"

#include "store/npy_header.h"

namespace zoe {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// NumPy's letter for a type, and its width.
struct TypeCode {
  DType dtype;
  char kind;
  std::size_t bytes;
};
constexpr std::array kTypeCodes{
    TypeCode{DType::kBool, 'b', 1}, TypeCode{DType::kI8, 'i', 1},  TypeCode{DType::kI16, 'i', 2},
    TypeCode{DType::kI32, 'i', 4},  TypeCode{DType::kI64, 'i', 8}, TypeCode{DType::kU8, 'u', 1},
    TypeCode{DType::kU16, 'u', 2},  TypeCode{DType::kU32, 'u', 4}, TypeCode{DType::kU64, 'u', 8},
    TypeCode{DType::kF16, 'f', 2},  TypeCode{DType::kF32, 'f', 4}, TypeCode{DType::kF64, 'f', 8},
};

// "<f4", ">i2", "|S7", "<U16".
Result<ArrayView> parse_descr(std::string_view descr) {
  const auto unsupported = [&](const char* advice) {
    return Error{ErrorCode::kUnsupported, fmt::format("arrays of type '{}' are not read: {}", descr, advice)};
  };
  ArrayView array;
  std::string_view rest = descr;
  if (!rest.empty() && std::string_view("<>|=").find(rest.front()) != std::string_view::npos) {
    array.big_endian = rest.front() == '>';
    rest.remove_prefix(1);
  }
  const char kind = rest.empty() ? '\0' : rest.front();
  if (kind == 'O')
    return unsupported("Python objects are pickles, which can run code; save numbers or strings instead");
  std::size_t number = 0;
  if (!rest.empty()) rest.remove_prefix(1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc() || end != rest.data() + rest.size()) return unsupported("convert to numbers or strings");
  if (kind == 'S' || kind == 'U' || kind == 'a') {
    constexpr std::size_t kMaxWidth = std::size_t{1} << 31;
    if (number == 0 || number > kMaxWidth) return unsupported("a string needs 1 to 2^31 characters");
    array.dtype = kind == 'U' ? DType::kUtf32 : DType::kBytes;
    array.item_bytes = kind == 'U' ? 4 * number : number;
    return array;
  }
  for (const TypeCode& code : kTypeCodes) {
    if (code.kind != kind || code.bytes != number) continue;
    array.dtype = code.dtype;
    array.item_bytes = code.bytes;
    return array;
  }
  return unsupported("convert to bool, integers, float16, float32, float64 or strings");
}

Error truncated(std::size_t offset, std::string message) {
  return {ErrorCode::kSyntax, std::move(message), {.byte_offset = static_cast<std::int64_t>(offset)}};
}

std::string descr_of(const ArrayView& array) {
  const char order = array.big_endian ? '>' : '<';
  if (array.dtype == DType::kUtf32) return fmt::format("{}U{}", order, array.item_bytes / 4);
  if (array.dtype == DType::kBytes) return fmt::format("|S{}", array.item_bytes);
  for (const TypeCode& code : kTypeCodes) {
    if (code.dtype == array.dtype) return fmt::format("{}{}{}", code.bytes == 1 ? '|' : order, code.kind, code.bytes);
  }
  return "";
}

}  // namespace

Result<NpyHeader> parse_npy_header(std::span<const std::byte> start_of_file) {
  const std::string_view text = as_text(start_of_file);
  if (!text.starts_with(kMagic)) return truncated(0, "not an npy file: it does not begin with \\x93NUMPY");
  if (text.size() < 10) return truncated(text.size(), "the npy header is cut off");
  const int major = static_cast<int>(start_of_file[6]);
  if (major < 1 || major > 3) {
    return Error{
        ErrorCode::kUnsupported, fmt::format("npy version {} is unknown; 1 to 3 are read", major), {.byte_offset = 6}};
  }
  // Version 1 has a 16-bit length; 2 and 3 (UTF-8 field names) a 32-bit one.
  const std::size_t prefix_bytes = major == 1 ? 10 : 12;
  if (text.size() < prefix_bytes) return truncated(text.size(), "the npy header is cut off");
  const std::size_t dict_bytes =
      major == 1 ? load_le<std::uint16_t>(start_of_file.data() + 8) : load_le<std::uint32_t>(start_of_file.data() + 8);
  if (dict_bytes > kMaxNpyHeaderBytes - prefix_bytes) {
    return Error{
        ErrorCode::kLimit, fmt::format("an npy header of {} bytes is too long", dict_bytes), {.byte_offset = 8}};
  }
  if (dict_bytes > text.size() - prefix_bytes) return truncated(text.size(), "the npy header is cut off");

  const auto shift = [&](Error error) {
    if (error.where.byte_offset >= 0) error.where.byte_offset += static_cast<std::int64_t>(prefix_bytes);
    return error;
  };
  Result<NpyDict> dict = parse_npy_dict(text.substr(prefix_bytes, dict_bytes));
  if (!dict) return shift(std::move(dict).error());
  ZOE_TRY_ASSIGN(ArrayView array, parse_descr(dict->descr));
  array.fortran_order = dict->fortran_order;
  array.shape = std::move(dict->shape);
  const std::optional<std::size_t> payload_bytes = array_bytes(array.shape, array.item_bytes);
  if (!payload_bytes || *payload_bytes > std::numeric_limits<std::int64_t>::max()) {
    return Error{ErrorCode::kLimit, "the shape has more elements than memory can hold", {.byte_offset = 8}};
  }
  return NpyHeader{std::move(array), prefix_bytes + dict_bytes, *payload_bytes};
}

Result<ArrayView> parse_npy(std::span<const std::byte> file) {
  ZOE_TRY_ASSIGN(NpyHeader header, parse_npy_header(file));
  const std::span<const std::byte> payload = file.subspan(header.header_bytes);
  if (payload.size() < header.payload_bytes) {
    return truncated(file.size(), fmt::format("the npy array is cut off: {} of {} bytes are there", payload.size(),
                                              header.payload_bytes));
  }
  header.array.bytes = payload.first(header.payload_bytes);
  return std::move(header.array);
}

Result<NpyFile> NpyFile::open(const std::filesystem::path& path, MappedFile::Access access) {
  NpyFile npy;
  ZOE_TRY_ASSIGN(npy.file_, MappedFile::open(path, access));
  Result<ArrayView> array = parse_npy(npy.file_.bytes());
  if (!array) {
    Error error = std::move(array).error();
    error.where.file = path.string();
    return error;
  }
  npy.array_ = std::move(*array);
  return npy;
}

Result<std::string> encode_npy_header(const ArrayView& array) {
  const std::string descr = descr_of(array);
  if (descr.empty()) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("NumPy has no {}: convert to float32 first", to_string(array.dtype))};
  }
  ZOE_CHECK(array.bytes.empty() || array_bytes(array.shape, array.item_bytes) == array.bytes.size(),
            "the array's bytes do not match its shape");
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}", descr,
                                 array.fortran_order ? "True" : "False", fmt::join(array.shape, ", "),
                                 array.shape.size() == 1 ? "," : "");
  constexpr std::size_t kPrefixBytes = 10;
  constexpr std::size_t kAlignment = 64;
  const std::size_t unpadded = kPrefixBytes + dict.size() + 1;
  dict.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dict += '\n';
  ZOE_CHECK(dict.size() < 65536, "too many axes");
  const auto length = static_cast<std::uint16_t>(dict.size());
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return header + dict;
}

Result<void> write_npy(const std::filesystem::path& path, const ArrayView& array) {
  ZOE_TRY_ASSIGN(const std::string header, encode_npy_header(array));
  return write_file_atomic(path, {as_bytes(header), array.bytes});
}

}  // namespace zoe
