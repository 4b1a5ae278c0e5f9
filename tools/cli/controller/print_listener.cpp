// SPDX-License-Identifier: MIT
#include "controller/print_listener.h"

#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "zoe/core/progress.h"

#include "verb.h"

namespace zoe::cli {
namespace {

struct Bar {
  std::mutex mutex;
  std::unique_ptr<Progress> progress;
};

}  // namespace

author::Listener print_listener() {
  author::Listener listener;
  listener.on_warning = [](const Warning& warning) { print_warnings({warning}); };
  if (quiet()) return listener;
  const auto bar = std::make_shared<Bar>();
  listener.on_message = [bar](const std::string& line) {
    const std::lock_guard lock(bar->mutex);
    bar->progress.reset();
    fmt::print("{}\n", line);
    std::fflush(stdout);
  };
  listener.on_progress = [bar](const char* what, const char* unit, std::uint64_t done, std::uint64_t total) {
    const std::lock_guard lock(bar->mutex);
    if (!bar->progress || bar->progress->done() > done)
      bar->progress = std::make_unique<Progress>(what, total, ProgressOptions{.unit = unit});
    bar->progress->advance(done - bar->progress->done());
    if (done == total) bar->progress.reset();
  };
  return listener;
}

}  // namespace zoe::cli
