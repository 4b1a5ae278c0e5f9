// SPDX-License-Identifier: MIT
#include "controller/serve.h"

#include <fmt/format.h>

#include "zoe/core/interrupt.h"
#include "zoe/stream/serve.h"

namespace zoe::cli {

int serve(const control::Controller& controller, const PlayOptions& options) {
  const auto opened = stream::IntentPort::open(controller, {.address = options.listen,
                                                            .port = options.port,
                                                            .token = options.token,
                                                            .command_timeout_s = options.command_timeout_s});
  if (!opened) return print_error(opened.error());
  stream::IntentPort& port = **opened;
  const InterruptGuard interrupt;
  // The program that started this one with port 0 reads the line.
  fmt::print("listening on {}:{}\n", options.listen, port.port());
  std::fflush(stdout);
  const stream::ServeReport report = stream::serve(
      controller, port,
      {.fps = options.fps, .seconds = options.seconds, .is_finished = [&] { return interrupt.interrupted(); }});
  const stream::PortCounts counts = port.counts();
  if (!quiet()) {
    fmt::print("{:.1f} s: {} commands, {} refused; {} frames sent, {} dropped; state {:016x}\n", report.seconds,
               counts.accepted, counts.refused, counts.sent, counts.dropped, report.hash);
  }
  return kDone;
}

}  // namespace zoe::cli
