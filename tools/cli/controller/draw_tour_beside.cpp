// SPDX-License-Identifier: MIT
// zoe-train has no renderer: zoe, beside it, draws.
#include <spawn.h>
#include <sys/wait.h>

#include "zoe/io/write.h"

#include "become.h"
#include "controller/draw_tour.h"

extern char** environ;

namespace zoe::cli {
namespace {

bool run_zoe(std::vector<std::string> words) {
  const std::filesystem::path program = beside_zoe("zoe");
  words.insert(words.begin(), program.string());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  return ::posix_spawn(&child, program.c_str(), nullptr, nullptr, argv.data(), environ) == 0 &&
         ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

bool draw_tour(const Motion& tour, const std::filesystem::path& folder) {
  io::Asset asset;
  auto character = std::make_shared<Character>();
  character->skeleton = tour.skeleton;
  asset.character = std::move(character);
  asset.clips.push_back(tour);
  const std::filesystem::path motion = folder / "tour.glb";
  if (!io::write_asset(motion, asset)) return false;
  const bool drawn = run_zoe({"render", motion.string(), "-o", (folder / "sheet.png").string(), "--style", "sheet",
                              "--start", "4", "--seconds", "1.4", "--no-labels", "--quiet"}) &&
                     run_zoe({"render", motion.string(), "-o", (folder / "film.mp4").string(), "--size", "640x360",
                              "--fps", "25", "--quality", "low", "--quiet"});
  std::error_code ignored;
  std::filesystem::remove(motion, ignored);
  return drawn;
}

}  // namespace zoe::cli
