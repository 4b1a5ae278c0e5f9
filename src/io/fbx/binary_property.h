// SPDX-License-Identifier: MIT
// Part of Zoetrope. One property of binary FBX: a type letter and a value; arrays are element
// count, encoding, byte length (4 bytes each) and payload.
#pragma once

#include "io/fbx/bytes.h"
#include "io/fbx/document.h"

namespace zoe::io::fbx {

enum class PropertyFault : std::uint8_t { kNone, kCutShort, kType, kEncoding };

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

// 'l' or 'd' when the properties are numbers and nothing else, else 0. Letters (C) and flags do not
// count as numbers.
inline char tagged_numbers(const char* at, const char* end, std::uint64_t count) {
  char element = 'l';
  for (std::uint64_t i = 0; i < count; ++i) {
    if (at == end) return 0;
    const char code = *at++;
    const std::size_t size = scalar_size(code);
    if (size < 2 || static_cast<std::size_t>(end - at) < size) return 0;
    if (code == 'F' || code == 'D') element = 'd';
    at += size;
  }
  return at == end ? element : char{0};
}

template <bool kBig>
const char* read_array_header(const char* start, const char* end, Property& out, PropertyFault& fault) {
  const auto fail = [&](PropertyFault why) {
    fault = why;
    return nullptr;
  };
  const char* at = start + 1;
  if (array_element_size(*start) == 0) return fail(PropertyFault::kType);
  const auto left = static_cast<std::size_t>(end - at);
  if (left < kArrayHeaderBytes) return fail(PropertyFault::kCutShort);
  const auto num_elements = load<kBig, std::uint32_t>(at);
  const auto encoding = load<kBig, std::uint32_t>(at + 4);
  const auto num_encoded = load<kBig, std::uint32_t>(at + 8);
  if (num_encoded > left - kArrayHeaderBytes) return fail(PropertyFault::kCutShort);
  out.integer = encoding;  // For the message, when it is unknown.
  if (encoding > 1) return fail(PropertyFault::kEncoding);
  out.type = PropertyType::kArray;
  out.element = *start;
  out.encoding = encoding == 1 ? ArrayEncoding::kDeflate : ArrayEncoding::kRaw;
  out.integer = num_elements;
  out.text = {at + kArrayHeaderBytes, num_encoded};
  return at + kArrayHeaderBytes + num_encoded;
}

// Reads the property at `start` into `out`, a new one. Returns the byte after it, or nullptr with `fault` set.
template <bool kBig>
const char* read_property(const char* start, const char* end, Property& out, PropertyFault& fault) {
  const char* at = start;
  const auto left = static_cast<std::size_t>(end - at);
  const std::size_t size = left > 0 ? scalar_size(*at) : 0;
  if (left < size + 1) {
    fault = PropertyFault::kCutShort;
    return nullptr;
  }
  const char code = *at++;
  const auto real = [&](double value) {
    out.type = PropertyType::kReal;
    out.real = value;
    return at + size;
  };
  switch (code) {
    case 'B':
    case 'C':
    case 'Z':
      out.text = {at, 1};
      out.integer = static_cast<unsigned char>(*at);
      return at + size;
    case 'Y':
      out.integer = load<kBig, std::int16_t>(at);
      return at + size;
    case 'I':
      out.integer = load<kBig, std::int32_t>(at);
      return at + size;
    case 'L':
      out.integer = load<kBig, std::int64_t>(at);
      return at + size;
    case 'F':
      return real(static_cast<double>(load<kBig, float>(at)));
    case 'D':
      return real(load<kBig, double>(at));
    case 'S':
    case 'R': {
      const std::size_t length = left >= 5 ? load<kBig, std::uint32_t>(at) : left;
      if (left < 5 || length > left - 5) {
        fault = PropertyFault::kCutShort;
        return nullptr;
      }
      out.type = code == 'S' ? PropertyType::kString : PropertyType::kRaw;
      out.text = {at + 4, length};
      return at + 4 + length;
    }
    default:
      return read_array_header<kBig>(start, end, out, fault);
  }
}

}  // namespace zoe::io::fbx
