// SPDX-License-Identifier: MIT
// Part of Zoetrope. One type of controller and how it is made: the schema of its dataset, the trained model and the
// fit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "zoe/author/listener.h"
#include "zoe/author/trainer.h"
#include "zoe/control/types.h"
#include "zoe/dataset/build_options.h"
#include "zoe/dataset/dataset.h"

namespace zoe::author {

struct Type;

// Used before the dataset is built: a type may need signals of the clips that are computed first.
struct PrepareContext {
  const Type& type;
  std::filesystem::path run;
  std::string device;
  std::vector<std::string>& settings;  // The user's settings. Those of the preparation are removed.
  const dataset::BuildOptions& build;  // Options of the dataset that follows.
  Trainer& trainer;
  const Listener& listener;
};
struct Prepared {
  dataset::SignalMaker signals;
  int signal_width = 0;  // Number of columns of all signals of the type's schema; 0: as the schema has them.
};

// Used after the dataset is built: fits networks, a database, or both.
struct FitContext {
  const Type& type;
  std::filesystem::path run, data_folder;
  const dataset::Dataset& data;
  const dataset::Group& group;  // The skeleton group of the training.
  const control::Body& body;
  std::string device;
  std::vector<std::string> settings;  // "key=value" for the trainer, from the user. They come last.
  Trainer& trainer;
  const Listener& listener;
  control::ControllerConfig& config;  // Output: the parts that were made.
};

// How a model uses styles and actions.
enum class LabelUse : std::uint8_t {
  kNone,   // The model has no labels.
  kInput,  // Columns at the times of the root's path, before all others, so that a gate reads them too.
  kTags,   // Tags of frames, not features.
  kDeeds,  // Actions are the deeds of control/deeds.h: goals, not features.
};

struct Type {
  control::ControllerType run_time;   // Name, summary, loading.
  const char* schema = nullptr;       // Schema of the dataset, as TOML.
  const char* model = nullptr;        // Model that the trainer trains. Null: no training.
  std::vector<const char*> settings;  // Settings for the trainer, before the user's.
  Result<void> (*fit)(const FitContext& context) = nullptr;
  Result<Prepared> (*prepare)(const PrepareContext& context) = nullptr;  // Null: no preparation.
  LabelUse labels = LabelUse::kNone;
  int gate_channels = 0;         // The first N channels of the input select experts.
  bool keeps_places = false;     // Clips stay on their bodies, where they are: props are beside them. No mirroring.
  bool knows_all_clips = false;  // The controller plays or memorises every clip: no split of its data is held out.

  const char* name() const { return run_time.name; }
};

// Trains `model` into run / `name`. `settings` come before the user's. Returns the file of the network.
Result<std::filesystem::path> train_network(const FitContext& context, const std::string& model,
                                            const std::string& name, const std::filesystem::path& data_folder,
                                            const std::vector<std::string>& settings);

}  // namespace zoe::author
