// SPDX-License-Identifier: MIT
#include "zoe/dataset/build.h"

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "zoe/anatomy/segments.h"
#include "zoe/core/file.h"
#include "zoe/core/thread_pool.h"

#include "dataset/bucket.h"
#include "dataset/folder.h"
#include "dataset/names.h"
#include "dataset/report.h"
#include "dataset/report_build.h"

namespace zoe::dataset {
namespace {

// Detected actions must have a column or a label, unless no label is named at all.
Result<void> check_action_words(const BuildOptions& options) {
  const std::vector<std::string> known = all_labels(options);
  std::string words;
  for (int i = 0; i <= static_cast<int>(Action::kMove); ++i) {
    const std::string word = to_string(static_cast<Action>(i));
    if (std::find(known.begin(), known.end(), word) != known.end()) return {};
    words += (i > 0 ? ", " : "") + word;
  }
  if (known.empty()) return {};
  return Error{ErrorCode::kUsage,
               fmt::format("actions are to be detected, but none of their names ({}) is among the schema's labels; "
                           "name some in its [labels], or with --labels",
                           words),
               {}};
}

Result<void> check(const BuildOptions& options) {
  const auto wrong = [](std::string message) { return Error{ErrorCode::kUsage, std::move(message), {}}; };
  if (options.inputs.empty() && options.files.empty()) return wrong("no input folder");
  if (options.output.empty()) return wrong("no output folder");
  if (!(options.split.validation >= 0) || !(options.split.test >= 0) ||
      options.split.validation + options.split.test > 1)
    return wrong(fmt::format("the fractions of validation ({:g}) and test ({:g}) must sum to 0 to 1",
                             options.split.validation, options.split.test));
  if (options.shard.count < 1 || options.shard.index < 0 || options.shard.index >= options.shard.count)
    return wrong(fmt::format("no part {} of {}", options.shard.index, options.shard.count));
  if (!(options.schema.fps > 0)) return wrong(fmt::format("{:g} frames a second", options.schema.fps));
  if (options.find_actions) ZOE_TRY(check_action_words(options));
  if (!(options.min_seconds >= 0)) return wrong("min_seconds must not be negative");
  return {};
}

DatasetHead head_of(const BuildOptions& options, const Plan& plan) {
  DatasetHead head{plan.settings.hex(), options.schema.to_toml(), plan.licence, format_settings(options), {}};
  for (const PlannedGroup& group : plan.groups)
    head.groups.push_back({group.id, group.name, group.layout_toml, group.skeleton});
  return head;
}

// Files of each bucket of this shard, the largest first, so that the last one to finish is small.
struct Work {
  int bucket = 0;
  std::vector<std::size_t> files;
  std::uintmax_t bytes = 0;
  std::string key;
};
std::vector<Work> divide(const Plan& plan, Shard shard) {
  std::map<int, Work> buckets;
  for (std::size_t i = 0; i < plan.files.size(); ++i) {
    const PlannedFile& file = plan.files[i];
    if (file.bucket % shard.count != shard.index) continue;
    Work& work = buckets[file.bucket];
    work.bucket = file.bucket;
    work.files.push_back(i);
    work.bytes += file.file.bytes;
  }
  std::vector<Work> out;
  for (auto& [bucket, work] : buckets) {
    HashBuilder key;
    key.add(plan.settings);
    for (const std::size_t i : work.files) key.add(plan.files[i].key);
    work.key = key.finish().hex();
    out.push_back(std::move(work));
  }
  std::stable_sort(out.begin(), out.end(), [](const Work& a, const Work& b) { return a.bytes > b.bytes; });
  return out;
}

}  // namespace

Result<BuildReport> build(const BuildOptions& options) {
  ZOE_TRY(check(options));
  std::optional<ThreadPool> own;
  if (options.num_jobs > 0) own.emplace(options.num_jobs - 1);
  Executor& pool = own ? *own : ThreadPool::shared();
  ZOE_TRY_ASSIGN(const Plan plan, make_plan(options, pool));
  if (plan.groups.empty()) {
    std::string why = "no motion file below the input folders";
    for (const PlannedFile& file : plan.files)
      if (file.file.problem)
        why = fmt::format("none of {} files can be used; {}: {}", plan.files.size(), file.file.source,
                          file.file.problem->text);
    return Error{ErrorCode::kInvalid, why, {}};
  }
  ZOE_TRY_ASSIGN(const LockFile lock, lock_folder(options.output));
  const DatasetHead head = head_of(options, plan);
  std::vector<features::Layout> layouts;
  for (const PlannedGroup& group : plan.groups) layouts.push_back(group.layout);
  auto before = Dataset::open(options.output);
  const OldRows old(before && (*before)->verify() ? *before : nullptr);

  const std::vector<Work> work = divide(plan, options.shard);
  std::uint64_t total = 0, done = 0;
  for (const Work& item : work) total += item.files.size();
  std::mutex mutex;  // Guards the members below.
  std::vector<BucketRecord> records(work.size());
  std::optional<Error> failure;
  int num_reused = 0;
  const auto count_files = [&](std::size_t files, bool reused) {
    const std::lock_guard guard(mutex);
    done += files;
    num_reused += reused ? static_cast<int>(files) : 0;
    if (options.on_progress) options.on_progress(done, total);
  };
  pool.parallel_for(work.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      {
        const std::lock_guard guard(mutex);
        if (failure) return;
      }
      BucketRecord name_only{.bucket = work[i].bucket, .key = work[i].key};
      auto record = read_bucket(options.output / name_only.name(), head, layouts);
      if (record && record->key == work[i].key && is_complete(options.output, *record, layouts)) {
        count_files(work[i].files.size(), true);
      } else {
        record = BucketJob{&options,       &plan,         &head,       &old,
                           work[i].bucket, work[i].files, work[i].key, [&](bool reused) { count_files(1, reused); }}
                     .run();
      }
      if (record)
        records[i] = std::move(*record);
      else {
        const std::lock_guard guard(mutex);
        if (!failure) failure = record.error();
      }
    }
  });
  if (failure) return *failure;

  Manifest manifest = assemble(head, options.shard, std::move(records), layouts);
  if (options.shard.count == 1) drop_empty_groups(manifest, layouts);
  ZOE_TRY(write_manifest(options.output, manifest, layouts));
  ZOE_TRY(write_file_atomic(options.output / "report.html", format_report(manifest, layouts)));
  remove_leftovers(options.output, manifest);
  BuildReport report = report_of(manifest, layouts);
  report.num_files = static_cast<int>(total);
  report.num_reused_files = num_reused;
  report.warnings.insert(report.warnings.end(), plan.warnings.begin(), plan.warnings.end());
  return report;
}

}  // namespace zoe::dataset
