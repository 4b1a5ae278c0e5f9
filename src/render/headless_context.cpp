// SPDX-License-Identifier: MIT
// EGL without a surface. libepoxy ends the process when a library it needs is absent, so each is checked first.
#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <fmt/format.h>

#include "zoe/render/context.h"

namespace zoe::render {
namespace {

Error no_gl(const std::string& why) {
  return {ErrorCode::kUnsupported, fmt::format("no OpenGL here: {}. Rendering needs it, with or "
                                               "without a GPU: apt-get install libegl1 libgl1 "
                                               "libegl-mesa0 libgl1-mesa-dri",
                                               why)};
}

bool can_load(const char* library) {
  void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  // Stays open: epoxy opens it again at once.
  return handle != nullptr;
}

// Mesa's surfaceless platform first, then a GPU of the vendor's driver, then the default of the system.
EGLDisplay open_display() {
  const char* list = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const std::string extensions = list != nullptr ? list : "";
  const auto initialised = [](EGLDisplay display) {
    return display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) == EGL_TRUE;
  };
  if (extensions.find("EGL_EXT_platform_base") != std::string::npos) {
    if (extensions.find("EGL_EXT_platform_device") != std::string::npos &&
        extensions.find("EGL_EXT_device_enumeration") != std::string::npos) {
      EGLDeviceEXT devices[16];
      EGLint count = 0;
      if (eglQueryDevicesEXT(16, devices, &count) == EGL_TRUE) {
        for (EGLint i = 0; i < count; ++i) {
          // Mesa's software device is the last of them. Its own platform below is the more reliable access to it.
          const char* device = eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS);
          if (device != nullptr && std::string(device).find("EGL_MESA_device_software") != std::string::npos) continue;
          const EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr);
          if (initialised(display)) return display;
        }
      }
    }
    if (extensions.find("EGL_MESA_platform_surfaceless") != std::string::npos) {
      const EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
      if (initialised(display)) return display;
    }
  }
  const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  return initialised(display) ? display : EGL_NO_DISPLAY;
}

class HeadlessContext final : public Context {
 public:
  explicit HeadlessContext(EGLDisplay display) : display_(display) {}
  ~HeadlessContext() override {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    // The display stays open: it belongs to the process, and another context may use it.
  }

  Result<void> open(const ContextOptions& options) {
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return no_gl("EGL knows OpenGL ES only");
    const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint num_configs = 0;
    if (eglChooseConfig(display_, config_attributes, &config, 1, &num_configs) != EGL_TRUE || num_configs == 0)
      config = nullptr;
    // Requests a low version: inspect() then names the version of an old driver, instead of "no context".
    for (const auto& [major, minor] : {std::pair{4, 5}, std::pair{3, 1}}) {
      const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                   major,
                                   EGL_CONTEXT_MINOR_VERSION,
                                   minor,
                                   EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                   EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                   EGL_CONTEXT_OPENGL_DEBUG,
                                   options.debug ? EGL_TRUE : EGL_FALSE,
                                   EGL_NONE};
      context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, attributes);
      if (context_ != EGL_NO_CONTEXT) break;
    }
    if (context_ == EGL_NO_CONTEXT) return no_gl(fmt::format("EGL provides no context (error 0x{:x})", eglGetError()));
    if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) != EGL_TRUE) {
      return no_gl(fmt::format("EGL cannot use a context without a surface (error 0x{:x})", eglGetError()));
    }
    return inspect(options);
  }

  void make_current() override { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_); }

 private:
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

}  // namespace

Result<std::unique_ptr<Context>> create_headless_context(const ContextOptions& options) {
  if (!can_load("libEGL.so.1")) return no_gl("libEGL.so.1 is not installed");
  if (!can_load("libOpenGL.so.0") && !can_load("libGL.so.1"))
    return no_gl("neither libOpenGL.so.0 nor libGL.so.1 is installed");
  const EGLDisplay display = open_display();
  if (display == EGL_NO_DISPLAY) return no_gl("EGL finds no driver that works without a display");
  auto context = std::make_unique<HeadlessContext>(display);
  ZOE_TRY(context->open(options));
  return std::unique_ptr<Context>(std::move(context));
}

}  // namespace zoe::render
