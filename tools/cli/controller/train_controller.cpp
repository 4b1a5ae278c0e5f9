// SPDX-License-Identifier: MIT
// `zoe train controller`: from a folder of motion files to a character that can be steered, in one command.
#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "zoe/control/kinds.h"
#include "zoe/control/load.h"
#include "zoe/core/file.h"
#include "zoe/core/progress.h"
#include "zoe/dataset/build.h"
#include "zoe/dataset/sampler.h"
#include "zoe/eval/held_out.h"

#include "controller/controller_verbs.h"
#include "controller/fit.h"
#include "controller/held_out_data.h"
#include "controller/one_body.h"
#include "controller/phase_check.h"
#include "controller/run_report.h"
#include "controller/train_labels.h"
#include "controller/train_run.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string kind = "mann", output, device = "auto", up = "y", licence, body;
  std::vector<std::string> data, settings;
  bool no_mirror = false, own_bodies = false, no_film = false;
  LabelRequest labels;
  std::optional<Prepared> prepared;  // Once, however often the dataset is built.
};

// Signals of the clips that the kind needs.
Result<void> add_signals(Request& request, const control::Kind& kind, dataset::BuildOptions& options) {
  const Prepare prepare = prepare_of(kind);
  if (prepare == nullptr) return {};
  if (!request.prepared) {
    ZOE_TRY_ASSIGN(
        request.prepared,
        prepare({.run = request.output, .device = request.device, .settings = request.settings, .build = options}));
  }
  options.signals = request.prepared->signals;
  for (features::Block& block : options.schema.blocks) {
    for (features::Channel& channel : block.channels) {
      if (channel.group == features::Group::kSignal) channel.width = request.prepared->signal_width;
    }
  }
  return {};
}

Result<void> build_dataset(Request& request, const control::Kind& kind, const control::Labels& labels,
                           const fs::path& folder) {
  dataset::BuildOptions options;
  options.inputs.assign(request.data.begin(), request.data.end());
  options.output = folder;
  ZOE_TRY_ASSIGN(options.schema, control::schema_of(kind, labels));
  options.find_actions = request.labels.finds_actions();
  options.mirror = !request.no_mirror;
  options.bvh_up = request.up[0];
  options.licence = request.licence;
  ZOE_TRY(add_signals(request, kind, options));
  std::unique_ptr<Progress> progress;
  options.on_progress = [&](std::uint64_t done, std::uint64_t total) {
    if (quiet()) return;
    if (progress == nullptr) progress = std::make_unique<Progress>("dataset", total, ProgressOptions{.unit = "files"});
    progress->advance(done - progress->done());
  };
  ZOE_TRY_ASSIGN(const dataset::BuildReport report, dataset::build(options));
  progress.reset();
  if (!quiet()) {
    fmt::print("{}: {} clips ({} mirrored), {:.1f} minutes, {} left out\n", folder.string(), report.num_clips,
               report.num_mirrored, 60 * report.hours, report.num_left_out);
  }
  print_warnings(report.warnings);
  return {};
}

// With the labels that are asked for; of actions found in the motion, those that there are.
Result<void> build_labelled(Request& request, const control::Kind& kind, const fs::path& folder) {
  ZOE_TRY_ASSIGN(const control::Labels wanted, wanted_labels(request.labels));
  ZOE_TRY(build_dataset(request, kind, wanted, folder));
  if (wanted.empty()) return {};
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(folder));
  if (!request.labels.finds_actions()) return check_labels(*data, wanted);
  ZOE_TRY(check_labels(*data, {wanted.styles, {}}));
  const control::Labels found{wanted.styles, labels_in(*data, wanted).actions};
  std::string list;
  for (const std::string& action : found.actions) list += " " + action;
  if (!quiet()) fmt::print("actions found:{}\n", list.empty() ? " none" : list);
  return found.actions == wanted.actions ? Result<void>{} : build_dataset(request, kind, found, folder);
}

