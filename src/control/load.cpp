// SPDX-License-Identifier: MIT
#include "zoe/control/load.h"

#include "zoe/control/config.h"
#include "zoe/control/kinds.h"
#include "zoe/control/parts.h"

namespace zoe::control {
namespace {

namespace fs = std::filesystem;

Result<ControllerPtr> load(const ControllerParts& parts) {
  ZOE_TRY_ASSIGN(const ControllerConfig config, parse_controller_config(parts.settings(), parts.settings_name()));
  auto kind = find_kind(config.kind);
  if (!kind) return Error{kind.error().code, kind.error().message, {.file = parts.settings_name()}};
  return (*kind)->load(parts, config);
}

}  // namespace

Result<ControllerPtr> load_controller(const fs::path& path) {
  ZOE_TRY_ASSIGN(const ControllerParts parts, ControllerParts::open(path));
  return load(parts);
}

Result<ControllerPtr> load_controller(std::span<const std::byte> bytes, const std::string& name) {
  ZOE_TRY_ASSIGN(const ControllerParts parts, ControllerParts::from_bytes(bytes, name));
  return load(parts);
}

Result<void> pack_controller(const fs::path& folder, const fs::path& file) {
  ZOE_TRY_ASSIGN(const ControllerParts parts, ControllerParts::open(folder));
  ZOE_TRY_ASSIGN(const ControllerConfig config, parse_controller_config(parts.settings(), parts.settings_name()));
  ZOE_TRY_ASSIGN(const Kind* kind, find_kind(config.kind));
  ZOE_TRY(kind->load(parts, config));
  std::vector<Safetensors> files;  // Keeps the tensors' bytes mapped until they are written.
  std::vector<NamedArray> tensors;
  Metadata metadata{{kPackSettingsKey, parts.settings()}, {"licence", config.licence}};
  for (const std::string& part : kind->parts(config)) {
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
