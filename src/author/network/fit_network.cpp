// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "zoe/author/types.h"

#include "author/fits.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// Columns of the channels that select experts. They come first.
std::string gate_setting(const features::Layout& layout, int channels) {
  const auto columns = layout.columns(features::BlockKind::kInput);
  const features::Column& last = columns[static_cast<std::size_t>(channels - 1)];
  return fmt::format("model.gate=0,{}", last.begin + last.width);
}

}  // namespace

Result<void> fit_network(const FitContext& context) {
  std::vector<std::string> settings;
  const int gate_channels = num_gate_channels(context.type, context.group.layout.schema());
  if (gate_channels > 0) settings.push_back(gate_setting(context.group.layout, gate_channels));
  settings.insert(settings.end(), context.type.settings.begin(), context.type.settings.end());
  ZOE_TRY_ASSIGN(const fs::path made,
                 train_network(context, context.type.model, "network", context.data_folder, settings));
  std::error_code error;
  fs::copy_file(made, context.run / context.config.network, fs::copy_options::overwrite_existing, error);
  if (error) return Error{ErrorCode::kIo, error.message(), {.file = made.string()}};
  return {};
}

Result<void> fit_cxm(const FitContext& context) {
  context.config.neural = control::cxm_options();
  return fit_network(context);
}

Result<fs::path> train_network(const FitContext& context, const std::string& model, const std::string& name,
                               const fs::path& data_folder, const std::vector<std::string>& settings) {
  TrainingRequest request{.model = model,
                          .data = data_folder,
                          .out = context.run / name,
                          .device = context.device,
                          .settings = settings,
                          .quiet = context.listener.quiet()};
  request.settings.insert(request.settings.end(), context.settings.begin(), context.settings.end());
  ZOE_TRY_ASSIGN(const Training done, context.trainer.train(request));
  context.listener.warn(done.warnings);
  if (!done.summary.empty()) context.listener.say(done.summary);
  return done.model_file;
}

}  // namespace zoe::author
