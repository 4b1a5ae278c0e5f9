// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a model makes now, at every checkpoint: its samples as a file, and a picture of them by any
// program (`train.sample_command`), which the run's report shows. The trainer draws nothing itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/store/safetensors.h"

namespace zoe::train {

// RUN/samples.
class SampleFolder {
 public:
  explicit SampleFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Writes step_00000500.safetensors.
  Result<void> save(std::int64_t step, std::span<const NamedArray> arrays, Metadata metadata) const;

  // Runs `command` in a shell with two more words: the samples' file, and the name of the picture to write, without its
  // ending (.png, .jpg, .gif or .svg is the command's choice). Ends it after timeout_s. Fails where it fails or leaves
  // no picture.
  Result<void> draw(std::int64_t step, const std::string& command, double timeout_s) const;

  struct Picture {
    std::int64_t step = 0;
    std::filesystem::path path;
  };
  // The newest `most`, oldest first.
  std::vector<Picture> pictures(std::size_t most) const;
  std::filesystem::path samples_path(std::int64_t step) const;

 private:
  std::filesystem::path folder_;
};

// "data:image/png;base64,…"; refuses other endings and files over 16 MB.
Result<std::string> picture_as_url(const std::filesystem::path& path);

}  // namespace zoe::train
