// SPDX-License-Identifier: MIT
// OpenGL without a display (EGL's surfaceless platform) and CUDA, both queried through dlopen so that zoe links
// neither.
#include <fmt/format.h>

#include "doctor/finding.h"
#include "doctor/shared_library.h"

namespace zoe::cli {
namespace {

// The few names of EGL 1.5 and OpenGL that the probe uses, with the values of the Khronos registries.
constexpr unsigned kPlatformSurfacelessMesa = 0x31DD;
constexpr unsigned kOpenGlApi = 0x30A2;
constexpr int kContextMajorVersion = 0x3098;
constexpr int kContextMinorVersion = 0x30FB;
constexpr int kEglNone = 0x3038;
constexpr unsigned kGlRenderer = 0x1F01;
constexpr unsigned kGlVersion = 0x1F02;

Finding without_gl(const char* why) {
  return {"opengl", Health::kMissing, why,
          "apt-get install libegl1 libgl1-mesa-dri (software rendering, no display needed)"};
}

Finding probe_opengl() {
  const SharedLibrary egl("libEGL.so.1");
  if (!egl) return without_gl("libEGL is not installed (only rendering needs it)");
  const auto get_proc = egl.function<void*(const char*)>("eglGetProcAddress");
  const auto initialize = egl.function<unsigned(void*, int*, int*)>("eglInitialize");
  const auto bind_api = egl.function<unsigned(unsigned)>("eglBindAPI");
  const auto create_context = egl.function<void*(void*, void*, void*, const int*)>("eglCreateContext");
  const auto make_current = egl.function<unsigned(void*, void*, void*, void*)>("eglMakeCurrent");
  const auto terminate = egl.function<unsigned(void*)>("eglTerminate");
  if (!get_proc || !initialize || !bind_api || !create_context || !make_current || !terminate) {
    return without_gl("libEGL lacks functions of EGL 1.4");
  }
  using GetDisplay = void*(unsigned, void*, const int*);
  const auto get_display = reinterpret_cast<GetDisplay*>(get_proc("eglGetPlatformDisplayEXT"));
  void* display = get_display != nullptr ? get_display(kPlatformSurfacelessMesa, nullptr, nullptr) : nullptr;
  int major = 0, minor = 0;
  if (display == nullptr || !initialize(display, &major, &minor)) return without_gl("EGL has no surfaceless platform");

  Finding finding = without_gl("EGL gives no OpenGL 4.5 context");
  const int attributes[] = {kContextMajorVersion, 4, kContextMinorVersion, 5, kEglNone};
  void* context = bind_api(kOpenGlApi) ? create_context(display, nullptr, nullptr, attributes) : nullptr;
  if (context != nullptr && make_current(display, nullptr, nullptr, context)) {
    using GetString = const char*(unsigned);
    const auto get_string = reinterpret_cast<GetString*>(get_proc("glGetString"));
    const char* renderer = get_string != nullptr ? get_string(kGlRenderer) : nullptr;
    const char* version = get_string != nullptr ? get_string(kGlVersion) : nullptr;
    if (renderer != nullptr && version != nullptr) {
      finding = {"opengl", Health::kOk,
                 fmt::format("{} on {} (EGL {}.{} surfaceless)", version, renderer, major, minor), ""};
    }
    make_current(display, nullptr, nullptr, nullptr);
  }
  terminate(display);
  return finding;
}

Finding without_cuda(const char* why) {
  return {"cuda", Health::kMissing, why,
          "everything runs on the CPU; training a large model needs an NVIDIA GPU and driver"};
}

Finding probe_cuda() {
  const SharedLibrary cuda("libcuda.so.1");
  if (!cuda) return without_cuda("no NVIDIA driver");
  const auto init = cuda.function<int(unsigned)>("cuInit");
  const auto count_devices = cuda.function<int(int*)>("cuDeviceGetCount");
  const auto device_name = cuda.function<int(char*, int, int)>("cuDeviceGetName");
  const auto device_memory = cuda.function<int(std::size_t*, int)>("cuDeviceTotalMem_v2");
  int count = 0;
  if (!init || !count_devices || !device_name || !device_memory || init(0) != 0 || count_devices(&count) != 0 ||
      count == 0) {
    return without_cuda("an NVIDIA driver without a usable device");
  }
  std::string value;
  for (int device = 0; device < count; ++device) {
    char name[128] = {};
    std::size_t bytes = 0;
    device_name(name, sizeof name - 1, device);
    device_memory(&bytes, device);
    value += fmt::format("{}{} ({:.0f} GiB)", value.empty() ? "" : ", ", name, static_cast<double>(bytes) / (1 << 30));
  }
  return {"cuda", Health::kOk, value, ""};
}

}  // namespace

void probe_graphics(Findings& findings) {
  findings.push_back(probe_opengl());
  findings.push_back(probe_cuda());
}

}  // namespace zoe::cli
