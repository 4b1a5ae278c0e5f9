// SPDX-License-Identifier: MIT
// Part of Zoetrope. Pieces of JSON as values, for the writers of engine files.
#pragma once

#include <string>
#include <string_view>

#include "zoe/core/json_text.h"

namespace zoe::sprite {

inline std::string json_text(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

inline std::string json_number(double value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

}  // namespace zoe::sprite
