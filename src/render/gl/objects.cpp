// SPDX-License-Identifier: MIT
#include "render/gl/objects.h"

#include <algorithm>

namespace zoe::render::gl {

Buffer make_buffer(const void* bytes, std::size_t num_bytes) {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  // A buffer without bytes is an error in OpenGL. One unused vector keeps it valid.
  const float nothing[4] = {};
  if (num_bytes == 0) {
    glNamedBufferStorage(name, sizeof nothing, nothing, 0);
  } else {
    glNamedBufferStorage(name, static_cast<GLsizeiptr>(num_bytes), bytes, 0);
  }
  return Buffer(name);
}

VertexArray make_vertex_array() {
  GLuint name = 0;
  glCreateVertexArrays(1, &name);
  return VertexArray(name);
}

Texture make_target(GLenum format, int width, int height) {
  GLuint name = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &name);
  glTextureStorage2D(name, 1, format, width, height);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return Texture(name);
}

Framebuffer make_framebuffer() {
  GLuint name = 0;
  glCreateFramebuffers(1, &name);
  return Framebuffer(name);
}

Sampler make_sampler(GLenum filter) {
  GLuint name = 0;
  glCreateSamplers(1, &name);
  glSamplerParameteri(name, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
  glSamplerParameteri(name, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(filter));
  glSamplerParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glSamplerParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return Sampler(name);
}

void StreamBuffer::write(const void* bytes, std::size_t num_bytes) {
  if (!buffer_) {
    GLuint name = 0;
    glCreateBuffers(1, &name);
    buffer_ = Buffer(name);
  }
  if (capacity_ == 0 || num_bytes > capacity_) capacity_ = std::max<std::size_t>(256, num_bytes + num_bytes / 2);
  glNamedBufferData(buffer_.name(), static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
  if (num_bytes > 0) glNamedBufferSubData(buffer_.name(), 0, static_cast<GLsizeiptr>(num_bytes), bytes);
}

}  // namespace zoe::render::gl
