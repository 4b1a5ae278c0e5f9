// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The figures of `zoe eval generate`: of each body and method over the sampling seeds,
// and of each split.
#pragma once

#include <filesystem>
#include <optional>

#include "zoe/eval/action_judge.h"
#include "zoe/eval/motion_encoder.h"

#include "eval_generate/made.h"

namespace zoe::cli {

// One figure over the sampling seeds. No values: it does not exist here.
struct SeedFigures {
  std::string name;
  std::vector<double> values;

  double mean() const;
  double deviation() const;  // 0 for one value.
};

struct EvalRow {
  std::string split, skeleton, method;
  std::size_t clips = 0, against = 0;  // Of one seed; of the real set.
  std::vector<SeedFigures> figures;
};

// A body with the clips of all methods. The last one is the real clips.
struct EvalSubject {
  std::string split;
  const EvalBody* real = nullptr;
  std::vector<MadeClips> made;
};

// A row for each method. A method without a clip that is longer than a window has no row.
std::vector<EvalRow> measure_subject(const EvalSubject& subject, const std::optional<eval::ActionJudge>& judge,
                                     const generate::WindowMetricOptions& options);

// A row for each split and method: means over the skeletons, each with the same weight.
std::vector<EvalRow> rows_by_split(const std::vector<EvalRow>& rows);

// Adds the Fréchet distance of all clips of a split, its floor, and the distance at the floor's number of windows.
Result<void> add_frechet(std::vector<EvalRow>& by_split, const std::vector<EvalSubject>& subjects,
                         const eval::MotionEncoder& encoder);

// Codes of all windows of all splits: `real`, and `made` of the first method and seed. For other programs.
Result<void> write_codes(const std::filesystem::path& path, const std::vector<EvalSubject>& subjects,
                         const eval::MotionEncoder& encoder);

std::vector<eval::JudgedClip> judged_clips(const EvalBodies& bodies);

}  // namespace zoe::cli
