// SPDX-License-Identifier: MIT
#include "zoe/author/type_row.h"

#include "zoe/control/config.h"
#include "zoe/control/load.h"
#include "zoe/control/parts.h"
#include "zoe/eval/described_clips.h"
#include "zoe/eval/goals.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// The controller on its courses against the clips of its dataset.
Result<double> frechet_ratio(const fs::path& folder, const eval::MotionEncoder& encoder, const Listener& listener) {
  Warnings warnings;
  const fs::path inputs[] = {folder};
  ZOE_TRY_ASSIGN(std::vector<eval::DescribedClip> all, eval::describe_clips(inputs, {}, warnings));
  listener.warn(warnings);
  std::vector<eval::DescribedClip> made, real;
  for (eval::DescribedClip& clip : all) (clip.folder == "controller" ? made : real).push_back(std::move(clip));
  ZOE_TRY_ASSIGN(const eval::FrechetReport report,
                 eval::compare_sets(eval::encode_clips(made, &encoder), eval::encode_clips(real, &encoder)));
  return report.at_floor_size.mean / std::max(report.floor.mean, 1e-12);
}

}  // namespace

Result<eval::TypeRow> MeasureType::run(const fs::path& folder, const Listener& listener) const {
  eval::TypeRow row;
  ZOE_TRY_ASSIGN(row.evaluation, evaluate.run(folder, listener));
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(folder));
  ZOE_TRY_ASSIGN(const control::ControllerConfig config, control::load_controller_config(folder));
  ZOE_TRY_ASSIGN(const control::ControllerParts parts, control::ControllerParts::open(folder));
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(const control::Body body, control::load_body(body_file));
  row.state_kb = static_cast<double>(controller->state_bytes(*controller->make_state())) / 1e3;
  row.reversals_skate_cm_s = eval::course_skate_cm_s(*controller, body, "reversals");
  row.near_goals = eval::near_goals_share(*controller);
  row.goals = eval::measure_goals(*controller, {.num_tasks = num_goals}).reached_share();
  row.styles = eval::sweep_styles(*controller, body);
  const fs::path data_folder = evaluate.data.empty() ? folder / "dataset" : evaluate.data;
  std::error_code ignored;
  if (!fs::exists(data_folder / "dataset.json", ignored)) return row;
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(data_folder));
  for (const dataset::ClipRecord& clip : data->clips())
    if (!clip.mirrored) row.data_minutes += clip.num_rows / data->groups()[0].layout.fps() / 60;
  if (encoder == nullptr) return row;
  // Too few clips for a floor: the cell stays empty.
  if (const Result<double> ratio = frechet_ratio(folder, *encoder, listener))
    row.frechet_ratio = *ratio;
  else
    listener.warn({{"no Fréchet distance: " + ratio.error().message, {.file = folder.string()}}});
  return row;
}

}  // namespace zoe::author
