// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Verbs that need heavy libraries are separate programs beside zoe.
#pragma once

#include <filesystem>
#include <string>

#include "verb.h"

namespace zoe::cli {

// Where such a program is, whether it is there or not.
std::filesystem::path beside_zoe(const std::string& program);

// The process becomes `program`, with the verb's words. Returns only an exit code of failure, after saying why.
int become(const std::filesystem::path& program, const Arguments& arguments);

}  // namespace zoe::cli
