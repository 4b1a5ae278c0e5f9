// SPDX-License-Identifier: MIT
// Phases of the type deepphase: a periodic autoencoder is trained on the clips and then evaluated at every moment of
// them.
#include <algorithm>

#include <fmt/format.h>

#include "zoe/author/periodic_phases.h"
#include "zoe/control/phase_signals.h"
#include "zoe/core/file.h"
#include "zoe/core/hash.h"
#include "zoe/dataset/build.h"
#include "zoe/dataset/sampler.h"
#include "zoe/store/config.h"

#include "author/fits.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// Seconds on a GPU; under a minute on two idle cores of a CPU.
constexpr const char* kDefaults[] = {"train.steps=800", "model.norm=false", "model.centre=true"};
constexpr std::string_view kPrefix = "pae:";

// Settings that begin with "pae:" belong to the autoencoder. Removes them from `settings` and returns them without the
// prefix.
std::vector<std::string> take_own_settings(std::vector<std::string>& settings) {
  std::vector<std::string> own(std::begin(kDefaults), std::end(kDefaults)), rest;
  for (const std::string& setting : settings) {
    if (setting.starts_with(kPrefix))
      own.push_back(setting.substr(kPrefix.size()));
    else
      rest.push_back(setting);
  }
  settings = std::move(rest);
  return own;
}

// Training clips that are longer than a window.
Result<void> check_windows(const fs::path& folder) {
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(folder));
  if (dataset::most_sampled_group(*data) >= 0) return {};
  return Error{ErrorCode::kInvalid,
               "phases need windows of two seconds, and no training clip is longer",
               {.file = folder.string()}};
}

Result<nn::NetworkPtr> train_phases(const PrepareContext& context, const fs::path& folder) {
  dataset::BuildOptions options = context.build;
  options.output = folder / "dataset";
  ZOE_TRY_ASSIGN(options.schema, features::Schema::parse(periodic_schema()));
  options.on_progress = {};
  options.find_actions = false;
  ZOE_TRY(dataset::build(options));
  ZOE_TRY(check_windows(options.output));
  ZOE_TRY_ASSIGN(const Training done, context.trainer.train({.model = "pae",
                                                             .data = options.output,
                                                             .out = folder,
                                                             .device = context.device,
                                                             .settings = take_own_settings(context.settings),
                                                             .quiet = context.listener.quiet()}));
  context.listener.warn(done.warnings);
  if (!done.summary.empty()) context.listener.say(done.summary);
  return nn::load_fixed_network(done.model_file);
}

}  // namespace

Result<Prepared> prepare_deepphase(const PrepareContext& context) {
  const fs::path folder = context.run / "pae";
  ZOE_TRY_ASSIGN(const nn::NetworkPtr network, train_phases(context, folder));
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(folder / "dataset"));
  // Clips of skeletons other than the trained one are excluded by name.
  const dataset::Group* group = nullptr;
  const auto layout = network->metadata().find("layout");
  for (const dataset::Group& one : data->groups()) {
    if (layout != network->metadata().end() && same_settings(one.layout.to_toml(), layout->second)) group = &one;
  }
  if (group == nullptr)
    return Error{ErrorCode::kInvalid, "the phases fit none of the skeletons here", {.file = folder.string()}};
  ZOE_TRY_ASSIGN(PeriodicPhases phases, PeriodicPhases::create(network, *group->skeleton));
  Prepared prepared{.signals = {}, .signal_width = 2 * phases.num_channels()};
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(folder / "model.safetensors"));
  prepared.signals.key = hash_text(file.text()).hex();
  prepared.signals.make = [phases =
                               std::move(phases)](const Motion& motion) -> Result<std::vector<dataset::ClipSignal>> {
    ZOE_TRY_ASSIGN(PeriodicPhases::Signals made, phases.signals_of(motion));
    std::vector<dataset::ClipSignal> signals;
    signals.push_back({control::kPhaseSignal, std::move(made.phase)});
    signals.push_back({control::kRhythmSignal, std::move(made.rhythm)});
    return signals;
  };
  context.listener.say(fmt::format("{}: phases in {} channels", folder.string(), prepared.signal_width / 2));
  return prepared;
}

}  // namespace zoe::author