// A given dataset must hold what the kind sees, with any labels.
Result<void> check_schema(const dataset::Dataset& data, const control::Kind& kind) {
  ZOE_TRY_ASSIGN(const features::Schema found, features::Schema::parse(data.schema_toml()));
  ZOE_TRY_ASSIGN(const features::Schema wanted, control::schema_of(kind, {found.styles, found.actions}));
  // How many numbers a signal has may depend on how it was made.
  const auto without_widths = [](features::Schema schema) {
    for (features::Block& block : schema.blocks) {
      for (features::Channel& channel : block.channels) channel.width = std::min(channel.width, 1);
    }
    return schema.to_toml();
  };
  if (without_widths(wanted) == without_widths(found)) return {};
  return Error{ErrorCode::kUsage,
               fmt::format("this dataset was built for '{}', the kind {} needs '{}': give the folder of clips instead",
                           found.name, kind.name, wanted.name),
               {.file = data.folder().string()}};
}

// The group that the trainer takes: the one with most training samples.
Result<int> largest_group(const dataset::Dataset& data) {
  int best = -1;
  std::uint64_t most = 0;
  for (int group = 0; group < static_cast<int>(data.groups().size()); ++group) {
    const auto sampler = dataset::Sampler::create(data, {.group = group, .shuffle = false});
    if (!sampler || sampler->size() <= most) continue;
    best = group;
    most = sampler->size();
  }
  if (best >= 0) return best;
  return Error{ErrorCode::kInvalid,
               "no clip is long enough to train on: windows reach from half a second back to two thirds ahead",
               {.file = data.folder().string()}};
}

// Closed loop on all courses: metrics.json and metrics.md, and what matters most on one line.
Result<eval::Evaluation> validate_closed_loop(const control::Controller& controller, const control::Body& body,
                                              const dataset::Dataset& data, const fs::path& run) {
  ZOE_TRY_ASSIGN(eval::Evaluation found, eval::evaluate(controller, body, &data, {.num_seeds = 1}));
  found.subject = run.filename().string();
  if (!knows_all_clips(controller.kind())) {
    ZOE_TRY_ASSIGN(found.held_out, eval::evaluate_held_out(controller, body, data));
  }
  ZOE_TRY(write_file_atomic(run / "metrics.json", eval::to_json({&found, 1})));
  ZOE_TRY(write_file_atomic(run / "metrics.md", eval::to_markdown({&found, 1})));
  if (quiet()) return found;
  fmt::print("closed loop ({}):", (run / "metrics.md").string());
  for (const auto& [name, summary] : found.metrics) {
    if (name != "foot_skate_cm_s" && name != "path_error_cm" && name != "response_s") continue;
    fmt::print(" {} {:.3g}", name, summary.mean);
    if (summary.reference) fmt::print(" (source {:.3g})", *summary.reference);
  }
  fmt::print("\n");
  return found;
}

