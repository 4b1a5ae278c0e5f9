// SPDX-License-Identifier: MIT
#include "train/checkpoints.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"

#include "train/crc32c.h"
#include "train/step_files.h"

namespace zoe::train {
namespace {

// True if the checkpoint is complete. A checkpoint without a checksum is not. Those written until November 2026 have
// one over the tensors alone.
bool is_whole(const Safetensors& file) {
  if (file.metadata().contains(kChecksumKey)) return matches_its_checksum(file);
  const auto stated = file.metadata().find("crc32c");
  if (stated == file.metadata().end()) return false;
  std::vector<const NamedArray*> order;
  for (const NamedArray& tensor : file.tensors()) order.push_back(&tensor);
  std::ranges::sort(order, {}, &NamedArray::name);
  std::uint32_t crc = 0;
  for (const NamedArray* tensor : order) crc = crc32c(tensor->view.bytes, crc);
  return stated->second == fmt::format("{:08x}", crc);
}

}  // namespace

std::filesystem::path Checkpoints::path(std::int64_t step) const { return step_file(folder_, step); }

std::vector<std::int64_t> Checkpoints::steps() const {
  std::vector<std::int64_t> found = steps_in(folder_);
  std::ranges::reverse(found);
  return found;
}

Result<void> Checkpoints::save(std::int64_t step, std::span<const NamedArray> tensors, Metadata metadata) const {
  metadata[kChecksumKey] = content_checksum(tensors, metadata);
  ZOE_TRY(write_safetensors(path(step), tensors, metadata));
  // Before older ones are removed: otherwise a power loss could lose the new name and leave no old one.
  ZOE_TRY(sync_folder(folder_));
  const std::vector<std::int64_t> all = steps();
  std::error_code ignored;
  for (std::size_t i = static_cast<std::size_t>(keep_); i < all.size(); ++i)
    std::filesystem::remove(path(all[i]), ignored);
  // Half-written files of a killed process.
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    if (entry.path().filename().string().find(".safetensors.tmp.") != std::string::npos)
      std::filesystem::remove(entry.path(), ignored);
  }
  return {};
}

Result<void> Checkpoints::save_best(std::span<const NamedArray> tensors, Metadata metadata) const {
  metadata[kChecksumKey] = content_checksum(tensors, metadata);
  ZOE_TRY(write_safetensors(best_path(), tensors, metadata));
  return sync_folder(folder_);
}

Result<Safetensors> Checkpoints::open_newest(Warnings& warnings) const {
  for (const std::int64_t step : steps()) {
    Result<Safetensors> file = open_checkpoint(path(step));
    if (file) return file;
    warnings.push_back({file.error().message + "; trying the one before", {.file = path(step).string()}});
  }
  return Error{ErrorCode::kIo,
               fmt::format("no whole checkpoint here to resume from ({} damaged): start again with "
                           "another -o",
                           steps().size()),
               {.file = folder_.string()}};
}

Result<Safetensors> open_checkpoint(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(Safetensors file, Safetensors::open(path));
  if (!is_whole(file)) {
    return Error{ErrorCode::kInvalid, "damaged: its content does not match its checksum", {.file = path.string()}};
  }
  return file;
}

}  // namespace zoe::train
