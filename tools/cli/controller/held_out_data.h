// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Clips that a controller has never seen, put onto its body.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "zoe/control/kinds.h"
#include "zoe/dataset/dataset.h"

namespace zoe::cli {

// Motion matching plays, and its learned form knows by heart, all clips of the data: no split of it is
// held out.
inline bool knows_all_clips(std::string_view kind) { return kind == "mm" || kind == "lmm"; }

// A temporary folder, gone with this object.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// A dataset of the clips below `clips`, or in that file, built in `folder`. Of any kind's schema: what
// it is for are roots and poses.
Result<dataset::DatasetPtr> build_held_out(const std::string& clips, const control::Body& body,
                                           const std::filesystem::path& folder);

}  // namespace zoe::cli
