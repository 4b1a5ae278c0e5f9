// SPDX-License-Identifier: MIT
#include "motion/sample_bench.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "zoe/io/bvh.h"
#include "zoe/motion/compress.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/sample.h"

#include "motion/compressed/decode_plan.h"
#include "motion/lerp_kernels.h"

namespace zoe::bench {
namespace {

constexpr std::size_t kNumClips = 20;
constexpr std::size_t kNumSamples = 1024;         // Poses per timed call.
constexpr double kBytesPerJoint = 3 * (12 + 16);  // Two frames read, one pose written.

std::vector<Motion> cmu_clips(const Options& options) {
  std::vector<Motion> clips;
  if (!options.data_dir) return clips;
  std::error_code ignored;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(*options.data_dir / "biped" / "cmu", ignored)) {
    if (entry.path().extension() == ".bvh") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  files.resize(std::min(files.size(), kNumClips));
  for (const auto& file : files) {
    const auto asset = io::read_bvh(file, {.metres_per_unit = 0.056444});
    if (!asset || asset->clips.empty() || asset->clips[0].num_frames < 3) continue;
    const Motion bones = without_end_sites(asset->clips[0]);
    clips.push_back(trim(bones, 1, bones.num_frames - 1).value());
  }
  return clips;
}

std::vector<Motion> synthetic_clips() {
  std::vector<JointDesc> joints{{"root", kNoJoint, {{0, 1, 0}}}};
  for (int i = 1; i < 31; ++i) joints.push_back({"joint" + std::to_string(i), (i - 1) / 2, {{0.05F, 0.2F, 0}}});
  const SkeletonPtr skeleton = Skeleton::create(std::move(joints)).value();
  std::vector<Motion> clips;
  for (std::size_t clip = 0; clip < kNumClips; ++clip) {
    Motion motion = make_motion(skeleton, "synthetic", 120, 600, false);
    for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
      const auto frame = static_cast<float>(i / 31), phase = static_cast<float>(i % 31 + clip);
      const Vec3 turn{std::sin(0.05F * frame + phase), std::cos(0.031F * frame * (1 + 0.1F * phase)),
                      0.3F * std::sin(0.11F * frame)};
      motion.rotations[i] = from_rotation_vector(turn * 0.5F);
    }
    make_continuous(motion);
    clips.push_back(std::move(motion));
  }
  return clips;
}

// One sample: clip, time, and output pose.
struct Request {
  std::size_t clip;
  double time_s;
  std::size_t character;
};

struct Stage {
  std::vector<Motion> clips;
  std::vector<CompressedMotion> compressed;
  std::vector<Pose> poses;  // One per character.
  std::size_t num_joints = 0;

