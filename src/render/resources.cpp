// SPDX-License-Identifier: MIT
#include "render/resources.h"

#include <algorithm>
#include <bit>

namespace zoe::render {

gl::Texture make_texture(const Picture& picture, ColorSpace color_space) {
  GLuint name = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &name);
  const auto larger = static_cast<unsigned>(std::max(picture.width, picture.height));
  glTextureStorage2D(name, std::bit_width(larger), color_space == ColorSpace::kSrgb ? GL_SRGB8_ALPHA8 : GL_RGBA8,
                     picture.width, picture.height);
  glTextureSubImage2D(name, 0, 0, 0, picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
  glGenerateTextureMipmap(name);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return gl::Texture(name);
}

}  // namespace zoe::render
