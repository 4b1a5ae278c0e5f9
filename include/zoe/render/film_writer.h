// SPDX-License-Identifier: MIT
// Part of Zoetrope. Pictures one after the other into a film or a folder. Films go through the ffmpeg program, which is
// started as a process of its own and not linked.
#pragma once

#include <filesystem>
#include <memory>

#include "zoe/core/result.h"
#include "zoe/render/picture.h"

namespace zoe::render {

struct FilmOptions {
  int width = 0, height = 0;
  double fps = 30;
  bool alpha = false;  // Keeps it where the format can: PNG folders, WebP.
};

// By the name's ending: .mp4 .gif .webp; anything else is a folder of frame_00000.png and so on.
bool is_film(const std::filesystem::path& path);

// A film is playable after finish(), and also when the writer is destroyed early: it then ends with the last whole picture.
class FilmWriter {
 public:
  // Fails where ffmpeg is missing (with what to install) or the folder cannot be made.
  static Result<std::unique_ptr<FilmWriter>> open(const std::filesystem::path& path, const FilmOptions& options);
  virtual ~FilmWriter() = default;

  // Copies the picture and returns; it is written on a thread of its own, which waits for no more than three. Fails when an
  // earlier picture could not be written: the disk is full, ffmpeg ended; the message is the cause, as far as it is known.
  virtual Result<void> add(const Picture& picture) = 0;
  virtual Result<void> finish() = 0;
};

}  // namespace zoe::render
