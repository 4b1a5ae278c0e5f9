// SPDX-License-Identifier: MIT
// Part of Zoetrope. Tokens of servers that other machines can reach.
#pragma once

#include <string>
#include <string_view>

#include "zoe/core/result.h"

namespace zoe::stream {

constexpr std::size_t kMinTokenLetters = 8, kMaxTokenLetters = 256;

// Takes the same time for every wrong token of a length.
bool same_token(std::string_view given, std::string_view token);
// Empty where the token is in order. is_needed: other machines can reach the address.
std::string wrong_token(const std::string& token, bool is_needed);
// 127.x.x.x. `host` is an IPv4 address.
bool is_loopback(const std::string& host);
// The two above, for a server on `host`.
Result<void> check_token(const std::string& host, const std::string& token);

}  // namespace zoe::stream
