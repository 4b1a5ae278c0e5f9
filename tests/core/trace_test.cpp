// SPDX-License-Identifier: MIT
#include "zoe/core/trace.h"

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"

#include "support/allocation.h"
#include "support/data.h"

namespace zoe {
namespace {

nlohmann::json stop_and_read() {
  const auto path = test::temporary_dir("trace") / "t.json";
  EXPECT_TRUE(stop_trace(path));
  return nlohmann::json::parse(MappedFile::open(path)->text());
}

const nlohmann::json* find(const nlohmann::json& trace, const std::string& name) {
  for (const auto& event : trace["traceEvents"]) {
    if (event["name"] == name && event["ph"] == "X") return &event;
  }
  return nullptr;
}

TEST(Trace, NestedScopesLieInsideEachOther) {
  start_trace();
  {
    ZOE_TRACE_SCOPE("outer \"quoted\"");
    ZOE_TRACE_SCOPE("inner");
  }
  const auto trace = stop_and_read();
  const auto* outer = find(trace, "outer \"quoted\"");
  const auto* inner = find(trace, "inner");
  ASSERT_TRUE(outer != nullptr && inner != nullptr);
  const auto begin = [](const nlohmann::json& e) { return e["ts"].get<double>(); };
  const auto end = [&](const nlohmann::json& e) { return begin(e) + e["dur"].get<double>(); };
  EXPECT_GE(begin(*outer), 0);
  EXPECT_LE(begin(*outer), begin(*inner));
  EXPECT_LE(end(*inner), end(*outer) + 1e-6);
  EXPECT_EQ((*outer)["tid"], (*inner)["tid"]);
}

TEST(Trace, OffRecordsAndAllocatesNothing) {
  const test::AllocationMeter meter;
  { ZOE_TRACE_SCOPE("unseen"); }
  EXPECT_EQ(meter.allocations(), 0u);
  start_trace();
  EXPECT_EQ(find(stop_and_read(), "unseen"), nullptr);
}

TEST(Trace, ScopesOpenAcrossStartOrStopAreLeftOut) {
  {
    ZOE_TRACE_SCOPE("before");
    start_trace();
  }
  auto scope = std::make_unique<TraceScope>("after");
  const auto first = stop_and_read();
  start_trace();
  scope.reset();
  const auto second = stop_and_read();
  EXPECT_EQ(find(first, "before"), nullptr);
  EXPECT_EQ(find(first, "after"), nullptr);
  EXPECT_EQ(find(second, "after"), nullptr);
}

TEST(Trace, KeepsThreadsApartWithTheirNamesEvenAfterTheyEnd) {
  start_trace();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      set_thread_name("tracer " + std::to_string(t));
      for (int i = 0; i < 500; ++i) ZOE_TRACE_SCOPE("step");
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto trace = stop_and_read();
  std::map<int, int> steps;
  std::map<std::string, int> named;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] == "M") {
      named[event["args"]["name"]] = event["tid"];
    } else if (event["name"] == "step") {
      ++steps[event["tid"].get<int>()];
    }
  }
  ASSERT_EQ(steps.size(), 4u);
  for (int t = 0; t < 4; ++t) EXPECT_EQ(steps[named["tracer " + std::to_string(t)]], 500);
}

// For TSan: recording while traces start and stop.
TEST(Trace, StartsAndStopsWhileOthersRecord) {
  std::atomic<bool> done{false};
  std::thread recorder([&] {
    while (!done) ZOE_TRACE_SCOPE("busy");
  });
  for (int i = 0; i < 5; ++i) {
    start_trace();
    std::this_thread::yield();
    EXPECT_TRUE(stop_and_read().contains("traceEvents"));
  }
  done = true;
  recorder.join();
}

TEST(Trace, RefusesAnImpossiblePath) {
  start_trace();
  EXPECT_FALSE(stop_trace("/proc/nothing/t.json"));
  EXPECT_FALSE(tracing());
}

}  // namespace
}  // namespace zoe
