// SPDX-License-Identifier: MIT
// Part of Zoetrope. Where OpenGL comes from: without a display, or from a window. The renderer does not care.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "zoe/core/result.h"

namespace zoe::render {

struct ContextOptions {
  // Asks the driver to report misuse; errors are logged and counted. Slower: for tests.
  bool debug = false;
};

// One OpenGL 4.5 core context. Everything made in it must be destroyed before it, on its thread.
class Context {
 public:
  virtual ~Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Makes the context the calling thread's. create_* have already done so for the thread that called them.
  virtual void make_current() = 0;

  // "4.5 (Core Profile) Mesa 22.3.6, llvmpipe": for people.
  const std::string& description() const { return description_; }

  // Errors that the driver reported so far; always 0 without ContextOptions::debug.
  std::size_t num_errors() const { return num_errors_; }

 protected:
  Context() = default;
  // For the current context: refuses what is too old (kUnsupported), then fills the fields below.
  Result<void> inspect(const ContextOptions& options);

 private:
  std::string description_;
  std::size_t num_errors_ = 0;
};

// Through EGL, without display, window or surface. On a machine without a GPU Mesa renders in software. Fails with
// kUnsupported and what to install where there is no OpenGL at all, or none of version 4.5.
Result<std::unique_ptr<Context>> create_headless_context(const ContextOptions& options = {});

// One that a window library made, and made current on this thread; it stays the library's, and must outlive what is made here.
// make_current: does it again. Fails (kUnsupported) where it is older than 4.5.
Result<std::unique_ptr<Context>> adopt_current_context(std::function<void()> make_current,
                                                       const ContextOptions& options = {});

}  // namespace zoe::render
