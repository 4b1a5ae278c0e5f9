// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. One clip of a file in metres, without its calibration pose: what features need.
#pragma once

#include <string>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/motion.h"

namespace zoe::cli {

struct MetricClip {
  Motion motion;
  SkeletonAnalysis body;
  double first_row_s = 0;  // Since the file's first frame: calibration poses are excluded.
};

struct MetricClipRequest {
  std::string file, clip, overrides;  // clip: as `zoe convert --clip`; overrides: of the body's analysis.
};

// In metres, for any unit of the file.
Result<MetricClip> load_metric_clip(const MetricClipRequest& request, Warnings& warnings);

}  // namespace zoe::cli
