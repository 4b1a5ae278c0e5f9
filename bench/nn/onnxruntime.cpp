// SPDX-License-Identifier: MIT
#include "nn/onnxruntime.h"

#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>

namespace zoe::bench {
namespace {

// The runtime's C interface is a table of functions that only grows at its end. These are the slots that we call.
enum Slot : std::size_t {
  kGetErrorMessage = 2,
  kCreateEnv = 3,
  kCreateSessionFromArray = 8,
  kRun = 9,
  kCreateSessionOptions = 10,
  kSetGraphOptimizationLevel = 23,
  kSetIntraOpNumThreads = 24,
  kSetInterOpNumThreads = 25,
  kCreateTensorWithData = 49,
  kCreateCpuMemoryInfo = 69,
  kReleaseEnv = 92,
  kReleaseStatus = 93,
  kReleaseMemoryInfo = 94,
  kReleaseSession = 95,
  kReleaseValue = 96,
  kReleaseSessionOptions = 100,
};
constexpr std::uint32_t kApiVersion = 17;  // Any runtime since 1.17.
constexpr int kFloatTensor = 1, kAllOptimizations = 99, kWarnings = 2;

struct ApiBase {
  const void* const* (*get_api)(std::uint32_t);
  const char* (*get_version)();
};

struct Library {
  const ApiBase* base = nullptr;
  const void* const* slots = nullptr;
  std::string problem;

  template <typename... Args>
  void* call(Slot slot, Args... args) const {
    return reinterpret_cast<void* (*)(Args...)>(const_cast<void*>(slots[slot]))(args...);
  }
  void release(Slot slot, void* object) const {
    if (object != nullptr) reinterpret_cast<void (*)(void*)>(const_cast<void*>(slots[slot]))(object);
  }
  // The result of a call: null is success.
  std::string text(void* status) const {
    if (status == nullptr) return {};
    std::string words = static_cast<const char*>(call(kGetErrorMessage, static_cast<const void*>(status)));
    release(kReleaseStatus, status);
    return words.empty() ? "unknown error" : words;
  }
};

Library open_library() {
  Library library;
  const std::string path = find_onnxruntime();
  if (path.empty()) {
    library.problem = "ONNX Runtime is not there: run tests/node/install.sh, or set ZOE_ONNXRUNTIME";
    return library;
  }
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // Stays open: it keeps threads and statics.
  void* entry = handle == nullptr ? nullptr : dlsym(handle, "OrtGetApiBase");
  if (entry == nullptr) {
    library.problem = path + ": " + dlerror();
    return library;
  }
  library.base = reinterpret_cast<const ApiBase* (*)()>(entry)();
  library.slots = library.base->get_api(kApiVersion);
  if (library.slots == nullptr) library.problem = path + ": too old";
  return library;
}

const Library& library() {
  static const Library one = open_library();
  return one;
}

}  // namespace

std::string find_onnxruntime() {
  const char* chosen = std::getenv("ZOE_ONNXRUNTIME");
  std::string path = chosen != nullptr ? chosen : ZOE_ONNXRUNTIME_DEFAULT;
  return std::filesystem::exists(path) ? path : std::string();
}

std::string onnxruntime_version() { return library().base == nullptr ? std::string() : library().base->get_version(); }

struct OnnxSession::Impl {
  void *env = nullptr, *options = nullptr, *session = nullptr, *memory = nullptr;
  std::vector<Tensor> inputs, outputs;
  std::vector<void*> input_values, output_values;
  std::vector<const char*> input_names, output_names;

  ~Impl() {
    const Library& ort = library();
    for (void* value : input_values) ort.release(kReleaseValue, value);
    for (void* value : output_values) ort.release(kReleaseValue, value);
    ort.release(kReleaseSession, session);
    ort.release(kReleaseMemoryInfo, memory);
    ort.release(kReleaseSessionOptions, options);
    ort.release(kReleaseEnv, env);
  }

  std::string open(std::span<const char> model) {
    const Library& ort = library();
    if (!ort.problem.empty()) return ort.problem;
    std::string why = ort.text(ort.call(kCreateEnv, kWarnings, "zoe", &env));
    if (why.empty()) why = ort.text(ort.call(kCreateSessionOptions, &options));
    if (why.empty()) why = ort.text(ort.call(kSetIntraOpNumThreads, options, 1));
    if (why.empty()) why = ort.text(ort.call(kSetInterOpNumThreads, options, 1));
    if (why.empty()) why = ort.text(ort.call(kSetGraphOptimizationLevel, options, kAllOptimizations));
    if (why.empty()) {
      why = ort.text(ort.call(kCreateSessionFromArray, env, static_cast<const void*>(model.data()), model.size(),
                              options, &session));
    }
    if (why.empty()) why = ort.text(ort.call(kCreateCpuMemoryInfo, 0, 0, &memory));
    const auto bind = [&](std::vector<Tensor>& tensors, std::vector<void*>& values, std::vector<const char*>& names) {
      for (Tensor& t : tensors) {
        if (!why.empty()) return;
        void* value = nullptr;
        why =
            ort.text(ort.call(kCreateTensorWithData, memory, static_cast<void*>(t.values.data()), t.values.size_bytes(),
                              static_cast<const std::int64_t*>(t.dims.data()), t.dims.size(), kFloatTensor, &value));
        values.push_back(value);
        names.push_back(t.name.c_str());
      }
    };
    bind(inputs, input_values, input_names);
    bind(outputs, output_values, output_names);
    return why;
  }
};

OnnxSession::OnnxSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OnnxSession::OnnxSession(OnnxSession&&) noexcept = default;
OnnxSession& OnnxSession::operator=(OnnxSession&&) noexcept = default;
OnnxSession::~OnnxSession() = default;

Result<OnnxSession> OnnxSession::open(std::span<const char> model, std::vector<Tensor> inputs,
                                      std::vector<Tensor> outputs) {
  auto impl = std::make_unique<Impl>();
  impl->inputs = std::move(inputs);
  impl->outputs = std::move(outputs);
  const std::string why = impl->open(model);
  if (!why.empty()) return Error{ErrorCode::kUnsupported, why};
  return OnnxSession(std::move(impl));
}

std::string OnnxSession::run() {
  const Library& ort = library();
  Impl& i = *impl_;
  return ort.text(ort.call(
      kRun, i.session, static_cast<const void*>(nullptr), static_cast<const char* const*>(i.input_names.data()),
      static_cast<void* const*>(i.input_values.data()), i.input_values.size(),
      static_cast<const char* const*>(i.output_names.data()), i.output_names.size(), i.output_values.data()));
}

}  // namespace zoe::bench
