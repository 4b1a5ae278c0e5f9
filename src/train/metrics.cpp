// SPDX-License-Identifier: MIT
#include "train/metrics.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"

namespace zoe::train {
namespace {

std::string to_line(const MetricRow& row) {
  nlohmann::ordered_json json;
  json["step"] = row.step;
  json["epoch"] = std::round(row.epoch * 1e4) / 1e4;
  json["split"] = row.split;
  for (const auto& [name, value] : row.values) json[name] = value;  // Not finite: null in JSON.
  return json.dump() + "\n";
}

std::optional<MetricRow> from_line(const std::string& line) {
  const nlohmann::ordered_json json = nlohmann::ordered_json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("step") || !json["step"].is_number_integer() || !json.contains("split") ||
      !json["split"].is_string())
    return std::nullopt;
  MetricRow row;
  row.step = json["step"].get<std::int64_t>();
  row.split = json["split"].get<std::string>();
  for (const auto& [name, value] : json.items()) {
    if (!value.is_number() || name == "step") continue;
    if (name == "epoch")
      row.epoch = value.get<double>();
    else
      row.values.emplace_back(name, value.get<double>());
  }
  return row;
}

}  // namespace

Result<MetricLog> MetricLog::open(const std::filesystem::path& folder, std::int64_t from_step) {
  const std::filesystem::path path = folder / "metrics.jsonl";
  std::string kept;
  if (from_step > 0) {
    if (Result<std::vector<MetricRow>> rows = read_metrics(path)) {
      for (const MetricRow& row : *rows) {
        if (row.step <= from_step) kept += to_line(row);
      }
    }
  }
  ZOE_TRY(write_file_atomic(path, kept));
  ZOE_TRY_ASSIGN(EventFile events, EventFile::create(folder));
  return MetricLog(path, std::move(events));
}

Result<void> MetricLog::add(const MetricRow& row) {
  std::ofstream file(path_, std::ios::app | std::ios::binary);
  file << to_line(row) << std::flush;
  if (!file)
    return Error{ErrorCode::kIo, fmt::format("cannot write: {}", std::strerror(errno)), {.file = path_.string()}};
  Scalars tagged;
  for (const auto& [name, value] : row.values) tagged.emplace_back(row.split + "/" + name, value);
  return events_.add(row.step, tagged);
}

Result<std::vector<MetricRow>> read_metrics(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kIo, "cannot open", {.file = path.string()}};
  std::vector<MetricRow> rows;
  std::string line;
  while (std::getline(file, line)) {
    if (std::optional<MetricRow> row = from_line(line)) rows.push_back(std::move(*row));
  }
  return rows;
}

}  // namespace zoe::train
