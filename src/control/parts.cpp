// SPDX-License-Identifier: MIT
#include "zoe/control/parts.h"

#include "zoe/core/file.h"

namespace zoe::control {
namespace {

namespace fs = std::filesystem;

Result<std::string> settings_of(const Safetensors& pack) {
  const auto found = pack.metadata().find(kPackSettingsKey);
  if (found != pack.metadata().end()) return found->second;
  return Error{ErrorCode::kInvalid,
               "not a controller in one file: `zoe export RUN walker.zoe` makes one. If this is a part of a run, name "
               "the run's folder instead",
               {.file = pack.file_name()}};
}

}  // namespace

std::string part_prefix(const std::string& file) { return fs::path(file).stem().string() + "/"; }

Result<ControllerParts> ControllerParts::open(const fs::path& path) {
  ControllerParts parts;
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) {
    const std::string extension = path.extension().string();
    if (extension != ".zoe" && extension != ".safetensors") {
      return Error{ErrorCode::kUsage,
                   "is no controller: name the run folder of `zoe train controller`, or a file of `zoe export` (.zoe)",
                   {.file = path.string()}};
    }
    ZOE_TRY_ASSIGN(Safetensors pack, Safetensors::open(path));
    ZOE_TRY_ASSIGN(parts.settings_, settings_of(pack));
    parts.settings_name_ = path.string();
    parts.pack_ = std::make_shared<const Safetensors>(std::move(pack));
    return parts;
  }
  const fs::path file = path / "controller.toml";
  if (!fs::exists(file, ignored)) {
    return Error{ErrorCode::kIo,
                 "no controller here: `zoe train controller --type mann --data CLIPS -o RUN` makes one",
                 {.file = file.string()}};
  }
  parts.folder_ = path;
  ZOE_TRY_ASSIGN(const MappedFile text, MappedFile::open(file));
  parts.settings_ = text.text();
  parts.settings_name_ = file.string();
  return parts;
}

Result<ControllerParts> ControllerParts::from_bytes(std::span<const std::byte> bytes, std::string name) {
  ControllerParts parts;
  ZOE_TRY_ASSIGN(Safetensors pack, Safetensors::from_bytes(bytes, name));
  ZOE_TRY_ASSIGN(parts.settings_, settings_of(pack));
  parts.settings_name_ = std::move(name);
  parts.pack_ = std::make_shared<const Safetensors>(std::move(pack));
  return parts;
}

Result<Safetensors> ControllerParts::tensors(const std::string& file) const {
  if (pack_ == nullptr) return Safetensors::open(folder_ / file);
  Safetensors part = pack_->part(part_prefix(file));
  if (part.tensors().empty() && part.metadata().empty()) {
    return Error{ErrorCode::kInvalid,
                 "it has no part '" + part_prefix(file) + "': export the run again",
                 {.file = pack_->file_name()}};
  }
  return part;
}

}  // namespace zoe::control
