// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>

#include "zoe/core/thread_pool.h"
#include "zoe/io/convert.h"

#include "io/convert_internal.h"

namespace zoe::io {
namespace fs = std::filesystem;

Result<std::vector<fs::path>> list_assets(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return Error{ErrorCode::kIo, "not a folder", {.file = folder.string()}};
  const auto extensions = readable_extensions();
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(folder, error); entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    if (error) break;
    std::string extension = entry->path().extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    const bool known = std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
    if (known && entry->is_regular_file(error)) files.push_back(entry->path());
  }
  if (error) return Error{ErrorCode::kIo, "cannot list: " + error.message(), {.file = folder.string()}};
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::size_t> largest_first(const std::vector<fs::path>& files) {
  std::vector<std::pair<std::uintmax_t, std::size_t>> sizes;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(files[i], error);
    sizes.emplace_back(error ? 0 : size, i);
  }
  std::stable_sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> order;
  for (const auto& [size, index] : sizes) order.push_back(index);
  return order;
}

std::vector<fs::path> output_names(const std::vector<fs::path>& files, const fs::path& input, const fs::path& output,
                                   const std::string& extension) {
  const auto stem = [](const fs::path& file) { return fs::path(file).replace_extension(); };
  std::unordered_map<std::string, int> uses;
  for (const fs::path& file : files) ++uses[stem(file).string()];
  std::vector<fs::path> names;
  for (const fs::path& file : files) {
    const bool clash = uses[stem(file).string()] > 1;
    fs::path name = output / (clash ? file : stem(file)).lexically_relative(input);
    name += extension;
    names.push_back(std::move(name));
  }
  return names;
}

Result<std::vector<FolderResult>> convert_folder(const fs::path& input, const fs::path& output,
                                                 const std::string& extension, const ConvertOptions& options,
                                                 const std::function<void(std::size_t, std::size_t)>& on_done) {
  if (!format_of_extension(fs::path("x" + extension))) {
    return Error{ErrorCode::kUsage, fmt::format("\"{}\" names no format that we write", extension), {}};
  }
  ZOE_TRY_ASSIGN(const std::vector<fs::path> files, list_assets(input));
  if (files.empty()) return Error{ErrorCode::kUsage, "no supported file in this folder", {.file = input.string()}};
  const std::vector<fs::path> names = output_names(files, input, output, extension);

  std::vector<FolderResult> results;
  for (const fs::path& file : files) results.push_back({file, ConvertReport{}});
  const std::vector<std::size_t> order = largest_first(files);
  std::mutex mutex;
  std::size_t done = 0;
  ThreadPool::shared().parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = order[k];
      results[i].result = convert_file_all_clips(files[i], names[i], options);
      const std::lock_guard lock(mutex);
      ++done;
      if (on_done) on_done(done, files.size());
    }
  });
  return results;
}

}  // namespace zoe::io
