// SPDX-License-Identifier: MIT
#include "certify/controller_clips.h"

#include "zoe/control/load.h"
#include "zoe/eval/courses.h"
#include "zoe/eval/record.h"

namespace zoe::cli {

bool is_controller(const std::filesystem::path& path) {
  std::error_code ignored;
  return path.extension() == ".zoe" || std::filesystem::is_regular_file(path / "controller.toml", ignored);
}

Result<io::Asset> controller_clips(const std::filesystem::path& path) {
  constexpr double kSeconds = 10;
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(path));
  auto character = std::make_shared<Character>();
  character->skeleton = controller->skeleton();
  io::Asset asset{character, {}, {.format = "controller"}, {}};
  for (const char* course : eval::course_names()) {
    ZOE_TRY_ASSIGN(const auto intents, eval::make_course(course, controller->motion_range().pace_mps));
    eval::Recording run = eval::record(*controller, *intents, {.seconds = kSeconds, .fps = controller->rate_hz()});
    run.motion.name = course;
    run.motion.skeleton = character->skeleton;
    asset.clips.push_back(std::move(run.motion));
  }
  return asset;
}

}  // namespace zoe::cli
