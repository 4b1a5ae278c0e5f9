// SPDX-License-Identifier: MIT
// Part of Zoetrope. From motion files to a controller, as one job: one body, labels, dataset, fit, closed-loop
// measures, report.
//
//   ProcessTrainer trainer(trainer_beside_us());
//   TrainController job{.type = *find_type("mann"), .data = {"clips"}, .folder = "run", .trainer = &trainer};
//   const Result<TrainedController> made = job.run({.on_message = print_line});
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "zoe/author/labels.h"
#include "zoe/author/types.h"
#include "zoe/eval/evaluate.h"

namespace zoe::author {

struct TrainedController {
  control::ControllerPtr controller;  // As load_controller() reads it from the folder.
  control::Body body;
  control::ControllerConfig config;
  eval::Evaluation evaluation;
};

struct TrainController {
  const Type* type = nullptr;
  std::vector<std::filesystem::path> data;  // Folders of motion files, or one dataset of the same type.
  std::filesystem::path folder;             // Run folder, built aside. docs/author.md lists its content.
  Trainer* trainer = nullptr;               // May be null for types without training.
  std::string device = "auto";              // auto, cpu, cuda.
  std::vector<std::string> settings;        // "key=value" for the trainer. These override the settings of the type.
  LabelRequest labels;
  std::filesystem::path body;                // File of the body to use. Empty: the body of median height in the data.
  bool own_bodies = false;                   // Keeps every clip on its own body, at its own position.
  bool mirror = true;                        // Also trains on mirrored clips.
  GroundSight terrain = GroundSight::kNone;  // Networks only: clips are put on their own or on fitted ground.
  int terrain_patches = 4;                   // Fitted grounds for each clip that has none of its own.
  char bvh_up = 'y';
  std::string licence;                // Licence of the motions. Empty: read from a LICENSE file in the data.
  bool resume = false;                // Continues an unfinished run of this folder. Starts where there is none.
  bool allow_changes = false;         // Continues also where data or settings differ from those of the unfinished run.
  std::function<bool()> should_stop;  // Asked between stages. True: the run ends and can be resumed. Empty: never.
  // Draws record_tour() into sheet.png and film.mp4 of the folder. Returns false where this machine cannot draw. Empty:
  // no pictures.
  std::function<bool(const Motion& tour, const std::filesystem::path& folder)> draw;

  // Checks the request before any work.
  Result<void> validate() const;
  // Builds in `folder`.unfinished and replaces `folder` at the end. An earlier run there works until then. A killed run
  // is continued by `resume`, with the same result as without the kill. `evaluation` of a run that was complete already
  // is empty.
  Result<TrainedController> run(const Listener& listener = {}) const;
};

// Fails unless the dataset was built for this type. It may have any labels.
Result<void> check_schema(const dataset::Dataset& data, const Type& type);

}  // namespace zoe::author
