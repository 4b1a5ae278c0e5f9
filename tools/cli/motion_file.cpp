// SPDX-License-Identifier: MIT
#include "zoe/io/write.h"

#include "film.h"
#include "verb.h"

namespace zoe::cli {

Result<void> write_motion(const Motion& motion, const std::filesystem::path& path) {
  auto character = std::make_shared<Character>();
  character->skeleton = motion.skeleton;
  io::Asset asset;
  asset.character = std::move(character);
  asset.clips = {motion};
  ZOE_TRY_ASSIGN(const Warnings warnings, io::write_asset(path, asset));
  print_warnings(warnings);
  return {};
}

bool is_film(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".mp4" || extension == ".gif" || extension == ".webp" || extension == ".png";
}

}  // namespace zoe::cli
