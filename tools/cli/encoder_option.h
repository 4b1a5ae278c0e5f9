// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The motion encoder of --encoder, else the one that ships.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "zoe/core/progress.h"
#include "zoe/eval/described_clips.h"

namespace zoe::cli {

Result<eval::MotionEncoder> load_encoder(const std::string& file);

// A filter by the names in a text file, one a line (held_out.txt of a trained encoder); empty for no file.
Result<std::function<bool(const std::string& source)>> filter_by_list(const std::string& file);

// describe_clips() with a progress bar unless `silent`, and warnings on stderr.
Result<std::vector<eval::DescribedClip>> describe_with_progress(const std::vector<std::string>& inputs,
                                                                eval::DescribeOptions options, bool silent);

}  // namespace zoe::cli
