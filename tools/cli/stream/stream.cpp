// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe stream`: clips, controllers and recordings over a network, and back.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "zoe/core/interrupt.h"
#include "zoe/io/write.h"
#include "zoe/stream/link.h"
#include "zoe/stream/take.h"

#include "source.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using Clock = std::chrono::steady_clock;

Result<std::unique_ptr<stream::PoseSender>> open_listed_sender(const StreamRequest& request) {
  ZOE_TRY_ASSIGN(auto sender, stream::open_sender(request.to, {.token = request.token}));
  // The program that started this one with port 0 reads the line.
  if (!quiet() && sender->port() != 0) fmt::print("sending on port {}\n", sender->port());
  std::fflush(stdout);
  return sender;
}

// With --receivers: false when interrupted.
bool wait_for_receivers(stream::PoseSender& sender, const StreamRequest& request, const InterruptGuard& interrupt) {
  while (sender.receivers() >= 0 && sender.receivers() < request.receivers) {
    if (interrupt.interrupted()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

void print_sent(std::int64_t frames, const stream::PoseSender& sender, const StreamRequest& request) {
  if (quiet()) return;
  const stream::LinkCounts counts = sender.counts();
  fmt::print("{} frames to {}; {} packets sent, {} dropped\n", frames, request.to, counts.sent, counts.dropped);
}

int send_recording(const StreamRequest& request) {
  Result<stream::PacketFile> file = stream::PacketFile::open(request.sources[0]);
  if (!file) return print_error(file.error());
  const auto sender = open_listed_sender(request);
  if (!sender) return print_error(sender.error());
  for (stream::Subject subject : file->subjects()) {
    if (request.to.starts_with("vmc:")) {
      auto humanoid = humanoid_of(subject.skeleton, {}, request.sources[0]);
      if (!humanoid) return print_error(humanoid.error());
      subject.humanoid = std::move(*humanoid);
    }
    if (const auto added = (*sender)->add(subject); !added) return print_error(added.error());
  }
  const InterruptGuard interrupt;
  if (!wait_for_receivers(**sender, request, interrupt)) return kDone;
  const auto begin = Clock::now();
  stream::Frame frame;
  std::int64_t frames = 0, first_ns = 0;
  for (; file->next(frame) && !interrupt.interrupted(); ++frames) {
    if (frames == 0) first_ns = frame.time_ns;
    const std::int64_t time_ns = frame.time_ns - first_ns;
    if (request.seconds > 0 && static_cast<double>(time_ns) * 1e-9 > request.seconds) break;
    std::this_thread::sleep_until(begin + std::chrono::nanoseconds(time_ns));
    (*sender)->send(frame.subject.id, frame.time_ns, frame.pose.view());
  }
  (*sender)->end();
  print_sent(frames, **sender, request);
  return kDone;
}

int send(const StreamRequest& request) {
  if (request.sources.size() == 1 && is_recording(request.sources[0])) return send_recording(request);
  std::vector<StreamSource> sources;
  double seconds = request.seconds;
  for (const std::string& path : request.sources) {
    Result<StreamSource> source =
        open_source(path, request, static_cast<std::uint32_t>(sources.size()), request.to.starts_with("vmc:"));
    if (!source) return print_error(source.error());
    if (request.seconds == 0)
      seconds = sources.empty() || source->seconds == 0 ? source->seconds
                : seconds == 0                          ? 0
                                                        : std::max(seconds, source->seconds);
    sources.push_back(std::move(*source));
  }
  Result<StreamStyler> styler = StreamStyler::create(request.style);
  if (!styler) return print_error(styler.error());
  const auto sender = open_listed_sender(request);
  if (!sender) return print_error(sender.error());
  for (const StreamSource& source : sources)
    if (const auto added = (*sender)->add(source.subject); !added) return print_error(added.error());
  const InterruptGuard interrupt;
  if (!wait_for_receivers(**sender, request, interrupt)) return kDone;
  const auto begin = Clock::now();
  std::int64_t frame = 0;
  for (;; ++frame) {
    const double time_s = static_cast<double>(frame) / request.fps;
    if (interrupt.interrupted() || (seconds > 0 && time_s > seconds + 1e-9)) break;
    std::this_thread::sleep_until(begin + std::chrono::nanoseconds(std::llround(time_s * 1e9)));
    for (const StreamSource& source : sources) {
      stream::Subject subject = source.subject;
      subject.fps = request.fps;
      (*sender)->send(subject.id, std::llround(time_s * 1e9), styler->run(subject, time_s, source.pose_at(time_s)));
    }
  }
  (*sender)->end();
  print_sent(frame, **sender, request);
  return kDone;
}

// What becomes of the frames that come.
struct Sink {
  stream::TakeRecorder take;
  std::optional<stream::PacketRecorder> recorder;
  std::unique_ptr<stream::PoseSender> sender;
  std::map<std::uint32_t, SkeletonPtr> known;
  StreamStyler styler;
  std::int64_t first_ns = 0;
  bool has_file = false, needs_humanoid = false;

  Result<void> add(stream::Frame& frame) {
    const double time_s = static_cast<double>(frame.time_ns - first_ns) * 1e-9;
    const PoseView styled = styler.run(frame.subject, time_s, frame.pose.view());
    if (styled.rotations.data() != frame.pose.rotations.data()) {
      std::ranges::copy(styled.translations, frame.pose.translations.begin());
      std::ranges::copy(styled.rotations, frame.pose.rotations.begin());
    }
    if (recorder) recorder->add(frame);
    if (sender) {
      SkeletonPtr& skeleton = known[frame.subject.id];
      if (skeleton != frame.subject.skeleton) {
        stream::Subject subject = frame.subject;
        if (needs_humanoid) {
          ZOE_TRY_ASSIGN(subject.humanoid, humanoid_of(subject.skeleton, {}, subject.name));
        }
        ZOE_TRY(sender->add(subject));
        skeleton = frame.subject.skeleton;
      }
      sender->send(frame.subject.id, frame.time_ns, frame.pose.view());
    }
    if (has_file && !recorder) take.add(frame);
    return {};
  }
};

int finish_take(const StreamRequest& request, const stream::TakeRecorder& take, const stream::DecodeCounts& counts) {
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

int receive(const StreamRequest& request) {
  const auto receiver =
      stream::open_receiver(request.from, {.token = request.token, .peer = request.peer, .actors = request.actors});
  if (!receiver) return print_error(receiver.error());
  Result<StreamStyler> styler = StreamStyler::create(request.style);
  if (!styler) return print_error(styler.error());
  Sink sink{.styler = std::move(*styler)};
  sink.has_file = !request.output.empty();
  if (is_recording(request.output)) {
    Result<stream::PacketRecorder> recorder = stream::PacketRecorder::create(request.output);
    if (!recorder) return print_error(recorder.error());
    sink.recorder.emplace(std::move(*recorder));
  }
  if (!request.to.empty()) {
    auto sender = open_listed_sender(request);
    if (!sender) return print_error(sender.error());
    sink.sender = std::move(*sender);
    sink.needs_humanoid = request.to.starts_with("vmc:");
  }
  if (!quiet()) fmt::print("waiting on port {}\n", (*receiver)->port());
  std::fflush(stdout);
  stream::Frame frame;
  const InterruptGuard interrupt;
  auto last = Clock::now();
  bool has_pose = false;
  while (!interrupt.interrupted()) {
    const auto got = (*receiver)->receive(frame, 100);
    const auto now = Clock::now();
    if (got == stream::PoseReceiver::Got::kEnd) break;
    if (got == stream::PoseReceiver::Got::kPose) {
      if (!has_pose) sink.first_ns = frame.time_ns;
      has_pose = true;
      if (const auto added = sink.add(frame); !added) return print_error(added.error());
      last = now;
      if (request.seconds > 0 && static_cast<double>(frame.time_ns - sink.first_ns) * 1e-9 >= request.seconds) break;
    }
    // A sender that is not there yet is waited for without end.
    if (has_pose && std::chrono::duration<double>(now - last).count() > request.idle_s) break;
  }
  const stream::DecodeCounts counts = (*receiver)->counts();
  if (sink.sender) sink.sender->end();
  if (sink.recorder) {
    if (sink.recorder->num_frames() == 0) return print_error("no pose came: is the sender running?"), kFailed;
    if (const auto finished = sink.recorder->finish(); !finished) return print_error(finished.error());
    if (!quiet()) {
      fmt::print("{}: {} poses; {} late, {} refused\n", request.output, counts.poses, counts.late, counts.refused);
    }
    return kDone;
  }
  return sink.has_file ? finish_take(request, sink.take, counts) : kDone;
}

}  // namespace

int run_stream(const Arguments& arguments) {
  Options app;
  StreamRequest request;
  app.add_option("source", request.sources, "Motion files, controllers (.zoe or run folders), or a recording (.zoep)")
      ->reads();
  app.add_option("--to", request.to, "Send: udp|tcp|ws|zmq|vmc://HOST:PORT");
  app.add_option("--from", request.from, "Receive: udp|tcp|ws|zmq|vmc://HOST:PORT; with --to: pass on");
  app.add_option("-o,--out", request.output, "With --from: file to write (.bvh .glb .fbx .npz … or .zoep)")->writes();
  app.add_option("--clip", request.clip, "Which clip: its name or its number from 0");
  app.add_option("--command", request.command, "What a controller does, in words")->capture_default_str();
  app.add_option("--fps", request.fps, "Frames per second to send")->between(1, 1000, "")->capture_default_str();
  app.add_option("--seconds", request.seconds, "Stop after; default: the clip's length, or no limit")
      ->between(0, 86400, "s");
  app.add_option("--idle", request.idle_s, "With --from: stop after this time without a pose")
      ->between(0.1, 86400, "s")
      ->capture_default_str();
  app.add_option("--receivers", request.receivers,
                 "With --to tcp, ws, zmq: wait for this number before the first frame")
      ->between(0, 32, "");
  app.add_option("--token", request.token, "Of the one that listens; also ZOE_TOKEN");
  app.add_option("--peer", request.peer, "With --from vmc: the one address that may send");
  app.add_option("--actors", request.actors, "With --from vmc: number of actors, on consecutive ports")
      ->between(1, 64, "");
  app.add_flag("--loop", request.loop, "Repeat the clip");
  app.add_option("--style", request.style.style, "Style of what is sent or recorded, as in `zoe stylize`");
  app.add_option("--style-model", request.style.model, "Run of `zoe train style`; default the included model")->reads();
  app.add_option("--strength", request.style.strength, "Of the style")->between(0.0, 1.5)->capture_default_str();
  if (const auto exit = parse(app, arguments)) return *exit;
  if (const char* token = std::getenv("ZOE_TOKEN"); token != nullptr && request.token.empty()) request.token = token;
  const bool has_source = !request.sources.empty();
  const bool sends = has_source && !request.to.empty() && request.from.empty() && request.output.empty();
  const bool receives = !has_source && !request.from.empty() && (!request.to.empty() || !request.output.empty());
  if (!sends && !receives) {
    print_error("either SOURCE --to ADDRESS, or --from ADDRESS with -o FILE or --to ADDRESS");
    return kWrongUsage;
  }
  return sends ? send(request) : receive(request);
}

}  // namespace zoe::cli
