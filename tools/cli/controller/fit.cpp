// SPDX-License-Identifier: MIT
#include "controller/fit.h"

#include <fmt/format.h>

#include "zoe/control/match/motion_matching.h"

#include "controller/train_run.h"
#include "verb.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

// Columns of the channels that choose among experts: they come first.
std::string gate_setting(const features::Layout& layout, int channels) {
  const auto columns = layout.columns(features::BlockKind::kInput);
  const features::Column& last = columns[static_cast<std::size_t>(channels - 1)];
  return fmt::format("model.gate=0,{}", last.begin + last.width);
}

// One network, frame by frame.
Result<void> fit_network(const FitContext& context) {
  std::vector<std::string> settings;
  const int gate_channels = control::num_gate_channels(context.kind, context.group.layout.schema());
  if (gate_channels > 0) settings.push_back(gate_setting(context.group.layout, gate_channels));
  settings.insert(settings.end(), context.kind.settings.begin(), context.kind.settings.end());
  ZOE_TRY_ASSIGN(const fs::path made,
                 train_network(context, context.kind.model, "network", context.data_folder, settings));
  std::error_code error;
  fs::copy_file(made, context.run / context.config.network, fs::copy_options::overwrite_existing, error);
  if (error) return Error{ErrorCode::kIo, error.message(), {.file = made.string()}};
  return {};
}

Result<void> fit_cxm(const FitContext& context) {
  context.config.neural = control::cxm_options();
  return fit_network(context);
}

// What motion matching plays: all clips of the group.
Result<void> fit_database(const FitContext& context) {
  ZOE_TRY_ASSIGN(const control::MotionDatabase database, make_database(context));
  context.config.network.clear();
  context.config.neural.trajectory = control::MatchOptions{}.trajectory;
  context.config.neural.correction = control::MatchOptions{}.correction;
  context.config.database = "database.safetensors";
  return database.save(context.run / context.config.database, context.data.licence());
}

struct OwnFit {
  std::string_view kind;
  Fit fit;
};
constexpr OwnFit kOwnFits[] = {
    {"lmm", fit_learned_matching},
    {"cxm", fit_cxm},
    {"mm", fit_database},
};

}  // namespace

Result<control::MotionDatabase> make_database(const FitContext& context) {
  std::vector<control::DatabaseSource> clips;
  for (std::size_t i = 0; i < context.group.rows.size(); ++i) {
    const dataset::ClipRecord& record = context.data.clips()[static_cast<std::size_t>(context.group.clips[i])];
    clips.push_back({fmt::format("{} {}{}", record.source, record.name, record.mirrored ? " mirrored" : ""),
                     context.group.rows[i]});
  }
  ZOE_TRY_ASSIGN(control::MotionDatabase database,
                 control::MotionDatabase::build(context.group.layout, context.group.skeleton, clips));
  if (!quiet()) {
    fmt::print("database: {} clips, {} frames, {} features\n", clips.size(), database.num_frames(),
               database.num_dims());
  }
  return database;
}

Prepare prepare_of(const control::Kind& kind) {
  return std::string_view(kind.name) == "deepphase" ? prepare_deepphase : nullptr;
}

Fit fit_of(const control::Kind& kind) {
  for (const OwnFit& own : kOwnFits) {
    if (own.kind == kind.name) return own.fit;
  }
  return fit_network;
}

Result<fs::path> train_network(const FitContext& context, const std::string& model, const std::string& name,
                               const fs::path& data_folder, const std::vector<std::string>& settings) {
  const fs::path folder = context.run / name;
  std::vector<std::string> words{model,           "--data",   data_folder.string(), "-o",
                                 folder.string(), "--device", context.device};
  if (quiet()) words.emplace_back("--quiet");
  for (const auto* list : {&settings, &context.settings}) {
    for (const std::string& setting : *list) words.insert(words.end(), {"--set", setting});
  }
  ZOE_TRY(run_trainer(words));
  return folder / "model.safetensors";
}

}  // namespace zoe::cli
