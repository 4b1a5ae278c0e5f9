// SPDX-License-Identifier: MIT
// Part of Zoetrope. An array of a container (npy, npz, safetensors): element type, shape, bytes. Functions here convert
// it to plain C++ values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zoe/core/check.h"
#include "zoe/core/result.h"

namespace zoe {

enum class DType : std::uint8_t {
  kBool,
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kF16,
  kBF16,
  kF32,
  kF64,
  kBytes,  // NumPy 'S': fixed-width byte strings, padded with NUL.
  kUtf32,  // NumPy 'U': fixed-width UTF-32 strings, padded with NUL.
};

// "float32", "bool", "string".
const char* to_string(DType dtype);
// Bytes of one element; 0 for strings, whose width is part of the array.
std::size_t dtype_bytes(DType dtype);

template <typename T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, bool>)
    return DType::kBool;
  else if constexpr (std::is_same_v<T, float>)
    return DType::kF32;
  else if constexpr (std::is_same_v<T, double>)
    return DType::kF64;
  else {
    static_assert(std::is_integral_v<T> && sizeof(T) <= 8);
    constexpr int kLog2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<DType>(static_cast<int>(std::is_signed_v<T> ? DType::kI8 : DType::kU8) + kLog2);
  }
}

// Owns nothing but its shape. `bytes` holds exactly num_items() * item_bytes bytes, of any alignment.
struct ArrayView {
  DType dtype = DType::kU8;
  std::size_t item_bytes = 1;
  std::vector<std::size_t> shape;  // Empty: a scalar.
  bool fortran_order = false;      // First index fastest; else the last one.
  bool big_endian = false;
  std::span<const std::byte> bytes;

  std::size_t num_items() const { return item_bytes == 0 ? 0 : bytes.size() / item_bytes; }

  // The elements without a copy; nullopt unless type, order and alignment allow it (then use to_floats() and so on).
  template <typename T>
  std::optional<std::span<const T>> as() const {
    const bool row_major = !fortran_order || shape.size() < 2;
    const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(T) == 0;
    if (dtype != dtype_of<T>() || !row_major || !aligned || (big_endian && sizeof(T) > 1)) return std::nullopt;
    return std::span<const T>(reinterpret_cast<const T*>(bytes.data()), num_items());
  }
};

// An array that owns its bytes, or views bytes of another owner (a mapped file). Movable; the view stays valid.
class Array {
 public:
  Array() = default;
  explicit Array(ArrayView view) : view_(std::move(view)) {}
  Array(ArrayView view, std::unique_ptr<std::byte[]> storage) : view_(std::move(view)), storage_(std::move(storage)) {}

  const ArrayView& view() const { return view_; }
  bool owns_bytes() const { return storage_ != nullptr; }

 private:
  ArrayView view_;
  std::unique_ptr<std::byte[]> storage_;
};

struct NamedArray {
  std::string name;
  ArrayView view;
};
bool names_are_unique(std::span<const NamedArray> arrays);

// Number of elements of a shape times item_bytes; nullopt when that overflows.
std::optional<std::size_t> array_bytes(std::span<const std::size_t> shape, std::size_t item_bytes);

// A view of values in memory. The product of `shape` must be their number. Without a shape: one axis.
template <typename T>
ArrayView view_of(std::span<const T> values, std::vector<std::size_t> shape) {
  ArrayView view{dtype_of<T>(), sizeof(T), std::move(shape), false, false, std::as_bytes(values)};
  ZOE_CHECK(array_bytes(view.shape, sizeof(T)) == values.size_bytes(), "the shape does not match the number of values");
  return view;
}
template <typename T>
ArrayView view_of(const std::vector<T>& values, std::vector<std::size_t> shape) {
  return view_of(std::span<const T>(values), std::move(shape));
}
template <typename T>
ArrayView view_of(const std::vector<T>& values) {
  return view_of(std::span<const T>(values), {values.size()});
}

// One axis of UTF-8 texts as a NumPy 'U' array, with the width of the longest. Broken UTF-8 becomes U+FFFD.
Array string_array(std::span<const std::string> texts);

// All elements, row by row (last index fastest) for any order in the file. Numbers of any type become floats; strings
// are refused.
Result<std::vector<float>> to_floats(const ArrayView& array);
Result<std::vector<double>> to_doubles(const ArrayView& array);

// As above. Refused (with the element's index) where a value is no integer or out of range.
Result<std::vector<std::int32_t>> to_int32(const ArrayView& array);
Result<std::vector<std::int64_t>> to_int64(const ArrayView& array);

// Texts as UTF-8 without their padding. A std::string is larger than a short element, hence the limit.
Result<std::vector<std::string>> to_strings(const ArrayView& array, std::size_t max_items = std::size_t{1} << 20);

}  // namespace zoe
