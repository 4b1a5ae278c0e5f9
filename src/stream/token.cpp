// SPDX-License-Identifier: MIT
#include "stream/token.h"

#include <fmt/format.h>

namespace zoe::stream {

bool same_token(std::string_view given, std::string_view token) {
  if (given.size() != token.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < token.size(); ++i) difference |= static_cast<unsigned char>(given[i] ^ token[i]);
  return difference == 0;
}

std::string wrong_token(const std::string& token, bool is_needed) {
  if (token.empty())
    return is_needed ? "other machines can reach this address: give a token (--token), or listen on 127.0.0.1" : "";
  const bool in_range = token.size() >= kMinTokenLetters && token.size() <= kMaxTokenLetters;
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._+/=";
  if (in_range && token.find_first_not_of(kLetters) == std::string::npos) return "";
  return fmt::format("a token has {} to {} letters, digits or -._+/=", kMinTokenLetters, kMaxTokenLetters);
}

bool is_loopback(const std::string& host) { return host.starts_with("127."); }

Result<void> check_token(const std::string& host, const std::string& token) {
  const std::string wrong = wrong_token(token, !is_loopback(host));
  if (!wrong.empty()) return Error{ErrorCode::kUsage, wrong, {}};
  return {};
}

}  // namespace zoe::stream
