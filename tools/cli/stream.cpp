// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe stream`: clips and controllers as pose packets, and packets as a file.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "zoe/control/command.h"
#include "zoe/control/load.h"
#include "zoe/core/interrupt.h"
#include "zoe/io/convert.h"
#include "zoe/io/write.h"
#include "zoe/motion/sample.h"
#include "zoe/stream/link.h"
#include "zoe/stream/take.h"

#include "verbs.h"

namespace zoe::cli {
namespace {

struct StreamRequest {
  std::string source, to, from, output, clip, command = "move 0 1.2", token;
  double seconds = 0, fps = 60, idle_s = 5;
  bool loop = false;
};

// Poses by time: a clip, or a character that follows a command.
struct Source {
  stream::Subject subject;
  double seconds = 0;  // 0: without end.
  std::function<PoseView(double time_s)> pose_at;
};

Result<Source> clip_source(const StreamRequest& request) {
  ZOE_TRY_ASSIGN(io::Asset asset, io::load_converted(request.source, {.clip = request.clip}));
  if (asset.clips.empty()) return Error{ErrorCode::kUsage, "contains no clip to stream", {.file = request.source}};
  io::to_metres(asset, request.source);
  print_warnings(asset.warnings);
  const auto clip = std::make_shared<Motion>(std::move(asset.clips[0]));
  const auto pose = std::make_shared<Pose>(make_pose(*clip->skeleton));
  const bool loops = request.loop;
  return Source{.subject = {.id = 0, .name = clip->name, .fps = request.fps, .skeleton = clip->skeleton},
                .seconds = loops ? 0 : clip->duration_s(),
                .pose_at = [clip, pose, loops](double time_s) {
                  sample(*clip, clip->start_time_s + time_s, loops ? Wrap::kLoopClosed : Wrap::kClamp, *pose);
                  return pose->view();
                }};
}

Result<Source> controller_source(const StreamRequest& request) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(request.source));
  const control::CommandWords words = control::split_command(request.command);
  control::Intent intent;
  const std::string problem =
      words.count == 0 || words.too_many
          ? "no command"
          : control::apply_command({words.words, words.count}, {controller->styles(), controller->actions()}, intent);
  if (!problem.empty()) return Error{ErrorCode::kUsage, fmt::format("--command: {}", problem), {}};
  const std::shared_ptr<control::ControllerState> state = controller->make_state();
  const double step_s = 1 / request.fps;
  return Source{
      .subject = {.id = 0, .name = controller->type(), .fps = request.fps, .skeleton = controller->skeleton()},
      .seconds = 0,
      .pose_at = [controller, state, intent, step_s](double) {
        controller->tick(*state, intent, step_s);
        return state->pose();
      }};
}

int send(const StreamRequest& request) {
  const bool is_controller = std::filesystem::is_directory(request.source) || request.source.ends_with(".zoe");
  const Result<Source> source = is_controller ? controller_source(request) : clip_source(request);
  if (!source) return print_error(source.error());
  const auto sender = stream::open_sender(request.to);
  if (!sender) return print_error(sender.error());
  if (const auto added = (*sender)->add(source->subject); !added) return print_error(added.error());
  const double seconds = request.seconds > 0 ? request.seconds : source->seconds;
  const InterruptGuard interrupt;
  const auto begin = std::chrono::steady_clock::now();
  std::int64_t frame = 0;
  for (;; ++frame) {
    const double time_s = static_cast<double>(frame) / request.fps;
    if (interrupt.interrupted() || (seconds > 0 && time_s > seconds + 1e-9)) break;
    std::this_thread::sleep_until(begin + std::chrono::nanoseconds(std::llround(time_s * 1e9)));
    (*sender)->send(source->subject.id, std::llround(time_s * 1e9), source->pose_at(time_s));
  }
  (*sender)->end();
  if (!quiet()) fmt::print("{} frames of {} joints to {}\n", frame, source->subject.skeleton->num_joints(), request.to);
  return kDone;
}

int receive(const StreamRequest& request) {
  const auto receiver = stream::open_receiver(request.from, {.token = request.token});
  if (!receiver) return print_error(receiver.error());
  // The program that started this one with port 0 reads the line.
  if (!quiet()) fmt::print("waiting on port {}\n", (*receiver)->port());
  std::fflush(stdout);
  stream::TakeRecorder take;
  stream::Frame frame;
  const InterruptGuard interrupt;
  auto last = std::chrono::steady_clock::now();
  std::int64_t first_ns = 0;
  while (!interrupt.interrupted()) {
    const auto got = (*receiver)->receive(frame, 100);
    const auto now = std::chrono::steady_clock::now();
    if (got == stream::PoseReceiver::Got::kEnd) break;
    if (got == stream::PoseReceiver::Got::kPose) {
      if (take.num_frames() == 0) first_ns = frame.time_ns;
      take.add(frame);
      last = now;
      if (request.seconds > 0 && static_cast<double>(frame.time_ns - first_ns) * 1e-9 >= request.seconds) break;
    }
    // A sender that is not there yet is waited for without end.
    if (take.num_frames() > 0 && std::chrono::duration<double>(now - last).count() > request.idle_s) break;
  }
  const stream::DecodeCounts counts = (*receiver)->counts();
  const Result<Motion> motion = take.finish();
  if (!motion) return print_error(motion.error());
  auto character = std::make_shared<Character>();
  character->skeleton = motion->skeleton;
  const auto written = io::write_asset(request.output, io::Asset{character, {*motion}, {}, {}});
  if (!written) return print_error(written.error());
  print_warnings(*written);
  if (!quiet()) {
    fmt::print("{}: {} frames at {:g} fps from {} poses; {} late, {} refused\n", request.output, motion->num_frames,
               motion->fps, counts.poses, counts.late, counts.refused);
  }
  return kDone;
}

}  // namespace

int run_stream(const Arguments& arguments) {
  Options app;
  StreamRequest request;
  app.add_option("source", request.source, "Motion file, or controller (.zoe file or run folder)")->reads();
  app.add_option("--to", request.to, "Send to udp://HOST:PORT");
  app.add_option("--from", request.from, "Receive on udp://HOST:PORT, or from the steering port tcp://HOST:PORT");
  app.add_option("-o,--out", request.output, "With --from: file to write (.bvh .glb .fbx .npz …)")->writes();
  app.add_option("--clip", request.clip, "Which clip: its name or its number from 0");
  app.add_option("--command", request.command, "What a controller does, in words")->capture_default_str();
  app.add_option("--fps", request.fps, "Frames per second to send")->between(1, 1000, "")->capture_default_str();
  app.add_option("--seconds", request.seconds, "Stop after; default: the clip's length, or no limit")
      ->between(0, 86400, "s");
  app.add_option("--idle", request.idle_s, "With --from: stop after this time without a pose")
      ->between(0.1, 86400, "s")
      ->capture_default_str();
  app.add_option("--token", request.token, "Of the steering port; also ZOE_TOKEN");
  app.add_flag("--loop", request.loop, "Repeat the clip");
  if (const auto exit = parse(app, arguments)) return *exit;
  if (const char* token = std::getenv("ZOE_TOKEN"); token != nullptr && request.token.empty()) request.token = token;
  const bool sends = !request.source.empty() && !request.to.empty() && request.from.empty() && request.output.empty();
  const bool receives =
      request.source.empty() && request.to.empty() && !request.from.empty() && !request.output.empty();
  if (!sends && !receives) {
    print_error("either SOURCE --to ADDRESS, or --from ADDRESS -o FILE");
    return kWrongUsage;
  }
  return sends ? send(request) : receive(request);
}

}  // namespace zoe::cli
