// SPDX-License-Identifier: MIT
// Phases for the kind deepphase: a periodic autoencoder is trained on the clips and then read at
// every moment of them.
#include <algorithm>

#include <fmt/format.h>

#include "zoe/control/periodic_phases.h"
#include "zoe/core/file.h"
#include "zoe/core/hash.h"
#include "zoe/dataset/sampler.h"
#include "zoe/store/config.h"

#include "controller/fit.h"
#include "controller/train_run.h"
#include "verb.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

// Seconds on a GPU; under a minute on two idle cores of a CPU.
constexpr const char* kDefaults[] = {"train.steps=800", "model.norm=false", "model.centre=true"};
constexpr std::string_view kPrefix = "pae:";

// Those of the settings that begin with "pae:" are the autoencoder's: taken out, without that word.
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

// Clips for training that are longer than a window.
Result<void> check_windows(const fs::path& folder) {
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(folder));
  for (int group = 0; group < static_cast<int>(data->groups().size()); ++group) {
    if (dataset::Sampler::create(*data, {.group = group, .shuffle = false})) return {};
  }
  return Error{ErrorCode::kInvalid,
               "phases are found in windows of two seconds, and no clip to train on lasts longer",
               {.file = folder.string()}};
}

Result<nn::NetworkPtr> train_phases(const PrepareContext& context, const fs::path& folder) {
  dataset::BuildOptions options = context.build;
  options.output = folder / "dataset";
  ZOE_TRY_ASSIGN(options.schema, features::Schema::parse(control::periodic_schema()));
  options.on_progress = {};
  options.find_actions = false;
  ZOE_TRY(dataset::build(options));
  ZOE_TRY(check_windows(options.output));
  std::vector<std::string> words{"pae",           "--data",   options.output.string(), "-o",
                                 folder.string(), "--device", context.device};
  if (quiet()) words.emplace_back("--quiet");
  for (const std::string& setting : take_own_settings(context.settings)) words.insert(words.end(), {"--set", setting});
  ZOE_TRY(run_trainer(words));
  return nn::load_network(folder / "model.safetensors");
}

}  // namespace

Result<Prepared> prepare_deepphase(const PrepareContext& context) {
  const fs::path folder = context.run / "pae";
  ZOE_TRY_ASSIGN(const nn::NetworkPtr network, train_phases(context, folder));
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(folder / "dataset"));
  // Clips of other skeletons than the one it was trained on are left out by name.
  const dataset::Group* group = nullptr;
  const auto layout = network->metadata().find("layout");
  for (const dataset::Group& one : data->groups()) {
    if (layout != network->metadata().end() && same_settings(one.layout.to_toml(), layout->second)) group = &one;
  }
  if (group == nullptr)
    return Error{ErrorCode::kInvalid, "the phases are of none of the skeletons here", {.file = folder.string()}};
  ZOE_TRY_ASSIGN(control::PeriodicPhases phases, control::PeriodicPhases::create(network, *group->skeleton));
  Prepared prepared{.signals = {}, .signal_width = 2 * phases.num_channels()};
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(folder / "model.safetensors"));
  prepared.signals.key = hash_text(file.text()).hex();
  prepared.signals.make = [phases =
                               std::move(phases)](const Motion& motion) -> Result<std::vector<dataset::ClipSignal>> {
    ZOE_TRY_ASSIGN(control::PeriodicPhases::Signals made, phases.signals_of(motion));
    std::vector<dataset::ClipSignal> signals;
    signals.push_back({control::kPhaseSignal, std::move(made.phase)});
    signals.push_back({control::kRhythmSignal, std::move(made.rhythm)});
    return signals;
  };
  if (!quiet()) fmt::print("{}: phases in {} channels\n", folder.string(), prepared.signal_width / 2);
  return prepared;
}

}  // namespace zoe::cli
