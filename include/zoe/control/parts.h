// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of a controller: settings, body, networks, database. They are files of a run folder, or
// together in one .zoe file, which is a safetensors file:
//
//   run folder           .zoe
//   controller.toml      the metadata "zoe.controller"
//   NAME.safetensors     tensors "NAME/…" and metadata "NAME/…"
//
// Any safetensors reader can list the content of a .zoe file. A part keeps its checksum, which is of its own names.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "zoe/core/result.h"
#include "zoe/store/safetensors.h"

namespace zoe::control {

class ControllerParts {
 public:
  // A run folder or a .zoe file.
  static Result<ControllerParts> open(const std::filesystem::path& path);
  // From the bytes of a .zoe file. They must outlive the object. `name` is the file name in errors.
  static Result<ControllerParts> from_bytes(std::span<const std::byte> bytes, std::string name = {});

  // The text of controller.toml, and its name for errors.
  const std::string& settings() const { return settings_; }
  const std::string& settings_name() const { return settings_name_; }
  // A part by its file name in a run folder, e.g. "body.safetensors". It is valid as long as this object.
  Result<Safetensors> tensors(const std::string& file) const;

 private:
  std::filesystem::path folder_;             // Empty for a .zoe file.
  std::shared_ptr<const Safetensors> pack_;  // Null for a run folder.
  std::string settings_, settings_name_;
};

// Names of parts in a .zoe file and its metadata.
constexpr const char* kPackSettingsKey = "zoe.controller";
std::string part_prefix(const std::string& file);

}  // namespace zoe::control
