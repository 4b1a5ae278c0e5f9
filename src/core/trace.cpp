// SPDX-License-Identifier: MIT
#include "zoe/core/trace.h"

#include <chrono>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/json_text.h"

#include "core/system.h"

namespace zoe {
namespace trace_detail {
std::atomic<bool> g_tracing{false};
}

namespace {

constexpr std::size_t kMaxEventsPerThread = 1'000'000;

struct Event {
  const char* name;
  std::int64_t start_ns;
  std::int64_t end_ns;
};

// The record of one thread. Its lock is contended only during export, so taking it is cheap.
struct ThreadRecord {
  std::mutex mutex;
  std::string name;
  int id = 0;
  std::vector<Event> events;
  std::size_t dropped = 0;
};

// Records are shared: a thread may end before the trace is written.
struct Registry {
  std::mutex mutex;
  std::vector<std::shared_ptr<ThreadRecord>> threads;
  int next_id = 1;
  std::atomic<std::int64_t> start_ns{0};
};

// Leaked on purpose: worker threads of static pools may outlive any destruction order.
Registry& registry() {
  static Registry* const instance = new Registry;
  return *instance;
}

ThreadRecord& this_thread_record() {
  thread_local const std::shared_ptr<ThreadRecord> record = [] {
    auto fresh = std::make_shared<ThreadRecord>();
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    fresh->id = all.next_id++;
    all.threads.push_back(fresh);
    return fresh;
  }();
  return *record;
}

std::string json_string(std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  return quoted;
}

void append_thread(std::string& json, const ThreadRecord& thread, std::int64_t start_ns) {
  const auto out = std::back_inserter(json);
  const std::string name = thread.name.empty() ? fmt::format("thread {}", thread.id) : thread.name;
  fmt::format_to(out, R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
                 system::process_id(), thread.id, json_string(name));
  for (const Event& event : thread.events) {
    fmt::format_to(out,
                   ",\n"
                   R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f}}})",
                   json_string(event.name), system::process_id(), thread.id,
                   1e-3 * static_cast<double>(event.start_ns - start_ns),
                   1e-3 * static_cast<double>(event.end_ns - event.start_ns));
  }
}

}  // namespace

namespace trace_detail {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void record(const char* name, std::int64_t start_ns, std::int64_t end_ns) {
  ThreadRecord& thread = this_thread_record();
  const std::lock_guard lock(thread.mutex);
  // A scope that began before this trace, or ended after it, is dropped.
  if (!tracing() || start_ns < registry().start_ns.load(std::memory_order_relaxed)) return;
  if (thread.events.size() < kMaxEventsPerThread) {
    thread.events.push_back({name, start_ns, end_ns});
  } else {
    ++thread.dropped;
  }
}

}  // namespace trace_detail

void start_trace() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  // Threads that ended are referenced only here. Removes them, and the records of the others.
  std::erase_if(all.threads, [](const auto& thread) { return thread.use_count() == 1; });
  for (const auto& thread : all.threads) {
    const std::lock_guard thread_lock(thread->mutex);
    thread->events.clear();
    thread->dropped = 0;
  }
  all.start_ns = trace_detail::now_ns();
  trace_detail::g_tracing = true;
}

Result<void> stop_trace(const std::filesystem::path& file) {
  trace_detail::g_tracing = false;
  std::string json = "{\"traceEvents\":[\n";
  std::size_t dropped = 0;
  {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const char* separator = "";
    for (const auto& thread : all.threads) {
      const std::lock_guard thread_lock(thread->mutex);
      if (thread->events.empty()) continue;
      json += separator;
      separator = ",\n";
      append_thread(json, *thread, all.start_ns);
      dropped += thread->dropped;
      thread->events = {};
      thread->dropped = 0;
    }
  }
  json += fmt::format("\n],\"displayTimeUnit\":\"ms\",\"otherData\":{{\"dropped_scopes\":{}}}}}\n", dropped);
  return write_file_atomic(file, json);
}

void set_thread_name(std::string_view name) {
  ThreadRecord& thread = this_thread_record();
  {
    const std::lock_guard lock(thread.mutex);
    thread.name = name;
  }
  system::name_thread(std::string(name.substr(0, 15)));
}

}  // namespace zoe
