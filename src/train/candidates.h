// SPDX-License-Identifier: MIT
// Part of Zoetrope. Networks of different steps of a run, exported while it trains, for programs that choose between
// them by what they do instead of by their loss.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace zoe::train {

// Files FOLDER/step_00001000.safetensors, evenly spaced over the run so far. The spacing doubles where there would be
// more than `most`. So a run whose end is not known has `most` / 2 to `most` of them. The spacing follows from the step
// alone: a run that is killed at any moment and continued has the same files in the end.
class Candidates {
 public:
  // most: 0 for none. every: the first spacing in steps, at least 1.
  Candidates(std::filesystem::path folder, std::int64_t most, std::int64_t every);

  bool is_due(std::int64_t step) const { return most_ > 0 && step > 0 && step % spacing(step) == 0; }
  std::filesystem::path path(std::int64_t step) const;
  std::vector<std::int64_t> steps() const;  // Ascending.
  // After the file of a step that is due was written: removes those that are too many or of later steps.
  void thin(std::int64_t step) const;

 private:
  std::int64_t spacing(std::int64_t step) const;

  std::filesystem::path folder_;
  std::int64_t most_, every_;
};

}  // namespace zoe::train
