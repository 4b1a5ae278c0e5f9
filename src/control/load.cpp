// SPDX-License-Identifier: MIT
#include "zoe/control/load.h"

#include "zoe/control/config.h"
#include "zoe/control/parts.h"
#include "zoe/control/types.h"

namespace zoe::control {

namespace fs = std::filesystem;

Result<ControllerPtr> load_controller(const fs::path& path) {
  ZOE_TRY_ASSIGN(const ControllerParts parts, ControllerParts::open(path));
  return load_controller(parts, controller_types());
}

Result<ControllerPtr> load_controller(std::span<const std::byte> bytes, const std::string& name) {
  ZOE_TRY_ASSIGN(const ControllerParts parts, ControllerParts::from_bytes(bytes, name));
  return load_controller(parts, controller_types());
}

Result<void> pack_controller(const fs::path& folder, const fs::path& file) {
  ZOE_TRY_ASSIGN(const ControllerParts parts, ControllerParts::open(folder));
  ZOE_TRY_ASSIGN(const ControllerConfig config, parse_controller_config(parts.settings(), parts.settings_name()));
  ZOE_TRY_ASSIGN(const ControllerType* type, find_controller_type(config.type));
  ZOE_TRY(type->load(parts, config));
  std::vector<Safetensors> files;  // Keeps the tensors' bytes mapped until they are written.
  std::vector<NamedArray> tensors;
  Metadata metadata{{kPackSettingsKey, parts.settings()}, {"licence", config.licence}};
  for (const std::string& part : type->parts(config)) {
    ZOE_TRY_ASSIGN(Safetensors opened, parts.tensors(part));
    const std::string prefix = part_prefix(part);
    for (const NamedArray& tensor : opened.tensors()) tensors.push_back({prefix + tensor.name, tensor.view});
    for (const auto& [key, words] : opened.metadata()) metadata.emplace(prefix + key, words);
    files.push_back(std::move(opened));
  }
  metadata[kChecksumKey] = content_checksum(tensors, metadata);
  return write_safetensors(file, tensors, metadata);
}

}  // namespace zoe::control
