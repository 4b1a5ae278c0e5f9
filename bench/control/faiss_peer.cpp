// SPDX-License-Identifier: MIT
#include "control/faiss_peer.h"

#include <dlfcn.h>

namespace zoe::bench {
namespace {

struct Library {
  void* (*make)(const float*, std::int64_t, int) = nullptr;
  void (*find)(void*, const float*, std::int64_t, std::int64_t*, float*) = nullptr;
  void (*destroy)(void*) = nullptr;
};

const Library& library() {
  static const Library loaded = [] {
    Library out;
#ifdef ZOE_FAISS_MODULE
    if (void* handle = dlopen(ZOE_FAISS_MODULE, RTLD_NOW | RTLD_LOCAL)) {
      out.make = reinterpret_cast<decltype(out.make)>(dlsym(handle, "zoe_faiss_make"));
      out.find = reinterpret_cast<decltype(out.find)>(dlsym(handle, "zoe_faiss_find"));
      out.destroy = reinterpret_cast<decltype(out.destroy)>(dlsym(handle, "zoe_faiss_destroy"));
    }
#endif
    return out;
  }();
  return loaded;
}

}  // namespace

FaissFlat::FaissFlat(std::span<const float> features, int num_dims) {
  if (library().make == nullptr) return;
  index_ = library().make(features.data(), static_cast<std::int64_t>(features.size()) / num_dims, num_dims);
}

FaissFlat::~FaissFlat() {
  if (index_ != nullptr) library().destroy(index_);
}

void FaissFlat::find(std::span<const float> queries, std::span<std::int64_t> frames, std::span<float> costs) const {
  library().find(index_, queries.data(), static_cast<std::int64_t>(frames.size()), frames.data(), costs.data());
}

}  // namespace zoe::bench
