// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zoe/features/schema.h"

namespace zoe::features {

// The schema that a user names: a TOML file, or a preset. A folder of a preset's name is no schema.
Result<Schema> find_schema(const std::string& preset_or_file);

}  // namespace zoe::features
