// SPDX-License-Identifier: MIT
// Part of Zoetrope. A schema as a list of keys. Layouts add their keys to the same list.
#pragma once

#include "zoe/features/schema.h"
#include "zoe/store/config.h"

namespace zoe::features {

// Keys with the schema's values as defaults. The only list of them.
void declare_keys(const Schema& schema, ConfigSchema& keys);
Result<Schema> schema_of(const Config& config);

}  // namespace zoe::features
