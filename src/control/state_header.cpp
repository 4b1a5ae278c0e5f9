// SPDX-License-Identifier: MIT
#include "zoe/control/state_header.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/bytes.h"

namespace zoe::control {

StateHeader StateHeader::of(const std::array<char, 4>& magic, std::string_view type, std::uint64_t fingerprint) {
  StateHeader header{magic, kVersion, {}, fingerprint};
  std::copy_n(type.begin(), std::min(type.size(), header.type.size()), header.type.begin());
  return header;
}

std::string_view StateHeader::type_name() const {
  const auto end = std::find(type.begin(), type.end(), '\0');
  // It may contain any bytes, and is part of a message.
  const bool is_word = std::all_of(type.begin(), end, [](char c) { return c > ' ' && c < 127; });
  return is_word ? std::string_view(type.data(), static_cast<std::size_t>(end - type.begin())) : "?";
}

Result<void> check_header(const StateHeader& expected, std::size_t num_bytes, std::span<const std::byte> bytes) {
  const char* what = expected.magic == StateHeader::kCrowd ? "crowd" : "state";
  const auto wrong = [&](ErrorCode code, std::string message) {
    return Error{code, fmt::format("saved {}: {}", what, message), {}};
  };
  if (bytes.size() < sizeof(StateHeader)) {
    return wrong(ErrorCode::kSyntax, fmt::format("{} bytes are too few for a header", bytes.size()));
  }
  const auto header = load_le<StateHeader>(bytes.data());
  if (header.magic != expected.magic) return wrong(ErrorCode::kSyntax, fmt::format("these bytes are no {}", what));
  if (header.version != expected.version) {
    return wrong(ErrorCode::kUnsupported,
                 fmt::format("it is of version {}, this program reads {}", header.version, expected.version));
  }
  if (header.type != expected.type) {
    return wrong(ErrorCode::kInvalid, fmt::format("it is of a controller of type '{}', this one is '{}'",
                                                  header.type_name(), expected.type_name()));
  }
  if (header.fingerprint != expected.fingerprint) {
    return wrong(ErrorCode::kInvalid, fmt::format("it is of another '{}' model (fingerprint {:016x}, not {:016x})",
                                                  expected.type_name(), header.fingerprint, expected.fingerprint));
  }
  if (bytes.size() != num_bytes) {
    return wrong(ErrorCode::kSyntax, fmt::format("it has {} bytes where there should be {}", bytes.size(), num_bytes));
  }
  return {};
}

}  // namespace zoe::control