  double joints() const { return static_cast<double>(kNumSamples * num_joints); }
};

// Characters play forward at 60 Hz or jump to random times. Each has its clip.
std::vector<Request> make_requests(const Stage& stage, std::size_t num_characters, bool random) {
  std::mt19937 generator(7);
  std::vector<Request> requests;
  std::vector<double> clocks(num_characters, 0.0);
  for (std::size_t i = 0; i < kNumSamples; ++i) {
    const std::size_t character = i % num_characters;
    const std::size_t clip = (character + 1) % stage.clips.size();
    const double duration = stage.clips[clip].duration_s();
    // Not a whole number of frames, or sampling would be a copy.
    clocks[character] = random ? std::uniform_real_distribution<double>(0, duration)(generator)
                               : std::fmod(clocks[character] + 1 / 60.0 + 1e-3, duration);
    requests.push_back({clip, clocks[character], character});
  }
  return requests;
}

void sample_plain(Stage& stage, const Request& request) {
  Pose& pose = stage.poses[request.character];
  SampleJob job;
  job.motion = &stage.clips[request.clip];
  job.time_s = request.time_s;
  job.translations = pose.translations;
  job.rotations = pose.rotations;
  job.run();
}

void sample_scalar(Stage& stage, const Request& request) {
  Pose& pose = stage.poses[request.character];
  const Motion& motion = stage.clips[request.clip];
  const FramePosition at = find_frame(motion, request.time_s, Wrap::kClamp);
  const PoseView a = motion.frame(at.frame), b = motion.frame(at.next_frame);
  lerp_floats_scalar({&a.translations[0].x, 3 * stage.num_joints}, {&b.translations[0].x, 3 * stage.num_joints},
                     at.fraction, {&pose.translations[0].x, 3 * stage.num_joints});
  nlerp_quats_scalar(a.rotations, b.rotations, at.fraction, pose.rotations);
}

void sample_compressed(Stage& stage, const Request& request) {
  Pose& pose = stage.poses[request.character];
  CompressedSampleJob{
      &stage.compressed[request.clip], request.time_s, Wrap::kClamp, pose.translations, pose.rotations, {}, {}}
      .run();
}

void sample_compressed_scalar(Stage& stage, const Request& request) {
  Pose& pose = stage.poses[request.character];
  const CompressedMotion& clip = stage.compressed[request.clip];
  const FramePosition at = find_frame(clip.num_frames(), clip.fps(), clip.start_time_s(), request.time_s, Wrap::kClamp);
  const DecodeTarget out{pose.translations.data(), pose.rotations.data()};
  clip.impl().copy_constants(out);
  clip.impl().decode(at.frame, at.fraction, out, &decode_segment_scalar);
}

void bench_speed(const Options& options, Stage& stage, std::size_t num_characters, bool random,
                 std::vector<Row>& rows) {
  const std::vector<Request> requests = make_requests(stage, num_characters, random);
  const auto run = [&](void (*sampler)(Stage&, const Request&)) {
    return [&stage, &requests, sampler] {
      for (const Request& request : requests) sampler(stage, request);
      keep(stage.poses[0].rotations[0]);
    };
  };
  const auto s = seconds_per_call(
      options, {run(sample_plain), run(sample_scalar), run(sample_compressed), run(sample_compressed_scalar)});
  const std::string what = std::string(random ? "random times, " : "forward 60 Hz, ") +
                           (num_characters == 1 ? "1 character" : std::to_string(num_characters) + " characters");
  const bool crowd = num_characters > 1;
  const char* ozz = random ? "27" : crowd ? "75" : "121";
  const char* acl = crowd ? "50" : "48";
  const auto footprint =
      static_cast<std::size_t>(kBytesPerJoint * static_cast<double>(num_characters * stage.num_joints));
  const double limit = copy_bandwidth_bytes_per_s(footprint) / kBytesPerJoint / 1e6;
  rows.push_back({"sample/" + what, "Mjoints/s", stage.joints() / s[0] / 1e6, stage.joints() / s[1] / 1e6,
                  std::string("scalar reference (ozz 0.16 published, other machine: ") + ozz + ")", limit,
                  "copy of as many bytes (84 per joint)"});
  rows.push_back({"compressed/" + what, "Mjoints/s", stage.joints() / s[2] / 1e6, stage.joints() / s[3] / 1e6,
                  std::string("scalar reference (ACL 2.1 published, other machine: ") + acl + ")", limit,
                  "copy of as many bytes (84 per joint)"});
}

// Compresses all clips. Rows give size, error and speed.
void bench_compression(Stage& stage, const std::string& source, std::vector<Row>& rows) {
  double raw = 0, compressed = 0, worst = 0, seconds = 0;
  for (const Motion& clip : stage.clips) {
    CompressionReport report;
    bool first = true;
    const auto s = seconds_per_call({.sample_s = 0, .num_samples = 1}, {[&] {
                                      auto result = CompressedMotion::compress(clip, {}, &report);
                                      if (first) stage.compressed.push_back(std::move(result).value());
                                      first = false;
                                    }});
    seconds += s[0];
    raw += static_cast<double>(report.raw_bytes);
    compressed += static_cast<double>(report.compressed_bytes);
    worst = std::max(worst, report.worst_error_mm);
  }
  const std::string acl = "ACL 2.1 (published, other machine, other choice of CMU clips)";
  rows.push_back({"compress/" + source + ", size", "times smaller than 40 B per joint and frame", raw / compressed,
                  14.2, acl, 0, ""});
  rows.push_back(
      {"compress/" + source + ", exactness", "1 / worst mm at a 3 cm shell", 1 / worst, 1 / 0.174, acl, 0, ""});
  rows.push_back({"compress/" + source + ", encoding", "MB/s raw", raw / seconds / 1e6, 16.0, acl, 0, ""});
}

}  // namespace

void bench_sample(const Options& options, std::vector<Row>& rows) {
  Stage stage;
  stage.clips = cmu_clips(options);
  const bool real = !stage.clips.empty();
  if (!real) stage.clips = synthetic_clips();
  stage.num_joints = static_cast<std::size_t>(stage.clips[0].num_joints());
  stage.poses.assign(1000, make_pose(*stage.clips[0].skeleton));
  bench_compression(stage, real ? std::to_string(stage.clips.size()) + " CMU clips at 120 fps" : "synthetic clips",
                    rows);
  for (const std::size_t num_characters : {std::size_t{1}, std::size_t{1000}}) {
    for (const bool random : {false, true}) bench_speed(options, stage, num_characters, random, rows);
  }
}

}  // namespace zoe::bench
