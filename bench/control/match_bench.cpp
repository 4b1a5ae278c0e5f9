// SPDX-License-Identifier: MIT
#include "control/match_bench.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "zoe/author/database.h"
#include "zoe/author/make_body.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/control/sources.h"
#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"
#include "zoe/features/frame_rows.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/remap.h"
#include "zoe/synth/clip.h"

#include "control/aabb_baseline.h"
#include "control/faiss_peer.h"
#ifdef ZOE_BENCH_IO
#include "zoe/io/read.h"
#endif

namespace zoe::bench {
namespace {

using control::Match;
using control::MatchQuery;
using control::MotionDatabase;
namespace fs = std::filesystem;

// LAFAN1: 51,000 frames at 60 per second, on one body, metres.
std::vector<Motion> real_clips([[maybe_unused]] const Options& options) {
  std::vector<Motion> clips;
#ifdef ZOE_BENCH_IO
  if (!options.data_dir) return clips;
  std::set<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(*options.data_dir / "biped/lafan1", error))
    if (entry.path().extension() == ".bvh") files.insert(entry.path());
  for (const fs::path& file : files) {
    auto asset = io::read_asset(file);
    if (!asset || asset->clips.empty()) continue;
    Motion& clip = asset->clips[0];
    const double scale = analyse(*clip.skeleton, {&clip, 1}).metres_per_unit;
    clip = convert_space(clip, {.scale = scale}, convert_space(*clip.skeleton, {.scale = scale}));
    clips.push_back(clips.empty() ? std::move(clip) : remap_by_name(clip, clips[0].skeleton));
  }
#endif
  return clips;
}

std::vector<Motion> made_clips() {
  const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(1), {.mesh = false});
  std::vector<Motion> clips;
  for (int i = 0; i < 84; ++i) {
    const synth::Gait gait = i % 4 == 3 ? synth::Gait::kRun : synth::Gait::kWalk;
    const auto courses = synth::courses_of(BodyFamily::kBiped, gait);
    const synth::ClipRequest request{
        .gait = gait, .course = courses[idx(i) % courses.size()], .seconds = 10, .fps = 60};
    auto clip = synth::make_clip(body, request, Random(2).split(static_cast<std::uint64_t>(i)));
    if (clip) clips.push_back(std::move(clip->motion));
  }
  return clips;
}

struct Asked {
  std::vector<float> features;
  MatchQuery query;
  int frame = 0;  // The frame that played.
};

struct Stage {
  std::string name;
  control::MotionDatabasePtr database;
  control::ControllerPtr controller;
  std::vector<float> features;  // [frames × dims], normalised: the data that peers search.
  std::vector<Asked> asked;
};

Result<Stage> make_stage(const Options& options) {
  Stage stage;
  std::vector<Motion> clips = real_clips(options);
  stage.name = clips.empty() ? "synth" : "LAFAN1";
  if (clips.empty()) clips = made_clips();
  const SkeletonPtr skeleton = clips[0].skeleton;
  const SkeletonAnalysis analysis = analyse(*skeleton, {clips.data(), 1});
  ZOE_TRY_ASSIGN(const features::Schema schema, features::Schema::parse(author::match_schema()));
  ZOE_TRY_ASSIGN(const features::Layout layout, features::Layout::compile(schema, *skeleton, analysis));
  std::vector<std::vector<float>> rows;
  for (const Motion& clip : clips) {
    ZOE_TRY_ASSIGN(rows.emplace_back(), features::build_frame_rows(layout, {.motion = &clip}));
  }
  std::vector<author::DatabaseSource> sources;
  std::vector<features::ClipRows> all_rows;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    all_rows.push_back({rows[i].data(), features::num_rows(layout, clips[i])});
    sources.push_back({clips[i].name, all_rows.back()});
  }
  ZOE_TRY_ASSIGN(MotionDatabase database, author::build_database(layout, skeleton, sources));
  ZOE_TRY_ASSIGN(control::Body body, author::make_body(layout, skeleton, all_rows));
  stage.database = std::make_shared<const MotionDatabase>(std::move(database));
  ZOE_TRY_ASSIGN(stage.controller, control::make_motion_matching(stage.database, std::move(body)));
  const std::size_t dims = idx(stage.database->num_dims());
  stage.features.resize(idx(stage.database->num_frames()) * dims);
  for (int f = 0; f < stage.database->num_frames(); ++f)
    stage.database->features(f, std::span(stage.features).subspan(idx(f) * dims, dims));
  return stage;
}

// Records the queries of a character that random sticks lead.
void play(Stage& stage, int num_queries) {
  const auto state = stage.controller->make_state();
  const auto sticks = control::random_sticks(7, 2.5F);
  std::int64_t searches = 0;
  while (static_cast<int>(stage.asked.size()) < num_queries) {
    stage.controller->tick(*state, sticks->next(state->root(), 1.0 / 60), 1.0 / 60);
    const control::MatchReport& report = control::match_report(*state);
    if (report.num_searches == searches) continue;
    searches = report.num_searches;
    stage.asked.push_back({{report.query.features.begin(), report.query.features.end()},
                           report.query,
                           (report.query.skip_begin + report.query.skip_end) / 2});
  }
  for (Asked& asked : stage.asked) asked.query.features = asked.features;
}

