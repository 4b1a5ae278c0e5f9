// SPDX-License-Identifier: MIT
#include "zoe/stream/serve.h"

#include <chrono>
#include <thread>

namespace zoe::stream {

ServeReport serve(const control::Controller& controller, IntentPort& port, const ServeOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto state = controller.make_state();
  const double dt_s = 1 / options.fps;
  const auto step = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(dt_s));
  Clock::time_point due = Clock::now();
  double time_s = 0;
  for (; options.seconds == 0 || time_s < options.seconds; time_s += dt_s) {
    if (options.is_finished && options.is_finished()) break;
    port.receive(controller, *state);
    controller.tick(*state, port.intent(), dt_s);
    port.send(*state, dt_s);
    due += step;
    if (Clock::now() > due + std::chrono::milliseconds(250)) due = Clock::now();
    std::this_thread::sleep_until(due);
  }
  return {time_s, state->hash()};
}

}  // namespace zoe::stream
