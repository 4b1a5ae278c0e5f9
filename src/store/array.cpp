// SPDX-License-Identifier: MIT
#include "zoe/store/array.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "zoe/core/bytes.h"
#include "zoe/core/half.h"
#include "zoe/core/utf8.h"

namespace zoe {
namespace {

// 16-bit floats need a type other than that of the integers they are stored as.
struct Half {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};
struct Bool {
  std::uint8_t byte;
};

template <typename T>
auto plain(T value) {
  if constexpr (std::is_same_v<T, Half>)
    return half_to_float(value.bits);
  else if constexpr (std::is_same_v<T, BFloat16>)
    return bfloat16_to_float(value.bits);
  else if constexpr (std::is_same_v<T, Bool>)
    return static_cast<std::uint8_t>(value.byte != 0);
  else
    return value;
}

// Returns false when `value` has no exact counterpart among Out's integers.
template <typename Out, typename In>
bool convert_one(In value, Out& out) {
  if constexpr (std::is_floating_point_v<Out>) {
    out = static_cast<Out>(value);
  } else if constexpr (std::is_floating_point_v<In>) {
    // The bounds are powers of two, hence exact as floats; the comparison is false for NaN.
    constexpr In kEnd = static_cast<In>(std::uint64_t{1} << (8 * sizeof(Out) - 1));
    if (!(value >= -kEnd && value < kEnd && value == std::trunc(value))) return false;
    out = static_cast<Out>(value);
  } else {
    if (!std::in_range<Out>(value)) return false;
    out = static_cast<Out>(value);
  }
  return true;
}

template <typename In, typename Out>
Result<std::vector<Out>> convert_all(const ArrayView& array) {
  std::vector<Out> out(array.num_items());
  const std::byte* bytes = array.bytes.data();
  for (std::size_t i = 0; i < out.size(); ++i, bytes += sizeof(In)) {
    const In stored = array.big_endian ? load_be<In>(bytes) : load_le<In>(bytes);
    if (!convert_one(plain(stored), out[i])) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("element {} is {}: not an integer of {} bits", i, plain(stored), 8 * sizeof(Out))};
    }
  }
  return out;
}

// From first-index-fastest to last-index-fastest.
template <typename T>
std::vector<T> to_row_major(std::vector<T> items, const std::vector<std::size_t>& shape) {
  if (shape.size() < 2 || items.empty()) return items;
  std::vector<T> out;
  out.reserve(items.size());
  std::vector<std::size_t> strides(shape.size(), 1), index(shape.size(), 0);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) strides[axis] = strides[axis - 1] * shape[axis - 1];
  std::size_t offset = 0;
  while (out.size() < items.size()) {
    out.push_back(std::move(items[offset]));
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      offset += strides[axis];
      if (++index[axis] < shape[axis]) break;
      offset -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

template <typename Out>
Result<std::vector<Out>> in_memory_order(const ArrayView& array) {
  switch (array.dtype) {
    case DType::kBool:
      return convert_all<Bool, Out>(array);
    case DType::kI8:
      return convert_all<std::int8_t, Out>(array);
    case DType::kI16:
      return convert_all<std::int16_t, Out>(array);
    case DType::kI32:
      return convert_all<std::int32_t, Out>(array);
    case DType::kI64:
      return convert_all<std::int64_t, Out>(array);
    case DType::kU8:
      return convert_all<std::uint8_t, Out>(array);
    case DType::kU16:
      return convert_all<std::uint16_t, Out>(array);
    case DType::kU32:
      return convert_all<std::uint32_t, Out>(array);
    case DType::kU64:
      return convert_all<std::uint64_t, Out>(array);
    case DType::kF16:
      return convert_all<Half, Out>(array);
    case DType::kBF16:
      return convert_all<BFloat16, Out>(array);
    case DType::kF32:
      return convert_all<float, Out>(array);
    case DType::kF64:
      return convert_all<double, Out>(array);
    case DType::kBytes:
    case DType::kUtf32:
      break;
  }
  return Error{ErrorCode::kInvalid, "the array holds strings where numbers are needed"};
}

template <typename Out>
Result<std::vector<Out>> to_numbers(const ArrayView& array) {
  ZOE_TRY_ASSIGN(std::vector<Out> items, in_memory_order<Out>(array));
  return array.fortran_order ? to_row_major(std::move(items), array.shape) : std::move(items);
}

Result<std::string> decode_utf32(const ArrayView& array, const std::byte* bytes) {
  std::size_t length = array.item_bytes / 4;
  const auto code_at = [&](std::size_t i) {
    return array.big_endian ? load_be<std::uint32_t>(bytes + 4 * i) : load_le<std::uint32_t>(bytes + 4 * i);
  };
  while (length > 0 && code_at(length - 1) == 0) --length;
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint32_t code = code_at(i);
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      return Error{ErrorCode::kInvalid, fmt::format("0x{:x} is not a Unicode character", code)};
    }
    append_utf8(text, code);
  }
  return text;
}

