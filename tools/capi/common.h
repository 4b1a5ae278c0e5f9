// SPDX-License-Identifier: MIT
// Part of Zoetrope. Handles of the C interface, and what all its functions do: refuse null, keep the text of an error,
// let no exception out.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "zoe/control/crowd.h"
#include "zoe/core/thread_pool.h"
#include "zoe/zoe.h"

struct zoe_controller {
  zoe::control::ControllerPtr ptr;
};

struct zoe_ground {
  zoe::GroundPtr ptr;
};

struct zoe_character {
  zoe::control::ControllerPtr controller;
  std::unique_ptr<zoe::control::ControllerState> owned;  // Null for characters of a crowd.
  zoe::control::ControllerState* state = nullptr;
};

struct zoe_crowd {
  std::unique_ptr<zoe::ThreadPool> own_pool;  // Null: the shared one.
  std::unique_ptr<zoe::control::Crowd> crowd;
  std::vector<zoe_character> characters;      // [size]
  std::vector<zoe::control::Intent> intents;  // [size]
  int num_models = 0;
};

namespace zoe::capi {

// Keeps the text for zoe_last_error(). `text` may be long; texts of out-of-memory are static.
zoe_status fail(zoe_status status, const char* text) noexcept;
zoe_status fail(const Error& error) noexcept;
inline zoe_status refuse_null(const char* what) noexcept { return fail(ZOE_ERROR_USAGE, what); }

// Runs `body`, which returns a zoe_status. Nothing below throws but the standard library, when memory ends.
template <typename Body>
zoe_status guarded(const Body& body) noexcept {
#ifndef __cpp_exceptions  // In web pages a lack of memory ends the program.
  return body();
#else
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail(ZOE_ERROR_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return fail(ZOE_ERROR_INVALID, error.what());
  }
#endif
}

// A new handle from a Result, or its error.
template <typename Handle, typename Value, typename Make>
zoe_status give(Result<Value> result, Handle** out, const Make& make) {
  if (!result) return fail(result.error());
  *out = make(std::move(result).value());
  return ZOE_OK;
}

control::Intent from_c(const zoe_intent& intent) noexcept;
zoe_intent to_c(const control::Intent& intent) noexcept;
PlanarRoot root_of(const zoe_placement& placement) noexcept;
control::Proportions proportions_of(const zoe_placement& placement) noexcept;

inline const float* floats(const Vec3* values) { return reinterpret_cast<const float*>(values); }
inline const float* floats(const Quat* values) { return reinterpret_cast<const float*>(values); }
static_assert(sizeof(Vec3) == 3 * sizeof(float) && sizeof(Quat) == 4 * sizeof(float));

}  // namespace zoe::capi
