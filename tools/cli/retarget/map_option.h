// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe retarget --map`: joints that correspond, computed or from a file.
#pragma once

#include <string>
#include <string_view>

#include "retarget/work.h"

namespace zoe::cli {

// "auto", or a file: JSON as `zoe correspond SOURCE TARGET --json` prints it, JSON {"target joint": "source joint"}, or
// CSV lines "source,target[,confidence]".
Result<std::function<Result<JointMap>(const std::filesystem::path&, const Skeleton&)>> make_joint_map(
    const std::string& map, const std::string& character_file, const RetargetCharacter& character);

// The text of such a file. Fails on joints that a skeleton lacks, and on targets that come twice.
Result<JointMap> parse_joint_map(std::string_view text, bool is_json, const Skeleton& source, const Skeleton& target);

}  // namespace zoe::cli
