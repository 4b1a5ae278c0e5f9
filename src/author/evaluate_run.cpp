// SPDX-License-Identifier: MIT
#include "zoe/author/evaluate_run.h"

#include "zoe/author/held_out.h"
#include "zoe/control/config.h"
#include "zoe/control/load.h"
#include "zoe/control/parts.h"
#include "zoe/eval/artefacts.h"
#include "zoe/eval/endurance.h"
#include "zoe/eval/held_out.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

Result<eval::HeldOut> run_held_out(const EvaluateRun& job, const control::Controller& controller,
                                   const control::Body& body, const dataset::Dataset* source,
                                   const Listener& listener) {
  if (!job.held_out.empty()) {
    ZOE_CHECK(!job.work_folder.empty(), "held-out clips need a work folder");
    ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, build_held_out(job.held_out, body, job.work_folder, listener));
    ZOE_TRY_ASSIGN(eval::HeldOut found, eval::evaluate_held_out(controller, body, *data, {.all_clips = true}));
    if (found.num_clips > 0) return found;
    return Error{ErrorCode::kInvalid, "no clip there lasts three seconds", {.file = job.held_out.string()}};
  }
  if (source == nullptr || job.no_held_out || knows_all_clips(controller.type())) return eval::HeldOut{};
  return eval::evaluate_held_out(controller, body, *source);
}

Result<void> add_artefacts(const EvaluateRun& job, const control::Controller& controller, const control::Body& body,
                           const dataset::Dataset* source, eval::Evaluation& out) {
  if (source == nullptr)
    return Error{ErrorCode::kUsage, "artefacts are counted beside the data: --data names its dataset", {}};
  ZOE_TRY_ASSIGN(const eval::ArtefactLimits limits, eval::artefact_limits(*source, body));
  const eval::Artefacts found =
      eval::count_artefacts(controller, body, limits, {.minutes = job.wild_minutes, .seed = job.options.first_seed});
  const auto add = [&](const char* name, double value) {
    out.metrics.emplace_back(name, eval::Summary{.mean = value});
  };
  add("artefacts_per_min", found.per_minute);
  add("artefact_share_pct", 100 * found.share);
  add("artefacts_slide_per_min", found.by_kind[0]);
  add("artefacts_spike_per_min", found.by_kind[1]);
  add("artefacts_height_per_min", found.by_kind[2]);
  return {};
}

}  // namespace

Result<eval::Evaluation> EvaluateRun::run(const fs::path& folder, const Listener& listener) const {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(folder));
  ZOE_TRY_ASSIGN(const control::ControllerConfig config, control::load_controller_config(folder));
  ZOE_TRY_ASSIGN(const control::ControllerParts parts, control::ControllerParts::open(folder));
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(const control::Body body, control::load_body(body_file));
  const fs::path data_folder = data.empty() ? folder / "dataset" : data;
  dataset::DatasetPtr source;
  if (std::error_code ignored; !data.empty() || fs::exists(data_folder / "dataset.json", ignored)) {
    ZOE_TRY_ASSIGN(source, dataset::Dataset::open(data_folder));
  }
  ZOE_TRY_ASSIGN(eval::Evaluation evaluation, eval::evaluate(*controller, body, source.get(), options));
  evaluation.subject =
      folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string();
  ZOE_TRY_ASSIGN(evaluation.held_out, run_held_out(*this, *controller, body, source.get(), listener));
  if (wild_minutes > 0) ZOE_TRY(add_artefacts(*this, *controller, body, source.get(), evaluation));
  if (sticks_minutes > 0) evaluation.endurance = eval::run_sticks(*controller, body, {.minutes = sticks_minutes});
  return evaluation;
}

}  // namespace zoe::author
