// SPDX-License-Identifier: MIT
#include "zoe/core/result.h"

#include <fmt/format.h>

namespace zoe {

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kSyntax:
      return "syntax";
    case ErrorCode::kInvalid:
      return "invalid";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kLimit:
      return "limit";
    case ErrorCode::kUsage:
      return "usage";
  }
  return "unknown";
}

std::string Where::format() const {
  std::string text = file;
  if (line >= 0) text += fmt::format("{}{}", text.empty() ? "line " : ":", line);
  if (byte_offset >= 0) text += fmt::format("{}0x{:x}", text.empty() ? "offset " : "@", byte_offset);
  if (!joint.empty()) text += fmt::format("{}(joint {})", text.empty() ? "" : " ", joint);
  return text;
}

namespace {
std::string place_and_message(const Where& where, const std::string& message) {
  const std::string place = where.format();
  return place.empty() ? message : place + ": " + message;
}
}  // namespace

std::string Error::format() const { return place_and_message(where, message); }
std::string Warning::format() const { return place_and_message(where, message); }

}  // namespace zoe
