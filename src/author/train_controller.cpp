// SPDX-License-Identifier: MIT
#include "zoe/author/train_controller.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/author/held_out.h"
#include "zoe/author/make_body.h"
#include "zoe/author/phase_check.h"
#include "zoe/author/run_report.h"
#include "zoe/core/file.h"
#include "zoe/dataset/sampler.h"
#include "zoe/eval/held_out.h"

#include "author/clips_to_dataset.h"
#include "author/fits.h"
#include "author/network/choose_weights.h"
#include "author/run_folder.h"
#include "author/stage_trainer.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

constexpr float kPaceOfDeeds = 0.65F;

Error usage(std::string message, const fs::path& file = {}) {
  return {ErrorCode::kUsage, std::move(message), {.file = file.string()}};
}

bool is_dataset(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "dataset.json", error);
}

// Closed loop on all courses: metrics.json and metrics.md, and the main figures in one line.
Result<eval::Evaluation> measure(const TrainController& job, const fs::path& folder,
                                 const control::Controller& controller, const control::Body& body,
                                 const dataset::Dataset& data, const Listener& listener) {
  ZOE_TRY_ASSIGN(eval::Evaluation found, eval::evaluate(controller, body, &data, {.num_seeds = 1}));
  found.subject = job.folder.filename().string();
  if (!job.type->knows_all_clips) {
    ZOE_TRY_ASSIGN(found.held_out, eval::evaluate_held_out(controller, body, data));
  }
  ZOE_TRY(write_file_atomic(folder / "metrics.json", eval::to_json({&found, 1})));
  ZOE_TRY(write_file_atomic(folder / "metrics.md", eval::to_markdown({&found, 1})));
  std::string line = fmt::format("closed loop ({}):", (job.folder / "metrics.md").string());
  for (const auto& [name, summary] : found.metrics) {
    if (name != "foot_skate_cm_s" && name != "path_error_cm" && name != "response_s") continue;
    line += fmt::format(" {} {:.3g}", name, summary.mean);
    if (summary.reference) line += fmt::format(" (source {:.3g})", *summary.reference);
  }
  listener.say(line);
  return found;
}

void say_phases(const dataset::Dataset& data, const dataset::Group& group, const Listener& listener) {
  const std::optional<PhaseCheck> phases = check_contact_phases(data, group);
  if (!phases) return;
  listener.say(
      fmt::format("contact phase: reliable in clips with {:.0f} % of the frames", 100 * phases->trusted_share));
  if (!phases->warning.empty()) listener.warn({{phases->warning, {}}});
}

}  // namespace

Result<void> check_schema(const dataset::Dataset& data, const Type& type) {
  ZOE_TRY_ASSIGN(features::Schema found, features::Schema::parse(data.schema_toml()));
  remove_ground_channels(found);
  ZOE_TRY_ASSIGN(const features::Schema needed, schema_of(type, {found.styles, found.actions}));
  // The width of a signal may depend on its preparation.
  const auto without_widths = [](features::Schema schema) {
    for (features::Block& block : schema.blocks) {
      for (features::Channel& channel : block.channels) channel.width = std::min(channel.width, 1);
    }
    return schema.to_toml();
  };
  if (without_widths(needed) == without_widths(found)) return {};
  return usage(fmt::format("this dataset was built for '{}', the type {} needs '{}': give the folder of clips instead",
                           found.name, type.name(), needed.name),
               data.folder());
}

Result<void> TrainController::validate() const {
  if (type == nullptr || type->fit == nullptr || type->schema == nullptr) return usage("which type of controller?");
  if (data.empty()) return usage("no data: name a folder of motion files");
  if (folder.empty()) return usage("no run folder");
  std::error_code error;
  for (const fs::path& input : data) {
    if (!fs::exists(input, error)) return Error{ErrorCode::kIo, "no such file or folder", {.file = input.string()}};
  }
  if (data.size() > 1 && std::any_of(data.begin(), data.end(), is_dataset))
    return usage("a dataset cannot be combined with other data");
  if (bvh_up != 'y' && bvh_up != 'z') return usage("the up axis is y or z");
  ZOE_TRY_ASSIGN(const Labels desired, desired_labels(labels));
  ZOE_TRY(schema_of(*type, desired));
  if (terrain != GroundSight::kNone && (type->fit != fit_network || type->prepare != nullptr))
    return usage(fmt::format("the type {} does not see terrain; mann, lmp and pfnn do", type->name()));
  if (terrain_patches < 1 || terrain_patches > 64) return usage("1 to 64 patches of terrain for each clip");
  if (type->model == nullptr) return {};
  if (trainer == nullptr) return usage(fmt::format("the type {} needs a trainer", type->name()));
  return trainer->check();
}

