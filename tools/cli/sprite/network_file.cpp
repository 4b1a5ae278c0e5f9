// SPDX-License-Identifier: MIT
#include "sprite/network_file.h"

#include "become.h"

namespace zoe::cli {

std::filesystem::path network_file(const std::string& given) {
  std::error_code ignored;
  const std::filesystem::path path = given;
  return std::filesystem::is_directory(path, ignored) ? path / "model.safetensors" : path;
}

std::filesystem::path painter_file(const std::string& given, const std::string& name) {
  if (!given.empty()) return network_file(given);
  std::error_code ignored;
  const std::filesystem::path installed = beside_zoe("../share/zoe/models/" + name + "/model.safetensors");
  return std::filesystem::exists(installed, ignored)
             ? installed
             : std::filesystem::path(ZOE_MODELS_DIR) / name / "model.safetensors";
}

}  // namespace zoe::cli
