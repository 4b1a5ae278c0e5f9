// SPDX-License-Identifier: MIT
#include "io/bvh_bench.h"

#include <cmath>
#include <string>

#include "zoe/core/file.h"
#include "zoe/io/bvh.h"

#include "io/assimp_peer.h"

namespace zoe::bench {
namespace {

// Repeats the clip's frames `times` times, so that a file is larger than the caches.
std::string repeat_frames(std::string_view text, int times) {
  const std::size_t count_at = text.find("Frames:") + 7;
  const std::size_t count_end = text.find_first_of("\r\n", count_at);
  const std::size_t rows_at = text.find_first_of('\n', text.find("Frame Time")) + 1;
  const long frames = std::strtol(std::string(text.substr(count_at, count_end - count_at)).c_str(), nullptr, 10);
  std::string result(text.substr(0, count_at));
  result += " " + std::to_string(frames * times);
  result += text.substr(count_end, rows_at - count_end);
  for (int i = 0; i < times; ++i) result += text.substr(rows_at);
  return result;
}

// A person-sized clip when the shared data is absent.
std::string synthetic_text() {
  std::vector<JointDesc> joints{{"root", kNoJoint, {{0, 1, 0}}}};
  for (int i = 1; i < 25; ++i) joints.push_back({"joint" + std::to_string(i), (i - 1) / 2, {{0.1F, 0.2F, 0}}});
  Motion motion = make_motion(Skeleton::create(std::move(joints)).value(), "synthetic", 60, 5000, false);
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    const float t = static_cast<float>(i) * 0.013F;
    motion.rotations[i] = from_rotation_vector(Vec3{std::sin(t), std::cos(t * 0.7F), std::sin(t * 1.3F)});
  }
  return io::format_bvh(motion).value();
}

std::string load(const Options& options, const char* file, int times) {
  if (!options.data_dir) return synthetic_text();
  const auto mapped = MappedFile::open(*options.data_dir / file);
  return mapped ? repeat_frames(mapped->text(), times) : synthetic_text();
}

void bench_read(const Options& options, const std::string& name, const std::string& text, std::vector<Row>& rows) {
  const bool with_peer = !assimp_name().empty();
  std::vector<std::function<void()>> readers{[&] { keep(io::read_bvh(as_bytes(text), "bench.bvh")); }};
  if (with_peer) readers.push_back([&] { keep(assimp_read(as_bytes(text), "bvh")); });
  const std::vector<double> seconds = seconds_per_call(options, readers);
  const auto asset = io::read_bvh(as_bytes(text), "bench.bvh");
  const Motion& motion = asset->clips.at(0);
  const auto text_bytes = static_cast<double>(text.size());
  const auto motion_bytes = static_cast<double>(motion.rotations.size() * (sizeof(Quat) + sizeof(Vec3)));
  rows.push_back({.name = "bvh/read " + name,
                  .unit = "MB/s",
                  .ours = text_bytes / seconds[0] * 1e-6,
                  .peer = with_peer ? text_bytes / seconds[1] * 1e-6 : 0,
                  .peer_name = assimp_name(),
                  // The text is read and the motion written, each once.
                  .limit = copy_bandwidth_bytes_per_s() * text_bytes / (text_bytes + motion_bytes) * 1e-6,
                  .limit_name = "copy bandwidth"});
}

}  // namespace

void bench_bvh(const Options& options, std::vector<Row>& rows) {
  const std::string long_clip = load(options, "biped/lafan1/walk4_subject1.bvh", 4);
  bench_read(options, "lafan1 14 MB", long_clip, rows);
  bench_read(options, "cmu 3 MB", load(options, "biped/cmu/terrain/36_10.bvh", 1), rows);

  const auto asset = io::read_bvh(as_bytes(long_clip), "bench.bvh");
  std::size_t size = 0;
  const auto seconds = seconds_per_call(options, {[&] { size = io::format_bvh(asset->clips.at(0))->size(); }});
  rows.push_back(
      {.name = "bvh/write lafan1 14 MB", .unit = "MB/s", .ours = static_cast<double>(size) / seconds[0] * 1e-6});
}

}  // namespace zoe::bench
