// SPDX-License-Identifier: MIT
// Part of Zoetrope. Numbers and poses as JSON.
#pragma once

#include <charconv>
#include <span>

#include <nlohmann/json.hpp>

#include "zoe/character/pose.h"

namespace zoe::author {

using Json = nlohmann::ordered_json;

// The double with the shortest text that reads back as this float: 0.1, not 0.10000000149011612.
inline double number(float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  double out = 0;
  std::from_chars(text, end, out);
  return out;
}
inline Json numbers(std::span<const float> values) {
  Json out = Json::array();
  for (const float value : values) out.push_back(number(value));
  return out;
}
inline Json vector(Vec3 v) { return {number(v.x), number(v.y), number(v.z)}; }
inline Json quaternion(Quat q) { return {number(q.x), number(q.y), number(q.z), number(q.w)}; }

}  // namespace zoe::author
