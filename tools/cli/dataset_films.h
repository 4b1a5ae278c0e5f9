// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe dataset build --films`: what the analysis found, drawn for each clip.
#pragma once

#include <string>
#include <vector>

#include "zoe/dataset/dataset.h"

namespace zoe::cli {

// A film DATASET/films/NAME.mp4 of the first seconds of each clip that the dataset has, mirrored copies excluded: feet
// blue, joints that give the facing yellow, rings below feet in contact. Films that exist are kept. Returns an exit
// code.
int draw_dataset_films(const std::vector<std::string>& inputs, const dataset::Dataset& data);

}  // namespace zoe::cli
