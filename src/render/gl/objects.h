// SPDX-License-Identifier: MIT
// OpenGL objects that free themselves. Names of OpenGL stay below src/render.
#pragma once

#include <cstddef>
#include <utility>

#include <epoxy/gl.h>

namespace zoe::render::gl {

// Owns one name. Deleter releases it. Movable.
template <void (*Delete)(GLuint)>
class Object {
 public:
  Object() = default;
  explicit Object(GLuint name) : name_(name) {}
  Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Object& operator=(Object&& other) noexcept {
    if (this != &other) {
      reset();
      name_ = std::exchange(other.name_, 0);
    }
    return *this;
  }
  ~Object() { reset(); }

  GLuint name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }
  void reset() {
    if (name_ != 0) Delete(std::exchange(name_, 0));
  }

 private:
  GLuint name_ = 0;
};

inline void delete_buffer(GLuint name) { glDeleteBuffers(1, &name); }
inline void delete_texture(GLuint name) { glDeleteTextures(1, &name); }
inline void delete_framebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }
inline void delete_vertex_array(GLuint name) { glDeleteVertexArrays(1, &name); }
inline void delete_sampler(GLuint name) { glDeleteSamplers(1, &name); }
inline void delete_program(GLuint name) { glDeleteProgram(name); }

using Buffer = Object<delete_buffer>;
using Texture = Object<delete_texture>;
using Framebuffer = Object<delete_framebuffer>;
using VertexArray = Object<delete_vertex_array>;
using Sampler = Object<delete_sampler>;
using Program = Object<delete_program>;

Buffer make_buffer(const void* bytes, std::size_t num_bytes);  // Immutable.
VertexArray make_vertex_array();
// One level, nearest filtering, clamped.
Texture make_target(GLenum format, int width, int height);
Framebuffer make_framebuffer();
// A sampler with this filter for both directions, clamped to the edge.
Sampler make_sampler(GLenum filter);

// Data that changes every frame: grows, never shrinks, and is orphaned on each write, so that nothing waits for the
// GPU.
class StreamBuffer {
 public:
  // Reserves num_bytes and writes the first ones. 0 bytes still give a valid buffer.
  void write(const void* bytes, std::size_t num_bytes);
  GLuint name() const { return buffer_.name(); }

 private:
  Buffer buffer_;
  std::size_t capacity_ = 0;
};

}  // namespace zoe::render::gl
