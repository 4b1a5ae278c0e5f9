// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Libraries that zoe does not link, opened only to query them.
#pragma once

#include <dlfcn.h>

namespace zoe::cli {

class SharedLibrary {
 public:
  explicit SharedLibrary(const char* name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  // Never closed: GL drivers keep threads and exit handlers inside the library.
  ~SharedLibrary() = default;

  explicit operator bool() const { return handle_ != nullptr; }

  template <typename Function>
  Function* function(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(handle_, name));
  }

 private:
  void* handle_;
};

}  // namespace zoe::cli
