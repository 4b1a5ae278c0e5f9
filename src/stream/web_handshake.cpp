// SPDX-License-Identifier: MIT
// Part of Zoetrope. The HTTP part of WebSockets.
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "stream/web_socket.h"

namespace zoe::stream {
namespace {

// FIPS 180-4. The handshake wants it; it protects nothing here.
std::array<std::uint8_t, 20> sha1(std::string_view text) {
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>((std::uint64_t{text.size()} * 8) >> shift);
  std::uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  for (std::size_t block = 0; block < padded.size(); block += 64) {
    std::uint32_t w[80];
    for (std::size_t i = 0; i < 16; ++i) {
      w[i] = 0;
      for (std::size_t k = 0; k < 4; ++k) w[i] = w[i] << 8 | static_cast<std::uint8_t>(padded[block + 4 * i + k]);
    }
    for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    std::uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (std::size_t i = 0; i < 80; ++i) {
      const std::uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5A827999
                                  : i < 40 ? (b ^ c ^ d) + 0x6ED9EBA1
                                  : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC
                                           : (b ^ c ^ d) + 0xCA62C1D6;
      const std::uint32_t next = std::rotl(a, 5) + mixed + e + w[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
  }
  std::array<std::uint8_t, 20> out;
  for (std::size_t i = 0; i < 20; ++i) out[i] = static_cast<std::uint8_t>(h[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < left ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? kLetters[(three >> (18 - 6 * k)) & 63] : '=';
  }
  return out;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_word(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// True if one of the words between commas is `word`.
bool lists(std::string_view value, std::string_view word) {
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    if (same_word(trimmed(value.substr(0, comma)), word)) return true;
    if (comma == std::string_view::npos) return false;
    value.remove_prefix(comma + 1);
  }
  return false;
}

Error refused_head(std::string why) { return {ErrorCode::kSyntax, std::move(why), {}}; }

// Calls on_field(name, value). False: a line is no field.
template <class OnField>
bool each_field(std::string_view head, const OnField& on_field) {
  for (std::size_t end = 0; (end = head.find("\r\n")) != std::string_view::npos; head.remove_prefix(end + 2)) {
    const std::string_view line = head.substr(0, end);
    if (line.empty()) return true;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 || line[0] == ' ' || line[0] == '\t') return false;
    on_field(line.substr(0, colon), trimmed(line.substr(colon + 1)));
  }
  return false;
}

std::string token_of(std::string_view target) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {};
  std::string_view query = target.substr(mark + 1);
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view one = query.substr(0, end);
    if (one.starts_with("token=")) return std::string(one.substr(6));
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace

Result<WebRequest> read_web_request(std::string_view head) {
  const std::size_t end = head.find("\r\n");
  const std::string_view first = head.substr(0, end);
  if (end == std::string_view::npos || !first.ends_with(" HTTP/1.1")) return refused_head("400 Bad Request");
  if (!first.starts_with("GET /")) return refused_head("405 Method Not Allowed");
  WebRequest request;
  request.token = token_of(first.substr(4, first.size() - 4 - 9));
  bool upgrades = false, connects = false, is_13 = false;
  int keys = 0;
  const bool is_whole = each_field(head.substr(end + 2), [&](std::string_view name, std::string_view value) {
    if (same_word(name, "upgrade")) upgrades = lists(value, "websocket");
    if (same_word(name, "connection")) connects = lists(value, "upgrade");
    if (same_word(name, "sec-websocket-version")) is_13 = value == "13";
    if (same_word(name, "origin")) request.origin = value;
    if (same_word(name, "sec-websocket-key")) {
      request.key = value;
      ++keys;
    }
  });
  if (!is_whole) return refused_head("400 Bad Request");
  if (!upgrades || !connects || !is_13) return refused_head("426 Upgrade Required");
  if (keys != 1 || request.key.size() != 24) return refused_head("400 Bad Request");
  return request;
}

bool is_local_origin(std::string_view origin) {
  if (origin.empty()) return true;
  const std::size_t mark = origin.find("://");
  if (mark == std::string_view::npos) return false;
  std::string_view host = origin.substr(mark + 3);
  if (const std::size_t colon = host.find(':'); colon != std::string_view::npos) host = host.substr(0, colon);
  return host == "localhost" || host == "127.0.0.1";
}

std::string web_accept_key(std::string_view key) {
  return base64(sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
}

std::string web_answer(const WebRequest& request) {
  return fmt::format(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: {}\r\n\r\n",
      web_accept_key(request.key));
}

std::string web_refusal(std::string_view status_and_why) {
  const std::string_view needs =
      status_and_why.starts_with("426") ? "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" : "";
  return fmt::format("HTTP/1.1 {}\r\n{}Connection: close\r\nContent-Length: 0\r\n\r\n", status_and_why, needs);
}

std::string web_question(const std::string& host, int port, const std::string& key, const std::string& token) {
  return fmt::format(
      "GET /{} HTTP/1.1\r\nHost: {}:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {}\r\n"
      "Sec-WebSocket-Version: 13\r\n\r\n",
      token.empty() ? "" : "?token=" + token, host, port, key);
}

Result<void> check_web_answer(std::string_view head, std::string_view key) {
  const std::size_t end = head.find("\r\n");
  const std::string_view first = head.substr(0, end);
  if (end == std::string_view::npos || !first.starts_with("HTTP/1.1 101")) {
    return refused_head(fmt::format("the server refuses a WebSocket: {}", first.substr(0, 80)));
  }
  bool fits = false;
  const bool is_whole = each_field(head.substr(end + 2), [&](std::string_view name, std::string_view value) {
    if (same_word(name, "sec-websocket-accept")) fits = value == web_accept_key(key);
  });
  if (!is_whole || !fits) return refused_head("the server's answer does not fit the question");
  return {};
}

}  // namespace zoe::stream
