// SPDX-License-Identifier: MIT
// Records from and to the JSON files of a dataset.
#include <functional>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/core/version.h"

#include "dataset/record_json.h"
#include "dataset/records.h"

namespace zoe::dataset {
namespace {

using features::BlockKind;

Json summary_json(const GroupSummary& summary) {
  Json blocks = Json::array();
  for (const auto& statistics : summary.statistics) {
    if (!statistics)
      blocks.push_back(nullptr);
    else
      blocks.push_back({{"count", statistics->count()},
                        {"means", std::vector<double>(statistics->means().begin(), statistics->means().end())},
                        {"squares", std::vector<double>(statistics->squares().begin(), statistics->squares().end())}});
  }
  return {{"num_rows", summary.num_rows}, {"speeds", summary.speeds}, {"statistics", std::move(blocks)}};
}

GroupSummary summary_from_json(const Json& json, const features::Layout& layout) {
  GroupSummary out = GroupSummary::empty(layout);
  json.at("num_rows").get_to(out.num_rows);
  json.at("speeds").get_to(out.speeds);
  for (std::size_t k = 0; k < out.statistics.size(); ++k) {
    if (!out.statistics[k]) continue;
    const Json& block = json.at("statistics").at(k);
    std::vector<double> means = block.at("means"), squares = block.at("squares");
    if (means.size() != idx(out.statistics[k]->width()) || squares.size() != means.size())
      throw std::invalid_argument("statistics of another width");
    out.statistics[k] = features::ColumnStatistics::restore(block.at("count"), std::move(means), std::move(squares));
  }
  return out;
}

// Parses a file and passes it to `read`. An exception becomes an error of the file.
template <typename T>
Result<T> read_json(const std::filesystem::path& path, const std::function<Result<T>(const Json&)>& read) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  const Json json = Json::parse(file.text().begin(), file.text().end(), nullptr, false);
  const auto invalid = [&](const std::string& why) { return Error{ErrorCode::kInvalid, why, {.file = path.string()}}; };
  if (json.is_discarded()) return Error{ErrorCode::kSyntax, "not JSON, or cut short", {.file = path.string()}};
  try {
    return read(json);
  } catch (const std::exception& error) {
    return invalid(error.what());
  }
}

Json columns_json(const features::Layout& layout) {
  Json out = Json::object();
  for (std::size_t k = 0; k < features::kNumBlocks; ++k) {
    const auto kind = static_cast<BlockKind>(k);
    Json columns = Json::array();
    for (const features::Column& column : layout.columns(kind))
      columns.push_back({{"name", column.name}, {"begin", column.begin}, {"width", column.width}});
    out[to_string(kind)] = {
        {"steps", layout.steps(kind)}, {"width", layout.width(kind)}, {"columns", std::move(columns)}};
  }
  return out;
}

Json group_json(const GroupHead& head, const Manifest::GroupState& state, const features::Layout& layout) {
  Json normalisation = Json::object();
  for (std::size_t k = 0; k < features::kNumBlocks; ++k) {
    const features::BlockNormalisation& block = state.normalisation.blocks[k];
    normalisation[to_string(static_cast<BlockKind>(k))] = {{"means", block.means}, {"spreads", block.spreads}};
  }
  return {{"id", head.id},
          {"name", head.name},
          {"fps", layout.fps()},
          {"frame_width", layout.frame_width()},
          {"num_rows", state.num_rows},
          {"blocks", columns_json(layout)},
          {"speed_bin_m_s", kSpeedBin},
          {"speeds", state.speeds},
          {"skeleton", to_json(*head.skeleton)},
          {"layout", head.layout_toml},
          {"normalisation_samples", state.samples},
          {"normalisation", std::move(normalisation)}};
}

}  // namespace

Result<void> write_bucket(const std::filesystem::path& folder, const BucketRecord& record, const DatasetHead& head) {
  Json json{{"version", kFormatVersion}, {"bucket", record.bucket}, {"key", record.key}};
  json["clips"] = Json::array();
  for (const ClipRecord& clip : record.clips) json["clips"].push_back(to_json(clip, head));
  json["left_out"] = Json::array();
  for (const LeftOut& left_out : record.left_out) json["left_out"].push_back(to_json(left_out));
  json["checksums"] = record.checksums;
  json["summaries"] = Json::object();
  for (const auto& [group, summary] : record.summaries)
    json["summaries"][head.groups[idx(group)].id] = summary_json(summary);
  return write_file_atomic(folder / record.name(), json.dump());
}