std::string decode_bytes(const ArrayView& array, const std::byte* bytes) {
  std::size_t length = array.item_bytes;
  while (length > 0 && bytes[length - 1] == std::byte{0}) --length;
  return {reinterpret_cast<const char*>(bytes), length};
}

}  // namespace

const char* to_string(DType dtype) {
  constexpr const char* kNames[] = {"bool",   "int8",    "int16",    "int32",   "int64",   "uint8", "uint16", "uint32",
                                    "uint64", "float16", "bfloat16", "float32", "float64", "bytes", "string"};
  return kNames[static_cast<std::size_t>(dtype)];
}

std::size_t dtype_bytes(DType dtype) {
  constexpr std::size_t kBytesOf[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 0, 0};
  return kBytesOf[static_cast<std::size_t>(dtype)];
}

std::optional<std::size_t> array_bytes(std::span<const std::size_t> shape, std::size_t item_bytes) {
  // An axis of 0 makes the array empty, for any size of the others.
  for (const std::size_t length : shape) {
    if (length == 0) return 0;
  }
  std::size_t total = item_bytes;
  for (const std::size_t length : shape) {
    if (!multiply_fits(total, length, total)) return std::nullopt;
  }
  return total;
}

Array string_array(std::span<const std::string> texts) {
  std::vector<std::u32string> decoded(texts.size());
  std::size_t width = 1;  // NumPy has no strings of width 0.
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t at = 0; at < texts[i].size();) decoded[i] += next_code_point(texts[i], at);
    width = std::max(width, decoded[i].size());
  }
  const std::size_t item_bytes = 4 * width;
  auto storage = std::make_unique<std::byte[]>(texts.size() * item_bytes);
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    if (!decoded[i].empty()) std::memcpy(storage.get() + i * item_bytes, decoded[i].data(), 4 * decoded[i].size());
  }
  const std::span<const std::byte> bytes(storage.get(), texts.size() * item_bytes);
  return {ArrayView{DType::kUtf32, item_bytes, {texts.size()}, false, false, bytes}, std::move(storage)};
}

Result<std::vector<float>> to_floats(const ArrayView& array) { return to_numbers<float>(array); }
Result<std::vector<double>> to_doubles(const ArrayView& array) { return to_numbers<double>(array); }
Result<std::vector<std::int32_t>> to_int32(const ArrayView& array) { return to_numbers<std::int32_t>(array); }
Result<std::vector<std::int64_t>> to_int64(const ArrayView& array) { return to_numbers<std::int64_t>(array); }

Result<std::vector<std::string>> to_strings(const ArrayView& array, std::size_t max_items) {
  if (array.dtype != DType::kBytes && array.dtype != DType::kUtf32) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("the array holds {} where strings are needed", to_string(array.dtype))};
  }
  if (array.num_items() > max_items) {
    return Error{ErrorCode::kLimit,
                 fmt::format("{} strings are more than the {} allowed", array.num_items(), max_items)};
  }
  std::vector<std::string> texts(array.num_items());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::byte* item = array.bytes.data() + i * array.item_bytes;
    if (array.dtype == DType::kBytes) {
      texts[i] = decode_bytes(array, item);
      continue;
    }
    Result<std::string> text = decode_utf32(array, item);
    if (!text) return Error{ErrorCode::kInvalid, fmt::format("element {}: {}", i, text.error().message)};
    texts[i] = std::move(*text);
  }
  return array.fortran_order ? to_row_major(std::move(texts), array.shape) : std::move(texts);
}

bool names_are_unique(std::span<const NamedArray> arrays) {
  std::vector<std::string_view> names;
  for (const NamedArray& array : arrays) names.push_back(array.name);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

}  // namespace zoe
