// SPDX-License-Identifier: MIT
#include "zoe/render/context.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "zoe/core/log.h"

namespace zoe::render {
namespace {

void on_message(GLenum source, GLenum type, GLuint, GLenum severity, GLsizei, const GLchar* message,
                const void* count) {
  if (source == GL_DEBUG_SOURCE_SHADER_COMPILER) return;  // ShaderLibrary reports these, with their file.
  if (type != GL_DEBUG_TYPE_ERROR && severity != GL_DEBUG_SEVERITY_HIGH) return;
  ++*static_cast<std::size_t*>(const_cast<void*>(count));
  log_error(fmt::format("OpenGL: {}", message));
}

class AdoptedContext final : public Context {
 public:
  explicit AdoptedContext(std::function<void()> make_current) : make_current_(std::move(make_current)) {}
  void make_current() override { make_current_(); }
  Result<void> open(const ContextOptions& options) { return inspect(options); }

 private:
  std::function<void()> make_current_;
};

}  // namespace

Result<std::unique_ptr<Context>> adopt_current_context(std::function<void()> make_current,
                                                       const ContextOptions& options) {
  auto context = std::make_unique<AdoptedContext>(std::move(make_current));
  ZOE_TRY(context->open(options));
  return std::unique_ptr<Context>(std::move(context));
}

Result<void> Context::inspect(const ContextOptions& options) {
  const auto text = [](GLenum name) {
    const GLubyte* value = glGetString(name);
    return std::string(value != nullptr ? reinterpret_cast<const char*>(value) : "?");
  };
  description_ = fmt::format("{}, {}", text(GL_VERSION), text(GL_RENDERER));
  if (epoxy_gl_version() < 45) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("OpenGL 4.5 is needed and this driver has {}: update it, or use Mesa's software driver "
                             "(apt-get install libgl1-mesa-dri, LIBGL_ALWAYS_SOFTWARE=1)",
                             description_)};
  }
  if (options.debug) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_message, &num_errors_);
  }
  return {};
}

}  // namespace zoe::render