Result<BucketRecord> read_bucket(const std::filesystem::path& file, const DatasetHead& head,
                                 std::span<const features::Layout> layouts) {
  return read_json<BucketRecord>(file, [&](const Json& json) -> Result<BucketRecord> {
    if (json.at("version") != kFormatVersion) throw std::invalid_argument("another version");
    BucketRecord record{.bucket = json.at("bucket"), .key = json.at("key")};
    for (const Json& clip : json.at("clips")) record.clips.push_back(clip_from_json(clip, head));
    for (const Json& left_out : json.at("left_out")) record.left_out.push_back(left_out_from_json(left_out));
    record.checksums = json.value("checksums", Checksums{});
    for (std::size_t g = 0; g < head.groups.size(); ++g) {
      const auto found = json.at("summaries").find(head.groups[g].id);
      if (found != json.at("summaries").end())
        record.summaries.emplace(static_cast<int>(g), summary_from_json(*found, layouts[g]));
    }
    return record;
  });
}

Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest,
                            std::span<const features::Layout> layouts) {
  Json json{
      {"format", "zoe-dataset"},
      {"version", kFormatVersion},
      {"zoe", ZOE_VERSION_STRING},
      {"settings_hash", manifest.head.settings_hash},
      {"settings", Json::parse(manifest.head.settings_json)},
      {"licence", manifest.head.licence.empty() ? Json(nullptr) : Json(manifest.head.licence)},
      {"shard", manifest.shard.count == 1 ? Json(nullptr)
                                          : Json{{"index", manifest.shard.index}, {"count", manifest.shard.count}}},
      {"schema", manifest.head.schema_toml}};
  json["groups"] = Json::array();
  for (std::size_t g = 0; g < manifest.groups.size(); ++g)
    json["groups"].push_back(group_json(manifest.head.groups[g], manifest.groups[g], layouts[g]));
  json["clips"] = Json::array();
  for (const ClipRecord& clip : manifest.clips) json["clips"].push_back(to_json(clip, manifest.head));
  json["left_out"] = Json::array();
  for (const LeftOut& left_out : manifest.left_out) json["left_out"].push_back(to_json(left_out));
  json["buckets"] = manifest.buckets;
  json["checksums"] = manifest.checksums;
  return write_file_atomic(folder / "dataset.json", json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<Manifest> read_manifest(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder / "dataset.json", ignored)) {
    return Error{ErrorCode::kIo,
                 "no dataset here (no dataset.json): `zoe dataset build CLIPS -o DIR` makes one",
                 {.file = folder.string()}};
  }
  return read_json<Manifest>(folder / "dataset.json", [&](const Json& json) -> Result<Manifest> {
    if (!json.is_object() || json.value("format", "") != "zoe-dataset")
      throw std::invalid_argument("not a dataset of zoe");
    if (json.at("version") != kFormatVersion) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("dataset version {}; this zoe reads {}: build it again", json.at("version").dump(),
                               kFormatVersion),
                   {.file = (folder / "dataset.json").string()}};
    }
    Manifest out;
    json.at("settings_hash").get_to(out.head.settings_hash);
    out.head.settings_json = json.at("settings").dump();
    if (json.at("licence").is_string()) json.at("licence").get_to(out.head.licence);
    json.at("schema").get_to(out.head.schema_toml);
    if (const Json& shard = json.at("shard"); !shard.is_null()) out.shard = {shard.at("index"), shard.at("count")};
    for (const Json& item : json.at("groups")) {
      ZOE_TRY_ASSIGN(SkeletonPtr skeleton, skeleton_from_json(item.at("skeleton")));
      out.head.groups.push_back({item.at("id"), item.at("name"), item.at("layout"), std::move(skeleton)});
      Manifest::GroupState state{
          .samples = item.at("normalisation_samples"), .num_rows = item.at("num_rows"), .speeds = item.at("speeds")};
      for (std::size_t k = 0; k < features::kNumBlocks; ++k) {
        const Json& block = item.at("normalisation").at(to_string(static_cast<BlockKind>(k)));
        state.normalisation.blocks[k] = {block.at("means"), block.at("spreads")};
      }
      out.groups.push_back(std::move(state));
    }
    for (const Json& clip : json.at("clips")) out.clips.push_back(clip_from_json(clip, out.head));
    for (const Json& left_out : json.at("left_out")) out.left_out.push_back(left_out_from_json(left_out));
    json.at("buckets").get_to(out.buckets);
    out.checksums = json.value("checksums", Checksums{});
    return out;
  });
}

std::string format_settings(const BuildOptions& options) {
  using By = SplitOptions::By;
  const char* by = options.split.by == By::kClip      ? "clip"
                   : options.split.by == By::kActor   ? "actor"
                   : options.split.by == By::kSpecies ? "species"
                                                      : "skeleton";
  return Json{{"fps", options.schema.fps},
              {"mirror", options.mirror},
              {"split", {{"by", by}, {"validation", options.split.validation}, {"test", options.split.test}}},
              {"skeletons", options.skeletons == Skeletons::kAuto   ? "auto"
                            : options.skeletons == Skeletons::kMain ? "main"
                                                                    : "each"},
              {"labels", options.labels},
              {"find_actions", options.find_actions},
              {"min_seconds", options.min_seconds},
              {"keep_duplicates", options.keep_duplicates},
              {"bvh_up", std::string(1, options.bvh_up)}}
      .dump();
}

}  // namespace zoe::dataset
