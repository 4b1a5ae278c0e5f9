// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe blender`: clips as a scene of Blender. Blender is another program: it gets a
// recording of packets and the script in tools/blender.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include "zoe/core/file.h"
#include "zoe/core/output_file.h"
#include "zoe/stream/packet_file.h"

#include "become.h"
#include "source.h"
#include "temporary_folder.h"
#include "verbs.h"

extern char** environ;  // NOLINT: of POSIX.

namespace zoe::cli {
namespace {

struct BlenderRequest {
  std::vector<std::string> files;
  std::string output, clip;
  double sphere = 0.02, cylinder = 0.01, scale = 1, apart = 2, fps = 30;
};

Result<void> record_clips(const BlenderRequest& request, const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(stream::PacketRecorder recorder, stream::PacketRecorder::create(path));
  std::uint32_t id = 0;
  for (const std::string& file : request.files) {
    StreamRequest wanted;
    wanted.clip = request.clip;
    wanted.fps = request.fps;
    ZOE_TRY_ASSIGN(const StreamSource source, open_source(file, wanted, id++, false));
    if (source.seconds == 0 && std::filesystem::is_directory(file))
      return Error{ErrorCode::kUsage, "is a controller; `zoe play` writes a clip of it first", {.file = file}};
    stream::Frame frame{.subject = source.subject};
    for (std::int64_t f = 0; static_cast<double>(f) <= source.seconds * request.fps + 1e-6; ++f) {
      const double time_s = static_cast<double>(f) / request.fps;
      const PoseView pose = source.pose_at(time_s);
      frame.time_ns = static_cast<std::int64_t>(time_s * 1e9);
      frame.pose.translations.assign(pose.translations.begin(), pose.translations.end());
      frame.pose.rotations.assign(pose.rotations.begin(), pose.rotations.end());
      recorder.add(frame);
    }
  }
  return recorder.finish();
}

// Its output goes to a file. The exit code, or -1 where it cannot be started.
int run_blender(const std::vector<std::string>& words, const std::filesystem::path& log) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t process = 0;
  const int failed = ::posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

Result<void> write_scene(const BlenderRequest& request) {
  std::filesystem::path script = beside_zoe("../share/zoe/blender") / "scene.py";
  if (!std::filesystem::exists(script)) script = std::filesystem::path(ZOE_MODELS_DIR) / "../tools/blender/scene.py";
  if (!std::filesystem::exists(script))
    return Error{ErrorCode::kIo, "is missing: install zoe with its share folder", {.file = script.string()}};
  ZOE_TRY_ASSIGN(const TemporaryFolder folder, TemporaryFolder::make());
  const std::filesystem::path recording = folder.path() / "clips.zoep", log = folder.path() / "log";
  ZOE_TRY(record_clips(request, recording));
  // Blender keeps an old file of the same name as a backup: it writes here, and the result is moved.
  const std::filesystem::path scene = folder.path() / "scene.blend";
  const int exit = run_blender(
      {"blender", "-b", "--factory-startup", "--python-exit-code", "1", "-P", script.string(), "--", recording.string(),
       scene.string(), "--sphere", fmt::format("{}", request.sphere), "--cylinder", fmt::format("{}", request.cylinder),
       "--scale", fmt::format("{}", request.scale), "--apart", fmt::format("{}", request.apart)},
      log);
  if (exit == -1) return Error{ErrorCode::kIo, "blender cannot be started: install the package blender", {}};
  if (exit != 0 || !std::filesystem::exists(scene)) {
    const Result<MappedFile> text = MappedFile::open(log);
    const std::string tail =
        text ? std::string(text->text().substr(text->text().size() - std::min<std::size_t>(text->text().size(), 400)))
             : "";
    return Error{ErrorCode::kIo, fmt::format("blender failed: {}", tail), {}};
  }
  ZOE_TRY_ASSIGN(const MappedFile bytes, MappedFile::open(scene));
  return write_file_atomic(request.output, bytes.bytes());
}

}  // namespace

int run_blender_scene(const Arguments& arguments) {
  Options app;
  BlenderRequest request;
  app.add_option("files", request.files, "Clips; several stand side by side")->required()->reads();
  app.add_option("-o,--out", request.output, "Scene to write (.blend)")->required()->writes();
  app.add_option("--clip", request.clip, "Which clip: its name or its number from 0");
  app.add_option("--sphere", request.sphere, "Radius of the ball at each joint; 0: none")
      ->between(0, 10, "m")
      ->capture_default_str();
  app.add_option("--cylinder", request.cylinder, "Radius of the stick of each bone; 0: none")
      ->between(0, 10, "m")
      ->capture_default_str();
  app.add_option("--scale", request.scale, "Of the whole body")->between(0.0001, 10000, "")->capture_default_str();
  app.add_option("--apart", request.apart, "Distance between bodies")->between(0, 1000, "m")->capture_default_str();
  app.add_option("--fps", request.fps, "Keys per second")->between(1, 1000, "")->capture_default_str();
  if (const auto exit = parse(app, arguments)) return *exit;
  if (!request.output.ends_with(".blend")) {
    print_error("the scene's name must end in .blend");
    return kWrongUsage;
  }
  if (const auto written = write_scene(request); !written) return print_error(written.error());
  if (!quiet()) fmt::print("{}: {} characters\n", request.output, request.files.size());
  return kDone;
}

}  // namespace zoe::cli
