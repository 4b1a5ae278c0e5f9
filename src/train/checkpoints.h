// SPDX-License-Identifier: MIT
// Part of Zoetrope. A run's checkpoints: the newest few and the best. Each is either a complete safetensors file or
// absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "zoe/store/safetensors.h"

namespace zoe::train {

class Checkpoints {
 public:
  // keep: number of newest checkpoints that stay.
  Checkpoints(std::filesystem::path folder, std::int64_t keep) : folder_(std::move(folder)), keep_(keep) {}

  // Writes step_00000120.safetensors with a checksum, then removes those older than the newest `keep`. A failure leaves
  // every earlier checkpoint unchanged.
  Result<void> save(std::int64_t step, std::span<const NamedArray> tensors, Metadata metadata) const;
  // best.safetensors.
  Result<void> save_best(std::span<const NamedArray> tensors, Metadata metadata) const;

  std::vector<std::int64_t> steps() const;  // Newest first.

  // The newest complete one. Damaged ones are skipped with a warning. kIo when there is none.
  Result<Safetensors> open_newest(Warnings& warnings) const;

  std::filesystem::path path(std::int64_t step) const;
  std::filesystem::path best_path() const { return folder_ / "best.safetensors"; }

 private:
  std::filesystem::path folder_;
  std::int64_t keep_;
};

// Opens a checkpoint and compares the checksum.
Result<Safetensors> open_checkpoint(const std::filesystem::path& path);

}  // namespace zoe::train
