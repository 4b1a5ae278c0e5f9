// SPDX-License-Identifier: MIT
#include "io/gltf/uri.h"

#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace zoe::io::gltf {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kBad = 255, kSkip = 254;

constexpr std::array<std::uint8_t, 256> make_table() {
  std::array<std::uint8_t, 256> table{};
  table.fill(kBad);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  table['-'] = 62;  // The URL-safe alphabet, which some exporters use.
  table['_'] = 63;
  for (const char c : {'=', '\n', '\r', ' ', '\t'}) table[static_cast<unsigned char>(c)] = kSkip;
  return table;
}
constexpr std::array<std::uint8_t, 256> kTable = make_table();

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "http:", "file:", "c:" — letters before a colon.
bool has_scheme(std::string_view uri) {
  for (const char c : uri) {
    if (c == ':') return true;
    if (c == '/' || c == '?' || c == '#') return false;
  }
  return false;
}

}  // namespace

std::optional<DataUri> parse_data_uri(std::string_view uri) {
  if (!uri.starts_with("data:")) return std::nullopt;
  uri.remove_prefix(5);
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) return DataUri{};
  DataUri data;
  std::string_view head = uri.substr(0, comma);
  data.payload = uri.substr(comma + 1);
  if (head.ends_with(";base64")) {
    data.base64 = true;
    head.remove_suffix(7);
  }
  data.mime_type = head.substr(0, head.find(';'));
  return data;
}

std::optional<std::vector<std::byte>> decode_base64(std::string_view text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int num_bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // Whole groups of four use the fast path.
    if (num_bits == 0 && i + 4 <= text.size()) {
      const auto at = [&](std::size_t k) { return kTable[static_cast<unsigned char>(text[i + k])]; };
      const std::uint8_t a = at(0), b = at(1), c = at(2), d = at(3);
      if ((a | b | c | d) < 64) {
        const std::uint32_t group = (std::uint32_t{a} << 18) | (std::uint32_t{b} << 12) | (std::uint32_t{c} << 6) | d;
        bytes.push_back(static_cast<std::byte>(group >> 16));
        bytes.push_back(static_cast<std::byte>((group >> 8) & 255));
        bytes.push_back(static_cast<std::byte>(group & 255));
        i += 3;
        continue;
      }
    }
    const std::uint8_t value = kTable[static_cast<unsigned char>(text[i])];
    if (value == kBad) return std::nullopt;
    if (value == kSkip) continue;
    bits = (bits << 6) | value;
    num_bits += 6;
    if (num_bits >= 8) {
      num_bits -= 8;
      bytes.push_back(static_cast<std::byte>((bits >> num_bits) & 255));
    }
  }
  return bytes;
}

std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = (group << 8) | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? kAlphabet[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

std::string percent_decode(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
      plain += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::string percent_encode(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

Result<std::filesystem::path> resolve_uri(const std::filesystem::path& folder, std::string_view uri) {
  const auto refuse = [&](const char* why) {
    return Error{ErrorCode::kUnsupported, fmt::format("'{}' {}", uri.substr(0, 200), why), {}};
  };
  if (has_scheme(uri)) return refuse("is not a file beside this one; only data: URIs and relative names are followed");
  const std::string plain = percent_decode(uri);
  if (plain.find('\0') != std::string::npos || plain.find('\\') != std::string::npos)
    return refuse("is not a plain relative name");
  const std::filesystem::path relative = std::filesystem::path(plain).lexically_normal();
  if (relative.empty() || relative.is_absolute() || *relative.begin() == "..") {
    return refuse("leaves the folder of the file; move it there");
  }
  return folder / relative;
}

}  // namespace zoe::io::gltf