// Seconds of every query: the least of several rounds, which excludes preemption.
struct Times {
  std::vector<double> each;

  double at(double share) const {
    std::vector<double> sorted = each;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::min(static_cast<std::size_t>(share * static_cast<double>(sorted.size())), sorted.size() - 1)];
  }
  double mean() const {
    double sum = 0;
    for (const double s : each) sum += s;
    return sum / static_cast<double>(each.size());
  }
};

// Rounds over all queries, methods alternating.
std::vector<Times> measure(const Options& options, std::size_t count,
                           const std::vector<std::function<void(std::size_t)>>& methods) {
  std::vector<Times> times(methods.size());
  for (Times& t : times) t.each.assign(count, 1e30);
  for (int round = 0; round < options.num_samples; ++round) {
    for (std::size_t m = 0; m < methods.size(); ++m) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto start = std::chrono::steady_clock::now();
        methods[m](i);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        times[m].each[i] = std::min(times[m].each[i], took.count());
      }
    }
  }
  return times;
}

}  // namespace

void bench_match(const Options& options, std::vector<Row>& rows) {
  auto made = make_stage(options);
  if (!made) return;
  Stage& stage = *made;
  play(stage, options.num_samples < 5 ? 200 : 1000);
  const control::SearchIndex& index = stage.database->index();
  const int dims = stage.database->num_dims();
  const AabbBaseline aabb(stage.features, dims);
  const FaissFlat faiss(stage.features, dims);
  const auto unseeded = [&](std::size_t i) {
    MatchQuery query = stage.asked[i].query;
    query.max_cost = std::numeric_limits<float>::infinity();
    query.hints = {-1, -1};
    return query;
  };
  const auto published = [&](std::size_t i, float max_cost) {
    const Asked& asked = stage.asked[i];
    keep(aabb.find(asked.features, asked.query.skip_begin, asked.query.skip_end, {asked.frame, max_cost}));
  };
  const std::size_t count = stage.asked.size();
  std::int64_t frame = 0;
  float cost = 0;
  std::vector<std::function<void(std::size_t)>> methods{
      [&](std::size_t i) { keep(index.find(stage.asked[i].query)); },
      [&](std::size_t i) { published(i, stage.asked[i].query.max_cost); },
      [&](std::size_t i) { keep(index.find(unseeded(i))); },
      [&](std::size_t i) { published(i, std::numeric_limits<float>::infinity()); },
      [&](std::size_t i) { keep(index.find_by_scan(unseeded(i))); }};
  if (faiss.exists())
    methods.emplace_back([&](std::size_t i) { faiss.find(stage.asked[i].features, {&frame, 1}, {&cost, 1}); });
  const std::vector<Times> times = measure(options, count, methods);

  const std::string name = fmt::format("match/{} {} frames x {}, ", stage.name, stage.database->num_frames(), dims);
  const char* kAabb = "AABB 64/16, scalar";
  // A scan reads every row: its bound is the memory bandwidth.
  const double scan_bytes = static_cast<double>(stage.features.size()) * 4;
  const double scan_limit = 0.5 * copy_bandwidth_bytes_per_s(stage.features.size() * 4) / scan_bytes;
  const auto row = [&](const std::string& what, double ours_s, double peer_s, const char* peer) {
    rows.push_back({.name = name + what,
                    .unit = "queries/s",
                    .ours = 1 / ours_s,
                    .peer = peer_s > 0 ? 1 / peer_s : 0,
                    .peer_name = peer});
  };
  row("as played, median", times[0].at(0.5), times[1].at(0.5), kAabb);
  row("as played, mean", times[0].mean(), times[1].mean(), kAabb);
  row("as played, slowest of 100", times[0].at(0.99), times[1].at(0.99), kAabb);
  row("unseeded, median", times[2].at(0.5), times[3].at(0.5), kAabb);
  row("unseeded, slowest of 100", times[2].at(0.99), times[3].at(0.99), kAabb);
  row("scan", times[4].mean(), times[3].mean(), kAabb);
  rows.back().limit = scan_limit;
  rows.back().limit_name = "reading all rows";
  if (!faiss.exists()) return;
  row("as played, mean", times[0].mean(), times[5].mean(), "FAISS flat, one by one");
  row("unseeded, mean", times[2].mean(), times[5].mean(), "FAISS flat, one by one");

  // A crowd queries at once: FAISS then multiplies matrices.
  constexpr std::size_t kBatch = 64;
  std::vector<MatchQuery> queries;
  std::vector<float> batch;
  for (std::size_t i = 0; i < kBatch; ++i) {
    const std::size_t at = i * count / kBatch;
    queries.push_back(unseeded(at));
    batch.insert(batch.end(), stage.asked[at].features.begin(), stage.asked[at].features.end());
  }
  std::vector<Match> matches(kBatch);
  std::vector<std::int64_t> frames(kBatch);
  std::vector<float> costs(kBatch);
  ThreadPool alone(0);
  const std::vector<double> seconds = seconds_per_call(
      options, {[&] { index.find_many(queries, matches, alone); }, [&] { faiss.find(batch, frames, costs); }});
  row("64 at once, unseeded", seconds[0] / kBatch, seconds[1] / kBatch, "FAISS flat, 64 at once");
}

}  // namespace zoe::bench