namespace {

Result<void> check_stop(const TrainController& job) {
  if (!job.should_stop || !job.should_stop()) return {};
  return Error{ErrorCode::kInvalid, "training was stopped", {.file = job.folder.string()}};
}

// A run that was complete already.
Result<TrainedController> load_complete(const TrainController& job) {
  TrainedController made;
  ZOE_TRY_ASSIGN(const control::ControllerParts parts, control::ControllerParts::open(job.folder));
  ZOE_TRY_ASSIGN(made.config, control::parse_controller_config(parts.settings(), parts.settings_name()));
  ZOE_TRY_ASSIGN(made.controller, control::load_controller(parts, {&job.type->run_time, 1}));
  ZOE_TRY_ASSIGN(made.body, control::load_body(job.folder / made.config.body));

  return made;
}

// All stages, in run.aside().
Result<TrainedController> make(const TrainController& job, RunFolder& run, const Listener& listener) {
  const fs::path& folder = run.aside();
  StageTrainer trainer(job.trainer, job.resume, job.allow_changes, job.should_stop);
  std::vector<std::string> fit_settings = job.settings;
  fs::path data_folder = job.data[0];
  if (!is_dataset(data_folder)) {
    data_folder = folder / "dataset";
    if (run.fit_settings()) {
      fit_settings = *run.fit_settings();
    } else {
      const ClipsToDataset clips{.type = *job.type,
                                 .data = job.data,
                                 .run = folder,
                                 .output = data_folder,
                                 .labels = job.labels,
                                 .body = job.body,
                                 .own_bodies = job.own_bodies,
                                 .mirror = job.mirror,
                                 .terrain = job.terrain,
                                 .terrain_patches = job.terrain_patches,
                                 .bvh_up = job.bvh_up,
                                 .licence = job.licence,
                                 .device = job.device,
                                 .settings = fit_settings,
                                 .trainer = trainer};
      ZOE_TRY(clips.run_with(listener));
      ZOE_TRY(run.dataset_is_done(fit_settings));
    }
  }
  ZOE_TRY(check_stop(job));
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr built, dataset::Dataset::open(data_folder));
  ZOE_TRY(built->verify());
  ZOE_TRY(check_schema(*built, *job.type));
  const int group_index = dataset::most_sampled_group(*built);
  if (group_index < 0) {
    return Error{
        ErrorCode::kInvalid,
        "no clip is long enough to train on: windows reach from half a second before to two thirds of a second ahead",
        {.file = data_folder.string()}};
  }
  const dataset::Group& group = built->groups()[static_cast<std::size_t>(group_index)];

  TrainedController made;
  ZOE_TRY_ASSIGN(made.body, make_body(group.layout, group.skeleton, group.rows));
  // Data of deeds is mostly short steps, whose median is no pace. Its walks have one speed, the fastest.
  if (job.type->keeps_places) {
    const control::MotionRange& range = made.body.motion_range;
    made.body.motion_range =
        control::MotionRange::measured(kPaceOfDeeds * range.run_mps, range.run_mps, range.turn_speed_rad_s);
  }
  ZOE_TRY(control::save_body(folder / made.config.body, made.body));
  listener.say(fmt::format("body: {} with {} legs; it stands as in {}", group.name, made.body.legs.size(),
                           made.body.stand_source == control::StandSource::kFrame
                               ? "a frame of the data"
                               : "the mean of all frames: the data never stands"));
  say_phases(*built, group, listener);

  const FitContext context{.type = *job.type,
                           .run = folder,
                           .data_folder = data_folder,
                           .data = *built,
                           .group = group,
                           .body = made.body,
                           .device = job.device,
                           .settings = fit_settings,
                           .trainer = trainer,
                           .listener = listener,
                           .config = made.config};
  ZOE_TRY(job.type->fit(context));
  ZOE_TRY(check_stop(job));
  made.config.neural = run_time_options(context);
  made.config.type = job.type->name();
  made.config.licence = built->licence().empty() ? "unknown" : built->licence();
  ZOE_TRY(control::save_controller_config(folder, made.config));
  // Reads the written files, as later users will.
  ZOE_TRY_ASSIGN(const control::ControllerParts parts, control::ControllerParts::open(folder));
  ZOE_TRY_ASSIGN(made.controller, control::load_controller(parts, {&job.type->run_time, 1}));
  ZOE_TRY_ASSIGN(made.evaluation, measure(job, folder, *made.controller, made.body, *built, listener));
  ZOE_TRY(check_stop(job));
  if (job.draw && !job.draw(record_tour(*made.controller, made.body.motion_range.pace_mps), folder)) {
    listener.warn({{"no film or no contact sheet: `zoe doctor` prints what drawing needs", {}}});
  }
  ZOE_TRY(write_run_report({*job.type, made.config, *made.controller, made.body, *built, made.evaluation, fit_settings},
                           folder));
  return made;
}

}  // namespace

Result<TrainedController> TrainController::run(const Listener& listener) const {
  ZOE_TRY(validate());
  std::vector<std::string> all_settings = settings;
  if (terrain != GroundSight::kNone)
    all_settings.push_back(fmt::format("terrain={},{}", static_cast<int>(terrain), terrain_patches));
  ZOE_TRY_ASSIGN(std::vector<RunFact> facts, facts_of({.type = type->name(),
                                                       .data = data,
                                                       .body = body,
                                                       .settings = all_settings,
                                                       .actions = labels.actions,
                                                       .styles = labels.styles,
                                                       .licence = licence,
                                                       .own_bodies = own_bodies,
                                                       .mirror = mirror,
                                                       .bvh_up = bvh_up}));
  std::vector<fs::path> inputs = data;
  if (!body.empty()) inputs.push_back(body);
  ZOE_TRY_ASSIGN(RunFolder run_folder, RunFolder::open({folder, inputs, resume, allow_changes}, std::move(facts)));
  if (run_folder.is_complete()) {
    listener.say(fmt::format("{}: complete already", folder.string()));
    return load_complete(*this);
  }
  Result<TrainedController> made = make(*this, run_folder, listener);
  if (!made) {
    Error error = std::move(made).error();
    if (run_folder.abandon())
      error.message += fmt::format("; {} is kept: --resume continues", run_folder.aside().string());
    return error;
  }
  ZOE_TRY(run_folder.publish());
  listener.say(
      fmt::format("{}: a {} controller at {:g} steps per second, {:.1f} MB; see report.html; try `zoe play {}`",
                  folder.string(), type->name(), made->controller->rate_hz(),
                  static_cast<double>(made->controller->model_bytes()) / 1e6, folder.string()));
  return made;
}

}  // namespace zoe::author
