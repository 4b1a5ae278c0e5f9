// SPDX-License-Identifier: MIT
// Part of Zoetrope. One type of controller, with everything that making one takes: the contents of its dataset, the
// trained model, the fit of its parts.
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

// Before the dataset: a type may need signals of the clips that must be made first.
struct PrepareContext {
  const Type& type;
  std::filesystem::path run;
  std::string device;
  std::vector<std::string>& settings;  // The user's; those that are for the preparation are taken out.
  const dataset::BuildOptions& build;  // As the dataset will be built.
  Trainer& trainer;
  const Listener& listener;
};
struct Prepared {
  dataset::SignalMaker signals;
  int signal_width = 0;  // Of all signals of the type's schema.
};

// After it: networks, a database, or both.
struct FitContext {
  const Type& type;
  std::filesystem::path run, data_folder;
  const dataset::Dataset& data;
  const dataset::Group& group;  // The skeleton group that is trained on.
  const control::Body& body;
  std::string device;
  std::vector<std::string> settings;  // "key=value" for the trainer, from the user: they go last.
  Trainer& trainer;
  const Listener& listener;
  control::ControllerConfig& config;  // To be filled with the parts that were made.
};

// How styles and actions reach the model.
enum class LabelUse : std::uint8_t {
  kNone,   // It takes none.
  kInput,  // Columns at the times of the root's path, before all others, so that a gate sees them too.
  kTags,   // Tags of frames, not features.
};

struct Type {
  control::ControllerType run_time;   // Name, summary, loading.
  const char* schema = nullptr;       // TOML: what its dataset holds.
  const char* model = nullptr;        // What the trainer trains; null: nothing is trained.
  std::vector<const char*> settings;  // For the trainer, before the user's.
  Result<void> (*fit)(const FitContext& context) = nullptr;
  Result<Prepared> (*prepare)(const PrepareContext& context) = nullptr;  // Null: nothing to prepare.
  LabelUse labels = LabelUse::kNone;
  int gate_channels = 0;         // The first N channels of the input choose among experts.
  bool knows_all_clips = false;  // It plays or memorises every clip: no split of its data is held out.

  const char* name() const { return run_time.name; }
};

// Trains `model` into run / `name`; `settings` go before the user's. Gives the network's file.
Result<std::filesystem::path> train_network(const FitContext& context, const std::string& model,
                                            const std::string& name, const std::filesystem::path& data_folder,
                                            const std::vector<std::string>& settings);

}  // namespace zoe::author
