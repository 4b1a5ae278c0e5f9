// SPDX-License-Identifier: MIT
#include "train/open_dataset.h"

#include "zoe/core/file.h"
#include "zoe/core/hash.h"

namespace zoe::train {
namespace {

constexpr const char* kManifest = "dataset.json";

}  // namespace

Result<dataset::DatasetPtr> open_verified(const std::filesystem::path& folder, const std::string& remedy) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder / kManifest, ignored))
    return Error{ErrorCode::kUsage, "no dataset here " + remedy, {.file = folder.string()}};
  ZOE_TRY_ASSIGN(dataset::DatasetPtr data, dataset::Dataset::open(folder));
  ZOE_TRY(data->verify());
  return data;
}

std::string identity_of(const dataset::Dataset& data) {
  const auto file = MappedFile::open(data.folder() / kManifest);
  return file ? hash_bytes(file->bytes()).hex() : std::string();
}

}  // namespace zoe::train
