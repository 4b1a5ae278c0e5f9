// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe eval generate --in-between`: gaps of real motions filled by interpolation
// and by networks.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "zoe/core/result.h"

namespace zoe::cli {

// A row for each number of frames in `gaps` ("5,15,30,45") and each way to fill: L2P, L2Q and NPSS. models: runs, or
// "anytop".
Result<nlohmann::ordered_json> measure_gaps(const std::vector<std::string>& inputs, const std::string& gaps,
                                            const std::vector<std::string>& models);

}  // namespace zoe::cli
