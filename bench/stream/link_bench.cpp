// SPDX-License-Identifier: MIT
#include "stream/link_bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <thread>

#include "zoe/stream/link.h"

namespace zoe::bench {
namespace {

constexpr std::uint32_t kCharacters = 20;
constexpr int kJoints = 60, kClients = 100;
constexpr double kLinkFps = 120;

struct Arrivals {
  std::vector<double> latencies_ms, gaps_ms;  // Gaps: between frames of one character, less 1 / kLinkFps.
  std::uint64_t came = 0;
};

double percentile(std::vector<double>& values, double fraction) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::int64_t wall_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void collect(stream::PoseReceiver& receiver, const std::atomic<bool>& is_over, Arrivals& out) {
  stream::Frame frame;
  std::int64_t last_ns = 0;
  while (!is_over) {
    const auto got = receiver.receive(frame, 50);
    if (got == stream::PoseReceiver::Got::kEnd) return;
    if (got != stream::PoseReceiver::Got::kPose) continue;
    const std::int64_t now_ns = wall_ns();
    ++out.came;
    out.latencies_ms.push_back(static_cast<double>(now_ns - frame.sent_ns) * 1e-6);
    if (frame.subject.id != 0) continue;
    if (last_ns != 0) out.gaps_ms.push_back(std::abs(static_cast<double>(now_ns - last_ns) * 1e-6 - 1000 / kLinkFps));
    last_ns = now_ns;
  }
}

// Opens a receiver while the sender is served: WebSocket clients wait for an answer.
std::unique_ptr<stream::PoseReceiver> join_link(stream::PoseSender& sender, const std::string& address) {
  std::unique_ptr<stream::PoseReceiver> receiver;
  std::atomic<bool> is_done = false;
  std::thread client([&] {
    if (auto opened = stream::open_receiver(address)) receiver = std::move(*opened);
    is_done = true;
  });
  while (!is_done) {
    sender.receivers();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  client.join();
  return receiver;
}

void bench_link(const std::string& scheme, double seconds, std::vector<Row>& rows) {
  std::unique_ptr<stream::PoseReceiver> reader, stalled;
  std::unique_ptr<stream::PoseSender> sender;
  std::string address = scheme + "://127.0.0.1:0";
  if (scheme == "udp") {
    auto receiver = stream::open_receiver(address);
    if (!receiver) return;
    reader = std::move(*receiver);
    address = scheme + "://127.0.0.1:" + std::to_string(reader->port());
  }
  auto opened = stream::open_sender(address);
  if (!opened) return;  // This build lacks the link.
  sender = std::move(*opened);
  std::vector<JointDesc> joints;
  for (int j = 0; j < kJoints; ++j) joints.push_back({.name = "joint" + std::to_string(j), .parent = j - 1});
  const SkeletonPtr skeleton = Skeleton::create(std::move(joints)).value();
  for (std::uint32_t i = 0; i < kCharacters; ++i)
    sender->add({.id = i, .name = "character", .fps = kLinkFps, .skeleton = skeleton}).value();
  const bool has_clients = scheme != "udp";
  if (has_clients) {
    address = scheme + "://127.0.0.1:" + std::to_string(sender->port());
    reader = join_link(*sender, address);
    stalled = join_link(*sender, address);
    while (sender->receivers() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Arrivals arrivals;
  std::atomic<bool> is_over = false, is_sent = false, all_came = false;
  std::thread receiving([&] { collect(*reader, is_over, arrivals); });
  std::thread coming([&] {
    for (int i = 0; has_clients && i < kClients && !is_sent; ++i) {
      const auto client = stream::open_receiver(address);
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds / kClients * 0.9));
    }
    all_came = true;
  });
  const Pose pose = make_pose(*skeleton);
  const auto frames = static_cast<std::int64_t>(seconds * kLinkFps);
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t f = 0; f < frames; ++f) {
    std::this_thread::sleep_until(begin +
                                  std::chrono::nanoseconds(std::llround(static_cast<double>(f) / kLinkFps * 1e9)));
    for (std::uint32_t i = 0; i < kCharacters; ++i) sender->send(i, f, pose.view());
  }
  is_sent = true;
  while (!all_came) {  // The last of them waits for an answer.
    sender->receivers();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  coming.join();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  is_over = true;
  sender->end();
  receiving.join();
  const double sent = static_cast<double>(frames) * kCharacters;
  const std::string name = "stream/" + scheme + " 20 x 60 joints, 120 Hz: ";
  rows.push_back({.name = name + "1 / p99 latency",
                  .unit = "1/s",
                  .ours = 1000 / std::max(1e-6, percentile(arrivals.latencies_ms, 0.99)),
                  .bar = 1000 / 5.0});
  rows.push_back({.name = name + "1 / p99 jitter",
                  .unit = "1/s",
                  .ours = 1000 / std::max(1e-6, percentile(arrivals.gaps_ms, 0.99))});
  rows.push_back({.name = name + "delivered",
                  .unit = "%",
                  .ours = 100 * static_cast<double>(arrivals.came) / sent,
                  .limit = 100,
                  .limit_name = "all",
                  .bar = 100});
}

}  // namespace

void bench_links(const Options&, std::vector<Row>& rows) {
  const char* text = std::getenv("ZOE_STREAM_BENCH_S");
  const double seconds = std::clamp(text != nullptr ? std::atof(text) : 5.0, 0.5, 3600.0);
  for (const char* scheme : {"udp", "tcp", "ws", "zmq"}) bench_link(scheme, seconds, rows);
}

}  // namespace zoe::bench
