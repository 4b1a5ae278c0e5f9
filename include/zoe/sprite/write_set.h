// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes a set of frames as files: sheets, engine files, previews. All files are made before the
// first is written, so that an error leaves nothing half done.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "zoe/sprite/sheet.h"

namespace zoe::sprite {

struct WriteOptions {
  std::filesystem::path folder;
  std::string title = "sprite";
  SheetOptions sheet;
  // Beside the sheet and its Aseprite array: words of export_words().
  std::vector<std::string> exports;
  std::vector<std::pair<std::string, std::string>> further_files;  // Names and texts.
  std::string command;                                             // Stated in sprite.json.
};

// "hash", "texturepacker", "godot", …
std::vector<std::string> export_words();

struct WriteReport {
  std::vector<std::filesystem::path> files;
  int sheet_width = 0, sheet_height = 0, num_stored = 0;
};

Result<WriteReport> write_set(const FrameSet& set, const WriteOptions& options);

}  // namespace zoe::sprite
