// SPDX-License-Identifier: MIT
// Part of Zoetrope. The C interface: version, errors, arithmetic.
#include "common.h"

#include "zoe/core/arithmetic.h"
#include "zoe/core/version.h"

namespace zoe::capi {

namespace {

// The text of the thread's last failure. The fixed part serves when memory has ended.
struct LastError {
  std::string text;
  const char* shown = "";
};
LastError& last_error() noexcept {
  thread_local LastError error;
  return error;
}

zoe_status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kIo:
      return ZOE_ERROR_IO;
    case ErrorCode::kSyntax:
      return ZOE_ERROR_SYNTAX;
    case ErrorCode::kInvalid:
      return ZOE_ERROR_INVALID;
    case ErrorCode::kUnsupported:
      return ZOE_ERROR_UNSUPPORTED;
    case ErrorCode::kLimit:
      return ZOE_ERROR_LIMIT;
    case ErrorCode::kUsage:
      return ZOE_ERROR_USAGE;
  }
  return ZOE_ERROR_INVALID;
}

}  // namespace

#ifndef __cpp_exceptions
zoe_status fail(zoe_status status, const char* text) noexcept {
  last_error().text = text;
  last_error().shown = last_error().text.c_str();
  return status;
}
zoe_status fail(const Error& error) noexcept { return fail(status_of(error.code), error.format().c_str()); }
#else
zoe_status fail(zoe_status status, const char* text) noexcept {
  LastError& error = last_error();
  try {
    error.text = text;
    error.shown = error.text.c_str();
  } catch (...) {
    error.shown = "out of memory";
  }
  return status;
}

zoe_status fail(const Error& error) noexcept {
  try {
    return fail(status_of(error.code), error.format().c_str());
  } catch (...) {
    return fail(ZOE_ERROR_MEMORY, "out of memory");
  }
}
#endif

}  // namespace zoe::capi

const char* zoe_version(void) { return ZOE_VERSION_STRING; }
int32_t zoe_abi_version(void) { return ZOE_ABI_VERSION; }
const char* zoe_last_error(void) { return zoe::capi::last_error().shown; }

void zoe_set_deterministic(int32_t is_deterministic) {
  zoe::set_arithmetic(is_deterministic != 0 ? zoe::Arithmetic::kDeterministic : zoe::Arithmetic::kFast);
}
