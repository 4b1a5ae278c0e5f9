// SPDX-License-Identifier: MIT
// Part of Zoetrope. Document::read_array: raw, deflated, tagged and textual payloads to vectors of
// numbers.
#include <algorithm>
#include <bit>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <libdeflate.h>

#include "io/fbx/ascii_number.h"
#include "io/fbx/bytes.h"
#include "io/fbx/document.h"

namespace zoe::io::fbx {
namespace {

// Values outside To's range are clamped, not-a-number becomes 0: nothing here is undefined for
// hostile data.
template <typename To, typename From>
To convert(From value) {
  if constexpr (std::is_floating_point_v<To> || sizeof(From) < sizeof(To)) {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      return convert<To>(static_cast<double>(value));
    } else {
      return static_cast<To>(value);
    }
  } else if constexpr (std::is_floating_point_v<From>) {
    // The upper bound of a 64-bit integer is not a double; 2^63 is.
    constexpr auto kLow = static_cast<double>(std::numeric_limits<To>::min());
    if (!(value == value)) return 0;
    if (value <= kLow) return std::numeric_limits<To>::min();
    if (value >= -kLow) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
  } else {
    return static_cast<To>(
        std::clamp<std::int64_t>(value, std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
  }
}

template <bool kBig, typename From, typename To>
void convert_elements(const char* source, std::vector<To>& values) {
  constexpr bool kNative = kBig == (std::endian::native == std::endian::big);
  if constexpr (std::is_same_v<From, To> && kNative) {
    if (reinterpret_cast<const char*>(values.data()) == source) return;
    std::memcpy(values.data(), source, values.size() * sizeof(To));
  } else {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = convert<To>(load<kBig, From>(source + i * sizeof(From)));
  }
}

template <bool kBig, typename To>
void convert_elements(char element, const char* source, std::vector<To>& values) {
  switch (element) {
    case 'b':
    case 'c':
      return convert_elements<kBig, std::uint8_t>(source, values);
    case 'i':
      return convert_elements<kBig, std::int32_t>(source, values);
    case 'l':
      return convert_elements<kBig, std::int64_t>(source, values);
    case 'f':
      return convert_elements<kBig, float>(source, values);
    default:
      return convert_elements<kBig, double>(source, values);
  }
}

template <typename T>
constexpr char element_code() {
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 8 ? 'd' : 'f';
  return sizeof(T) == 8 ? 'l' : 'i';
}

bool inflate(std::string_view source, char* target, std::size_t num_bytes) {
  struct Free {
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  };
  thread_local const std::unique_ptr<libdeflate_decompressor, Free> decompressor(libdeflate_alloc_decompressor());
  return decompressor != nullptr && libdeflate_zlib_decompress(decompressor.get(), source.data(), source.size(), target,
                                                               num_bytes, nullptr) == LIBDEFLATE_SUCCESS;
}

template <typename T>
bool decode_tagged(const Property& property, bool big_endian, std::vector<T>& values) {
  const char* at = property.text.data();
  const auto number = [&]<typename From>(From) {
    const From value = big_endian ? load<true, From>(at) : load<false, From>(at);
    at += sizeof(From);
    return convert<T>(value);
  };
  // The parser has checked the type codes and that they fill the payload.
  for (T& value : values) {
    switch (*at++) {
      case 'Y':
        value = number(std::int16_t{});
        break;
      case 'I':
        value = number(std::int32_t{});
        break;
      case 'L':
        value = number(std::int64_t{});
        break;
      case 'F':
        value = number(float{});
        break;
      default:
        value = number(double{});
        break;
    }
  }
  return true;
}

// Comments may be between the numbers.
const char* skip_separators(const char* at, const char* end) {
  while (at != end) {
    if (*at == ';') {
      while (at != end && *at != '\n') ++at;
    } else if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

template <typename T>
bool decode_text(const Property& property, std::vector<T>& values) {
  const char* at = property.text.data();
  const char* end = at + property.text.size();
  AsciiNumber number;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) {
      at = skip_separators(at, end);
      if (at == end || *at++ != ',') return false;
    }
    at = skip_separators(at, end);
    if (at == end) return false;
    if ((*at == 'T' || *at == 'Y' || *at == 'F' || *at == 'N') && (at + 1 == end || !is_number_part(at[1]))) {
      values[i] = *at == 'T' || *at == 'Y';
      ++at;
      continue;
    }
    at = parse_number(at, end, number);
    if (at == nullptr) return false;
    if (property.encoding == ArrayEncoding::kTextBits) {
      values[i] = convert<T>(std::bit_cast<float>(static_cast<std::uint32_t>(number.integer)));
    } else {
      values[i] = number.is_integer && std::is_integral_v<T> ? convert<T>(number.integer) : convert<T>(number.real);
    }
  }
  at = skip_separators(at, end);
  if (at != end && *at == ',') at = skip_separators(at + 1, end);
  return at == end;
}

template <typename T>
bool decode(const Property& property, bool big_endian, std::vector<T>& values) {
  values.resize(static_cast<std::size_t>(property.integer));
  if (values.empty() && property.encoding != ArrayEncoding::kText) return true;
  const auto convert_from = [&](const char* source) {
    big_endian ? convert_elements<true>(property.element, source, values)
               : convert_elements<false>(property.element, source, values);
  };
  switch (property.encoding) {
    case ArrayEncoding::kRaw:
      convert_from(property.text.data());
      return true;
    case ArrayEncoding::kTagged:
      return decode_tagged(property, big_endian, values);
    case ArrayEncoding::kText:
    case ArrayEncoding::kTextBits:
      return decode_text(property, values);
    case ArrayEncoding::kDeflate:
      break;
  }
  const std::size_t num_bytes = values.size() * array_element_size(property.element);
  if (property.element == element_code<T>()) {
    char* target = reinterpret_cast<char*>(values.data());
    if (!inflate(property.text, target, num_bytes)) return false;
    convert_from(target);
    return true;
  }
  const auto inflated = std::make_unique_for_overwrite<char[]>(num_bytes);
  if (!inflate(property.text, inflated.get(), num_bytes)) return false;
  convert_from(inflated.get());
  return true;
}

}  // namespace

template <typename T>
Result<void> Document::read_array_into(const Node& node, std::vector<T>& values) const {
  const PropertyValues list(*this, node);
  values.clear();
  const auto array =
      std::find_if(list.begin(), list.end(), [](const Property& p) { return p.type == PropertyType::kArray; });
  if (array != list.end()) {
    if (decode(*array, big_endian_, values)) return {};
    values.clear();
    return Error{ErrorCode::kInvalid,
                 fmt::format("the array of record \"{}\" does not hold the {} numbers it declares; "
                             "the file is damaged",
                             node.name, array->integer),
                 where(node)};
  }
  values.reserve(list.size());
  for (const Property& property : list) {
    if (property.type > PropertyType::kReal) {
      values.clear();
      return Error{ErrorCode::kInvalid, fmt::format("record \"{}\" should hold numbers only", node.name), where(node)};
    }
    values.push_back(property.type == PropertyType::kInteger ? convert<T>(property.integer)
                                                             : convert<T>(property.real));
  }
  return {};
}

std::size_t Document::array_size(const Node& node) const {
  const PropertyValues list(*this, node);
  const auto array =
      std::find_if(list.begin(), list.end(), [](const Property& p) { return p.type == PropertyType::kArray; });
  return array != list.end() ? static_cast<std::size_t>(array->integer) : list.size();
}

template Result<void> Document::read_array_into(const Node&, std::vector<std::int32_t>&) const;
template Result<void> Document::read_array_into(const Node&, std::vector<std::int64_t>&) const;
template Result<void> Document::read_array_into(const Node&, std::vector<float>&) const;
template Result<void> Document::read_array_into(const Node&, std::vector<double>&) const;

}  // namespace zoe::io::fbx
