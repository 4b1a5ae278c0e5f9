// SPDX-License-Identifier: MIT
#include "codec_run.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/dataset/sampler.h"
#include "zoe/nn/graph_file.h"

namespace zoe::cli {
namespace {

Result<std::string> data_folder_of(const std::filesystem::path& run) {
  const std::filesystem::path path = run / "run.json";
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  const auto json = nlohmann::json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("data") || !json["data"].is_string())
    return Error{
        ErrorCode::kInvalid, "does not name the run's data: give the dataset with --data", {.file = path.string()}};
  return json["data"].get<std::string>();
}

}  // namespace

Result<generate::MotionCodec> CodecRun::codec(SkeletonPtr skeleton) const {
  return generate::MotionCodec::create({model, encoder.nodes.empty() ? nullptr : &encoder}, body().layout,
                                       std::move(skeleton));
}

Result<CodecRun> open_codec_run(const std::string& folder, const std::string& data) {
  CodecRun run;
  const std::filesystem::path path(folder);
  ZOE_TRY_ASSIGN(run.model, nn::read_graph(path / "model.safetensors"));
  if (std::filesystem::exists(path / "encoder.safetensors")) {
    ZOE_TRY_ASSIGN(run.encoder, nn::read_graph(path / "encoder.safetensors"));
  }
  std::string data_folder = data;
  if (data_folder.empty()) {
    ZOE_TRY_ASSIGN(data_folder, data_folder_of(path));
  }
  Result<dataset::DatasetPtr> opened = dataset::Dataset::open(data_folder);
  if (!opened) {
    Error error = std::move(opened).error();
    if (data.empty()) error.message += " (the run's data; --data gives another folder)";
    return error;
  }
  run.data = std::move(*opened);
  run.group = dataset::most_sampled_group(*run.data);
  if (run.group < 0) return Error{ErrorCode::kInvalid, "the dataset has no training samples", {.file = data_folder}};
  const auto layout = run.model.metadata.find("layout");
  if (layout == run.model.metadata.end() || layout->second != run.body().layout.to_toml())
    return Error{ErrorCode::kUsage,
                 "the run was trained on another layout than this dataset has: give its dataset with --data",
                 {.file = data_folder}};
  return run;
}

std::string fingerprint_text(const generate::MotionCodec& codec) { return fmt::format("{:016x}", codec.fingerprint()); }

}  // namespace zoe::cli
