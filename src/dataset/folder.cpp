// SPDX-License-Identifier: MIT
#include "dataset/folder.h"

#include <set>

#include <fmt/format.h>

#include "zoe/store/npy.h"

#include "dataset/row_file.h"

namespace zoe::dataset {

namespace fs = std::filesystem;

Result<LockFile> lock_folder(const fs::path& folder) {
  std::error_code error;
  for (const char* below : {"rows", "buckets"}) {
    fs::create_directories(folder / below, error);
    if (error)
      return Error{ErrorCode::kIo, "cannot create folder: " + error.message(), {.file = (folder / below).string()}};
  }
  return LockFile::take(folder / ".lock", folder);
}

void remove_leftovers(const fs::path& folder, const Manifest& manifest) {
  std::set<std::string> wanted(manifest.buckets.begin(), manifest.buckets.end());
  for (const ClipRecord& clip : manifest.clips) wanted.insert(clip.file);
  std::error_code error;
  for (const char* below : {"rows", "buckets"}) {
    std::vector<fs::path> unwanted;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / below, error)) {
      const std::string name = fmt::format("{}/{}", below, entry.path().filename().string());
      if (!wanted.contains(name)) unwanted.push_back(entry.path());
    }
    for (const fs::path& path : unwanted) fs::remove(path, error);
  }
}

bool is_complete(const fs::path& folder, const BucketRecord& record, std::span<const features::Layout> layouts) {
  std::map<std::string, int> files;
  for (const ClipRecord& clip : record.clips) files.emplace(clip.file, clip.group);
  for (const auto& [name, group] : files) {
    const auto file = NpyFile::open(folder / name, MappedFile::Access::kSparse);
    const auto summary = record.summaries.find(group);
    if (!file || summary == record.summaries.end() || file->array().dtype != DType::kF32) return false;
    const std::vector<std::size_t> shape{
        static_cast<std::size_t>(summary->second.num_rows),
        static_cast<std::size_t>(layouts[static_cast<std::size_t>(group)].frame_width())};
    if (file->array().shape != shape) return false;
    const auto checksum = record.checksums.find(name);
    if (checksum != record.checksums.end() && checksum->second != row_checksum(file->array().bytes)) return false;
  }
  return true;
}

}  // namespace zoe::dataset
