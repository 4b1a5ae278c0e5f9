// SPDX-License-Identifier: MIT
#include "train/run_folder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/version.h"
#include "zoe/train/torch_version.h"

#include "train/checkpoints.h"
#include "train/git_id.h"

namespace zoe::train {
namespace {

// Before its config is read, because another model does not know its keys.
Result<void> check_model(const RunRequest& request) {
  const Result<MappedFile> file = MappedFile::open(request.folder / "run.json");
  if (!file) return {};  // The checkpoint reports it as well, only later.
  const auto json = nlohmann::json::parse(file->text(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("model") || !json["model"].is_string()) return {};
  const auto& model = json["model"].get_ref<const std::string&>();
  if (model == request.model) return {};
  return Error{ErrorCode::kUsage,
               fmt::format("the run here is of model '{}', not '{}'", model, request.model),
               {.file = request.folder.string()}};
}

}  // namespace

Result<Config> resolve_config(const ConfigSchema& schema, const RunRequest& request) {
  Config config(schema);
  if (request.resume) ZOE_TRY(config.load_file(request.folder / "config.toml"));
  if (request.config_file) ZOE_TRY(config.load_file(*request.config_file));
  for (const std::string& assignment : request.overrides) ZOE_TRY(config.set(assignment));
  return config;
}

Result<void> open_run_folder(const RunRequest& request) {
  const bool has_run = std::filesystem::exists(request.folder / "config.toml");
  const bool has_checkpoint = !Checkpoints(request.folder / "checkpoints", 1).steps().empty();
  if (request.resume && !has_run)
    return Error{ErrorCode::kUsage, "there is no run here to resume", {.file = request.folder.string()}};
  if (!request.resume && has_checkpoint) {
    return Error{ErrorCode::kUsage,
                 "contains a run already: --resume continues it, another -o starts a new one",
                 {.file = request.folder.string()}};
  }
  if (request.resume) ZOE_TRY(check_model(request));
  std::error_code error;
  std::filesystem::create_directories(request.folder / "checkpoints", error);
  if (error)
    return Error{ErrorCode::kIo, "cannot create the folder: " + error.message(), {.file = request.folder.string()}};
  ZOE_TRY(sync_folder(request.folder));
  return sync_folder(std::filesystem::absolute(request.folder).parent_path());
}

Result<void> write_run_files(const RunRequest& request, const Config& config, const BatchSource& source,
                             const std::string& device, std::int64_t num_weights, int threads) {
  ZOE_TRY(write_file_atomic(request.folder / "config.toml", config.to_toml()));
  nlohmann::ordered_json json;
  json["model"] = request.model;
  json["data"] = request.data;
  if (!request.mixture.empty()) {
    json["data"] = nlohmann::ordered_json::array();
    for (const DataPart& part : request.mixture) json["data"].push_back({{"data", part.data}, {"weight", part.weight}});
  }
  for (const Field& field : source.fields())
    json["fields"].push_back({{"name", field.name}, {"steps", field.steps}, {"width", field.width}});
  json["training_samples"] = source.num_samples(Split::kTraining);
  json["validation_samples"] = source.num_samples(Split::kValidation);
  json["weights"] = num_weights;
  json["device"] = device;
  json["threads"] = threads;
  json["ranks"] = request.ranks.size;
  json["zoe"] = ZOE_VERSION_STRING;
  json["git"] = git_id();
  json["torch"] = torch_version();
  return write_file_atomic(request.folder / "run.json", json.dump(2) + "\n");
}

}  // namespace zoe::train
