// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What a kind of controller is made of, after its dataset: networks, a database, or both.
// A kind whose making is more than one network has a file of its own, fit_KIND.cpp, and a row in fit.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/control/kinds.h"
#include "zoe/control/match/database.h"
#include "zoe/core/result.h"
#include "zoe/dataset/build.h"
#include "zoe/dataset/dataset.h"

namespace zoe::cli {

struct FitContext {
  const control::Kind& kind;
  std::filesystem::path run, data_folder;
  const dataset::Dataset& data;
  const dataset::Group& group;  // The skeleton group that is trained on.
  const control::Body& body;
  std::string device;
  std::vector<std::string> settings;  // "key=value" for zoe-train, from the user: they go last.
  control::ControllerConfig& config;  // To be filled with the parts that were made.
};
using Fit = Result<void> (*)(const FitContext& context);

// Before the dataset: a kind may need signals of the clips that must be made first.
struct PrepareContext {
  std::filesystem::path run;
  std::string device;
  std::vector<std::string>& settings;  // The user's; those that are for the preparation are taken out.
  const dataset::BuildOptions& build;  // As it will be built.
};
struct Prepared {
  dataset::SignalMaker signals;
  int signal_width = 0;  // Of all signals of the kind's schema.
};
using Prepare = Result<Prepared> (*)(const PrepareContext& context);

// Null: this kind needs nothing.
Prepare prepare_of(const control::Kind& kind);
Result<Prepared> prepare_deepphase(const PrepareContext& context);

// How this kind is made.
Fit fit_of(const control::Kind& kind);

Result<void> fit_learned_matching(const FitContext& context);

// All clips of the group, as motion matching plays them.
Result<control::MotionDatabase> make_database(const FitContext& context);

// Runs zoe-train on a dataset into run / `name`; `settings` go before the user's. Its model.safetensors is the result.
Result<std::filesystem::path> train_network(const FitContext& context, const std::string& model,
                                            const std::string& name, const std::filesystem::path& data_folder,
                                            const std::vector<std::string>& settings);

}  // namespace zoe::cli
