// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "zoe/core/file.h"

#include "dataset/folder.h"
#include "dataset/report.h"
#include "dataset/report_build.h"

namespace zoe::dataset {
namespace {

namespace fs = std::filesystem;

// Folders that contain parts are replaced by their parts.
Result<std::vector<fs::path>> expand(std::span<const fs::path> folders) {
  std::vector<fs::path> out;
  for (const fs::path& folder : folders) {
    std::vector<fs::path> below;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (entry.path().filename().string().starts_with("part-") && fs::exists(entry.path() / "dataset.json"))
        below.push_back(entry.path());
    if (error) return Error{ErrorCode::kIo, error.message(), {.file = folder.string()}};
    std::sort(below.begin(), below.end());
    if (below.empty())
      out.push_back(folder);
    else
      out.insert(out.end(), below.begin(), below.end());
  }
  return out;
}

Result<void> link_or_copy(const fs::path& from, const fs::path& to) {
  if (fs::exists(to)) return {};  // Names contain the hash of the content.
  std::error_code error;
  fs::create_hard_link(from, to, error);
  if (!error) return {};
  const fs::path temporary = to.string() + ".tmp";
  fs::copy_file(from, temporary, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(temporary, to, error);
  std::error_code ignored;
  if (error) fs::remove(temporary, ignored);
  if (error) return Error{ErrorCode::kIo, "cannot copy: " + error.message(), {.file = from.string()}};
  return {};
}

bool same_groups(const DatasetHead& a, const DatasetHead& b) {
  return std::equal(
      a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(),
      [](const GroupHead& x, const GroupHead& y) { return x.id == y.id && x.layout_toml == y.layout_toml; });
}

// All parts of one build, each once.
Result<void> check_parts(std::span<const Manifest> parts, std::span<const fs::path> folders) {
  const auto fail = [&](std::size_t i, std::string message) {
    return Error{ErrorCode::kInvalid, std::move(message), {.file = folders[i].string()}};
  };
  std::set<int> found;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].head.settings_hash != parts[0].head.settings_hash)
      return fail(i,
                  fmt::format("built with other settings than {}; build all parts with the same", folders[0].string()));
    if (!same_groups(parts[i].head, parts[0].head))
      return fail(i, fmt::format("has other skeletons than {}: the parts were built from different files",
                                 folders[0].string()));
    if (parts[i].shard.count != parts[0].shard.count)
      return fail(i, fmt::format("one of {} parts, others are of {}", parts[i].shard.count, parts[0].shard.count));
    if (!found.insert(parts[i].shard.index).second)
      return fail(i, fmt::format("part {} is given twice", parts[i].shard.index));
  }
  for (int i = 0; i < parts[0].shard.count; ++i)
    if (!found.contains(i)) return fail(0, fmt::format("part {} of {} is missing", i, parts[0].shard.count));
  return {};
}

}  // namespace

Result<BuildReport> merge(std::span<const fs::path> folders, const fs::path& output) {
  if (folders.empty()) return Error{ErrorCode::kUsage, "no part to merge", {}};
  ZOE_TRY_ASSIGN(const std::vector<fs::path> places, expand(folders));
  std::vector<Manifest> parts;
  for (const fs::path& place : places) {
    ZOE_TRY_ASSIGN(Manifest part, read_manifest(place));
    parts.push_back(std::move(part));
  }
  ZOE_TRY(check_parts(parts, places));
  const DatasetHead& head = parts[0].head;
  std::vector<features::Layout> layouts;
  for (const GroupHead& group : head.groups) {
    ZOE_TRY_ASSIGN(features::Layout layout, features::Layout::from_toml(group.layout_toml, *group.skeleton,
                                                                        (places[0] / "dataset.json").string()));
    layouts.push_back(std::move(layout));
  }
  ZOE_TRY_ASSIGN(const LockFile lock, lock_folder(output));
  std::vector<BucketRecord> buckets;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const std::string& name : parts[i].buckets) {
      ZOE_TRY_ASSIGN(BucketRecord record, read_bucket(places[i] / name, head, layouts));
      if (!is_complete(places[i], record, layouts))
        return Error{ErrorCode::kInvalid, "rows are missing or damaged", {.file = (places[i] / name).string()}};
      std::set<std::string> files{name};
      for (const ClipRecord& clip : record.clips) files.insert(clip.file);
      for (const std::string& file : files) ZOE_TRY(link_or_copy(places[i] / file, output / file));
      buckets.push_back(std::move(record));
    }
  }
  Manifest manifest = assemble(head, {}, std::move(buckets), layouts);
  drop_empty_groups(manifest, layouts);
  ZOE_TRY(write_manifest(output, manifest, layouts));
  ZOE_TRY(write_file_atomic(output / "report.html", format_report(manifest, layouts)));
  remove_leftovers(output, manifest);
  BuildReport report = report_of(manifest, layouts);
  std::set<std::string> sources;
  for (const ClipRecord& clip : manifest.clips) sources.insert(clip.source);
  for (const LeftOut& left_out : manifest.left_out) sources.insert(left_out.source);
  report.num_files = report.num_reused_files = static_cast<int>(sources.size());
  return report;
}

}  // namespace zoe::dataset
