// SPDX-License-Identifier: MIT
// Executes the requests of panels, keys and drops: files in and out, edits of the stage.
#include <fmt/format.h>

#include "zoe/io/convert.h"

#include "app.h"
#include "save.h"

namespace zoe::viewer {

namespace fs = std::filesystem;

void Session::note_warnings(const Warnings& warnings) {
  if (warnings.empty()) return;
  const Warning& first = warnings.front();
  note(fmt::format("{}: {}{}", fs::path(first.where.file).filename().string(), first.message,
                   warnings.size() > 1 ? fmt::format("; and {} more, see the terminal", warnings.size() - 1) : ""));
}

Result<void> open_files(Stage& stage, const cli::ViewOptions& options, fs::path& folder) {
  for (const std::string& name : options.files) {
    if (!fs::is_directory(name)) {
      ZOE_TRY(stage.add(name, options.clip));
      continue;
    }
    folder = name;
    ZOE_TRY_ASSIGN(const std::vector<fs::path> files, io::list_assets(name));
    if (files.empty()) return Error{ErrorCode::kUsage, "contains no motion or character file", {.file = name}};
    // The first readable one: a folder of captures may contain a broken one.
    Result<void> added = Error{ErrorCode::kUsage, "", {}};
    for (std::size_t i = 0; i < files.size() && i < 16 && !added; ++i)
      added = stage.add(files[i].string(), options.clip);
    if (!added) return added;
  }
  if (folder.empty())
    folder = options.files.empty() ? fs::current_path() : fs::absolute(options.files[0]).parent_path();
  if (options.overlaid) stage.arrange(Arrangement::kOverlaid);
  if (options.time_s >= 0) {
    stage.playback().playing = false;
    stage.playback().show_frame(static_cast<int>(std::lround(options.time_s * stage.playback().fps)));
  }
  return {};
}

void App::open_file(const std::string& file, bool beside) {
  Session& s = *session_;
  if (fs::is_directory(file)) {
    s.folder = file;
    s.settings.browser = true;
    return;
  }
  pose_tool_.stop(s);
  s.stage.warnings().clear();
  const std::size_t before = s.stage.items().size();
  if (const Result<void> added = s.stage.add(file, {.bvh_up = options_.clip.bvh_up}); !added)
    return s.note(added.error().format(), true);
  s.note_warnings(s.stage.warnings());
  cli::print_warnings(s.stage.warnings());
  if (!beside) {
    for (std::size_t i = 0; i < before; ++i) s.stage.remove(0);
    s.stage.playback().show_frame(0);
  }
  s.selected = s.stage.items().size() - 1;
  s.joint = kNoJoint;
  name_save();
  if (!beside || before == 0) look_at_all();
}

void App::look_at_all() {
  const Stage::Room room = session_->stage.room();
  const Area& view = session_->view;
  const float aspect = view.width > 1 ? static_cast<float>(view.width) / static_cast<float>(view.height) : 1.5F;
  session_->camera.frame(room.width_m, room.height_m, room.depth_m, room.ground_m, aspect);
}

// Name suggested by "Save": never an original file.
void App::name_save() {
  Session& s = *session_;
  const StageItem* item = s.item();
  const std::string name = item == nullptr ? "clip.glb" : fs::path(item->clip.file).stem().string() + "_part.glb";
  s.save_name[name.copy(s.save_name, sizeof s.save_name - 1)] = 0;
}

void App::handle(const Task& task) {
  Session& s = *session_;
  const bool has_item = task.item < s.stage.items().size();
  const auto report = [&](const Result<void>& done, const std::string& words) {
    if (done) {
      s.note(words);
    } else {
      s.note(done.error().format(), true);
    }
  };
  switch (task.kind) {
    case Task::Kind::kOpen:
      return open_file(task.text, false);
    case Task::Kind::kAdd:
      return open_file(task.text, true);
    case Task::Kind::kDrop:
      if (s.stage.items().empty() || fs::is_directory(task.text)) return open_file(task.text, false);
      s.dropped = task.text;
      return;
    case Task::Kind::kArrange:
      return s.stage.arrange(static_cast<Arrangement>(task.number));
    case Task::Kind::kScreenshot:
      return take_screenshot(task.text);
    case Task::Kind::kFilm:
      return toggle_film(task.text);
    case Task::Kind::kResetPose:
      return pose_tool_.reset(s);
    case Task::Kind::kLookAtAll:
      return look_at_all();
    case Task::Kind::kPoseTool:
      if (task.number == 0) return pose_tool_.stop(s);
      s.stage.playback().playing = false;
      return pose_tool_.start(s);
    default:
      break;
  }
  if (!has_item) return;
  switch (task.kind) {
    case Task::Kind::kChangeBody:
      pose_tool_.stop(s);
      report(s.stage.change_body(task.item, task.text), "plays on " + fs::path(task.text).stem().string());
      return look_at_all();
    case Task::Kind::kChangeClip:
      pose_tool_.stop(s);
      if (const auto done = s.stage.change_clip(task.item, static_cast<std::size_t>(task.number)); !done)
        s.note(done.error().format(), true);
      return;
    case Task::Kind::kScale:
      return s.stage.set_scale(task.item, task.value);
    case Task::Kind::kRemove:
      pose_tool_.stop(s);
      s.stage.remove(task.item);
      s.selected = 0;
      s.joint = kNoJoint;
      return;
    case Task::Kind::kSaveRange: {
      const Playback& p = s.stage.playback();
      return report(save_range(s.stage, task.item, p.first, p.last, task.text),
                    fmt::format("{}: frames {} to {}", task.text, p.first, p.last));
    }
    case Task::Kind::kSavePose:
      return report(save_pose(s.stage, task.item, task.text), task.text + ": the pose");
    default:
      return;
  }
}

}  // namespace zoe::viewer
