// SPDX-License-Identifier: MIT
#include "ground_option.h"

#include <algorithm>

#include "zoe/eval/grounds.h"

#include "verb.h"

namespace zoe::cli {

bool is_ground_picture(const std::string& words) {
  for (const char* extension : {".png", ".jpg", ".jpeg"}) {
    const std::size_t at = words.rfind(extension);
    const std::size_t end = at + std::string_view(extension).size();
    if (at != std::string::npos && (end == words.size() || words[end] == ':')) return true;
  }
  return false;
}

Result<GroundPtr> read_ground(const std::string& words) {
  Warnings warnings;
  auto ground = is_ground_picture(words) ? ground_from_picture(words, warnings) : eval::make_ground(words, &warnings);
  print_warnings(warnings);
  return ground;
}

}  // namespace zoe::cli
