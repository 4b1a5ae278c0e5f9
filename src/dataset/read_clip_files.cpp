// SPDX-License-Identifier: MIT
#include "zoe/dataset/read_clip_files.h"

#include <algorithm>

#include "zoe/core/file.h"
#include "zoe/core/thread_pool.h"

#include "dataset/survey.h"

namespace zoe::dataset {
namespace {

namespace fs = std::filesystem;

void read_one(ClipFile& file, const io::ReadOptions& options) {
  const auto mapped = MappedFile::open(file.path);
  if (!mapped) {
    file.problem = unreadable(mapped.error());
    return;
  }
  file.bytes = mapped->bytes().size();
  file.content = hash_bytes(mapped->bytes());
  auto asset = io::read_asset(file.path, options);
  if (asset) {
    file.asset = std::move(*asset);
  } else {
    file.problem = unreadable(asset.error());
  }
}

}  // namespace

Result<std::vector<ClipFile>> list_clip_files(std::span<const std::filesystem::path> inputs, Warnings& warnings) {
  ZOE_TRY_ASSIGN(std::vector<SurveyedFile> listed, list_files(inputs, {}, warnings));
  std::vector<ClipFile> files;
  for (SurveyedFile& file : listed) {
    files.push_back({.path = std::move(file.path),
                     .source = std::move(file.source),
                     .relative = std::move(file.relative),
                     .label_files = std::move(file.label_files)});
  }
  return files;
}

Result<std::vector<ClipFile>> read_clip_files(std::span<const std::filesystem::path> inputs,
                                              const io::ReadOptions& options, Warnings& warnings) {
  ZOE_TRY_ASSIGN(std::vector<ClipFile> files, list_clip_files(inputs, warnings));
  ThreadPool::shared().parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) read_one(files[i], options);
  });
  return files;
}

Result<InputIdentity> identify_inputs(std::span<const fs::path> inputs) {
  Warnings ignored;
  ZOE_TRY_ASSIGN(const std::vector<SurveyedFile> files, list_files(inputs, {}, ignored));
  std::vector<fs::path> paths;
  std::vector<std::string> names;
  for (const SurveyedFile& file : files) {
    paths.push_back(file.path);
    names.push_back(file.source);
    for (const fs::path& labels : file.label_files) {
      paths.push_back(labels);
      names.push_back(file.source + " " + labels.filename().string());
    }
  }
  std::vector<Hash128> contents(paths.size());
  std::vector<std::uint64_t> sizes(paths.size());
  ThreadPool::shared().parallel_for(paths.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto file = MappedFile::open(paths[i]);
      if (!file) continue;  // The build names files that cannot be read.
      contents[i] = hash_bytes(file->bytes());
      sizes[i] = file->bytes().size();
    }
  });
  InputIdentity found{.num_files = files.size()};
  HashBuilder hash;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    hash.add(names[i]).add(contents[i]);
    found.bytes += sizes[i];
  }
  found.content = hash.finish();
  return found;
}

std::string find_licence(std::span<const fs::path> inputs) {
  for (const fs::path& input : inputs) {
    for (const char* name : {"LICENSE", "LICENCE", "LICENSE.txt", "LICENSE.md", "LICENCE.txt", "LICENCE.md"}) {
      if (!fs::is_regular_file(input / name)) continue;
      const auto file = MappedFile::open(input / name);
      if (!file) continue;
      const std::string_view text = file->text();
      const std::size_t from = text.find_first_not_of("# \t\r\n"),
                        to = std::min(text.find_first_of("\r\n", from), text.size());
      if (from < to) return std::string(text.substr(from, std::min<std::size_t>(to - from, 200)));
    }
  }
  return {};
}

}  // namespace zoe::dataset
