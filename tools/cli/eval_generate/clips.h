// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What `zoe eval generate` compares: bodies, and clips with their poses and figures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "zoe/author/retarget_source.h"
#include "zoe/generate/body_model.h"
#include "zoe/generate/motion_quality.h"
#include "zoe/generate/window_metrics.h"

#include "metric_body.h"

namespace zoe::cli {

struct EvalClip {
  std::string name;
  std::vector<int> actions;  // Of the vocabulary; of a generated clip what was requested.
  Motion motion;             // Metres.
  generate::PoseFrames poses;
  generate::MotionQuality quality;
  std::vector<float> windows;        // [windows × eval::description_width()]; empty below half a second.
  author::RetargetSourcePtr source;  // Of its file; null for generated clips.
};

// All clips of one skeleton. Bodies of several files may differ in size.
struct EvalBody {
  std::string key;      // Names of its bones.
  std::string name;     // For tables.
  std::string species;  // Of the first file's name, without numbers.
  MetricBody body;      // Of the first file; its clips are below.
  std::vector<EvalClip> clips;
};

// By key. Files that cannot be used become warnings. poses_for: only bodies of these keys get poses and figures; null:
// all.
using EvalBodies = std::map<std::string, EvalBody>;
Result<EvalBodies> load_eval_bodies(const std::vector<std::string>& inputs, const EvalBodies* poses_for = nullptr);

// Fills in all but name, actions and motion. with_poses: false leaves poses and quality empty.
Result<void> describe_clip(const SkeletonPtr& skeleton, const SkeletonAnalysis& analysis, EvalClip& clip,
                           bool with_poses = true);

// Which of the held-out sets a body belongs to: "species" where training has none of its species, "skeleton" where it
// has none of its skeleton, else "clip".
std::string split_of(const EvalBody& body, const EvalBodies& train);

// Takes clips that training has too out of `real`. Returns their number.
int drop_training_clips(EvalBodies& real, const EvalBodies& train);

}  // namespace zoe::cli
