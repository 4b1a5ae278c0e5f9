// SPDX-License-Identifier: MIT
// Part of Zoetrope. Profiling scopes, exported as a Chrome trace (open it in chrome://tracing or ui.perfetto.dev).
//
//   void skin() { ZOE_TRACE_SCOPE("skin"); … }
//   start_trace(); …; stop_trace("run.trace.json");
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "zoe/core/result.h"

namespace zoe {

namespace trace_detail {
extern std::atomic<bool> g_tracing;
std::int64_t now_ns();
void record(const char* name, std::int64_t start_ns, std::int64_t end_ns);
}  // namespace trace_detail

// Starts recording in all threads. An earlier trace that was not stopped is dropped.
void start_trace();

// Ends recording and writes the JSON. Scopes still open in other threads are omitted. Each thread keeps its first
// million scopes; the number of further ones is noted in the file.
Result<void> stop_trace(const std::filesystem::path& file);

inline bool tracing() { return trace_detail::g_tracing.load(std::memory_order_relaxed); }

// The calling thread's name in traces and in the system's tools (which display the first 15 bytes).
void set_thread_name(std::string_view name);

// While no trace is recorded a scope costs one relaxed load. `name` must be valid forever: pass a literal.
class TraceScope {
 public:
  explicit TraceScope(const char* name) : name_(tracing() ? name : nullptr) {
    if (name_ != nullptr) start_ns_ = trace_detail::now_ns();
  }
  ~TraceScope() {
    if (name_ != nullptr) trace_detail::record(name_, start_ns_, trace_detail::now_ns());
  }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  const char* name_;
  std::int64_t start_ns_ = 0;
};

}  // namespace zoe

// "" name: only a literal compiles.
#define ZOE_TRACE_SCOPE(name) const ::zoe::TraceScope ZOE_CONCAT(zoe_trace_scope_, __LINE__)("" name)
