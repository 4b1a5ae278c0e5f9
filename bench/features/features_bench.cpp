// SPDX-License-Identifier: MIT
#include "features/features_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include <time.h>

#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/math/aligned_vector.h"

#include "features/plain_locomotion.h"
#ifdef ZOE_BENCH_IO
#include "zoe/io/read.h"
#endif

namespace zoe::bench {
namespace {

using features::BlockKind;
using features::ClipRows;
using features::Layout;
using features::Sample;

constexpr std::size_t kBatch = 512;
constexpr std::size_t kCopies = 48;  // Copies of the clip's rows: larger than any cache.

// A figure of 24 joints that walks in a circle, 60 fps, 90 s. The layout is the reference's, 441 -> 16 x 279.
Motion built_in_clip() {
  std::vector<JointDesc> joints{{"Hips", kNoJoint, {{0, 1, 0}}}};
  const auto chain = [&](const std::string& name, int parent, Vec3 first, Vec3 next, int count) {
    for (int i = 0; i < count; ++i) {
      joints.push_back(
          {name + std::to_string(i), i == 0 ? parent : static_cast<int>(joints.size()) - 1, {i == 0 ? first : next}});
    }
  };
  chain("Spine", 0, {0, 0.1F, 0}, {0, 0.1F, 0}, 5);
  chain("Head", 5, {0, 0.1F, 0}, {0, 0.1F, 0}, 2);
  for (const float side : {1.0F, -1.0F}) {
    const std::string name = side > 0 ? "Left" : "Right";
    chain(name + "Arm", 5, {0.1F * side, 0.05F, 0}, {0.25F * side, 0, 0}, 4);
    chain(name + "Leg", 0, {0.1F * side, 0, 0}, {0, -0.4F, 0.03F}, 4);
  }
  Motion motion = make_motion(Skeleton::create(std::move(joints)).value(), "circle", 60, 5400, false);
  const std::size_t n = idx(motion.num_joints());
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    const float t = static_cast<float>(i / n) / 60, j = static_cast<float>(i % n);
    motion.rotations[i] =
        from_rotation_vector(Vec3{0.4F * std::sin(5 * t + j), 0.1F * std::cos(3 * t), 0.1F * std::sin(4 * t - j)});
    if (i % n == 0) {
      motion.rotations[i] = from_axis_angle(Vec3{0, 1, 0}, 0.5F * t);
      motion.translations[i] = {3 - 3 * std::cos(0.5F * t), 1, 3 * std::sin(0.5F * t)};
    }
  }
  make_continuous(motion);
  return motion;
}

Motion the_clip([[maybe_unused]] const Options& options) {
#ifdef ZOE_BENCH_IO
  if (options.data_dir) {
    auto asset = io::read_asset(*options.data_dir / "biped/style100_npz/WalkingStickLeft_BR.npz");
    if (asset && !asset->clips.empty()) return std::move(asset->clips[0]);
  }
#endif
  return built_in_clip();
}

// Items per second of threads that work at the same time on the same number of items each: by the CPU time of each,
// which other programs do not change, and by the wall clock.
struct Rate {
  double cpu = 0, wall = 0;
};
Rate rate_of(int num_threads, int repeats, double items, const std::function<void(std::size_t thread)>& work) {
  Rate best;
  ThreadPool pool(num_threads - 1);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    std::vector<double> seconds(idx(num_threads));
    const auto start = std::chrono::steady_clock::now();
    pool.parallel_for(idx(num_threads), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        const double from = thread_cpu_s();
        work(t);
        seconds[t] = thread_cpu_s() - from;
      }
    });
    const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    double sum = 0;
    for (const double s : seconds) sum += items / s;
    best = {std::max(best.cpu, sum), std::max(best.wall, num_threads * items / wall_s)};
  }
  return best;
}

struct Stage {
  Motion motion;
  SkeletonAnalysis analysis;
  Layout layout;
  std::vector<AlignedVector<float>> rows;  // [kCopies]
  std::vector<ClipRows> clips;
  int rows_a_clip = 0;
  std::vector<Sample> samples;         // Random over all clips, many batches.
  AlignedVector<float> input, output;  // One batch per thread.

  std::size_t sample_bytes() const { return 4 * (layout.size(BlockKind::kInput) + layout.size(BlockKind::kOutput)); }
};

Stage make_stage(const Options& options) {
  Motion motion = the_clip(options);
  SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
  Layout layout = Layout::compile(features::Schema::preset("locomotion").value(), *motion.skeleton, analysis).value();
  Stage stage{std::move(motion), std::move(analysis), std::move(layout), {}, {}, 0, {}, {}, {}};
  const std::vector<float> rows = features::build_frame_rows(stage.layout, {.motion = &stage.motion}).value();
  stage.rows_a_clip = features::num_rows(stage.layout, stage.motion);
  for (std::size_t i = 0; i < kCopies; ++i) {
    stage.rows.emplace_back(rows.begin(), rows.end());
    stage.clips.push_back({stage.rows.back().data(), stage.rows_a_clip});
  }
  std::mt19937 random(7);
  const int first = stage.layout.past_frames(), last = stage.rows_a_clip - 1 - stage.layout.future_frames();
  for (std::size_t i = 0; i < 64 * kBatch; ++i) {
    stage.samples.push_back(
        {static_cast<int>(random() % kCopies), first + static_cast<int>(random() % idx(last - first + 1)), 0});
  }
  stage.input.resize(2 * kBatch * stage.layout.size(BlockKind::kInput));
  stage.output.resize(2 * kBatch * stage.layout.size(BlockKind::kOutput));
  return stage;
}

