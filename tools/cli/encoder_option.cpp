// SPDX-License-Identifier: MIT
#include "encoder_option.h"

#include <filesystem>
#include <set>
#include <sstream>

#include "zoe/core/file.h"

#include "become.h"
#include "verb.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<eval::MotionEncoder> load_encoder(const std::string& file) {
  if (!file.empty()) return eval::MotionEncoder::load(file);
  constexpr const char* kFile = "motion_encoder/encoder.safetensors";
  std::error_code ignored;
  for (const fs::path& path : {beside_zoe("../share/zoe/models") / kFile, fs::path(ZOE_MODELS_DIR) / kFile}) {
    if (fs::exists(path, ignored)) return eval::MotionEncoder::load(path);
  }
  return Error{
      ErrorCode::kIo,
      "the motion encoder that ships is not here; --encoder FILE names another (`zoe train encoder` makes one)",
      {.file = std::string(ZOE_MODELS_DIR) + "/" + kFile}};
}

Result<std::function<bool(const std::string& source)>> filter_by_list(const std::string& file) {
  if (file.empty()) return std::function<bool(const std::string&)>();
  ZOE_TRY_ASSIGN(const MappedFile mapped, MappedFile::open(file));
  std::set<std::string> names;
  std::istringstream text{std::string(mapped.text())};
  for (std::string line; std::getline(text, line);) names.insert(line);
  return std::function<bool(const std::string&)>(
      [names = std::move(names)](const std::string& source) { return names.count(source) != 0; });
}

Result<std::vector<eval::DescribedClip>> describe_with_progress(const std::vector<std::string>& inputs,
                                                                eval::DescribeOptions options, bool silent) {
  std::optional<Progress> progress;
  if (!silent && !quiet()) {
    options.on_start = [&](std::size_t num_files) {
      progress.emplace("read", num_files, ProgressOptions{.unit = "files"});
    };
    options.on_file = [&] { progress->advance(); };
  }
  const std::vector<fs::path> paths(inputs.begin(), inputs.end());
  Warnings warnings;
  Result<std::vector<eval::DescribedClip>> clips = eval::describe_clips(paths, options, warnings);
  progress.reset();
  print_warnings(warnings);
  return clips;
}

}  // namespace zoe::cli
