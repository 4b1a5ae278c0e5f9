// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/author/types.h"
#include "zoe/nn/graph_file.h"

#include "author/fits.h"
#include "author/network/fed_back.h"
#include "author/network/measure_range.h"

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
  const features::Layout& layout = context.group.layout;
  std::vector<std::string> settings;
  const int gate_channels = num_gate_channels(context.type, layout.schema());
  if (gate_channels > 0) settings.push_back(gate_setting(layout, gate_channels));
  const FedBack fed_back = fed_back_columns(layout);
  settings.push_back(fmt::format("model.fed_back_speed={}", fmt::join(fed_back.speed, ",")));
  settings.push_back(fmt::format("model.fed_back_pose={}", fmt::join(fed_back.pose, ",")));
  settings.insert(settings.end(), context.type.settings.begin(), context.type.settings.end());
  ZOE_TRY_ASSIGN(const fs::path made,
                 train_network(context, context.type.model, "network", context.data_folder, settings));
  ZOE_TRY_ASSIGN(nn::Graph graph, nn::read_graph(made));
  ZOE_TRY_ASSIGN(const control::FeatureRange range, measure_range(context));
  graph.metadata[control::kRangeKey] = range.to_text();
  return nn::write_graph(context.run / context.config.network, graph);
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
