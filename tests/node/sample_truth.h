// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. What another program should see in a file: joint and vertex positions (model space, metres)
// at some frames of its clips.
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "zoe/io/asset.h"

namespace zoe::test {

// The rest pose alone when there is no clip. `source`: the file that the asset came from, if another program can read
// that too.
nlohmann::ordered_json expectations(const io::Asset& asset, const std::filesystem::path& source);

}  // namespace zoe::test
