// SPDX-License-Identifier: MIT
#include "controller/serve.h"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "zoe/stream/port.h"
#include "zoe/core/interrupt.h"

namespace zoe::cli {
int serve(const control::Controller& controller, const PlayOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto opened = stream::IntentPort::open(controller, {.address = options.listen, .port = options.port});
  if (!opened) return print_error(opened.error());
  stream::IntentPort& port = **opened;
  const InterruptGuard interrupt;
  // Whoever started us with port 0 has to know.
  fmt::print("listening on {}:{}\n", options.listen, port.port());
  std::fflush(stdout);

  const auto state = controller.make_state();
  const double dt_s = 1 / options.fps;
  const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(dt_s));
  Clock::time_point due = Clock::now();
  double time_s = 0;
  for (; !interrupt.interrupted() && (options.seconds == 0 || time_s < options.seconds); time_s += dt_s) {
    port.receive(controller, *state);
    controller.tick(*state, port.intent(), dt_s);
    port.send(*state, dt_s);
    due += step;
    // After a pause of the whole program time goes on from here, not in a rush.
    if (Clock::now() > due + std::chrono::milliseconds(250)) due = Clock::now();
    std::this_thread::sleep_until(due);
  }
  const stream::PortCounts counts = port.counts();
  if (!quiet()) {
    fmt::print("{:.1f} s: {} commands, {} refused; {} frames sent, {} dropped; state {:016x}\n", time_s,
               counts.accepted, counts.refused, counts.sent, counts.dropped, state->hash());
  }
  return kDone;
}

}  // namespace zoe::cli
