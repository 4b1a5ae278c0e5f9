// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe dataset info`: the content of a dataset.
#include <chrono>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <time.h>

#include "zoe/core/thread_pool.h"
#include "zoe/dataset/dataset.h"
#include "zoe/dataset/sampler.h"

#include "dataset.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;
using dataset::ClipRecord;
using dataset::Dataset;
using dataset::Group;
using dataset::Split;
using features::BlockKind;

constexpr Split kSplits[] = {Split::kTrain, Split::kValidation, Split::kTest};

struct Counts {
  int clips = 0, mirrored = 0, repaired = 0;
  double minutes = 0;
  std::set<std::string> actors, bodies;
  std::map<std::string, double> label_minutes;
};
Counts count(const Dataset& data, int group, std::optional<Split> split) {
  Counts out;
  const Group& of = data.groups()[static_cast<std::size_t>(group)];
  for (const int index : of.clips) {
    const ClipRecord& clip = data.clips()[static_cast<std::size_t>(index)];
    if (split && clip.split != *split) continue;
    ++out.clips;
    out.mirrored += clip.mirrored ? 1 : 0;
    out.repaired += !clip.mirrored && !clip.repairs.empty() ? 1 : 0;
    out.minutes += clip.num_rows / of.layout.fps() / 60;
    out.actors.insert(clip.actor);
    out.bodies.insert(clip.body);
    for (std::size_t i = 0; i < clip.labels.size(); ++i)
      out.label_minutes[clip.labels[i]] +=
          clip.num_rows / of.layout.fps() / 60 * static_cast<double>(clip.label_shares[i]);
  }
  return out;
}

Json to_json(const Counts& counts) {
  return {{"clips", counts.clips},
          {"mirrored", counts.mirrored},
          {"minutes", counts.minutes},
          {"actors", counts.actors.size()},
          {"bodies", counts.bodies.size()},
          {"repaired", counts.repaired},
          {"label_minutes", counts.label_minutes}};
}

std::map<std::string, int> reasons_of(const Dataset& data) {
  std::map<std::string, int> out;
  for (const dataset::LeftOut& item : data.left_out()) ++out[item.reason.code];
  return out;
}

Json describe(const Dataset& data) {
  Json out{{"folder", data.folder().string()},
           {"clips", data.clips().size()},
           {"minutes", 60 * data.totals().hours},
           {"rows", data.totals().num_rows},
           {"licence", data.licence().empty() ? Json(nullptr) : Json(data.licence())}};
  out["groups"] = Json::array();
  for (std::size_t g = 0; g < data.groups().size(); ++g) {
    const Group& group = data.groups()[g];
    Json item{{"id", group.id},
              {"name", group.name},
              {"joints", group.layout.num_joints()},
              {"schema", group.layout.schema().name},
              {"fps", group.layout.fps()},
              {"frame_width", group.layout.frame_width()}};
    for (const BlockKind kind : features::kBlockKinds)
      item["blocks"][to_string(kind)] = {group.layout.steps(kind), group.layout.width(kind)};
    item["counts"] = to_json(count(data, static_cast<int>(g), {}));
    for (const Split split : kSplits)
      item["splits"][to_string(split)] = to_json(count(data, static_cast<int>(g), split));
    out["groups"].push_back(std::move(item));
  }
  out["left_out"] = Json(reasons_of(data));
  return out;
}

