// SPDX-License-Identifier: MIT
// Labels of a clip and their times: by its path, by its motion, by the file beside it. For styles and actions
// separately the last of these that gives a label counts.
#pragma once

#include "zoe/features/label_file.h"

#include "dataset/plan.h"

namespace zoe::dataset {

features::LabelWords label_words(const BuildOptions& options);

struct ClipLabels {
  std::vector<features::LabelSpan> from_path, from_file;
};

// `path`: of the clip below its input folder. The words of the path count. Fails on a label file that cannot be used.
Result<ClipLabels> read_clip_labels(const BuildOptions& options, const PlannedFile& file, const std::string& path,
                                    const Motion& clip, bool is_one_of_several);

// Of a piece that starts `first_s` after the clip; with detected actions, where requested. Times are the clip's.
Result<std::vector<features::LabelSpan>> label_spans(const BuildOptions& options, const ClipLabels& labels,
                                                     const Motion& piece, double first_s,
                                                     const SkeletonAnalysis& analysis);

}  // namespace zoe::dataset
