// SPDX-License-Identifier: MIT
#include "author/run_record.h"

#include <nlohmann/json.hpp>

#include "zoe/core/file.h"

namespace zoe::author {
namespace {

using Json = nlohmann::ordered_json;

Error damaged(const std::filesystem::path& file) {
  return {ErrorCode::kInvalid, "is no record of a run", {.file = file.string()}};
}

}  // namespace

Result<void> write_run_record(const std::filesystem::path& folder, const RunRecord& record) {
  Json json{{"format", "zoe-run"}, {"version", 1}, {"complete", record.complete}};
  json["request"] = Json::object();
  for (const RunFact& fact : record.facts) json["request"][fact.name] = fact.value;
  if (record.fit_settings) json["fit_settings"] = *record.fit_settings;
  return write_file_atomic(folder / kRecordFile, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<RunRecord> read_run_record(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kRecordFile;
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  const Json json = Json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("request") || !json["request"].is_object() || !json.contains("complete") ||
      !json["complete"].is_boolean())
    return damaged(path);
  RunRecord record;
  record.complete = json["complete"].get<bool>();
  for (const auto& [name, value] : json["request"].items()) {
    if (!value.is_string()) return damaged(path);
    record.facts.push_back({name, value.get<std::string>()});
  }
  if (!json.contains("fit_settings")) return record;
  record.fit_settings.emplace();
  if (!json["fit_settings"].is_array()) return damaged(path);
  for (const Json& setting : json["fit_settings"]) {
    if (!setting.is_string()) return damaged(path);
    record.fit_settings->push_back(setting.get<std::string>());
  }
  return record;
}

}  // namespace zoe::author
