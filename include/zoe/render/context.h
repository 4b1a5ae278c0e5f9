// SPDX-License-Identifier: MIT
// Part of Zoetrope. The source of OpenGL: without a display, or from a window. The renderer works with either.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "zoe/core/result.h"

namespace zoe::render {

struct ContextOptions {
  // Requests error reports from the driver. Errors are logged and counted. Slower: for tests.
  bool debug = false;
};

// One OpenGL 4.5 core context. Everything created in it must be destroyed before it, on its thread.
class Context {
 public:
  virtual ~Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Makes the context current on the calling thread. create_* have already done so.
  virtual void make_current() = 0;

  // "4.5 (Core Profile) Mesa 22.3.6, llvmpipe": for people.
  const std::string& description() const { return description_; }

  // Errors that the driver reported so far; always 0 without ContextOptions::debug.
  std::size_t num_errors() const { return num_errors_; }

 protected:
  Context() = default;
  // For the current context: refuses versions that are too old (kUnsupported), then fills the fields below.
  Result<void> inspect(const ContextOptions& options);

 private:
  std::string description_;
  std::size_t num_errors_ = 0;
};

// Through EGL, without display, window or surface. On a machine without a GPU Mesa renders in software. Fails with
// kUnsupported and what to install where there is no OpenGL at all, or none of version 4.5.
Result<std::unique_ptr<Context>> create_headless_context(const ContextOptions& options = {});

// A context that a window library created and made current on this thread. The library keeps it; it must outlive
// everything created here. make_current: makes it current again. Fails (kUnsupported) where it is older than 4.5.
Result<std::unique_ptr<Context>> adopt_current_context(std::function<void()> make_current,
                                                       const ContextOptions& options = {});

}  // namespace zoe::render
