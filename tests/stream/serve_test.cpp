// SPDX-License-Identifier: MIT
#include "zoe/stream/serve.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "control/toy_controller.h"

namespace zoe::stream {
namespace {

using control::test::ToyController;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

TEST(Serve, RunsInRealTimeForTheSecondsThatAreGiven) {
  const ToyController controller;
  const auto port = IntentPort::open(controller, {.port = 0}).value();
  const Clock::time_point start = Clock::now();
  const ServeReport report = serve(controller, *port, {.fps = 100, .seconds = 0.3});
  EXPECT_NEAR(report.seconds, 0.3, 0.011);
  EXPECT_GE(seconds_since(start), 0.29);
}

TEST(Serve, EndsWhereTheCallerSaysBeforeTheNextTick) {
  const ToyController controller;
  const auto port = IntentPort::open(controller, {.port = 0}).value();
  int asked = 0;
  const ServeReport report = serve(controller, *port, {.fps = 200, .is_finished = [&] { return ++asked > 5; }});
  EXPECT_EQ(asked, 6);
  EXPECT_NEAR(report.seconds, 5 / 200.0, 1e-9);
}

TEST(Serve, TheHashIsThatOfTheSameTicksWithoutAPort) {
  const ToyController controller;
  const auto port = IntentPort::open(controller, {.port = 0}).value();
  int asked = 0;
  const ServeReport report = serve(controller, *port, {.fps = 200, .is_finished = [&] { return ++asked > 8; }});
  const auto state = controller.make_state();
  for (int i = 0; i < 8; ++i) controller.tick(*state, port->intent(), 1.0 / 200);
  EXPECT_EQ(report.hash, state->hash());
}

TEST(Serve, DoesNotCatchUpAfterAPauseOfTheProcess) {
  const ToyController controller;
  const auto port = IntentPort::open(controller, {.port = 0}).value();
  int asked = 0;
  Clock::time_point after_pause;
  const ServeReport report = serve(controller, *port, {.fps = 50, .is_finished = [&] {
                                                         if (++asked == 2) {
                                                           std::this_thread::sleep_for(std::chrono::milliseconds(400));
                                                           after_pause = Clock::now();
                                                         }
                                                         return asked > 10;
                                                       }});
  EXPECT_NEAR(report.seconds, 10 / 50.0, 1e-9);
  EXPECT_GE(seconds_since(after_pause), 7 / 50.0) << "20 missed ticks would have been made at once";
}

}  // namespace
}  // namespace zoe::stream
