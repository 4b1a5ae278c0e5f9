// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes pictures into a film or a folder. Films use the ffmpeg program, which runs as a separate
// process and is not linked.
#pragma once

#include <filesystem>
#include <memory>

#include "zoe/core/result.h"
#include "zoe/render/picture.h"

namespace zoe::render {

struct FilmOptions {
  int width = 0, height = 0;
  double fps = 30;
  bool alpha = false;  // Keeps alpha where the format can: PNG folders, WebP.
};

// By extension: .mp4 .gif .webp. Anything else is a folder of frame_00000.png and so on.
bool is_film(const std::filesystem::path& path);

// A film is playable after finish(), and also when the writer is destroyed early: it then ends with the last complete
// picture.
class FilmWriter {
 public:
  // Fails where ffmpeg is missing (with what to install) or the folder cannot be created.
  static Result<std::unique_ptr<FilmWriter>> open(const std::filesystem::path& path, const FilmOptions& options);
  virtual ~FilmWriter() = default;

  // Copies the picture and returns. It is written on a separate thread with a queue of at most three. Fails when an
  // earlier picture could not be written: the disk is full, ffmpeg ended. The message has the cause where it is known.
  virtual Result<void> add(const Picture& picture) = 0;
  virtual Result<void> finish() = 0;
};

}  // namespace zoe::render
