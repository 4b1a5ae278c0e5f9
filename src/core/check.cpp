// SPDX-License-Identifier: MIT
#include "zoe/core/check.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace zoe {
namespace {

void print_and_abort(const char* file, int line, const char* condition, const std::string& message) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s%s\n", file, line, condition, message.empty() ? "" : ": ",
               message.c_str());
  std::abort();
}

std::atomic<CheckHandler> g_handler{&print_and_abort};

}  // namespace

CheckHandler set_check_handler(CheckHandler handler) {
  return g_handler.exchange(handler != nullptr ? handler : &print_and_abort);
}

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
  g_handler.load()(file, line, condition, message);
  std::abort();
}

}  // namespace zoe