void print(const Dataset& data) {
  fmt::print("{}: {} clips, {:.1f} minutes, {} rows\n", data.folder().string(), data.clips().size(),
             60 * data.totals().hours, data.totals().num_rows);
  fmt::print("  licence: {}\n", data.licence().empty() ? "unknown" : data.licence());
  for (std::size_t g = 0; g < data.groups().size(); ++g) {
    const Group& group = data.groups()[g];
    const Counts all = count(data, static_cast<int>(g), {});
    fmt::print("  group {}: {} ({}), schema {}, {:g} rows per second of {} floats\n", g, group.name, group.id,
               group.layout.schema().name, group.layout.fps(), group.layout.frame_width());
    fmt::print("    {} bodies, {} actors", all.bodies.size(), all.actors.size());
    for (const BlockKind kind : features::kBlockKinds)
      if (group.layout.width(kind) > 0)
        fmt::print(", {} {} x {}", to_string(kind), group.layout.steps(kind), group.layout.width(kind));
    fmt::print("\n");
    for (const Split split : kSplits) {
      const Counts counts = count(data, static_cast<int>(g), split);
      fmt::print("    {:<11}{:>6} clips ({} mirrored){:>9.1f} minutes\n", to_string(split), counts.clips,
                 counts.mirrored, counts.minutes);
    }
    for (const auto& [label, minutes] : all.label_minutes)
      fmt::print("    label {:<16}{:>9.2f} minutes\n", label, minutes);
  }
  for (const auto& [code, number] : reasons_of(data)) fmt::print("  left out, {}: {}\n", code, number);
}

double thread_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Batches of 512 in training's order, separate for each thread, for some seconds. Includes the first pass over the
// disk.
Result<void> print_speed(const Dataset& data, int num_jobs) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kBatch = 512;
  constexpr double kSeconds = 5;
  const auto threads = static_cast<std::size_t>(num_jobs > 0 ? num_jobs : ThreadPool::shared().num_threads());
  for (std::size_t g = 0; g < data.groups().size(); ++g) {
    const auto group = static_cast<int>(g);
    const features::Layout& layout = data.groups()[g].layout;
    ZOE_TRY_ASSIGN(const dataset::Sampler sampler, dataset::Sampler::create(data, {.group = group, .split = {}}));
    std::vector<std::thread> workers;
    std::vector<std::uint64_t> batches(threads, 0);
    std::vector<double> cpu_s(threads, 0);  // Excludes the load of other programs.
    const auto start = Clock::now();
    const auto elapsed_s = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    for (std::size_t t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        std::vector<features::Sample> samples(kBatch);
        std::vector<float> input(kBatch * layout.size(BlockKind::kInput));
        std::vector<float> output(kBatch * layout.size(BlockKind::kOutput));
        std::vector<float> condition(kBatch * layout.size(BlockKind::kCondition));
        const double from = thread_cpu_s();
        for (; elapsed_s() < kSeconds; ++batches[t]) {
          sampler.fill(0, (batches[t] * threads + t) * kBatch, samples);
          data.gather(group, samples, input, output, condition);
        }
        cpu_s[t] = thread_cpu_s() - from;
      });
    }
    for (std::thread& worker : workers) worker.join();
    const double seconds = elapsed_s();
    double by_wall = 0, by_cpu = 0;
    for (std::size_t t = 0; t < threads; ++t) {
      const double samples = static_cast<double>(batches[t] * kBatch);
      by_wall += samples / seconds;
      by_cpu += cpu_s[t] > 0 ? samples / cpu_s[t] : 0;
    }
    fmt::print("  group {}: batches of {}, {} threads: {:.0f} samples/s by CPU time, {:.0f} by wall clock\n", g, kBatch,
               threads, by_cpu, by_wall);
  }
  return {};
}

}  // namespace

int run_dataset_info(const Arguments& arguments) {
  Options app;
  std::string folder;
  bool json = false, speed = false, preload = false;
  int jobs = 0;
  app.add_option("folder", folder, "Folder of the dataset")->required();
  app.add_flag("--json", json, "For scripts");
  app.add_flag("--speed", speed, "Measure the speed of gathering batches");
  app.add_flag("--preload", preload, "For --speed: read all rows first, for data that fits into memory");
  app.add_option("--jobs", jobs, "Threads for --speed; 0: one per processor")->between(0, 1024);
  if (const auto exit = parse(app, arguments)) return *exit;
  const auto data = Dataset::open(folder, preload ? MappedFile::Access::kWhole : MappedFile::Access::kSparse);
  if (!data) return print_error(data.error());
  if (json)
    fmt::print("{}\n", describe(**data).dump(2));
  else
    print(**data);
  if (speed) {
    if (const Result<void> done = print_speed(**data, jobs); !done) return print_error(done.error());
  }
  return kDone;
}

}  // namespace zoe::cli
