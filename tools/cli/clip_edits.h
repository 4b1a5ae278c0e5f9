// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Edits of `zoe convert` that need an analysis of the body: mirroring, planting feet.
#pragma once

#include "zoe/io/asset.h"

#include "verb.h"

namespace zoe::cli {

struct ClipEdits {
  bool mirror = false;
  bool clean_feet = false;
  std::optional<double> ground_m;  // With clean_feet: height of the ground under feet in contact, metres.
  std::string overrides;           // TOML corrections to the analysis; empty: none.

  bool any() const { return mirror || clean_feet; }
};

void add_clip_edits(Options& app, ClipEdits& edits);

// Applies edits in the order of the fields. Notes go to the asset's warnings.
Result<void> apply(const ClipEdits& edits, io::Asset& asset);

}  // namespace zoe::cli
