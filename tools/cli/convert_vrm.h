// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe convert IN OUT.vrm`: a person with named bones.
#pragma once

#include <string>

#include "zoe/io/convert.h"

namespace zoe::cli {

// The bones are those that a VRM input states, else those that the analysis finds.
Result<io::ConvertReport> convert_to_vrm(const std::string& input, const std::string& output,
                                         const io::ConvertOptions& options);

}  // namespace zoe::cli
