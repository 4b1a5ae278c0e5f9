// SPDX-License-Identifier: MIT
#include "zoe/io/write.h"
#include "zoe/scene/displayed_body.h"

#include "film.h"
#include "verb.h"

namespace zoe::cli {

Result<void> write_motion(const Motion& motion, const std::filesystem::path& path, const scene::DisplayedBody* body) {
  io::Asset asset;
  if (body != nullptr && body->character) {
    asset.character = body->character;
    asset.clips = {scene::displayed_motion(motion, *body)};
    asset.source.metres_per_unit = static_cast<double>(body->metres_per_unit);
  } else {
    auto character = std::make_shared<Character>();
    character->skeleton = motion.skeleton;
    asset.character = std::move(character);
    asset.clips = {motion};
  }
  ZOE_TRY_ASSIGN(const Warnings warnings, io::write_asset(path, asset));
  print_warnings(warnings);
  return {};
}

std::string film_style(const std::filesystem::path& path) { return path.extension() == ".png" ? "sheet" : "studio"; }

bool is_film(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".mp4" || extension == ".gif" || extension == ".webp" || extension == ".png";
}

}  // namespace zoe::cli