Result<void> make_controller(Request request) {
  const fs::path run = request.output;
  ZOE_TRY_ASSIGN(const control::Kind* kind, control::find_kind(request.kind));
  if (kind->model != nullptr) ZOE_TRY(find_trainer());
  std::error_code error;
  fs::create_directories(run, error);
  if (error) return Error{ErrorCode::kIo, "cannot make the run folder: " + error.message(), {.file = run.string()}};

  fs::path data_folder = request.data[0];
  if (!fs::exists(data_folder / "dataset.json", error)) {
    data_folder = run / "dataset";
    Request clips = request;
    if (!request.own_bodies) {
      ZOE_TRY_ASSIGN(const OneBody one, put_on_one_body(request.data, request.body, run / "clips"));
      if (!quiet()) fmt::print("{}: {} files on the body of {}\n", (run / "clips").string(), one.num_files, one.body);
      print_warnings(one.warnings);
      clips.data = {(run / "clips").string()};
    }
    ZOE_TRY(build_labelled(clips, *kind, data_folder));
    request.settings = clips.settings;
  }
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(data_folder));
  ZOE_TRY(check_schema(*data, *kind));
  ZOE_TRY_ASSIGN(const int group_index, largest_group(*data));
  const dataset::Group& group = data->groups()[static_cast<std::size_t>(group_index)];

  ZOE_TRY_ASSIGN(const control::Body body, control::make_body(group.layout, group.skeleton, group.rows));
  ZOE_TRY(control::save_body(run / "body.safetensors", body));
  if (!quiet()) fmt::print("body: {} with {} legs\n", group.name, body.legs.size());

  report_contact_phases(*data, group);

  control::ControllerConfig config;
  ZOE_TRY(fit_of(*kind)({.kind = *kind,
                         .run = run,
                         .data_folder = data_folder,
                         .data = *data,
                         .group = group,
                         .body = body,
                         .device = request.device,
                         .settings = request.settings,
                         .config = config}));
  config.kind = kind->name;
  config.neural.usual_style = usual_label(*data, group.layout.schema().styles);
  config.neural.usual_action = usual_label(*data, group.layout.schema().actions);
  config.licence = data->licence().empty() ? "unknown" : data->licence();
  ZOE_TRY(control::save_controller_config(run, config));
  // What was written is what will be read.
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(run));
  ZOE_TRY_ASSIGN(const eval::Evaluation found, validate_closed_loop(*controller, body, *data, run));
  if (!request.no_film && !draw_run(*controller, body.motion_range.pace_mps, run)) {
    print_warnings({{"no film or no contact sheet: `zoe doctor` tells what drawing needs", {}}});
  }
  ZOE_TRY(write_run_report({*kind, config, *controller, body, *data, found, request.settings}, run));
  if (!quiet()) {
    fmt::print("{}: a {} controller at {:g} steps a second, {:.1f} MB; report.html is about it; try `zoe play {}`\n",
               run.string(), controller->kind(), controller->rate_hz(),
               static_cast<double>(controller->model_bytes()) / 1e6, run.string());
  }
  return {};
}

}  // namespace

int run_train_controller(const Arguments& arguments) {
  Options app;
  Request request;
  std::string kinds;
  for (const control::Kind& kind : control::kinds()) kinds += (kinds.empty() ? "" : ", ") + std::string(kind.name);
  app.add_option("--kind", request.kind, "Which: " + kinds)->capture_default_str();
  app.add_option("--data", request.data, "Folders of motion files, or a dataset of the same kind")->required();
  app.add_option("-o,--out", request.output, "Run folder")->required()->type_name("RUN");
  app.add_option("--set", request.settings, "A setting of the trainer, e.g. train.steps=4000; may be given again")
      ->type_name("KEY=VALUE")
      ->one_value_each();
  app.add_option("--device", request.device, "auto, cpu or cuda")->one_of({"auto", "cpu", "cuda"});
  app.add_option("--body", request.body, "File of the body that shall move; else the data's of median height")
      ->type_name("FILE");
  app.add_option("--actions", request.labels.actions,
                 "What it can be told to do: words by commas, auto (found in the motion), or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--styles", request.labels.styles, "How it can be told to move: words by commas, or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_flag("--own-bodies", request.own_bodies, "Leave every clip on its own body, in its own place");
  app.add_flag("--no-mirror", request.no_mirror, "Learn from the clips as they are only");
  app.add_flag("--no-film", request.no_film, "Draw neither film nor contact sheet");
  app.add_option("--up", request.up, "Up axis of BVH files: y or z")->one_of({"y", "z"});
  app.add_option("--licence", request.licence, "Licence of the motions, to be kept with the model");
  if (const auto exit = parse(app, arguments)) return *exit;
  const Result<void> made = make_controller(request);
  return made ? kDone : print_error(made.error());
}

}  // namespace zoe::cli
