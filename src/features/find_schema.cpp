// SPDX-License-Identifier: MIT
#include "zoe/features/find_schema.h"

#include <filesystem>

namespace zoe::features {

Result<Schema> find_schema(const std::string& preset_or_file) {
  std::error_code ignored;
  const bool is_file = preset_or_file.ends_with(".toml") || std::filesystem::is_regular_file(preset_or_file, ignored);
  return is_file ? Schema::load(preset_or_file) : Schema::preset(preset_or_file);
}

}  // namespace zoe::features
