// SPDX-License-Identifier: MIT
#include "controller/film.h"

#include "zoe/io/write.h"

#include "verbs.h"

namespace zoe::cli {

namespace fs = std::filesystem;

Result<void> write_motion(const Motion& motion, const fs::path& path) {
  auto character = std::make_shared<Character>();
  character->skeleton = motion.skeleton;
  io::Asset asset;
  asset.character = std::move(character);
  asset.clips = {motion};
  ZOE_TRY_ASSIGN(const Warnings warnings, io::write_asset(path, asset));
  print_warnings(warnings);
  return {};
}

bool is_film(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".mp4" || extension == ".gif" || extension == ".webp" || extension == ".png";
}

// Pictures are drawn from a motion file beside them, by the verb that does it.
int write_film(const Motion& motion, const std::string& output, const std::vector<std::string>& render_words) {
  const fs::path clip = output + ".glb";
  if (const auto written = write_motion(motion, clip); !written) return print_error(written.error());
  std::vector<std::string> words{clip.string(), "-o", output};
  words.insert(words.end(), render_words.begin(), render_words.end());
  const int exit = run_part("render", run_render, words);
  std::error_code ignored;
  fs::remove(clip, ignored);
  return exit;
}

}  // namespace zoe::cli