// One batch into the buffers of a thread.
void gather(Stage& stage, std::size_t batch, std::size_t thread) {
  const std::size_t in = kBatch * stage.layout.size(BlockKind::kInput),
                    out = kBatch * stage.layout.size(BlockKind::kOutput);
  const features::GatherJob job{.layout = &stage.layout,
                                .clips = stage.clips,
                                .samples = std::span(stage.samples).subspan(batch % 64 * kBatch, kBatch),
                                .input = std::span(stage.input).subspan(thread * in, in),
                                .output = std::span(stage.output).subspan(thread * out, out)};
  keep(job.run());
}

// Samples per second with several threads, each with its own batches.
Rate batch_rate(Stage& stage, int num_threads, int repeats) {
  constexpr std::size_t kBatches = 64;
  return rate_of(num_threads, repeats, kBatches * kBatch, [&](std::size_t t) {
    for (std::size_t b = 0; b < kBatches; ++b) gather(stage, b + 31 * t, t);
  });
}

// Bytes per second that the threads copy together, read and write counted.
Rate copy_rate(int num_threads, int repeats) {
  constexpr std::size_t kBytes = std::size_t{128} << 20;
  std::vector<std::vector<char>> from(idx(num_threads), std::vector<char>(kBytes, 1)), to = from;
  return rate_of(num_threads, repeats, 2.0 * kBytes,
                 [&](std::size_t t) { std::memcpy(to[t].data(), from[t].data(), kBytes); });
}

// From clips in memory to batches with every moment once: each thread builds and gathers the rows of its clips.
Rate whole_rate(Stage& stage, int num_threads, int repeats) {
  constexpr std::size_t kClips = 4;
  std::vector<features::RowScratch> scratch(idx(num_threads));
  std::vector<AlignedVector<float>> rows(idx(num_threads), AlignedVector<float>(stage.rows[0].size()));
  const std::size_t in = stage.layout.size(BlockKind::kInput), out = stage.layout.size(BlockKind::kOutput);
  return rate_of(num_threads, repeats, kClips * static_cast<double>(stage.rows_a_clip), [&](std::size_t t) {
    std::vector<Sample> samples(kBatch);
    const ClipRows clip{rows[t].data(), stage.rows_a_clip};
    for (std::size_t c = 0; c < kClips; ++c) {
      keep(features::build_frame_rows(stage.layout, {.motion = &stage.motion}, rows[t], scratch[t]).has_value());
      for (int first = 0; first < stage.rows_a_clip; first += static_cast<int>(kBatch)) {
        const std::size_t count = std::min(kBatch, idx(stage.rows_a_clip - first));
        for (std::size_t i = 0; i < count; ++i) samples[i] = {0, first + static_cast<int>(i), 0};
        const features::GatherJob job{.layout = &stage.layout,
                                      .clips = {&clip, 1},
                                      .samples = std::span(samples).first(count),
                                      .input = std::span(stage.input).subspan(t * kBatch * in, count * in),
                                      .output = std::span(stage.output).subspan(t * kBatch * out, count * out)};
        keep(job.run());
      }
    }
  });
}

}  // namespace

void bench_features(const Options& options, std::vector<Row>& rows) {
  Stage stage = make_stage(options);
  const int repeats = options.num_samples;
  const std::vector<int>& joints = stage.layout.row_sources()[0].joints;
  const PlainLocomotion plain(stage.motion, stage.layout.root_joints(), stage.layout.root_options(), joints);
  std::vector<float> input, output;
  std::size_t batch = 0, plain_frame = 0;
  const std::vector<double> seconds = seconds_per_call(
      options, {[&] { gather(stage, batch++, 0); },
                [&] {
                  input.clear();
                  output.clear();
                  plain_frame = (plain_frame + 7919) % idx(stage.motion.num_frames);
                  plain.sample(static_cast<int>(plain_frame), input, output);
                },
                [&] { keep(features::build_frame_rows(stage.layout, {.motion = &stage.motion}).has_value()); }});
  const double plain_rate = 1 / seconds[1];
  const std::string name = "features/locomotion " + std::to_string(stage.layout.width(BlockKind::kInput)) + " -> 16x" +
                           std::to_string(stage.layout.width(BlockKind::kOutput));
  // Each output row is copied from a separate row. Both sides count.
  const double bytes = 2.0 * static_cast<double>(stage.sample_bytes());
  const double copies = copy_bandwidth_bytes_per_s() / bytes;
  const auto row = [&](const std::string& what, double ours, double limit) {
    rows.push_back({.name = name + what,
                    .unit = "samples/s",
                    .ours = ours,
                    .peer = plain_rate,
                    .peer_name = "plain loop, 1 thread",
                    .limit = limit,
                    .limit_name = "copy bandwidth"});
  };
  row(", batches, 1 thread, CPU time", kBatch / seconds[0], copies);
  const Rate copied = copy_rate(2, repeats), batches = batch_rate(stage, 2, repeats),
             whole = whole_rate(stage, 2, repeats);
  row(", batches, 2 threads, CPU time", batches.cpu, copied.cpu / bytes);
  row(", batches, 2 threads, wall clock", batches.wall, copied.wall / bytes);
  row(", clips to batches, 2 threads, CPU time", whole.cpu, copied.cpu / bytes);
  row(", clips to batches, 2 threads, wall clock", whole.wall, copied.wall / bytes);
  rows.push_back({.name = name + ", batches, 2 threads, CPU time, against the reference",
                  .unit = "samples/s",
                  .ours = batches.cpu,
                  .peer = 3300,
                  .peer_name = "ai4animationpy (published)"});
  rows.push_back({.name = "features/frame rows of a 60 fps clip, 1 thread",
                  .unit = "rows/s",
                  .ours = stage.rows_a_clip / seconds[2]});
}

}  // namespace zoe::bench
