// SPDX-License-Identifier: MIT
#include "temporary_folder.h"

#include <string>

#include <stdlib.h>

namespace zoe::cli {

namespace fs = std::filesystem;

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "zoe_XXXXXX").string();
  if (error || ::mkdtemp(pattern.data()) == nullptr) {
    return Error{ErrorCode::kIo, "cannot create a temporary folder; set TMPDIR", {.file = pattern}};
  }
  return TemporaryFolder(pattern);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace zoe::cli
