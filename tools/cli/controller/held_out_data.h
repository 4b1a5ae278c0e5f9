// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Clips that a controller has never seen, put onto its body.
#pragma once

#include <filesystem>
#include <string>

#include "zoe/control/kinds.h"
#include "zoe/dataset/dataset.h"

namespace zoe::cli {

// Motion matching plays, and its learned form knows by heart, all clips of the data: no split of it is
// held out.
inline bool knows_all_clips(std::string_view kind) { return kind == "mm" || kind == "lmm"; }

// A dataset of the clips below `clips`, or in that file, built in `folder`. Of any kind's schema: what
// it is for are roots and poses.
Result<dataset::DatasetPtr> build_held_out(const std::string& clips, const control::Body& body,
                                           const std::filesystem::path& folder);

}  // namespace zoe::cli
