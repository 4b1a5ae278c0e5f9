// SPDX-License-Identifier: MIT
// Part of Zoetrope. The picture of a character's image: embedded, or a file beside the character.
#pragma once

#include <filesystem>

#include "zoe/character/character.h"
#include "zoe/core/result.h"
#include "zoe/render/picture.h"

namespace zoe::render {

Result<Picture> load_image(const Image& image, const std::filesystem::path& folder);

}  // namespace zoe::render
