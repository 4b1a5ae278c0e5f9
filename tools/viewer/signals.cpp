// SPDX-License-Identifier: MIT
#include "signals.h"

#include <csignal>

#include <fmt/format.h>

namespace zoe::viewer {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

}  // namespace

InterruptibleHost::InterruptibleHost(scene::Host& host) : host_(host) {
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, [](int) { g_interrupted = 1; });
}

bool InterruptibleHost::poll(std::vector<scene::InputEvent>& events) {
  return g_interrupted == 0 && host_.poll(events);
}

Result<void> check_graphics(const render::Context& context) {
  const std::size_t errors = context.num_errors();
  if (errors == 0) return {};
  return Error{ErrorCode::kInvalid, fmt::format("OpenGL reported {} errors; they are above", errors), {}};
}

}  // namespace zoe::viewer
