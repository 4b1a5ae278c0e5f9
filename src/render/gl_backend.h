// SPDX-License-Identifier: MIT
// The renderer on OpenGL.
#pragma once

#include <filesystem>
#include <memory>

#include "zoe/render/context.h"

#include "render/backend.h"

namespace zoe::render {

Result<std::unique_ptr<Backend>> make_gl_backend(Context& context, const std::filesystem::path& shader_folder);

}  // namespace zoe::render
