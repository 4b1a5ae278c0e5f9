// SPDX-License-Identifier: MIT
#include "physics/body_file.h"

#include "zoe/motion/calibration.h"

namespace zoe::cli {

Result<BodyFile> load_body_file(const std::string& file, const ClipOptions& options, Warnings& warnings) {
  ZOE_TRY_ASSIGN(LoadedClip clip, load_clip(file, options, warnings));
  drop_calibration_frames(clip.motion);
  ZOE_TRY_ASSIGN(SkeletonAnalysis analysis, analyse_clip(clip));
  BodyFile body{std::move(clip), std::move(analysis), {}};
  Result<physics::BodyPlan> plan = physics::plan_body(body.source());
  if (!plan) return Error{plan.error().code, plan.error().message, {.file = file}};
  body.plan = std::move(*plan);
  return body;
}

}  // namespace zoe::cli
