// SPDX-License-Identifier: MIT
// The folder of a run while it is built. A run is built aside, in RUN.unfinished, by one process at a time (RUN.lock).
// At the end it takes the place of RUN. Until then an earlier run in RUN works as before. RUN.unfinished survives a
// kill at any moment; a later process continues it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "zoe/author/listener.h"
#include "zoe/core/lock_file.h"

#include "author/run_request.h"

namespace zoe::author {

class RunFolder {
 public:
  struct Options {
    std::filesystem::path folder;  // RUN.
    std::vector<std::filesystem::path> inputs;
    bool resume = false;         // Continues RUN.unfinished. Starts where there is none.
    bool allow_changes = false;  // Continues also where data or settings differ.
  };
  // Checks the folder before any work: that it can be replaced, holds no input, belongs to no other process, and, to
  // resume, is of the same request. Without `resume`, refuses to discard checkpoints of an unfinished run.
  static Result<RunFolder> open(const Options& options, std::vector<RunFact> facts);

  // RUN is this very run, complete.
  bool is_complete() const { return complete_; }
  // Where to build.
  const std::filesystem::path& aside() const { return aside_; }

  // The dataset is complete. The trainer's settings that are left after it was prepared.
  const std::optional<std::vector<std::string>>& fit_settings() const { return fit_settings_; }
  Result<void> dataset_is_done(const std::vector<std::string>& fit_settings);

  // Replaces RUN. Files there that are no part of a run are kept.
  Result<void> publish();
  // After an error. Removes what was built unless resuming it would save work. True: it was kept.
  bool abandon() noexcept;

 private:
  RunFolder(std::filesystem::path folder, std::filesystem::path aside, LockFile lock, std::vector<RunFact> facts);
  Result<void> start(const Options& options);
  Result<void> write_record(bool complete) const;
  Result<void> replace();

  std::filesystem::path folder_, aside_;
  LockFile lock_;
  std::vector<RunFact> facts_;
  std::optional<std::vector<std::string>> fit_settings_;
  bool complete_ = false;
};

}  // namespace zoe::author
